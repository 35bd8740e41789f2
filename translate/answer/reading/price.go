package reading

import (
	"slices"
	"strconv"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
)

// price is a price read from the phrases [from, to).
type price struct {
	Bounds
	from, to int
	// whole says that it was said of everything: "budget 300".
	whole bool
}

// comparison is how an amount is compared.
type comparison int

const (
	exactly comparison = iota
	atMost
	atLeast
	roughly
	between
)

// prices finds all amounts of money and what they bound.
func (s *sentence) prices() []price {
	var prices []price
	for i := 0; i < len(s.phrases); i++ {
		if s.phrases[i].mark != free {
			continue
		}
		a, ok := s.amountAt(i)
		if !ok {
			s.suspect(i)
			continue
		}
		p, ok := s.priceAt(a)
		if !ok {
			i = a.to - 1
			continue
		}
		s.set(p.from, p.to, gone)
		prices = append(prices, p)
		i = p.to - 1
	}
	return prices
}

// suspect notes a number with a currency sign that could not be read.
func (s *sentence) suspect(i int) {
	p := s.at(i)
	if !p.number() || len(p.tokens[0].Digits) < 2 {
		return
	}
	before, after := s.at(i-1), s.at(i+1)
	if before.symbol() && len(before.Currencies) > 0 || after.symbol() && len(after.Currencies) > 0 {
		s.trouble = UnreadAmount
	}
}

// priceAt reads the words around an amount. It reports false when the amount is
// none of money.
func (s *sentence) priceAt(a amount) (price, bool) {
	p := price{from: a.from, to: a.to}
	second, ranged := s.rangeEnd(a)
	if ranged {
		p.to = second.to
		if len(a.currencies) == 0 {
			a.currencies = second.currencies
		}
		a.suffix, a.ambiguous, a.before = second.suffix, second.ambiguous, a.before && second.before
	}
	how := exactly
	word := s.before(&p, &how)
	if ranged {
		how = between
	}
	last := s.after(&p, &how)
	p.whole = p.whole || s.near(p.from, p.to, 1, language.Budget)
	a.to = p.to
	if !s.money(a, p, how, word, last) {
		return p, false
	}
	c := s.resolve(a.currencies)
	value, ok := a.minor(c)
	upper, okUpper := value, true
	if ranged {
		upper, okUpper = second.minor(c)
	}
	if !ok || !okUpper {
		s.trouble = UnreadAmount
		return p, false
	}
	p.Bounds = bound(how, value, upper)
	if len(a.currencies) > 0 {
		p.Currency = c
	}
	return p, true
}

// bound makes bounds of a comparison. A price that is stated as such is the most
// that is to be paid. An approximate one may be a fifth off either way.
func bound(how comparison, value, upper int64) Bounds {
	switch how {
	case atLeast:
		return Bounds{Min: &value}
	case roughly:
		lower, upper := value-value/5, value+value/5
		return Bounds{Min: &lower, Max: &upper}
	case between:
		return Bounds{Min: &value, Max: &upper}
	}
	return Bounds{Max: &value}
}

// rangeEnd reads the second amount of a range.
func (s *sentence) rangeEnd(a amount) (amount, bool) {
	if a.suffix != "" || !s.at(a.to).is(language.To) {
		return amount{}, false
	}
	second, ok := s.amountAt(a.to + 1)
	opened := s.opener(a.from)
	// "and" makes a range only behind "between", "to" behind "from" or where
	// both amounts are of one currency.
	if ok && !opened && s.at(a.to).is(language.And) && !s.Unspaced {
		return amount{}, false
	}
	return second, ok
}

// opener reports whether "between" or "from" stands before i.
func (s *sentence) opener(i int) bool {
	for i--; s.at(i).is(language.Filler) && !s.at(i).is(language.Between|language.From); i-- {
	}
	return s.at(i).is(language.Between)
}

// before reads leftwards from the amount: words that fill, the comparison, what
// denies it, and talk of money. It returns the comparison's phrase, or -1.
func (s *sentence) before(p *price, how *comparison) (word int) {
	word = -1
	i := p.from - 1
	for n := 0; n < 4 && i >= 0 && word < 0 && !s.at(i).stop(); n, i = n+1, i-1 {
		q := s.at(i)
		switch {
		case q.mark != free:
			return word
		case q.is(language.Between | language.Max | language.Min | language.Around | language.From):
			*how, word = compare(q), i
		case q.is(language.Budget):
			*how, word, p.whole = atMost, i, true
		case !q.is(language.Filler | language.Price):
			return word
		case q.is(language.Price):
			p.from = i
		}
	}
	if word < 0 {
		return word
	}
	p.from = word
	if q := s.at(word); *how == roughly {
		// "under about 50"
		if outer := s.at(word - 1); outer.is(language.Max|language.Min) && !q.is(language.Max|language.Min) {
			*how = compare(outer)
			p.from--
		}
	}
	s.deny(p, how)
	for s.at(p.from-1).is(language.Price|language.Budget) || p.from > 1 && s.at(p.from-1).is(language.Filler) && s.at(p.from-2).is(language.Price|language.Budget) && !s.at(p.from-1).stop() {
		p.from--
		p.whole = p.whole || s.at(p.from).is(language.Budget)
	}
	return word
}

