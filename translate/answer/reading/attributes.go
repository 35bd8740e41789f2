package reading

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
)

// fact names the attribute of a phrase in the shop's own terms, where it has
// them, and in those of the question otherwise.
func (s *sentence) fact(p *phrase) Attribute {
	if term, ok := s.term(p); ok {
		return Attribute{Key: term.Key, Value: term.Value}
	}
	return Attribute{Key: p.Facts[0].Key, Value: p.Facts[0].Value}
}

// term finds the shop's record of a phrase: by its words, or by what the words
// mean, so that a synonym or another language leads to the same value. What is
// known in general is sought under the shop's own name of the same attribute: a
// turquoise cushion is not one with a turquoise cable.
func (s *sentence) term(p *phrase) (vocabulary.Term, bool) {
	if len(p.Facts) == 0 {
		if len(p.terms) == 0 {
			return vocabulary.Term{}, false
		}
		return p.terms[0], true
	}
	for _, fact := range p.Facts {
		if i := slices.IndexFunc(p.terms, func(t vocabulary.Term) bool { return records(t, fact) }); i >= 0 {
			return p.terms[i], true
		}
		names := []string{fact.Value, fact.English}
		if fact.Value == "true" {
			names = []string{strings.ReplaceAll(fact.Key, "_", " "), fact.Key}
		}
		for _, name := range names {
			terms := s.question.Vocabulary.Value(name)
			if i := slices.IndexFunc(terms, func(t vocabulary.Term) bool { return records(t, fact) }); i >= 0 {
				return terms[i], true
			}
		}
	}
	return vocabulary.Term{}, false
}

// records reports whether a shop's term is about what a fact is about. What a
// product is or is not may be recorded as a value too: "connectivity: wireless".
func records(t vocabulary.Term, fact language.Fact) bool {
	if t.Value == "true" || fact.Value == "true" {
		return true
	}
	key, _ := language.Key(t.Key)
	return key == fact.Key
}

// factAt names the attribute at the front of the phrases [from, to) with all
// words that belong to its value: "dark green", "black and white", "rust orange",
// "bleu foncé".
func (s *sentence) factAt(from, to int) (Attribute, bool) {
	end := s.factEnd(from, to)
	if end == from {
		return Attribute{}, false
	}
	for i := from; i < end; i++ {
		if p := s.at(i); p.fact() && (end-from == 1 || s.colour(i)) {
			attribute := s.fact(p)
			if end-from > 1 && attribute.Value != "true" {
				attribute.Key = s.colourKey(from, end)
				attribute.Value = strings.ToLower(s.span(from, end))
			}
			return attribute, true
		}
	}
	return Attribute{}, false
}

// factEnd returns where the value that begins at from ends, from when none does.
func (s *sentence) factEnd(from, to int) int {
	i := from
	if !s.at(i).fact() {
		for i < to && s.at(i).is(language.Shade) && s.at(i).mark == free {
			i++
		}
		if i == from || i >= to || !s.colour(i) {
			return from
		}
	}
	if !s.colour(i) {
		if s.at(from).is(language.Shade) && s.colour(i+1) && i+1 < to {
			i++
		} else {
			return i + 1
		}
	}
	for i+1 < to {
		next := i + 1
		if s.at(next).is(language.And) && next+1 < to && s.colour(next+1) && !s.at(next).stop() {
			next++
		}
		if !s.colour(next) && (!s.HeadFirst || !s.at(next).is(language.Shade)) {
			break
		}
		i = next
	}
	return i + 1
}

// colourKey returns the key under which the shop records one of the colours in
// [from, to), or the general one.
func (s *sentence) colourKey(from, to int) string {
	for i := from; i < to; i++ {
		if term, ok := s.term(s.at(i)); ok && s.colour(i) && colourKey(term.Key) {
			return term.Key
		}
	}
	return "color"
}

// colour reports whether the phrase at i names a colour.
func (s *sentence) colour(i int) bool {
	p := s.at(i)
	if p.mark != free || !p.fact() {
		return false
	}
	for _, fact := range p.Facts {
		if fact.Key == "color" {
			return true
		}
	}
	return len(p.terms) > 0 && colourKey(p.terms[0].Key)
}

func colourKey(name string) bool {
	key, _ := language.Key(name)
	return key == "color"
}

// attributes reads what is required in the phrases [from, to), and marks none:
// a required value is searched for too, and may be part of the noun.
func (s *sentence) attributes(from, to int) []Attribute {
	var found []Attribute
	head, kind, kindEnd := -1, -1, -1
	if start, end := s.nounPhrase(from, to); start >= 0 {
		if head = s.head(start, end); head >= 0 {
			kind, kindEnd = s.kind(start, head, to)
		}
	}
	for i := from; i < to; i++ {
		if s.phrases[i].mark != free || i != head && kind <= i && i < kindEnd {
			continue
		}
		end := s.factEnd(i, to)
		if end == i {
			continue
		}
		if i == head && end == i+1 && (s.at(i).is(language.Vague|language.Garment) || len(s.at(i).Facts) == 0) {
			// "night cream", "printer paper", "jeans": the word is the thing itself.
			continue
		}
		attribute, ok := s.factAt(i, to)
		if ok && !slices.Contains(found, attribute) {
			found = append(found, attribute)
		}
		i = end - 1
	}
	return found
}

// context reads why and for whom: what follows "for", or precedes "用", unless it
// is a property such as a gender. Context is taken out of the search.
func (s *sentence) context(from, to int) []string {
	var found []string
	for i := from; i < to; i++ {
		p := s.at(i)
		if p.mark != free || p.fact() {
			continue
		}
		start, end := i, i
		switch {
		case p.is(language.Purpose):
			start = s.purposeStart(from, i)
			end = i + 1
			if start == i {
				continue
			}
		case p.is(language.For):
			end = s.contextEnd(i+1, to)
			told := s.told(i+1, end)
			if told == end {
				p.mark = gone
				continue
			}
			if told > i+1 && !s.at(told).plain() {
				// "for women over 40": the first is a property, the rest is not.
				p.mark = gone
				start = told
			}
		default:
			continue
		}
		if end > start+1 || p.is(language.Purpose) {
			found = append(found, s.span(start, end))
		}
		s.set(start, max(end, i+1), aside)
	}
	return found
}

// purposeStart returns where the words before a closing purpose begin.
func (s *sentence) purposeStart(from, i int) int {
	start := i
	for start > from && i-start < 6 {
		p := s.at(start - 1)
		if p.mark != free || p.symbol() || p.is(language.Noise) {
			break
		}
		start--
	}
	return start
}

// contextEnd returns where the words behind "for" end.
func (s *sentence) contextEnd(i, to int) int {
	for ; i < to; i++ {
		p := s.at(i)
		if p.stop() || p.mark != free && p.mark != measured || p.is(language.With|language.But|language.Stock) && p.fold() != "in" && !p.fact() || p.is(language.Not) {
			break
		}
	}
	return i
}

// told returns where phrases that name properties and nothing else end.
func (s *sentence) told(from, to int) int {
	for i := from; i < to; i++ {
		if p := s.at(i); p.mark == free && !p.fact() && !p.is(language.And|language.Or|language.Article|language.Noise|language.Soft) {
			if !s.at(i - 1).fact() {
				return from
			}
			return i
		}
	}
	return to
}
