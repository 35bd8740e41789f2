package reading

import (
	"strconv"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
)

// segment is the phrases [from, to) of one thing that is asked for, and what is
// said of it in later sentences.
type segment struct {
	from, to int
	later    []span
}

// span is the phrases [from, to).
type span struct{ from, to int }

// segments cuts the phrases into one segment for each thing.
//
// It errs on the side of one thing: a cut in the wrong place loses a requirement,
// while two things in one search are still found.
func (s *sentence) segments() []segment {
	if cuts := s.enumerated(); len(cuts) > 1 {
		return s.cut(cuts)
	}
	var cuts []int
	j := joint{many: s.manyPrices()}
	depth := 0
	for i := range s.phrases {
		p := s.at(i)
		switch {
		case p.fold() == "(":
			depth++
		case p.fold() == ")":
			depth = max(depth-1, 0)
			if depth == 0 {
				j.clause = 0
			}
		case depth > 0, p.mark == denied:
		case p.fold() == ";" && s.listItem(i+1) >= 0 && s.thing(j.from, i):
			// A semicolon parts things, as commas part what is said of each.
			right := s.listItem(i + 1)
			cuts = append(cuts, right)
			j.from, j.clause, j.listed = right, 0, true
		case p.stop() && p.fold() != ",":
			j.clause = 0
		case i < j.from:
		case s.joins(i):
			if s.joins(i - 1) {
				continue
			}
			j.mid, j.right = i, i+1
			j.and, j.strong = false, false
			for k := i; s.joins(k); k++ {
				j.right = k + 1
				j.and = j.and || s.at(k).is(language.And)
				j.strong = j.strong || s.at(k).is(language.And) && len(s.at(k).tokens) > 1
			}
			for j.and && s.at(j.right).is(language.Noise) && !s.at(j.right).is(language.Article) && !s.at(j.right).fact() {
				j.right++
			}
			j.comma = p.fold() == ","
			if s.separate(j) {
				cuts = append(cuts, j.right)
				j.from, j.clause, j.listed = j.right, 0, true
			}
		case p.fold() == "both" && s.at(i+1).is(language.Article):
			j.both = true
		case p.is(language.With) && !p.fact():
			j.clause |= language.With
		case p.is(language.For|language.Preposition) && p.mark != gone && !p.fact():
			j.clause |= language.For
		}
	}
	if len(cuts) == 0 {
		return []segment{{to: len(s.phrases)}}
	}
	return s.resume(s.cut(append([]int{0}, cuts...)))
}

// listItem returns where a thing begins behind a semicolon, past "and" and talk,
// or -1 when what follows is no noun phrase.
func (s *sentence) listItem(i int) int {
	for s.at(i).is(language.And) && s.at(i).mark == free {
		i++
	}
	start := i
	for s.at(i).is(language.Article|language.Noise|language.Ordinal) && !s.at(i).fact() && !s.at(i).stop() {
		i++
	}
	if s.startsThing(i) || i > start && (s.at(i).fact() || s.at(i).is(language.With|language.Preposition)) {
		return start
	}
	return -1
}

// joint is a place where one thing may end and another begin.
type joint struct {
	// from is where the thing on the left begins, mid the joint's first phrase
	// and right what stands behind it.
	from, mid, right int
	// clause holds the kinds of clause that were opened on the left: With for
	// properties, For for all others.
	clause language.Role
	// comma and and say what the joint is made of, strong that it is more than
	// "and", both that two things were announced, many that there are several
	// prices, listed that things were parted before it.
	comma, and, strong, both, many, listed bool
}

// joins reports whether the phrase at i is a comma or "and".
func (s *sentence) joins(i int) bool {
	p := s.at(i)
	return p.fold() == "," && p.symbol() && i < len(s.phrases) || p.is(language.And) && p.mark == free
}

// manyPrices reports whether prices were read at more than one place.
func (s *sentence) manyPrices() bool {
	runs := 0
	for i := range s.phrases {
		if p := s.at(i); p.mark == gone && p.number() && s.at(i-1).mark == gone && !s.at(i-1).is(language.And|language.To) {
			runs++
		}
	}
	return runs > 1
}