// deny turns a comparison around when it is denied: "not cost more than".
func (s *sentence) deny(p *price, how *comparison) {
	if *how != atMost && *how != atLeast {
		return
	}
	const carried = language.Filler | language.Noise | language.Price | language.Budget | language.With
	for i := p.from - 1; i >= 0 && i >= p.from-5 && !s.at(i).stop(); i-- {
		q := s.at(i)
		if q.is(language.Not | language.Deny) {
			*how, p.from = atMost+atLeast-*how, i
			return
		}
		if !q.is(carried) && !q.is(language.Preposition) {
			return
		}
	}
}

func compare(q *phrase) comparison {
	switch {
	case q.is(language.Between):
		return between
	case q.is(language.Max):
		return atMost
	case q.is(language.Min):
		return atLeast
	case q.is(language.Around):
		return roughly
	}
	return exactly
}

// after reads the comparison behind the amount and returns its phrase, or -1.
func (s *sentence) after(p *price, how *comparison) int {
	i := p.to
	if s.at(i).is(language.Price|language.Filler) && !s.at(i).stop() && s.at(i+1).is(language.MaxAfter|language.MinAfter) {
		i++
	}
	q := s.at(i)
	switch {
	case *how != exactly && *how != roughly:
		return -1
	case q.is(language.MaxAfter):
		*how = atMost
	case q.is(language.MinAfter):
		*how = atLeast
	case q.is(language.AroundAfter) && *how == exactly:
		*how = roughly
	case q.is(language.Budget):
		*how, p.whole = atMost, true
	default:
		return -1
	}
	p.to = i + 1
	return i
}

// money reports whether an amount is one of money.
func (s *sentence) money(a amount, p price, how comparison, word, last int) bool {
	next := s.at(p.to)
	if a.suffix != "" || next.is(language.NotMoney|language.Review) || s.at(a.to).is(language.Review) {
		return false
	}
	if len(a.currencies) == 0 {
		return s.bareMoney(a, p, how, word, last)
	}
	if how != exactly || p.whole {
		return !a.ambiguous || !s.near(p.from, p.to, 4, language.Weighing)
	}
	if a.ambiguous {
		return slices.Contains(a.currencies, s.question.Currency) && s.ends(p.to)
	}
	return !a.before || slices.Contains(a.currencies, s.question.Currency)
}

// bareMoney judges a number without a currency. It is a price only where nothing
// that could be counted follows and the words before it compare prices.
func (s *sentence) bareMoney(a amount, p price, how comparison, word, last int) bool {
	next, previous := s.at(p.to), s.at(p.from-1)
	if next.Unit != "" || next.is(language.Person) || previous.is(language.Person|language.Size|language.Weighing) || !s.ends(p.to) || next.number() {
		return false
	}
	evident := p.whole || s.near(p.from, p.to, 2, language.Price|language.Budget)
	for i := p.from; i < p.to; i++ {
		evident = evident || s.at(i).is(language.Price|language.Budget)
	}
	if !s.at(a.from).number() && !evident && how != atMost && how != between {
		return false
	}
	switch how {
	case atMost:
		// "iphone 15 max", "air max 90": a name, unless it stands alone.
		if last >= 0 && !s.opens(p.from) || word >= 0 && s.at(word).is(language.MaxAfter) && s.at(word).fold() == "max" && !s.opens(p.from) {
			return evident
		}
		return true
	case between:
		return evident || s.opener(a.from)
	case roughly:
		return evident || round(a.decimal) && !a.multiplied
	case atLeast:
		return evident
	}
	return p.from < a.from && s.at(p.from).is(language.Price)
}

// round reports whether people would say the number when they mean about it.
func round(decimal string) bool {
	n, err := strconv.Atoi(decimal)
	return err == nil && n >= 10 && n%5 == 0 && (n < 1900 || n > 2100)
}

// ends reports whether a thing that could be counted cannot follow at i.
func (s *sentence) ends(i int) bool {
	p := s.at(i)
	const words = language.For | language.With | language.Not | language.Deny | language.And | language.Or | language.Preposition | language.Noise | language.Soft | language.But | language.Stock | language.Filler | language.Price | language.Budget | language.Article
	return p.stop() || p.symbol() && p.Unit == "" || p.is(words) || s.Unspaced && p.is(language.Purpose)
}

// opens reports whether nothing that a number could belong to stands before i.
func (s *sentence) opens(i int) bool {
	p := s.at(i - 1)
	return p.stop() || p.mark == gone || p.is(language.For|language.With|language.Price|language.Budget|language.Noise|language.And|language.Soft|language.Preposition) && !p.plain()
}

// merge makes the bounds of one thing out of its prices. It reports false when
// they exclude each other or two of them bound the same side.
func merge(prices []price) (Bounds, bool) {
	var all Bounds
	for _, p := range prices {
		if p.Min != nil && all.Min != nil && *p.Min != *all.Min || p.Max != nil && all.Max != nil && *p.Max != *all.Max {
			return Bounds{}, false
		}
		all = Bounds{Min: either(all.Min, p.Min), Max: either(all.Max, p.Max), Currency: currency(all.Currency, p.Currency)}
	}
	if all.Min != nil && all.Max != nil && *all.Min > *all.Max {
		return Bounds{}, false
	}
	return all, true
}

func either(a, b *int64) *int64 {
	if a != nil {
		return a
	}
	return b
}

func currency(a, b money.Currency) money.Currency {
	if a != "" {
		return a
	}
	return b
}
