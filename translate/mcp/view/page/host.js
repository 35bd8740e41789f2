// The host: whoever shows this page. It speaks MCP Apps (JSON-RPC over postMessage),
// or is ChatGPT with window.openai, or both.

// connect tells the view of every result and every change around it, and returns what
// the view may ask of the host.
function connect({ onResult, onFailure, onChange }) {
  const waiting = new Map();
  let lastId = 0;
  let context = {};
  let capabilities = {};

  const post = (message) => {
    if (window.parent !== window) window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  };
  const notify = (method, params = {}) => post({ method, params });
  const request = (method, params) => new Promise((resolve, reject) => {
    lastId += 1;
    waiting.set(lastId, { resolve, reject });
    post({ id: lastId, method, params });
  });

  const notifications = {
    "ui/notifications/tool-result": (params) => onResult(contentOf(params), params.isError === true),
    "ui/notifications/tool-cancelled": () => onFailure("It was stopped before the shop answered."),
    "ui/notifications/host-context-changed": (params) => settle(params),
  };
  const requests = { "ui/resource-teardown": {}, "ping": {} };

  // settle takes what the host says of itself and of the reader.
  function settle(changed) {
    context = { ...context, ...changed };
    const root = document.documentElement;
    if (context.theme === "light" || context.theme === "dark") root.style.colorScheme = context.theme;
    for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
      if (name.startsWith("--") && typeof value === "string") root.style.setProperty(name, value);
    }
    for (const side of ["top", "right", "bottom", "left"]) {
      const inset = Number(context.safeAreaInsets?.[side]);
      if (inset >= 0) root.style.setProperty(`--inset-${side}`, `${inset}px`);
    }
    onChange();
  }

  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || source === window || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) asked?.reject(new Error("refused"));
      else asked?.resolve(data.result ?? {});
    } else if (data.id === undefined) {
      if (Object.hasOwn(notifications, data.method)) notifications[data.method](data.params ?? {});
    } else if (Object.hasOwn(requests, data.method)) {
      post({ id: data.id, result: requests[data.method] });
    } else {
      post({ id: data.id, error: { code: -32601, message: "Method not found" } });
    }
  });

  // ChatGPT puts its globals into the page before or after this script runs, and says
  // all of them again when one changes.
  let lastOutput;
  function readGlobals() {
    const chat = window.openai;
    if (!chat) return;
    settle({ theme: chat.theme ?? context.theme, locale: chat.locale ?? context.locale });
    const output = JSON.stringify(chat.toolOutput);
    if (chat.toolOutput && output !== lastOutput) onResult(chat.toolOutput, false);
    lastOutput = output;
  }
  window.addEventListener("openai:set_globals", readGlobals);
  readGlobals();

  // reportHeight keeps the host told of how high the page is.
  function reportHeight() {
    const root = document.documentElement;
    new ResizeObserver(() => {
      notify("ui/notifications/size-changed", { height: Math.ceil(root.getBoundingClientRect().height) });
    }).observe(root);
  }

  request("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "storeware-view", version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  }).then((result) => {
    capabilities = result.hostCapabilities ?? {};
    settle(result.hostContext ?? {});
    notify("ui/notifications/initialized");
    reportHeight();
  }, () => onChange());

  const chatDoes = (name) => typeof window.openai?.[name] === "function";
  const takesText = (modalities) => modalities !== undefined && (Object.keys(modalities).length === 0 || modalities.text !== undefined);

  return {
    locale: () => supported(context.locale) ?? supported(navigator.language),
    timeZone: () => context.timeZone,
    canSay: () => takesText(capabilities.message) || chatDoes("sendFollowUpMessage"),
    // say speaks for the shopper, and fails when the host does not pass it on.
    async say(text) {
      if (!takesText(capabilities.message)) return window.openai.sendFollowUpMessage({ prompt: text });
      const result = await request("ui/message", { role: "user", content: [{ type: "text", text }] });
      if (result.isError) throw new Error("refused");
    },
    canOpen: () => capabilities.openLinks !== undefined || chatDoes("openExternal"),
    async open(url) {
      if (capabilities.openLinks === undefined) return window.openai.openExternal({ href: url });
      const result = await request("ui/open-link", { url });
      if (result.isError) throw new Error("refused");
    },
  };
}

// contentOf returns the object that a tool returned.
function contentOf(result) {
  if (result.structuredContent) return result.structuredContent;
  const text = result.content?.find((part) => part?.type === "text")?.text;
  try {
    return JSON.parse(text);
  } catch {
    return typeof text === "string" ? text : null;
  }
}

// supported returns a locale that Intl takes.
function supported(locale) {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
