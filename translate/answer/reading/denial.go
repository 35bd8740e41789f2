package reading

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// denial is an attribute that must not be, said at a phrase.
type denial struct {
	Attribute
	at int
}

// maxObject is how many phrases a denial reaches over.
const maxObject = 4

// denials finds what must not be. What is denied is marked, so that no later
// step takes it for a wish.
func (s *sentence) denials() []denial {
	var found []denial
	if s.saying() {
		return nil
	}
	s.quotations()
	for i := 0; i < len(s.phrases); i++ {
		p := &s.phrases[i]
		if p.mark != free {
			continue
		}
		if word, ok := s.Denied(p.fold()); ok && len(p.tokens) == 1 && !p.fact() && p.Roles == 0 {
			p.mark = denied
			found = append(found, denial{s.attributeOf(word), i})
			continue
		}
		switch {
		case p.is(language.Allow):
			s.allowed(i)
		case p.is(language.NotAfter) && i > 0:
			if d, ok := s.denyBefore(i); ok {
				found = append(found, d)
			}
		case p.is(language.Not | language.Deny):
			found = append(found, s.denyAfter(i)...)
		}
	}
	return found
}

// quotations keeps what stands in quotation marks as it is: it is a text that the
// thing should bear, and says nothing about the thing.
func (s *sentence) quotations() {
	open := -1
	for i := range s.phrases {
		p := s.at(i)
		if !p.symbol() || p.fold() != "\"" || s.at(i-1).number() {
			continue
		}
		if open < 0 {
			open = i
			continue
		}
		for j := open + 1; j < i; j++ {
			if s.at(j).mark == free {
				s.at(j).mark = kept
			}
		}
		open = -1
	}
}

// saying reports whether the words deny the same thing again and again, as only
// quotations do.
func (s *sentence) saying() bool {
	first := ""
	for i := range s.phrases {
		if p := &s.phrases[i]; p.is(language.Not|language.Allow) && i+1 < len(s.phrases) && p.mark == free {
			object := s.span(i, i+2)
			if p.is(language.Allow) {
				object = s.span(i, i+1)
			}
			if object == first {
				return true
			}
			first = object
		}
	}
	return false
}

// allowed passes over a phrase that only looks like a denial. What it holds is
// searched for, unless it is talk.
func (s *sentence) allowed(i int) {
	p := &s.phrases[i]
	switch {
	case p.is(language.Soft | language.Noise | language.Stock):
	case p.fact():
	case s.at(i+1).plain() && !s.at(i+1).stop():
		p.mark = kept
	default:
		p.mark = gone
	}
}

// denyBefore reads the denial of what stands before i: "leather free", "革以外".
func (s *sentence) denyBefore(i int) (denial, bool) {
	denier := i
	if s.Unspaced && s.at(i-1).fold() == "製" && s.at(i-2).fact() {
		// "made of glass" says no more than glass.
		s.at(i - 1).mark = gone
		i--
	}
	from := i
	for from > 0 && i-from < 2 {
		if s.Unspaced && from < i && s.at(from).tokens[0].Spaced {
			break
		}
		p := s.at(from - 1)
		if p.mark != free || p.symbol() || p.number() || !p.plain() && !p.fact() && !p.is(language.Shade) {
			break
		}
		if from < i && (!s.Unspaced && !p.is(language.Shade) || s.Unspaced && p.is(language.Preposition)) {
			break
		}
		from--
	}
	if from == i {
		return denial{}, false
	}
	d := denial{s.object(from, i), from}
	s.set(from, i, denied)
	s.phrases[denier].mark = gone
	return d, true
}

// denyAfter reads what a word at i denies, with alternatives joined to it:
// "without wheels or arms".
func (s *sentence) denyAfter(i int) []denial {
	start := i + 1
	for ; start < len(s.phrases); start++ {
		p := s.at(start)
		if p.mark != free || p.fact() || !p.is(language.Article|language.Noise|language.Preposition|language.With|language.For|language.Not|language.Filler) || p.is(language.Vague) {
			break
		}
	}
	var found []denial
	for start < len(s.phrases) && len(found) < 8 {
		end := s.objectEnd(start)
		if end == start {
			break
		}
		if len(found) == 0 && s.leading(i, start, end) {
			end = start + 1
		}
		found = append(found, denial{s.object(start, end), start})
		s.set(start, end, denied)
		next, ok := s.alternative(end)
		if !ok {
			break
		}
		s.set(end, next, gone)
		start = next
	}
	if len(found) > 0 {
		s.set(i, start, gone)
		for _, d := range found {
			s.set(d.at, s.deniedEnd(d.at), denied)
		}
	}
	return found
}