// enumerated finds things that are counted off: "First, … Second, … Lastly, …".
func (s *sentence) enumerated() []int {
	var cuts []int
	for i := range s.phrases {
		p := s.at(i)
		if s.numbered(i, len(cuts)+1) || p.is(language.Ordinal) && p.mark != denied && (s.at(i+1).stop() || i == 0 || s.at(i-1).stop()) && !s.at(i+1).fact() {
			cuts = append(cuts, i)
			p.mark = gone
		}
	}
	return cuts
}

// numbered reports whether "n)" stands at i.
func (s *sentence) numbered(i, n int) bool {
	p := s.at(i)
	return p.number() && p.tokens[0].Digits == strconv.Itoa(n) && s.at(i+1).fold() == ")" && i+1 < len(s.phrases)
}

func (s *sentence) cut(starts []int) []segment {
	segments := make([]segment, len(starts))
	for i, start := range starts {
		segments[i] = segment{from: start, to: len(s.phrases)}
		if i > 0 {
			segments[i-1].to = start
		}
	}
	// What stands before the first of several is about all of them.
	if first := &segments[0]; len(starts) > 1 && first.from > 0 {
		s.lead(first.from)
	}
	return segments
}

// lead takes the words before the first of several things out of the reading.
func (s *sentence) lead(to int) {
	for i := range to {
		if s.phrases[i].mark == free {
			s.phrases[i].mark = gone
		}
	}
}

// separate reports whether what stands on both sides of a joint are things of
// their own.
func (s *sentence) separate(j joint) bool {
	if s.Unspaced {
		return s.separateUnspaced(j.from, j.mid, j.right)
	}
	r := s.at(j.right)
	if !s.thing(j.from, j.mid) || r.mark != free && r.mark != measured {
		return false
	}
	// Behind its price, a thing is done.
	priced := s.at(j.mid-1).mark == gone && j.many
	if r.is(language.Article) && !r.stop() {
		inside := j.clause != 0 && !j.comma || j.clause.Has(language.With) && j.and && !(j.comma && j.listed && j.many)
		return (!inside || priced || j.both || j.strong) && s.introduces(j) && s.nounOwn(j.from)
	}
	closed := j.and && s.at(j.mid-1).fold() == ")"
	restated := j.strong && j.right > 0 && s.at(j.right-1).is(language.Noise)
	if (priced || closed || restated || j.strong && j.clause == 0 || j.comma && j.many && s.ownPrice(j.right)) && s.startsThing(j.right) {
		return true
	}
	end := s.uncounted(j.from, j.mid)
	if j.clause != 0 && (end == j.mid || j.clause != language.For) || !j.and {
		return false
	}
	return s.separateBare(j, end)
}

// separateBare judges a joint without an article behind it. The thing on its left ends
// before end.
func (s *sentence) separateBare(j joint, end int) bool {
	left, r := s.lastWord(j.from, end), s.at(j.right)
	if left != end-1 && !(left >= 0 && s.HeadFirst) {
		return false
	}
	switch {
	case s.eachFrom(j.right):
		// "a lamp and a chair, each under 50": there are several.
		return s.startsThing(j.right)
	case s.HeadFirst:
		// "une veste imperméable et gants chauds": the noun stands first.
		return r.plain() && s.at(j.right+1).fact() && s.at(j.mid-1).fact()
	case r.fact() && !(s.colour(j.right) && s.colour(left)):
		// "waterproof jacket and warm gloves": a property on the right needs a
		// thing behind it, and one on the left.
		return s.at(s.factEnd(j.right, len(s.phrases))).plain() && s.described(j.from, left)
	}
	// Bare nouns are taken apart only where the shop sells both.
	return r.plain() && s.known(j.right) && s.known(left) && s.ends(j.right+1)
}

// uncounted returns where a thing ends before mid, without how many it is for: "a tent
// for 4 people and warm gloves".
func (s *sentence) uncounted(from, mid int) int {
	i := mid
	for i > from && s.at(i-1).mark == measured {
		i--
	}
	if i < mid && i > from && s.at(i-1).is(language.For) {
		return i - 1
	}
	return mid
}

