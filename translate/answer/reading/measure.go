package reading

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// measure is a fact that a number states, at a phrase.
type measure struct {
	Attribute
	at int
}

// reviews takes numbers of reviews and stars out, with the words that bound them.
// No shop records them in a way that could be held against a product.
func (s *sentence) reviews() {
	for i := range s.phrases {
		if !s.phrases[i].is(language.Review) {
			continue
		}
		from := i
		for n := 0; n < 7 && from > 0; n++ {
			p := s.at(from - 1)
			if !p.number() && !p.is(language.Min|language.Max|language.MinAfter|language.Between|language.And|language.Filler|language.To|language.Review|language.Around) && p.fold() != "(" && p.fold() != "-" && p.fold() != "%" {
				break
			}
			if len(p.Currencies) > 0 && !p.number() {
				break
			}
			from--
		}
		// Without a number it is talk: "with good reviews".
		for j := from; j < i; j++ {
			if s.at(j).number() {
				s.set(from, i+1, gone)
				if s.at(from - 1).is(language.With) {
					s.set(from-1, from, gone)
				}
				break
			}
		}
	}
}

// measures finds numbers with units and sizes.
func (s *sentence) measures() []measure {
	var found []measure
	for i := 0; i < len(s.phrases); i++ {
		p := &s.phrases[i]
		if p.mark != free {
			continue
		}
		m, n := s.size(i)
		if n == 0 {
			m, n = s.measureAt(i)
		}
		if n == 0 {
			continue
		}
		s.set(i, i+n, measured)
		if m.Key != "" {
			m.at = i
			found = append(found, s.bounded(m, n))
		}
		i += n - 1
	}
	return found
}

// size reads "size 14", "UK 9", "EU 43", "talla M", "32x34", "2XL".
func (s *sentence) size(i int) (m measure, n int) {
	p := s.at(i)
	if p.number() && clothing(p.tokens[0].Suffix) {
		return measure{Attribute: Attribute{"size", strings.ToLower(p.tokens[0].Text)}}, 1
	}
	if !p.is(language.Size) {
		return s.bareSize(i)
	}
	j := i + 1
	for s.at(j).is(language.Size) || s.at(j).is(language.Filler) && !s.at(j).symbol() {
		j++
	}
	if q := s.at(j); q.mark != free || !q.number() && !letterSize(q.fold()) || q.number() && q.tokens[0].Suffix != "" && !clothing(q.tokens[0].Suffix) {
		return m, 0
	}
	value := s.at(j).tokens[0].Text
	if system := s.at(j - 1).fold(); system == "uk" || system == "us" || system == "eu" {
		value = system + " " + value
	}
	return measure{Attribute: Attribute{"size", strings.ToLower(value)}}, j - i + 1
}

// bareSize reads a size that no word for it stands before: "32/34", "Mサイズ", and
// "M" alone between two stops.
func (s *sentence) bareSize(i int) (m measure, n int) {
	p, next := s.at(i), s.at(i+1)
	switch {
	case next.fold() == "/" && !next.tokens[0].Spaced && waist(p) && waist(s.at(i+2)):
		m.Attribute = Attribute{"size", p.tokens[0].Digits + "x" + s.at(i + 2).tokens[0].Digits}
		return m, 3
	case s.Unspaced && next.is(language.Size) && (letterSize(p.fold()) || p.number() && p.tokens[0].Suffix == ""):
		m.Attribute = Attribute{"size", strings.ToLower(p.tokens[0].Text)}
		return m, 2
	case letterSize(p.fold()) && p.tokens[0].Capital && s.at(i-1).stop() && next.stop():
		m.Attribute = Attribute{"size", p.fold()}
		return m, 1
	}
	return m, 0
}

// clothing reports whether what is written on to a number makes it a size.
func clothing(suffix string) bool {
	if rest, ok := strings.CutPrefix(suffix, "x"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return true
	}
	return suffix == "xl" || suffix == "xs" || suffix == "x"
}

// waist reports whether a number may be the width or the length of trousers, in
// inches.
func waist(p *phrase) bool {
	return p.number() && p.tokens[0].Suffix == "" && p.tokens[0].Digits >= "24" && p.tokens[0].Digits <= "46" && len(p.tokens[0].Digits) == 2
}

func letterSize(word string) bool {
	switch word {
	case "s", "m", "l", "xs", "xl", "xxl", "xxxl", "xxs":
		return true
	}
	return false
}

// measureAt reads a number with its unit: "50ml", "10.1 inch", "20-volt", "2
// person". Shares and durations state nothing that is recorded under a name of
// their own.
func (s *sentence) measureAt(i int) (m measure, n int) {
	p := s.at(i)
	if !p.number() && !p.Counts {
		return m, 0
	}
	unit, n := "", 1
	if suffix := p.tokens[0].Suffix; suffix != "" {
		entry, _ := s.Match([]text.Token{{Fold: suffix}})
		unit = entry.Unit
	} else if next := s.at(i + 1); next.Unit != "" && next.mark == free {
		unit, n = next.Unit, 2
		if next.is(language.Preposition) && !next.symbol() && !s.ends(i+2) && !s.at(i+2).plain() {
			return m, 0
		}
	}
	for s.at(i+n).Unit == "side" || s.at(i+n).fold() == "by" && s.at(i+n+1).number() {
		n++
	}
	switch unit {
	case "":
		if p.number() {
			return m, 1
		}
		return m, 0
	case "capacity_people":
		m.Attribute = Attribute{"capacity", strings.ToLower(s.span(i, i+n))}
	case "length", "weight", "capacity", "power", "resolution", "pieces":
		if p.number() {
			m.Attribute = Attribute{unit, strings.ToLower(s.span(i, i+n))}
		}
	}
	return m, n
}

// bounded takes the words that bound a measure into its key: weight_max.
func (s *sentence) bounded(m measure, n int) measure {
	before, after := s.at(m.at-1), s.at(m.at+n)
	switch {
	case m.Key == "size":
		return m
	case before.is(language.Max) && before.mark == free && before.fold() != "max":
		m.Key += "_max"
		before.mark = gone
	case before.is(language.Min) && before.mark == free:
		m.Key += "_min"
		before.mark = gone
	case after.is(language.MaxAfter) && after.fold() != "max":
		m.Key += "_max"
		after.mark = gone
	case after.is(language.MinAfter):
		m.Key += "_min"
		after.mark = gone
	}
	return m
}
