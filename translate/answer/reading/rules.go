package reading

import (
	"context"
	"slices"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Rules reads questions by rules: deterministic, without a network, in well
// under a millisecond. It is safe for concurrent use.
type Rules struct {
	languages []*language.Language
	// strangers are common words of other languages.
	strangers map[string]bool
}

// NewRules returns a reader that knows English, German, French, Spanish and
// Japanese. Compiling the tables takes a few milliseconds: one is made and kept.
func NewRules() *Rules {
	languages := language.All()
	return &Rules{languages: languages, strangers: strangers(languages)}
}

var _ Reader = (*Rules)(nil)

// Read implements Reader. The error is that of a context that has ended.
func (r *Rules) Read(ctx context.Context, question Question) (Reading, error) {
	if err := ctx.Err(); err != nil {
		return Reading{}, err
	}
	plain := text.Plain(clip(question.Words))
	l := r.language(plain, question.Language)
	if l == nil {
		return Degrade(question, UnknownLanguage), nil
	}
	s := parse(l, question, plain)
	reading := s.read()
	if s.trouble != "" {
		degraded := Degrade(question, s.trouble)
		degraded.Language = l.Tag
		return degraded, nil
	}
	return reading.complete(question), nil
}

// read takes the steps one after another.
func (s *sentence) read() Reading {
	s.reviews()
	prices := s.prices()
	stock := s.stock()
	measures := s.measures()
	denials := s.denials()
	segments := s.segments()
	reading := Reading{Language: s.Tag}
	for i, seg := range segments {
		pass := Pass{InStock: stock, Price: s.priced(prices, segments, i)}
		for _, d := range denials {
			if seg.holds(d.at) {
				pass.Excluded = append(pass.Excluded, d.Attribute)
			}
		}
		for _, part := range append([]span{{seg.from, seg.to}}, seg.later...) {
			if device, ok := s.fitting(part.from, part.to); ok {
				pass.Required = append(pass.Required, device)
			}
			reading.Context = append(reading.Context, s.context(part.from, part.to)...)
			for _, attribute := range s.attributes(part.from, part.to) {
				if !slices.Contains(pass.Required, attribute) {
					pass.Required = append(pass.Required, attribute)
				}
			}
		}
		for _, m := range measures {
			if seg.holds(m.at) && s.at(m.at).mark == measured {
				pass.Required = append(pass.Required, m.Attribute)
			}
		}
		pass.Required = slices.DeleteFunc(pass.Required, func(a Attribute) bool { return slices.Contains(pass.Excluded, a) })
		pass.Noun = s.noun(seg.from, seg.to)
		pass.Query = s.query(seg.from, seg.to)
		reading.Passes = append(reading.Passes, pass)
	}
	if len(segments) > 1 {
		reading.Query = s.query(0, len(s.phrases))
	}
	return reading
}

// stock takes out the wish for what can be had now.
func (s *sentence) stock() bool {
	wished := false
	for i := range s.phrases {
		if p := s.at(i); p.is(language.Stock) && p.mark == free {
			p.mark, wished = gone, true
		}
	}
	return wished
}

// priced returns the bounds of one segment: those said in it, and those said of
// everything. A single price at the end, or before all things, is of everything.
func (s *sentence) priced(prices []price, segments []segment, i int) Bounds {
	var own []price
	for _, p := range prices {
		outside := p.from < segments[0].from
		resumed := slices.ContainsFunc(segments, func(g segment) bool { return len(g.later) > 0 })
		trailing := !resumed && len(prices) == 1 && segments[len(segments)-1].holds(p.from) && !s.clauses(segments)
		leading := len(prices) == 1 && segments[0].holds(p.from) && !s.thing(segments[0].from, p.from)
		if p.whole || outside || trailing || leading || segments[i].holds(p.from) {
			own = append(own, p)
		}
	}
	bounds, ok := merge(own)
	if !ok {
		s.trouble = Contradiction
	}
	return bounds
}

// clauses reports whether things before the last one are told apart by clauses of
// their own, so that a price at the end is of the last one alone.
func (s *sentence) clauses(segments []segment) bool {
	for i := segments[0].from; i < segments[len(segments)-1].from; i++ {
		if p := s.at(i); p.is(language.With|language.For) && !p.fact() && p.mark != gone {
			return true
		}
	}
	return false
}

// holds reports whether the phrase at i is said of the segment's thing.
func (g segment) holds(i int) bool {
	return g.from <= i && i < g.to || slices.ContainsFunc(g.later, func(part span) bool { return part.from <= i && i < part.to })
}