// eachFrom reports whether what follows i is said of each of several things.
func (s *sentence) eachFrom(i int) bool {
	for ; i < len(s.phrases); i++ {
		if s.at(i).is(language.Each) {
			return true
		}
	}
	return false
}

// ownPrice reports whether a price is said between i and the next comma.
func (s *sentence) ownPrice(i int) bool {
	for ; i < len(s.phrases) && !s.at(i).stop(); i++ {
		if p := s.at(i); p.mark == gone && p.number() {
			return true
		}
	}
	return false
}

// startsThing reports whether a noun phrase begins at i: properties, then a word.
func (s *sentence) startsThing(i int) bool {
	for s.at(i).fact() || s.at(i).mark == measured {
		i++
	}
	return s.at(i).plain() && s.at(i).mark == free
}

// separateUnspaced judges "と": things of their own stand on both sides unless a
// particle makes them belong to what follows.
func (s *sentence) separateUnspaced(from, mid, right int) bool {
	left := mid - 1
	if left < from || s.at(mid).fold() == "," || s.at(left).symbol() || s.at(left).number() || s.at(left).fact() || s.at(left).mark != free && s.at(left).mark != measured {
		return false
	}
	if s.at(left).is(language.Preposition|language.Noise) || s.at(right).mark != free {
		return false
	}
	end := right
	for s.at(end).fact() || end > right && s.at(end).is(language.Preposition) && s.at(end-1).fact() {
		end++
	}
	noun := s.at(end)
	if noun.symbol() || noun.number() || noun.is(language.Preposition|language.Noise|language.And) || len(noun.fold()) < 3 {
		return false
	}
	after := s.at(end + 1)
	return after.fold() != "の" && after.fold() != "用" || end > right
}

// thing reports whether the phrases name something: a word that is no property.
func (s *sentence) thing(from, to int) bool { return s.lastWord(from, to) >= 0 }

// nounOwn reports whether the left side is introduced as a thing of its own: by
// an article, by words such as "I am looking for", or by standing first.
func (s *sentence) nounOwn(from int) bool {
	for i := from; i < len(s.phrases); i++ {
		p := s.at(i)
		switch {
		case p.is(language.Article) && !p.stop(), p.is(language.Noise|language.Soft) && !p.fact():
			return true
		case p.plain() || p.fact() || p.number():
			return i == from
		}
	}
	return false
}

// introduces reports whether the article of a joint is followed by a thing of
// its own, and not by an afterthought such as "a soft feel".
func (s *sentence) introduces(j joint) bool {
	for i := j.right + 1; i < len(s.phrases) && !s.at(i).stop(); i++ {
		p := s.at(i)
		if p.mark == gone || p.mark == denied || p.is(language.With|language.For|language.Not) && !p.fact() {
			return false
		}
		if p.plain() && !p.is(language.Container) {
			// A comma alone joins things only in a list that ends in "and".
			return j.and || s.listed(i)
		}
	}
	return false
}

// listed reports whether a list goes on behind i with "and" and an article, or
// without one at the very end.
func (s *sentence) listed(i int) bool {
	for ; i < len(s.phrases); i++ {
		if s.at(i).is(language.And) && s.at(i).mark == free && s.at(i+1).is(language.Article) {
			return true
		}
	}
	return false
}

// described reports whether a property or an article stands before the word.
func (s *sentence) described(from, word int) bool {
	for i := from; i < word; i++ {
		if p := s.at(i); p.fact() || p.is(language.Article) {
			return true
		}
	}
	return false
}

// known reports whether the shop sells things that the word at i names.
func (s *sentence) known(i int) bool {
	return i >= 0 && s.question.Vocabulary.Noun(s.at(i).fold(), s.Tag)
}

func (s *sentence) lastWord(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if p := s.at(i); p.mark == free && (p.plain() || p.fact() && s.known(i)) {
			return i
		}
	}
	return -1
}
