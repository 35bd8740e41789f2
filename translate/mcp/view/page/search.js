// The view of what search_products answers.

// marks stand before a verdict; what they mean is read out in words.
const marks = {
  satisfied: { sign: "✓", said: "Meets: " },
  failed: { sign: "✕", said: "Does not meet: " },
  not_assessed: { sign: "?", said: "Not known: " },
};

run((host, answer) => {
  const words = wordsFor(host, answer);
  const passes = answer.understood?.passes ?? [];
  const turns = questions(host, nextTurns(answer, words));
  return [
    heading(answer, words, passes),
    summary(answer, words),
    [
      notices(answer, words),
      emptyHanded(answer) && turns,
      passes.map((pass, i) => group(host, answer, words, pass, i)),
      products(host, answer, words, (item) => passes[item.pass] === undefined, 2, "all"),
      outside(answer, words),
      !emptyHanded(answer) && turns,
    ],
  ];
});

// products draws the results and what was ruled out, those that belong here.
function products(host, answer, words, belongs, level, id) {
  return [
    results(host, answer, words, (answer.results ?? []).filter(belongs), level, `${id}-results`),
    ruledOut(host, words, (answer.ruled_out ?? []).filter(belongs), level, `${id}-out`),
  ];
}

// outside says how much of what was ruled out is not shown.
function outside(answer, words) {
  const more = (answer.ruled_out_count ?? 0) - (answer.ruled_out?.length ?? 0);
  return more > 0 && make("p", { class: "quiet more" }, `${more} more ${more === 1 ? "was" : "were"} ruled out.`,
    isAmount(answer.cheapest_ruled_out_minor) && ` The cheapest of them all is ${words.money(answer.cheapest_ruled_out_minor)}.`);
}

// emptyHanded: there are no results, but something came close.
function emptyHanded(answer) {
  return resultsCount(answer) === 0 && answer.ruled_out_count > 0;
}

function resultsCount(answer) {
  return answer.results_count ?? answer.results?.length ?? 0;
}

// heading says how the question was read.
function heading(answer, words, passes) {
  const read = answer.understood ?? {};
  return [
    make("p", { class: "eyebrow" }, answer.degraded ? "Not fully understood" : passes.length > 1 ? `Understood as ${passes.length} things` : "Understood as"),
    make("h1", {}, together(passes) || read.query || "Everything"),
    limits(read, words, read.remembered ?? []),
    (read.context ?? []).length > 0 && make("p", { class: "context" }, unseen("Context: "), read.context.join(" · ")),
    earlier(read.remembered ?? []),
  ];
}

// together names several things.
function together(passes) {
  return new Intl.ListFormat("en").format(passes.map(({ query }) => query).filter(Boolean));
}

// limits draws the constraints of a reading, those apart that stand above it already.
function limits(read, words, remembered, above = []) {
  const own = constraints(read, words).filter(({ text }) => !above.includes(text));
  if (own.length === 0) return undefined;
  return list("ul", { class: "limits", "aria-label": "What was asked for" }, own.map(({ text, kind, key, wanted }) => {
    const from = remembered.find((r) => r.constraint === kind && (r.key ?? "") === (key ?? "") && String(r.wanted) === String(wanted));
    return make("li", {}, text, from && make("span", { class: "from" }, ` ${scopes[from.scope] ?? "remembered"}`));
  }));
}

const scopes = {
  conversation: "from earlier in this conversation",
  standing: "from what you told this shop before",
};

// constraints lists what a reading holds a product to, with the words for it.
function constraints(read, words) {
  const all = [];
  if (isAmount(read.max_price_minor)) all.push({ kind: "max_price", wanted: read.max_price_minor, text: words.bound("max_price", read.max_price_minor) });
  if (isAmount(read.min_price_minor)) all.push({ kind: "min_price", wanted: read.min_price_minor, text: words.bound("min_price", read.min_price_minor) });
  if (read.in_stock) all.push({ kind: "in_stock", wanted: true, text: "in stock" });
  for (const { key, value } of read.required_attributes ?? []) {
    all.push({ kind: "attribute", key, wanted: value, text: attribute(key, value) });
  }
  for (const { key, value } of read.excluded_attributes ?? []) {
    all.push({ kind: "excluded_attribute", key, wanted: value, text: negated(key, value) });
  }
  return all;
}

function isAmount(minor) {
  return typeof minor === "number";
}