// deniedEnd returns the end of the marked object that begins at i.
func (s *sentence) deniedEnd(i int) int {
	for i++; s.at(i).mark == denied; i++ {
	}
	return i
}

// objectEnd returns where the thing that is denied from start on ends.
func (s *sentence) objectEnd(start int) int {
	end := start
	for ; end < len(s.phrases) && end-start < maxObject; end++ {
		p := s.at(end)
		if p.mark != free || p.symbol() && p.fold() != "-" {
			break
		}
		if end > start && p.is(language.And|language.Or|language.But|language.For|language.With|language.Preposition|language.Not|language.Deny|language.Article|language.Noise|language.Ordinal|language.Stock|language.Soft|language.Size|language.Purpose|language.Max|language.Min) && !p.fact() && !p.is(language.Vague) {
			break
		}
		if end > start && p.is(language.Container) && s.at(end+1).fold() == "of" {
			// "without arms set of 2"
			break
		}
		if end > start && (s.HeadFirst || s.colour(end)) && p.fact() && !p.is(language.Shade) {
			break
		}
		if end > start && s.at(end-1).fact() && !s.at(end-1).is(language.Shade) && !s.named(start) {
			// "not red shoes" denies the red, not the shoes.
			if !p.fact() {
				break
			}
		}
		if end > start && s.CapitalNouns && !p.tokens[0].Capital && s.at(end - 1).tokens[0].Capital {
			break
		}
	}
	return end
}

// named reports whether a thing was named before i, so that what follows is a
// part of it.
func (s *sentence) named(i int) bool {
	for j := range i {
		if p := s.at(j); p.mark == free && p.plain() {
			return true
		}
	}
	return false
}

// leading reports whether the denial at i opens a noun phrase in which only the
// word behind it is denied, as in "no wire bra" or "non adhesive shelf liner":
// nothing was named before it, and another word follows.
func (s *sentence) leading(i, start, end int) bool {
	p := s.at(i)
	if s.HeadFirst || s.Unspaced || len(p.tokens) > 1 || start != i+1 || end-start < 2 || s.CapitalNouns {
		return false
	}
	switch p.fold() {
	case "non":
		return true
	case "no":
		return !s.named(i)
	}
	return false
}

// alternative returns where the next denied thing begins behind end.
func (s *sentence) alternative(end int) (int, bool) {
	p, next := s.at(end), end+1
	if p.mark != free {
		return 0, false
	}
	comma := p.fold() == ","
	if comma && s.at(next).is(language.Or) {
		next++
	} else if !p.is(language.Or) && !comma && !p.is(language.And) {
		return 0, false
	}
	for s.at(next).is(language.Article|language.Preposition) && !s.at(next).stop() && p.is(language.Or) {
		next++
	}
	q := s.at(next)
	if q.mark != free || q.symbol() || q.number() || q.is(language.Not|language.Deny|language.With|language.For|language.Max|language.Min|language.Noise|language.Soft|language.Article) {
		return 0, false
	}
	if p.is(language.Or) {
		return next, true
	}
	// Behind "and" or a comma only what is of the same kind is denied too.
	before := s.at(end - 1)
	same := before.fact() && q.fact() && s.object(end-1, end).Key == s.object(next, next+1).Key
	after := s.objectEnd(next)
	return next, same || p.is(language.And) && !before.fact() && !q.fact() && after-next == 1 && s.at(after).stop()
}

// object names the attribute that the phrases [from, to) are of. Of what a product
// is or is not, the key is denied and the value is "true": "not bluetooth" is
// {bluetooth, true} among what is excluded.
func (s *sentence) object(from, to int) Attribute {
	if to-from == 1 || s.at(from).is(language.Shade) {
		if fact, ok := s.factAt(from, to); ok {
			// What is denied is quoted, unless the shop has its own word for it
			// or the base form is the same word.
			p := s.at(from)
			_, own := s.term(p)
			if said := strings.ToLower(s.span(from, to)); !own && fact.Value != "true" && text.Stem(s.Tag, text.Fold(said)) != text.Stem(s.Tag, text.Fold(fact.Value)) {
				fact.Value = said
			}
			return fact
		}
	}
	return Attribute{Key: "feature", Value: strings.ToLower(s.span(from, to))}
}

// attributeOf names the attribute that a single folded word is of.
func (s *sentence) attributeOf(word string) Attribute {
	tokens := []text.Token{{Fold: word, Text: word}}
	p := phrase{tokens: tokens}
	p.Entry, _ = s.Match(tokens)
	p.terms, _ = s.question.Vocabulary.Match(tokens, s.Tag)
	if p.fact() {
		return s.fact(&p)
	}
	return Attribute{Key: "feature", Value: word}
}
