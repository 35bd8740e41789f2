package reading

import (
	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// resume gives sentences that speak of one of several things again ("The switch
// should …", "For the hat, …") to that thing, with all that follow them.
func (s *sentence) resume(segments []segment) []segment {
	last := &segments[len(segments)-1]
	end, owner, begin := last.to, -1, 0
	for i := last.from + 1; i < end; i++ {
		if !s.at(i-1).stop() || s.at(i-1).fold() == "," {
			continue
		}
		of := s.resumed(segments, i, end)
		if of < 0 {
			continue
		}
		if owner >= 0 {
			segments[owner].later = append(segments[owner].later, span{begin, i})
		} else {
			last.to = i
		}
		owner, begin = of, i
	}
	if owner >= 0 {
		segments[owner].later = append(segments[owner].later, span{begin, end})
	}
	return segments
}

// resumed returns the thing that the sentence at i begins with, or -1. Its name,
// which was said before, is taken out.
func (s *sentence) resumed(segments []segment, i, end int) int {
	start := i
	if s.at(i).is(language.For) {
		i++
	}
	named := map[string]bool{}
	for ; i < end && !s.at(i).stop() && s.at(i).mark == free; i++ {
		switch p := s.at(i); {
		case p.plain() || p.fact() || p.is(language.Vague):
			named[text.Stem(s.Tag, p.fold())] = true
			continue
		case len(named) == 0 && p.is(language.Noise|language.Article|language.For):
			continue
		}
		break
	}
	best, most, tie := -1, 0, false
	for n, segment := range segments {
		from, to := s.nounPhrase(segment.from, segment.to)
		shared := 0
		for k := max(from, 0); k < to; k++ {
			if named[text.Stem(s.Tag, s.at(k).fold())] {
				shared++
			}
		}
		switch {
		case shared > most:
			best, most, tie = n, shared, false
		case shared == most:
			tie = true
		}
	}
	if tie || most == 0 {
		return -1
	}
	s.set(start, i, gone)
	return best
}