// earlier says what was remembered apart from the limits, and how to be rid of it.
function earlier(remembered) {
  const thing = remembered.find((r) => r.constraint === "query");
  const standing = remembered.some((r) => r.scope === "standing");
  return [
    thing && make("p", { class: "quiet" }, `“${thing.wanted}” is ${scopes[thing.scope] ?? "remembered"}.`),
    standing && make("p", { class: "quiet" }, "What you told this shop before can be removed on your account page there."),
  ];
}

// summary is the answer in one line, and how fresh it is.
function summary(answer, words) {
  const met = resultsCount(answer);
  const out = answer.ruled_out_count ?? 0;
  const unrelated = answer.unrelated_count ?? 0;
  if (met === 0 && out === 0 && unrelated > 0) {
    return ["This shop does not sell anything of the kind.",
      `${count(unrelated, "product was found, and it is", "products were found, and all are")} something else.`];
  }
  if (met === 0 && out === 0) return ["Nothing was found."];
  const parts = [met === 0 ? "Nothing meets all of it"
    : limited(answer, words) ? count(met, "product meets all of it", "products meet all of it") : count(met, "product", "products")];
  if (out > 0) parts.push(met === 0 ? count(out, "comes close", "come close") : `${out} ruled out`);
  if (unrelated > 0) parts.push(`${unrelated} of another kind left out`);
  return [`${parts.join(", ")}.`, `Prices and stock ${words.moment}.`];
}

// limited: products were held to something, and to all that was said.
function limited(answer, words) {
  const read = answer.understood ?? {};
  return !answer.degraded && [read, ...(read.passes ?? [])].some((one) => constraints(one, words).length > 0);
}

// notices warn of what the answer cannot be trusted for.
function notices(answer, words) {
  const all = [];
  const read = answer.understood ?? {};
  if (answer.degraded) {
    const apart = constraints(read, words).length > 0 ? " What is listed above was asked for apart from them." : "";
    all.push(["The limits in this question could not be read, so none from its words was applied.",
      `${apart} Ask again rather than trust this list.`]);
  }
  if (answer.relevance_judged === false && read.query && resultsCount(answer) > 0) {
    all.push(["Whether these are the kind of thing asked for could not be judged this time."]);
  }
  return noticed([...all, ...remarks(answer.messages)]);
}

// group draws one of several things.
function group(host, answer, words, pass, i) {
  const above = constraints(answer.understood, words).map(({ text }) => text);
  const belongs = (item) => item.pass === i;
  return section(`pass-${i}`, 2, pass.query, { class: "pass" },
    limits(pass, words, [], above),
    !(answer.results ?? []).some(belongs) && make("p", { class: "quiet" }, "Nothing shown here meets all of it."),
    products(host, answer, words, belongs, 3, `pass-${i}`));
}

// results draws what meets every constraint.
function results(host, answer, words, items, level, id) {
  if (items.length === 0) return undefined;
  return section(id, level, limited(answer, words) ? "Meets all of it" : "Products", {}, list("ol", { class: "cards" }, items.map((item, i) => make("li", { class: "card" },
    titled(item, words, level + 1), verdicts(item.verdicts ?? [], words), atTheShop(host, `${id}-${i}`, item.title, item.url)))));
}

// ruledOut draws what came close, with what it fails first.
function ruledOut(host, words, items, level, id) {
  if (items.length === 0) return undefined;
  return section(id, level, "Ruled out", {}, list("ol", { class: "rows" }, items.map((item, i) => {
    const all = item.verdicts ?? [];
    const failing = all.filter((v) => v.outcome !== "satisfied");
    const met = all.filter((v) => v.outcome === "satisfied").map((v) => words.verdict(v).fact);
    return make("li", { class: "row" }, titled(item, words, level + 1), verdicts(failing, words),
      met.length > 0 && make("p", { class: "quiet" }, `Otherwise: ${met.join(" · ")}`),
      atTheShop(host, `${id}-${i}`, item.title, item.url));
  })));
}

// titled draws the title of a product with its price.
function titled(item, words, level) {
  return make("div", { class: "titled" },
    make(`h${level}`, {}, item.title || item.handle || "Untitled"),
    make("p", { class: "price" }, isAmount(item.price_minor) ? words.money(item.price_minor) : "Price not known",
      was(words, item.list_price_minor, item.price_minor),
      item.in_stock === false && make("span", { class: "soldout" }, " Sold out")));
}

