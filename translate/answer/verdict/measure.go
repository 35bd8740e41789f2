package verdict

import (
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// measured makes one form of a number and its unit, however they are written:
// "32inch" of `32"`, "32-inch", "32 Zoll" and "32インチ". It reports how many tokens
// these are, zero if there is no unit.
func measured(tokens []text.Token) (form string, n int) {
	number := tokens[0]
	if number.Suffix != "" {
		if u := unit(number.Suffix); u != "" {
			return plainNumber(number.Digits) + u, 1
		}
		return "", 0
	}
	if len(tokens) < 2 {
		return "", 0
	}
	next := tokens[1]
	word := strings.TrimPrefix(next.Fold, "-")
	if next.Fold == "-" && len(tokens) > 2 && !tokens[2].Spaced {
		word = tokens[2].Fold
		n = 1
	}
	if u := unit(word); u != "" && word != "in" { // "5 in 1"
		return plainNumber(number.Digits) + u, n + 2
	}
	return "", 0
}

// packs is the unit of what comes in packs.
const packs = "pack"

// packed reports whether tokens begin with how many are in a pack: "Pack of 24". With a
// unit behind it the number is of something else: "pack of 500 g".
func packed(tokens []text.Token) bool {
	if len(tokens) < 3 || tokens[2].Kind != text.Number || tokens[2].Suffix != "" || tokens[1].Fold != "of" && tokens[1].Fold != "de" {
		return false
	}
	switch tokens[0].Fold {
	case packs, "packs", "set", "box", "lot", "paquete", "juego", "caja", "boite":
		_, n := measured(tokens[2:])
		return n == 0
	}
	return false
}

// plainNumber writes a number one way: no marks between thousands, a point before
// decimals, and no zeros at their end.
func plainNumber(digits string) string {
	if strings.Trim(digits, "0123456789") == "" {
		return digits // as most are
	}
	whole, fraction := digits, ""
	if at := strings.LastIndexAny(digits, ".,"); at >= 0 && len(digits)-at-1 != 3 {
		whole, fraction = digits[:at], strings.TrimRight(digits[at+1:], "0")
	}
	whole = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, whole)
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// quantity parts a form that measured made.
func quantity(form string) (thousandths int64, unit string, ok bool) {
	at := strings.IndexFunc(form, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at <= 0 {
		return 0, "", false
	}
	whole, fraction, _ := strings.Cut(form[:at], ".")
	const places = 3
	fraction = (fraction + "000")[:places]
	thousandths, err := strconv.ParseInt(whole+fraction, 10, 64)
	return thousandths, form[at:], err == nil && isUnit(form[at:])
}

// isMeasure reports whether a form is a number with its unit.
func isMeasure(form string) bool {
	_, _, ok := quantity(form)
	return ok
}

// isUnit reports whether a word is what unit makes of all that mean the same.
func isUnit(word string) bool { return word != "" && unit(word) == word }

// unit gives the one name of a unit that has many, in any language.
func unit(word string) string {
	switch word {
	case "\"", "inch", "inches", "in", "zoll", "pouce", "pouces", "pulgada", "pulgadas", "インチ":
		return "inch"
	case "cm", "centimetre", "centimetres", "centimeter", "centimeters", "zentimeter", "centimetro", "centimetros", "センチ":
		return "cm"
	case "mm", "millimetre", "millimetres", "millimeter", "millimeters", "milimetros", "ミリ":
		return "mm"
	case "m", "metre", "metres", "meter", "meters", "metro", "metros", "メートル":
		return "m"
	case "ft", "foot", "feet", "fuss", "pied", "pieds", "pies":
		return "ft"
	case "kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramm", "kilogramme", "kilogrammes", "kilogramos", "キロ":
		return "kg"
	case "g", "gr", "gram", "grams", "gramm", "gramme", "grammes", "gramos", "グラム":
		return "g"
	case "lb", "lbs", "pound", "pounds":
		return "lb"
	case "oz", "ounce", "ounces":
		return "oz"
	case "l", "litre", "litres", "liter", "liters", "litro", "litros", "リットル":
		return "l"
	case "ml", "millilitre", "millilitres", "milliliter", "milliliters", "mililitros", "ミリリットル":
		return "ml"
	case "gb", "gigabyte", "gigabytes":
		return "gb"
	case "tb", "terabyte", "terabytes":
		return "tb"
	case "mb", "megabyte", "megabytes":
		return "mb"
	case "mah", "wh", "cl", "km", "mg", "hz", "kw":
		return word
	case "w", "watt", "watts", "vatios", "ワット":
		return "w"
	case "v", "volt", "volts", "voltios":
		return "v"
	case "mp", "megapixel", "megapixels", "megapixeles":
		return "mp"
	case "person", "persons", "people", "man", "berth", "personen", "personne", "personnes", "persona", "personas", "plazas", "places", "人", "人用":
		return "person"
	case "pcs", "pc", "piece", "pieces", "pack", "packs", "pk", "count", "ct", "stuck", "teilig", "piezas", "unidades", "個", "枚":
		return "pcs"
	}
	return ""
}

// bounded is a wish for more or less of a measure.
type bounded struct {
	most        bool
	key         string // of the measure, without its bound
	thousandths int64
	unit        string
}

// bound returns what is wished of a measure by a key such as "weight_max", nil for
// all other keys.
func (l *Lexicon) bound(c Constraint, forms []string) *bounded {
	key, most := strings.CutSuffix(c.Key, "_max")
	if !most {
		var least bool
		if key, least = strings.CutSuffix(c.Key, "_min"); !least {
			return nil
		}
	}
	for _, form := range forms {
		if n, unit, ok := quantity(form); ok {
			return &bounded{most: most, key: l.key(key), thousandths: n, unit: unit}
		}
	}
	return nil
}

func (b *bounded) meets(thousandths int64) bool {
	if b.most {
		return thousandths <= b.thousandths
	}
	return thousandths >= b.thousandths
}

// weighed looks for a measure that a wish bounds: under its key, in the title, and
// under any key. Where a product has several of them, one has to do.
func (k *knowledge) weighed(b *bounded) (evidence, bool) {
	words := k.judge.words
	e := evidence{source: Enrichment}
	look := func(value string) bool {
		for _, form := range words.forms(value) {
			n, unit, ok := quantity(form)
			if !ok || unit != b.unit {
				continue
			}
			if b.meets(n) {
				e = evidence{yes, []string{value}, Enrichment}
				return true
			}
			e.says = no
			e.found = append(e.found, value)
		}
		return false
	}
	for _, own := range []bool{true, false} {
		for _, f := range k.facts.list {
			if (f.key == b.key) == own && slices.ContainsFunc(f.values, look) {
				return e, true
			}
		}
		if e.says != nothing {
			return e, true
		}
		if own {
			for i := range k.title.sentences() {
				if look(strings.TrimSpace(k.title.parts[i].text)) {
					return e, true
				}
			}
			if e.says != nothing {
				return e, true
			}
		}
	}
	return e, false
}
