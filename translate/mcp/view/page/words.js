// Words: what amounts, constraints and verdicts are in plain English.

// minorDigits are the decimals of the ISO 4217 currencies that do not have two. Intl
// knows others for some of them, and would show those amounts a hundredfold.
const minorDigits = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

function digitsOf(currency) {
  for (const [digits, codes] of Object.entries(minorDigits)) {
    if (codes.split(" ").includes(currency)) return Number(digits);
  }
  return 2;
}

// wordsFor returns the words for what was read from a shop at a moment, in a currency.
function wordsFor(host, { currency, as_of: asOf }) {
  // money writes minor units as the reader's locale does, from their digits: a
  // fraction in binary would not be the amount.
  function money(minor) {
    if (!Number.isSafeInteger(minor)) return "an unknown amount";
    if (!/^[A-Z]{3}$/.test(currency)) return `${minor} minor units`;
    const digits = digitsOf(currency);
    const text = String(Math.abs(minor)).padStart(digits + 1, "0");
    const point = text.length - digits;
    const decimal = (minor < 0 ? "-" : "") + text.slice(0, point) + (digits > 0 ? `.${text.slice(point)}` : "");
    try {
      return new Intl.NumberFormat(host.locale(), {
        style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits,
      }).format(decimal);
    } catch {
      return `${decimal} ${currency}`;
    }
  }

  // read formats the moment of reading in the reader's time zone.
  function read(options) {
    const at = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(asOf) ? asOf : NaN);
    if (Number.isNaN(at.getTime())) return undefined;
    try {
      return new Intl.DateTimeFormat(host.locale(), { timeZone: host.timeZone(), ...options }).format(at);
    } catch { // a time zone that is not known here
      return new Intl.DateTimeFormat(host.locale(), options).format(at);
    }
  }

  const time = read({ hour: "2-digit", minute: "2-digit" });
  const day = read({ dateStyle: "medium" });
  const live = time === undefined ? "read live" : `read live at ${time}`;
  // moment has the day too: a conversation may be read again long after.
  const moment = time === undefined ? "read live" : `read live on ${day} at ${time}`;

  // bound says a limit of the price.
  const bound = (kind, minor) => (kind === "max_price" ? `up to ${money(minor)}` : `from ${money(minor)}`);

  // priced is the verdict on a price.
  function priced({ constraint, outcome, wanted, found }) {
    if (outcome === "not_assessed") return { fact: "Price not known", evidence: "the shop did not say" };
    const evidence = `${money(found)}, ${live}`;
    const most = constraint === "max_price";
    if (outcome === "satisfied") return { fact: most ? `Within ${money(wanted)}` : `At least ${money(wanted)}`, evidence };
    return { fact: `${money(Math.abs(found - wanted))} ${most ? "over" : "under"} ${money(wanted)}`, evidence };
  }

  function stocked({ outcome }) {
    const evidence = `stock ${live}`;
    if (outcome === "satisfied") return { fact: "In stock", evidence };
    if (outcome === "failed") return { fact: "Sold out", evidence };
    return { fact: "Stock not known", evidence: "the shop did not say" };
  }

  // verdict says what came of one constraint: the fact, and what it rests on.
  function verdict(v) {
    switch (v.constraint) {
      case "max_price":
      case "min_price":
        return priced(v);
      case "in_stock":
        return stocked(v);
      default:
        return described(v);
    }
  }

  return { money, moment, bound, verdict };
}

// described is the verdict on an attribute that has to be, or must not be.
function described(v) {
  const { key, wanted, outcome, source, constraint } = v;
  const found = texts(v.found);
  const excluded = constraint === "excluded_attribute";
  const asked = attribute(key, String(wanted));
  if (outcome === "not_assessed") {
    return { fact: capital(asked), evidence: found.length > 0 ? `recorded only as ${either(found)}` : unknown(source) };
  }
  const from = source === "enrichment_image" ? "as a photograph shows — confirm" : "recorded by the shop";
  const same = found.some((value) => fold(value) === fold(String(wanted)));
  const truth = isTruth(wanted);
  if ((outcome === "satisfied") !== excluded) { // it is what the constraint names
    const other = found.length > 0 && !same && !(truth && found.every(isTruth));
    return {
      fact: capital(asked),
      evidence: `${from}${other ? ` as ${either(found)}` : ""}${excluded ? ", and not wanted" : ""}`,
    };
  }
  const no = fold(`not ${wanted}`);
  const other = found.filter((value) => !isTruth(value) && fold(value) !== no);
  if (truth || excluded) {
    return { fact: capital(negated(key, String(wanted))), evidence: `${from}${other.length > 0 ? ` as ${either(other)}` : ""}` };
  }
  return { fact: found.length > 0 ? capital(attribute(key, either(found))) : capital(negated(key, wanted)), evidence: `not ${wanted}, ${from}` };
}

// unknown says why nobody knows.
function unknown(source) {
  return source === "unenriched" ? "nothing recorded about this product" : "not among what the shop has recorded";
}

// attribute names one: "waterproof" for waterproof=true, "colour: red" for others. The
// key feature is that of what has no other name than its value.
function attribute(key, value) {
  const name = key === "feature" ? "" : (key ?? "").replaceAll("_", " ");
  if (name === "") return value;
  if (fold(value) === "true") return name;
  if (fold(value) === "false") return `not ${name}`;
  return `${name}: ${value}`;
}

// negated is attribute when it must not be, or is not.
function negated(key, value) {
  if (key === "feature") return `no ${value}`;
  if (fold(value) === "false") return attribute(key, "true");
  if (key && isTruth(value)) return `not ${attribute(key, "true")}`;
  return key ? `${attribute(key, `not ${value}`)}` : `not ${value}`;
}

// whether asks of a product whether it has an attribute.
function whether(key, value) {
  if (key === "feature") return `it has ${value}`;
  if (!key || isTruth(value)) return `it is ${attribute(key, value)}`;
  return `its ${attribute(key, "true")} is ${value}`;
}

// brief is what is repeated to the assistant of what was understood.
function brief(text) {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function isTruth(value) {
  return ["true", "false"].includes(fold(String(value)));
}

// remarks are what a result says beside all that is drawn of it: such as that the shop
// does not sell in a currency.
function remarks(messages) {
  const drawn = ["ai.storeware.understood", "ai.storeware.ruled_out", "ai.storeware.not_stocked"];
  return (messages ?? []).filter(({ code, content }) => !drawn.includes(code) && content).map(({ content }) => [content]);
}

// texts returns what was found as a list.
function texts(found) {
  return found === undefined || found === null ? [] : [found].flat().map(String);
}

// either joins texts with commas and quotes none of them: they are short values.
function either(all) {
  return all.join(", ");
}

function fold(text) {
  return text.toLowerCase();
}

function capital(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

// count says how many of something there are.
function count(n, one, many) {
  return `${n} ${n === 1 ? one : many}`;
}