// verdicts draws what each constraint came to, with the evidence.
function verdicts(all, words) {
  if (all.length === 0) return undefined;
  return list("ul", { class: "verdicts" }, all.map((v) => {
    const { fact, evidence } = words.verdict(v);
    const { sign, said } = marks[v.outcome] ?? marks.not_assessed;
    return make("li", { class: v.outcome }, make("span", { class: "mark", "aria-hidden": "true" }, sign),
      make("span", {}, unseen(said), make("span", { class: "fact" }, fact), make("span", { class: "evidence" }, ` ${evidence}`)));
  }));
}

// nextTurns are the sensible things to ask now.
function nextTurns(answer, words) {
  const read = answer.understood ?? {};
  const turns = [];
  if ((answer.passes ?? 1) > 1 && isAmount(read.max_price_minor)) {
    turns.push({
      name: "total", text: `${words.money(read.max_price_minor)} is held for each thing. Is it meant for all of them together?`,
      answer: "For all together", say: `The limit of ${words.money(read.max_price_minor)} is for everything together, not for each thing.`,
    });
  }
  const close = emptyHanded(answer) && nearest(answer.ruled_out ?? [], words);
  if (close) turns.push(close);
  const forgettable = read.remembered?.find((r) => r.constraint !== "query");
  if (forgettable) {
    const text = forgotten(forgettable, words);
    turns.push({
      name: "forget", text: `“${text}” was not said this time; it is ${scopes[forgettable.scope] ?? "remembered"}. Keep it?`,
      answer: "Leave it out", say: `Search again without this: ${brief(text)}.`,
    });
  }
  const shown = answer.results?.length ?? 0;
  if (answer.next && resultsCount(answer) > shown) {
    turns.push({ name: "more", text: `${shown} of ${resultsCount(answer)} are shown.`, answer: "Show more", say: "Show me more of these results." });
  }
  return turns;
}

// nearest asks one thing about what came close: whether to spend a little more, whether
// what is recorded is what was meant, or whether to look at the nearest all the same.
function nearest(out, words) {
  const close = out.map((item, i) => ({ item, number: i + 1, failing: (item.verdicts ?? []).filter((v) => v.outcome !== "satisfied") }));
  const only = close.filter(({ failing }) => failing.length === 1).map((one) => ({ ...one, v: one.failing[0] }));
  const [over] = only.filter(({ v }) => v.constraint === "max_price" && v.outcome === "failed").sort((a, b) => a.v.found - b.v.found);
  if (over) {
    const by = words.money(over.v.found - over.v.wanted);
    return {
      name: "over", text: `The cheapest that meets the rest is ${by} over. Show it?`, answer: "Yes, show it",
      say: `Show me the one for ${words.money(over.v.found)}, though it is ${by} over my limit. It is number ${over.number} of those ruled out.`,
    };
  }
  const vague = only.find(({ v }) => v.constraint === "attribute" && v.outcome === "not_assessed" && texts(v.found).length > 0);
  if (vague) {
    const { key, wanted, found } = vague.v;
    const what = key && !isTruth(wanted) ? `the ${attribute(key, "true")}` : "what";
    return {
      name: "vague", text: `The shop records “${vague.item.title}” as ${either(texts(found))}. Is that ${what} you meant?`,
      answer: "Yes, that will do", say: `What the shop recorded will do for ${brief(attribute(key, wanted))}. I mean number ${vague.number} of those ruled out.`,
    };
  }
  const [first] = close;
  return first && {
    name: "first", text: `“${first.item.title}” comes closest. ${unmet(first, words)} Show it all the same?`,
    answer: "Show it", say: `Show me number ${first.number} of those ruled out all the same.`,
  };
}

// unmet says in a sentence what is against a product.
function unmet({ failing }, words) {
  const [v] = failing;
  if (failing.length === 1 && v.outcome === "not_assessed" && v.constraint.endsWith("attribute")) {
    return `The shop has not recorded whether ${whether(v.key, v.wanted)}.`;
  }
  return failing.map((one) => `${words.verdict(one).fact}${one.outcome === "not_assessed" ? " is not known" : ""}.`).join(" ");
}

// forgotten says a remembered constraint.
function forgotten({ constraint, key, wanted }, words) {
  switch (constraint) {
    case "max_price":
    case "min_price":
      return words.bound(constraint, wanted);
    case "in_stock":
      return "in stock";
    case "excluded_attribute":
      return negated(key, String(wanted));
    default:
      return attribute(key, String(wanted));
  }
}
