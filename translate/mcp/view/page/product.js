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
    ],
    [stockOf(product, variants), `Price and stock ${words.moment}.`],
    [
      atTheShop(host, "shop", product.title, product.url),
      product.description && make("div", { class: "description" },
        product.description.split(/\n+/).filter((line) => line.trim() !== "").map((line) => make("p", {}, line))),
      facts(product),
      versions(variants, words),
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
  const was = product.list_price_minor ?? variants[0]?.list_price_minor;
  return [words.money(least), Number.isInteger(was) && was > least && [" ", make("s", {}, unseen("was "), words.money(was))]];
}

// stockOf says whether it can be had, which any of its versions decides.
function stockOf(product, variants) {
  const known = variants.map((v) => v.in_stock).filter((is) => typeof is === "boolean");
  if (known.length === 0 && typeof product.in_stock === "boolean") known.push(product.in_stock);
  if (known.length === 0) return "The shop does not say whether it is in stock.";
  const there = known.filter(Boolean).length;
  if (there === 0) return "Sold out.";
  return there < known.length ? `In stock in ${there} of ${count(known.length, "version", "versions")}.` : "In stock.";
}

// facts draws what the shop has recorded.
function facts(product) {
  const all = [
    ...(product.attributes ?? []).map(({ key, values }) => [key.replaceAll("_", " "), [values].flat().map(plainTruth).join(", ")]),
    ...(product.categories?.length > 0 ? [["category", product.categories.at(-1).replaceAll("/", " › ")]] : []),
  ];
  if (all.length === 0) return make("p", { class: "quiet" }, "The shop has recorded no facts about this product.");
  return section("facts", 2, "Recorded by the shop", {},
    make("dl", { class: "facts" }, all.map(([name, value]) => make("div", {}, make("dt", {}, capital(name)), make("dd", {}, value)))));
}

function plainTruth(value) {
  return { true: "yes", false: "no" }[value] ?? String(value);
}

// versions draws the table of what can be bought.
function versions(variants, words) {
  if (variants.length < 2) return undefined;
  const rest = variants.length - mostVariants;
  return section("versions", 2, "Versions", {},
    make("div", { class: "scroll", role: "region", "aria-label": "Table of versions", tabindex: "0" }, make("table", {},
      make("thead", {}, make("tr", {}, ["Version", "Price", "Stock"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, variants.slice(0, mostVariants).map((v) => make("tr", {},
        make("th", { scope: "row" }, nameOf(v)),
        make("td", {}, Number.isInteger(v.price_minor) ? words.money(v.price_minor) : "not known"),
        make("td", { class: v.in_stock === false ? "soldout" : undefined }, { true: "In stock", false: "Sold out" }[v.in_stock] ?? "Not said")))))),
    rest > 0 && make("p", { class: "quiet" }, `And ${rest} more.`));
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
    return [{ name: "like", text: "It is sold out. Look for something like it?", answer: "Yes, look", say: "Find something like this product that is in stock." }];
  }
  if (variants.length === 1) {
    return [{ name: "basket", text: "Is this the one?", answer: "Put it in the basket", say: "Put this product in the basket." }];
  }
  const choices = (product.options ?? []).filter(({ values }) => values?.length > 1).map(({ name }) => name.toLowerCase());
  if (choices.length === 0) return [];
  return [{ name: "choose", text: `Which ${new Intl.ListFormat("en").format(choices)} should it be?` }];
}
