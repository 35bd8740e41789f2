// The box that asks as an agent would. The question goes to what stands before the
// shop, which calls the shop's MCP server and hands on the result. The page that the
// shop's tool names as its view draws it; towards that page, this script is a host of
// MCP Apps: it speaks JSON-RPC over postMessage and gives it nothing but the result.

const form = document.getElementById("ask");
const status = document.getElementById("ask-status");
const answer = document.getElementById("ask-answer");
const raw = document.getElementById("ask-raw");
const dark = matchMedia("(prefers-color-scheme: dark)");

// The frame with the view, whether it is ready, and what it is to draw.
let frame;
let ready = false;
let result;
// The number of the last question: an answer to an earlier one is not wanted any more.
let last = 0;

function post(message) {
  // The frame has no origin that could be named.
  frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

// context says how this page looks, for the view to look alike.
function context() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    theme: dark.matches ? "dark" : "light",
    locale: document.documentElement.lang,
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    styles: {
      variables: {
        "--color-background-primary": colour("--card"),
        "--color-background-secondary": colour("--wash"),
        "--color-text-primary": colour("--ink"),
        "--color-text-secondary": colour("--quiet"),
        "--color-border-primary": colour("--line"),
        "--color-ring-primary": colour("--clay"),
      },
    },
  };
}

// draw gives the view the result, as soon as both are there.
function draw() {
  if (ready && result !== undefined) post({ method: "ui/notifications/tool-result", params: result });
}

const requests = {
  "ui/initialize": () => ({
    protocolVersion: "2026-01-26",
    hostInfo: { name: "kiln-and-cloth", version: "1.0.0" },
    hostCapabilities: { openLinks: {} },
    hostContext: context(),
  }),
  "ui/open-link": ({ url }) => {
    if (!/^https?:\/\//i.test(url)) return { isError: true };
    location.assign(url);
    return {};
  },
  "ping": () => ({}),
};

const notifications = {
  "ui/notifications/initialized": () => {
    ready = true;
    draw();
  },
  "ui/notifications/size-changed": ({ height }) => {
    if (height > 0) frame.style.height = `${height}px`;
  },
};

addEventListener("message", ({ source, data }) => {
  if (frame === undefined || source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
  const { id, method, params = {} } = data;
  if (method === undefined) return;
  if (id === undefined) {
    if (Object.hasOwn(notifications, method)) notifications[method](params);
  } else if (Object.hasOwn(requests, method)) {
    post({ id, result: requests[method](params) });
  } else {
    post({ id, error: { code: -32601, message: "Method not found" } });
  }
});

dark.addEventListener("change", () => {
  if (ready) post({ method: "ui/notifications/host-context-changed", params: context() });
});

// show draws a result in the frame, which is made for the first.
function show(next, address) {
  result = next;
  raw.href = address;
  answer.hidden = false;
  if (frame === undefined) {
    frame = document.createElement("iframe");
    frame.title = "The answer";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = `${form.getAttribute("action")}/view`;
    raw.parentElement.before(frame);
  }
  draw();
  if (answer.getBoundingClientRect().top > innerHeight * 0.7) answer.scrollIntoView();
}

// ask puts the question, and says in words when there is no answer to draw.
async function ask() {
  last += 1;
  const turn = last;
  const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
  status.textContent = "Asking the shop…";
  let problem;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(20000) });
    const found = response.ok ? await response.json() : undefined;
    if (turn !== last) return;
    if (found === undefined) {
      problem = await response.text();
    } else {
      status.textContent = "The answer is below.";
      show(found, address);
    }
  } catch {
    problem = "The shop could not be reached. Is it still running?";
  }
  if (problem !== undefined && turn === last) {
    answer.hidden = true;
    status.textContent = problem;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

for (const example of document.querySelectorAll("#ask-examples button")) {
  example.addEventListener("click", () => {
    form.elements.q.value = example.textContent;
    ask();
  });
}
