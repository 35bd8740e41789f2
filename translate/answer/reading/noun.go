package reading

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
)

// noun finds the kind of thing that the phrases [from, to) ask for: the head of
// the first noun phrase.
func (s *sentence) noun(from, to int) string {
	start, end := s.nounPhrase(from, to)
	if start < 0 {
		return ""
	}
	head := s.head(start, end)
	if head < 0 {
		return ""
	}
	for i := start; i <= head; i++ {
		if end := s.deviceEnd(i, to); head < end {
			// The device itself is wanted: "refurbished iPhone X".
			return strings.ToLower(s.span(i, end))
		}
	}
	first := head
	if s.HeadFirst {
		return strings.ToLower(s.span(head, head+1))
	}
	// "case" alone names nothing: "phone case" does.
	for s.at(first).is(language.Vague) && first > start && s.partOf(first-1) {
		first--
	}
	noun := s.span(head, head+1)
	if s.Tag == "en" && !s.at(head).is(language.Paired) {
		noun = text.Singular(strings.ToLower(noun))
	}
	if first < head {
		noun = s.span(first, head) + " " + noun
	}
	return strings.ToLower(noun)
}

// kind returns what of the phrases [from, to) names the kind of thing around its head:
// more than the head where the shop has a category or a product type of that name. In
// a shop with walking boots they are a kind, and not boots that are for walking. What
// else is said before a head stays a property, whatever the shop's categories are
// called: a down jacket is a jacket with down.
func (s *sentence) kind(from, head, to int) (start, end int) {
	start, end = head, head+1
	words := s.folded(head)
	if s.HeadFirst {
		for i := head + 1; i < to && s.names(i); i++ {
			if words = append(words, s.folded(i)...); s.question.Vocabulary.Kind(words, s.Tag) {
				end = i + 1
			}
		}
		return start, end
	}
	for i := head - 1; i >= from && s.names(i); i-- {
		if words = append(s.folded(i), words...); s.question.Vocabulary.Kind(words, s.Tag) {
			start = i
		}
	}
	return start, end
}

// names reports whether the phrase at i may be a part of the name of a kind: a word
// that is no property, or one of what the thing is for.
func (s *sentence) names(i int) bool {
	p := s.at(i)
	if p.mark != free || p.symbol() || len(p.Facts) > 0 || p.is(language.Shade) {
		return false
	}
	return !slices.ContainsFunc(p.terms, func(t vocabulary.Term) bool {
		key, _ := language.Key(t.Key)
		return key != language.ActivityKey
	})
}

// folded returns the words of the phrase at i.
func (s *sentence) folded(i int) []string {
	var words []string
	for _, t := range s.at(i).tokens {
		words = append(words, t.Fold)
	}
	return words
}

// partOf reports whether the phrase at i can be the front of a compound noun.
func (s *sentence) partOf(i int) bool {
	p := s.at(i)
	return p.mark == free && !p.symbol() && !p.number() && (p.plain() || p.is(language.Vague))
}

// nounPhrase returns the first run of phrases that has a word to name a thing,
// without what opens a clause about it.
func (s *sentence) nounPhrase(from, to int) (start, end int) {
	start = -1
	for i := from; i < to; i++ {
		p := s.at(i)
		if start >= 0 && s.boundary(i) {
			return start, i
		}
		if p.mark == free && (p.plain() || p.is(language.Vague)) && start < 0 && !s.container(i) {
			start = s.runStart(from, i)
		}
	}
	if start < 0 {
		return s.facts(from, to)
	}
	return start, to
}

// container reports whether the phrase at i only holds what is asked for: "a pair
// of shoes".
func (s *sentence) container(i int) bool {
	if !s.at(i).is(language.Container) {
		return false
	}
	switch s.at(i + 1).fold() {
	case "of", "de", "d", "von":
		return true
	}
	return s.Tag == "de" && s.at(i+1).plain()
}

// runStart goes back over the properties before a noun.
func (s *sentence) runStart(from, i int) int {
	for i > from && s.at(i-1).mark == free && s.at(i-1).fact() {
		i--
	}
	return i
}

// facts is the noun phrase of a question in which every word may be a property.
// Only where the shop sells things of that name, or the word names one as well as
// a material, is one of them the noun.
func (s *sentence) facts(from, to int) (start, end int) {
	for i := to - 1; i >= from; i-- {
		if p := s.at(i); p.mark == free && p.fact() && (s.known(i) || p.is(language.Garment)) {
			return i, i + 1
		}
	}
	return -1, -1
}

// boundary reports whether a noun phrase ends before i.
func (s *sentence) boundary(i int) bool {
	p := s.at(i)
	switch {
	case p.mark == denied && s.at(i-1).fold() == "non", p.fold() == "non" && s.at(i+1).mark == denied:
		// "medallion non shedding area rug"
		return false
	case p.stop(), p.mark == denied, p.mark == aside, p.mark == gone && !p.is(language.Article):
		return true
	case p.mark == kept, p.mark == measured, p.fact(), p.is(language.Vague), p.symbol():
		return false
	case p.Counts, p.is(language.MaxAfter) && p.is(language.Max):
		return false
	case p.is(language.And | language.Or):
		// "plates and bowls sets" is one thing; a joint of two was cut before.
		return s.HeadFirst
	}
	return p.is(language.Size) && s.at(i+1).mark == measured || p.is(language.Preposition|language.With|language.For|language.But|language.Purpose|language.NotAfter|
		language.Noise|language.Article|language.Max|language.Min|language.Between)
}

// head returns the phrase in [start, end) that names the thing: the last in
// languages that put the noun behind its properties, and the first in others.
func (s *sentence) head(start, end int) int {
	head, capital := -1, -1
	for i := start; i < end; i++ {
		p := s.at(i)
		if p.mark != free || p.symbol() || p.number() || p.Counts && p.is(language.Article) || p.is(language.Soft|language.Noise|language.Filler|language.Preposition|language.And|language.Or) && !p.is(language.Vague) || p.fact() && !s.nameable(i) {
			continue
		}
		if s.HeadFirst {
			return i
		}
		head = i
		if p.tokens[0].Capital {
			capital = i
		}
	}
	if s.CapitalNouns && capital >= 0 {
		return capital
	}
	return head
}

// nameable reports whether a property at i can be the name of a thing: the shop
// sells such things, or it is a noun that others stand before ("printer paper").
func (s *sentence) nameable(i int) bool {
	return s.known(i) || s.at(i).is(language.Garment) || s.at(i).is(language.Vague) && (s.partOf(i-1) || s.HeadFirst && s.at(i+1).plain())
}

// query returns the words of [from, to) to search for.
func (s *sentence) query(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		p := s.at(i)
		const talk = language.Noise | language.Article | language.Preposition | language.With | language.For | language.And | language.Or | language.But | language.Soft | language.Stock | language.Filler | language.Price | language.Budget | language.Each
		switch {
		case p.mark == gone, p.mark == denied, p.mark == aside, p.symbol():
			continue
		case p.mark == free && p.is(talk) && !p.fact() && !p.is(language.Vague):
			continue
		}
		if b.Len() > 0 && !s.Unspaced {
			b.WriteByte(' ')
		} else if b.Len() > 0 && p.tokens[0].Spaced {
			b.WriteByte(' ')
		}
		b.WriteString(s.span(i, i+1))
	}
	return b.String()
}
