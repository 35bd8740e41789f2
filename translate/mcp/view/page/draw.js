// Drawing: elements are made one by one and texts become text nodes, so that nothing
// of a shop's is ever read as markup.

// make returns an element with attributes and children. A child is an element, a text,
// a list of children, or nothing.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

// list returns a list that stays one for a screen reader when its bullets are gone.
function list(kind, attributes, items) {
  return make(kind, { role: "list", ...attributes }, items);
}

// unseen is read out and not shown.
function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

// section returns a part of the page under its heading. The parts of a part are no
// landmarks, for there are several of each name.
function section(id, level, heading, attributes, ...children) {
  const landmark = level === 2 ? { "aria-labelledby": id } : {};
  return make("section", { ...landmark, ...attributes }, make(`h${level}`, { id }, heading), ...children);
}

// show replaces what is drawn, and leaves the focus on the control that had it if
// there is one of the same name. The status is what matters most and what else there
// is to say; it is read out when it changes.
function show(head, [lead, rest], body) {
  const focused = document.activeElement?.dataset?.name;
  byId("head").replaceChildren(...[head].flat(Infinity).filter(Boolean));
  byId("body").replaceChildren(...[body].flat(Infinity).filter(Boolean));
  const status = byId("status");
  const said = [lead, rest].filter(Boolean).join(" ");
  if (status.textContent !== said) status.replaceChildren(make("strong", {}, lead), rest ? ` ${rest}` : "");
  byId("view").setAttribute("aria-busy", "false");
  if (focused) document.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
}

function byId(id) {
  return document.getElementById(id);
}

// tell says in the live region what came of a press.
function tell(text) {
  byId("said").textContent = text;
}

// button does something through the host and says how it went.
function button(name, label, attributes, act, done, failed) {
  const element = make("button", { type: "button", "data-name": name, ...attributes }, label);
  element.addEventListener("click", async () => {
    if (element.getAttribute("aria-disabled") === "true") return;
    element.setAttribute("aria-disabled", "true");
    try {
      await act();
      tell(done);
    } catch {
      tell(failed);
    }
    element.removeAttribute("aria-disabled");
  });
  return element;
}

// atTheShop opens the page of a product where the host does that.
function atTheShop(host, name, title, url) {
  if (!host.canOpen() || !/^https?:\/\//i.test(url ?? "")) return undefined;
  return button(name, ["See it at the shop", unseen(`: ${title}`)], { class: "link" },
    () => host.open(url), "Opened at the shop.", "It could not be opened from here.");
}

// noticed draws warnings, each with what matters most and what else there is to say.
function noticed(all) {
  return all.map(([first, rest]) => make("p", { class: "notice" }, make("strong", {}, first), rest));
}

// was draws what something cost before a sale.
function was(words, list, price) {
  return Number.isInteger(list) && list > price && [" ", make("s", {}, unseen("was "), words.money(list))];
}

// questions draws what could be asked next. Each is {name, text, answer, say}: what is
// put to the shopper, and what they say by pressing the answer.
function questions(host, all) {
  if (all.length === 0) return undefined;
  return section("next", 2, "What to ask next", { class: "next" }, list("ul", {}, all.map(({ name, text, answer, say }) =>
    make("li", {}, make("p", {}, text), say !== undefined && host.canSay() && button(name, answer, {},
      () => host.say(say), "Passed on.", "The assistant did not take it. Say it in your own words.")))));
}

// without says why there is nothing to draw.
function without(...why) {
  return show(make("h1", {}, "No answer to show"), why, []);
}

// run draws every result with render, and again when something around it changes.
function run(render) {
  let last;
  let key;
  let problem;
  const redraw = () => {
    if (problem !== undefined) return without(problem);
    if (last === undefined) return undefined;
    try {
      return show(...render(host, last));
    } catch { // it is of a shape that nobody knew when this was written
      return without("This answer cannot be shown here.", "The assistant has it in words.");
    }
  };
  const host = connect({
    onResult(result, isError) {
      const next = JSON.stringify([result, isError]);
      if (next === key) return;
      key = next;
      tell("");
      const usable = !isError && typeof result === "object" && result !== null;
      problem = usable ? undefined : (typeof result === "string" && result) || "The shop did not say why.";
      last = usable ? result : undefined;
      // The host may still be telling what it can do; what is here is drawn then too.
      queueMicrotask(redraw);
    },
    onFailure(text) {
      problem = text;
      queueMicrotask(redraw);
    },
    onChange() {
      queueMicrotask(redraw);
    },
  });
}
