// The view of what get_product answers.

// mostVariants is how many versions are listed; more are counted.
const mostVariants = 40;

run((host, result) => {
  const product = result.product ?? {};
  const words = wordsFor(host, result);
  const variants = product.variants ?? [];
  return [
    [
      product.brand && make("p", { class: "eyebrow" }, product.brand),
      make("h1", {}, product.title || product.handle || "Product"),
      make("p", { class: "price large" }, priceOf(product, variants, words)),
      chosen(product),
    ],
    [stockOf(product, variants), `Price and stock ${words.moment}.`],
    [
      noticed(remarks(result.messages)),
      atTheShop(host, "shop", product.title, product.url),
      product.description && make("div", { class: "description" },
        product.description.split(/\n+/).filter((line) => line.trim() !== "").map((line) => make("p", {}, line))),
      facts(product),
      versions(product, variants, words),
      questions(host, nextTurns(product, variants)),
    ],
  ];
});

// priceOf writes what the product costs, or between what its versions do.
function priceOf(product, variants, words) {
  const prices = variants.map((v) => v.price_minor).filter(Number.isInteger);
  if (prices.length === 0 && Number.isInteger(product.price_minor)) prices.push(product.price_minor);
  if (prices.length === 0) return "Price not known";
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  if (least < most) return `${words.money(least)} to ${words.money(most)}`;
  const list = product.list_price_minor ?? variants[0]?.list_price_minor;
  return [words.money(least), variants.every((v) => v.list_price_minor === list) && was(words, list, least)];
}

// chosen draws the choices that the price and the stock are of.
function chosen(product) {
  if (!(product.selected?.length > 0)) return undefined;
  return list("ul", { class: "limits", "aria-label": "What was chosen" }, product.selected.map(({ name, value }) => make("li", {}, `${name}: ${value}`)));
}

// stockOf says whether it can be had, which any of its versions decides.
function stockOf(product, variants) {
  const all = variants.length > 0 ? variants : [product];
  const known = all.filter((v) => typeof v.in_stock === "boolean");
  if (known.length === 0) return "The shop does not say whether it is in stock.";
  const there = known.filter((v) => v.in_stock).length;
  const states = new Set(all.map((v) => stockWords(v)));
  if (states.size === 1) return `${[...states][0]}.`;
  if (there === 0) return "Sold out.";
  return there < known.length ? `In stock in ${there} of ${count(known.length, "version", "versions")}.` : "In stock.";
}

// stockWords says what a shop tells of one version.
function stockWords({ availability, in_stock: is, stock }) {
  switch (availability) {
    case "discontinued":
      return "No longer sold";
    case "backorder":
      return "On back order";
    case "preorder":
      return "To be ordered ahead";
    case "low_stock":
      return stock > 0 ? `Only ${stock} left` : "Few left";
    default:
      return { true: "In stock", false: "Sold out" }[is] ?? "Not said";
  }
}

// facts draws what the shop has recorded.
function facts(product) {
  const all = [
    ...(product.attributes ?? []).map(fact),
    ...(product.categories?.length > 0 ? [["category", product.categories.at(-1).replaceAll("/", " › ")]] : []),
  ];
  if (all.length === 0) return make("p", { class: "quiet" }, "The shop has recorded no facts about this product.");
  return section("facts", 2, "Recorded by the shop", {},
    make("dl", { class: "facts" }, all.map(([name, value]) => make("div", {}, make("dt", {}, capital(name)), make("dd", {}, value)))));
}

// fact is something recorded as its name and its value. The unit of a measure is a part
// of many shops' names for it.
function fact({ key, values }) {
  const name = key.replaceAll("_", " ");
  const all = [values].flat().map(plainTruth);
  const measured = /^(.+) (mm|cm|m|g|kg|ml|l)$/.exec(name);
  if (measured === null || !all.every((value) => /^[\d.,]+$/.test(value))) return [name, all.join(", ")];
  return [measured[1], `${all.join(", ")} ${measured[2]}`];
}

function plainTruth(value) {
  return { true: "yes", false: "no" }[value] ?? String(value);
}

// versions draws the table of what can be bought.
function versions(product, variants, words) {
  if (variants.length < 2) return undefined;
  const all = Math.max(product.variant_count ?? 0, variants.length);
  const shown = Math.min(variants.length, mostVariants);
  return section("versions", 2, "Versions", {},
    make("div", { class: "scroll", role: "region", "aria-label": "Table of versions", tabindex: "0" }, make("table", {},
      make("thead", {}, make("tr", {}, ["Version", "Price", "Stock"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, variants.slice(0, mostVariants).map((v) => make("tr", {},
        make("th", { scope: "row" }, nameOf(v)),
        make("td", {}, Number.isInteger(v.price_minor) ? [words.money(v.price_minor), was(words, v.list_price_minor, v.price_minor)] : "not known"),
        make("td", { class: v.in_stock === false ? "soldout" : undefined }, stockWords(v))))))),
    shown < all && make("p", { class: "quiet more" }, `${shown} of ${all} versions.`));
}

// nameOf names a version by its choices.
function nameOf(variant) {
  const choices = (variant.options ?? []).map(({ value }) => value).filter(Boolean);
  return choices.length > 0 ? choices.join(", ") : variant.title || variant.sku || variant.id || "";
}

// nextTurns are the sensible things to ask now.
function nextTurns(product, variants) {
  const buyable = variants.filter((v) => v.in_stock !== false);
  if (variants.length > 0 ? buyable.length === 0 : product.in_stock === false) {
    const gone = variants.length > 0 && variants.every((v) => v.availability === "discontinued") ? "no longer sold" : "sold out";
    return [{ name: "like", text: `It is ${gone}. Look for something like it?`, answer: "Yes, look", say: "Find something like this product that is in stock." }];
  }
  if (variants.length === 1) {
    return [{ name: "basket", text: "Is this the one?", answer: "Put it in the basket", say: "Put this product in the basket." }];
  }
  const open = ({ name }) => new Set(buyable.map((v) => (v.options ?? []).find((choice) => choice.name === name)?.value)).size > 1;
  const choices = (product.options ?? []).filter(open).map(({ name }) => name.toLowerCase());
  if (choices.length === 0) return [];
  return [{ name: "choose", text: `Which ${new Intl.ListFormat("en").format(choices)} should it be?` }];
}
