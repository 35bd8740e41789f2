package reading

import (
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// amount is a number that may be one of money.
type amount struct {
	from, to int
	// decimal is what money.ParseDecimal reads.
	decimal string
	// currencies are those that were said, the likeliest first.
	currencies []money.Currency
	// before says that a code, such as EUR, stands before the number, where it
	// could be a word; ambiguous that the currency is a unit of weight too.
	before, ambiguous bool
	// multiplied says that a thousand or more was written behind it: "2k".
	multiplied bool
	suffix     string
}

// amountAt reads a number with what stands around it: "£150", "150 quid",
// "1.299,00 €", "2k", "1万5千円", "fifty euros".
func (s *sentence) amountAt(i int) (amount, bool) {
	a := amount{from: i}
	if p := s.at(i); len(p.Currencies) > 0 && !p.number() && !p.is(language.Thousand|language.Myriad) {
		last := p.tokens[len(p.tokens)-1]
		symbol := last.Kind == text.Symbol
		if !symbol && len(p.fold()) != 3 || !s.at(i+1).number() {
			return a, false
		}
		a.currencies, a.before = p.Currencies, !symbol
		i++
	}
	i, ok := s.quantity(i, &a)
	if !ok {
		return a, false
	}
	// "50.- CHF", "50,- €"
	if sign := s.at(i).fold(); (sign == "." || sign == ",") && s.at(i+1).fold() == "-" && !s.at(i+2).number() {
		i += 2
	}
	if p := s.at(i); len(p.Currencies) > 0 && !p.number() && !slices.ContainsFunc(a.currencies, func(c money.Currency) bool { return !slices.Contains(p.Currencies, c) }) {
		// "$50 USD": the second one says which.
		a.currencies, a.before, a.ambiguous = p.Currencies, false, p.Unit == "weight"
		i++
	}
	a.to = i
	return a, true
}

// quantity reads the number and its multipliers.
func (s *sentence) quantity(i int, a *amount) (next int, ok bool) {
	var total int64
	for parts := 0; ; parts++ {
		p := s.at(i)
		switch {
		case p.number():
			decimal, ok := plainDecimal(p.tokens[0].Digits)
			if !ok {
				return i, false
			}
			a.decimal, a.suffix = decimal, p.tokens[0].Suffix
		case p.Counts && (parts == 0 || p.Number < total):
			a.decimal = strconv.FormatInt(p.Number, 10)
		case s.Unspaced && parts == 0 && p.is(language.Thousand|language.Myriad):
			a.decimal = "1" // "千円"
			i--
		default:
			if parts > 0 {
				a.decimal = strconv.FormatInt(total, 10)
			}
			return i, parts > 0
		}
		i++
		zeros := 0
		if a.suffix == "k" {
			zeros, a.suffix = 3, ""
		} else if c := s.suffixCurrency(a.suffix); c != nil {
			a.currencies, a.suffix = c, ""
			return i, true
		}
		if m := s.at(i); a.suffix == "" && m.is(language.Thousand|language.Myriad) {
			zeros = 3
			if m.is(language.Myriad) {
				zeros = 4
			}
			if len(m.Currencies) > 0 {
				a.currencies = m.Currencies
			}
			i++
		}
		if zeros > 0 {
			a.multiplied = true
			a.decimal += "e" + strconv.Itoa(zeros)
		}
		whole, err := strconv.ParseInt(strings.TrimSuffix(a.decimal, "e"+strconv.Itoa(zeros)), 10, 32)
		ends := zeros == 0 || a.currencies != nil || !s.Unspaced
		if err != nil || ends && parts == 0 {
			return i, true
		}
		for range zeros {
			whole *= 10
		}
		total += whole
		if ends {
			a.decimal = strconv.FormatInt(total, 10)
			return i, true
		}
	}
}

func (s *sentence) suffixCurrency(suffix string) []money.Currency {
	if suffix == "" {
		return nil
	}
	entry, _ := s.Match([]text.Token{{Fold: suffix}})
	return entry.Currencies
}

// plainDecimal rewrites a number as typed, in any of the usual ways of marking
// thousands and decimals, for money.ParseDecimal. Whether a single mark is one
// or the other is told by the digits behind it: three are thousands.
func plainDecimal(digits string) (string, bool) {
	digits = strings.NewReplacer(" ", "", "'", "").Replace(digits)
	point := strings.LastIndexAny(digits, ".,")
	if point < 0 {
		return digits, true
	}
	mark := digits[point : point+1]
	whole, fraction := digits[:point], digits[point+1:]
	mixed := strings.ContainsAny(whole, ".,") && !strings.Contains(whole, mark)
	switch {
	case mixed && len(fraction) <= 2, !strings.ContainsAny(whole, ".,") && len(fraction) <= 2:
		if !grouped(whole) {
			return "", false
		}
		return strings.NewReplacer(".", "", ",", "").Replace(whole) + "." + fraction, true
	case mixed:
		return "", false
	}
	if !grouped(digits) {
		return "", false
	}
	return strings.ReplaceAll(digits, mark, ""), true
}

// grouped reports whether the marks of a whole number stand before three digits
// each.
func grouped(whole string) bool {
	groups := strings.FieldsFunc(whole, func(r rune) bool { return r == '.' || r == ',' })
	for i, group := range groups {
		if i > 0 && len(group) != 3 || i == 0 && len(groups) > 1 && (len(group) > 3 || group[0] == '0') {
			return false
		}
	}
	return true
}

// resolve returns the currency that is meant: the shop's where it is one of
// those that the words may mean.
func (s *sentence) resolve(said []money.Currency) money.Currency {
	if len(said) == 0 || slices.Contains(said, s.question.Currency) {
		return s.question.Currency
	}
	return said[0]
}

// minor returns the amount in minor units of a currency. Without any, two
// decimals are assumed, as most currencies have.
func (a amount) minor(c money.Currency) (int64, bool) {
	if c == "" {
		c = "EUR"
	}
	parsed, err := money.ParseDecimal(a.decimal, c)
	return parsed.Minor, err == nil
}
