package index

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/storeware/caddy-storeware/translate/answer/index/words"
)

// saturation is k1 of BM25: how soon more of a word says nothing more.
const saturation = 1.2

// headBoost is how much more a word of Query.Head counts in a title or category.
const headBoost = 1.8

// scratch is the memory of a search, used again by the next one.
type scratch struct {
	splitter words.Splitter
	scores   []float32 // by document, zero between searches
	group    []float32 // the same for the word that is being scored
	touched  []uint32  // documents with a score
	inGroup  []uint32
	plain    table
	head     table
	best     []scored
}

// table has what a word counts in a field, by the length of the field in the
// document.
type table [fieldCount][256]float32

// scored is a document with its score.
type scored struct {
	doc   uint32
	score float32
}

// snapshot is what a search reads without the lock.
type snapshot struct {
	groups  []group
	ids     []string
	lengths [][fieldCount]uint8
	dead    bitset
	total   [fieldCount]uint64
	live    int
}

// Search returns the products that the words of a query may mean, best first. It
// does not wait for changes that are being made, and sees each of them whole or
// not at all.
func (x *Index) Search(q Query) Results {
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	s, _ := x.scratch.Get().(*scratch)
	if s == nil {
		s = new(scratch)
	}
	defer x.scratch.Put(s)
	at := x.look(q, s)
	s.begin(&at)
	s.scoreAll(&at, q.Limit)
	s.choose(&at, q.Limit)
	return at.results(s.best)
}

// look finds the words of the query.
func (x *Index) look(q Query, s *scratch) snapshot {
	x.mu.RLock()
	defer x.mu.RUnlock()
	c := &x.in
	return snapshot{
		groups: c.plan(q, x.language, &s.splitter),
		ids:    c.ids, lengths: c.lengths, dead: c.dead, total: c.total, live: c.live(),
	}
}

// begin makes room for as many documents as there are.
func (s *scratch) begin(at *snapshot) {
	if n := len(at.ids); n > len(s.scores) {
		s.scores = make([]float32, n+n/8)
		s.group = make([]float32, n+n/8)
	}
	weight, slack := weights()
	for f := range fieldCount {
		average := max(float32(at.total[f])/float32(max(at.live, 1)), 1)
		boost := float32(1)
		if (Title | Category).Has(1 << f) {
			boost = headBoost
		}
		for length := range 256 {
			s.plain[f][length] = weight[f] / (1 - slack[f] + slack[f]*float32(length)/average)
			s.head[f][length] = boost * s.plain[f][length]
		}
	}
}

// scoreAll scores the words, the rarest first. When no more can be gained by a
// product that has none of the words so far than what the last of the best has
// already (Turtle and Flood, "Query evaluation", 1995), only those that have some go
// on: words that half of all products have come last and find nothing new.
func (s *scratch) scoreAll(at *snapshot, limit int) {
	order := make([]*group, len(at.groups))
	left := float32(0)
	for i := range at.groups {
		g := &at.groups[i]
		order[i] = g
		g.most = rarity(g.size(), at.live)
		left += g.most
	}
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(b.most, a.most) })
	closed := false
	for i, g := range order {
		s.score(at, g, closed)
		left -= g.most
		if !closed && i+1 < len(order) && len(s.touched) > limit {
			closed = s.atLeast(at, left, limit)
		}
	}
}

// atLeast reports whether so many live documents have that score.
func (s *scratch) atLeast(at *snapshot, score float32, limit int) bool {
	for _, doc := range s.touched {
		if s.scores[doc] < score || at.dead.has(doc) {
			continue
		}
		if limit--; limit == 0 {
			return true
		}
	}
	return false
}

// score adds what a word of the query says of each document, or only of those that
// have a score when that is closed.
func (s *scratch) score(at *snapshot, g *group, closed bool) {
	counts := &s.plain
	if g.head {
		counts = &s.head
	}
	if len(g.forms) == 1 {
		s.scoreOne(at, &g.forms[0], g.most, counts, closed)
		return
	}
	s.inGroup = s.inGroup[:0]
	for i := range g.forms {
		s.gather(at, &g.forms[i], counts, closed)
	}
	for _, doc := range s.inGroup {
		t := s.group[doc]
		s.group[doc] = 0
		s.add(doc, g.most*t/(saturation+t))
	}
}

func (s *scratch) scoreOne(at *snapshot, f *form, rare float32, counts *table, closed bool) {
	for w := (walk{data: f.list.data}); w.next(); {
		if closed && s.scores[w.doc] == 0 {
			continue
		}
		t := f.weight * frequency(&w, counts, &at.lengths[w.doc])
		s.add(w.doc, rare*t/(saturation+t))
	}
}

// gather adds up the terms of a word by document, before saturation.
func (s *scratch) gather(at *snapshot, f *form, counts *table, closed bool) {
	for w := (walk{data: f.list.data}); w.next(); {
		if closed && s.scores[w.doc] == 0 {
			continue
		}
		if s.group[w.doc] == 0 {
			s.inGroup = append(s.inGroup, w.doc)
		}
		s.group[w.doc] += f.weight * frequency(&w, counts, &at.lengths[w.doc])
	}
}

func (s *scratch) add(doc uint32, score float32) {
	if s.scores[doc] == 0 {
		s.touched = append(s.touched, doc)
	}
	s.scores[doc] += score
}

// frequency is how often a term stands in a document, by field.
func frequency(w *walk, counts *table, lengths *[fieldCount]uint8) (sum float32) {
	for fields := uint8(w.fields); fields != 0; fields &= fields - 1 {
		f := bits.TrailingZeros8(fields) & (fieldCount - 1)
		t := counts[f][lengths[f]]
		if w.counts != oneEach {
			t *= times(Fields(1<<f), w.counts)
		}
		sum += t
	}
	return sum
}

// times is how often a term stands in a field.
func times(field Fields, counts uint8) float32 {
	switch field {
	case Attribute:
		return float32(counts >> 4)
	case Description:
		return float32(counts & 15)
	}
	return 1
}

// rarity is the weight of a word that so many of all documents have.
func rarity(size uint32, all int) float32 {
	n := float64(size)
	return float32(math.Log1p((math.Max(float64(all)-n, 0) + 0.5) / (n + 0.5)))
}

// choose leaves the best live documents in s.best, best first, and clears the
// scores. Of equals, those that were added first are taken.
func (s *scratch) choose(at *snapshot, limit int) {
	s.best = s.best[:0]
	for _, doc := range s.touched {
		one := scored{doc: doc, score: s.scores[doc]}
		s.scores[doc] = 0
		if len(s.best) == limit && compareScored(one, s.best[0]) >= 0 || at.dead.has(doc) {
			continue
		}
		s.keep(one, limit)
	}
	s.touched = s.touched[:0]
	slices.SortFunc(s.best, compareScored)
}

// keep puts one among the best, which are a heap with the least of them in front,
// in its place if there are enough.
func (s *scratch) keep(one scored, limit int) {
	i := len(s.best)
	if i < limit {
		s.best = append(s.best, one)
		for up := (i - 1) / 2; i > 0 && compareScored(s.best[up], one) < 0; up = (i - 1) / 2 {
			s.best[i] = s.best[up]
			i = up
		}
		s.best[i] = one
		return
	}
	i = 0
	for down := 1; down < limit; down = 2*i + 1 {
		if down+1 < limit && compareScored(s.best[down], s.best[down+1]) < 0 {
			down++
		}
		if compareScored(s.best[down], one) < 0 {
			break
		}
		s.best[i] = s.best[down]
		i = down
	}
	s.best[i] = one
}

// compareScored orders the better one first.
func compareScored(a, b scored) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return int(a.doc) - int(b.doc)
}

// results returns the best documents' products and the words that found them.
func (at *snapshot) results(best []scored) Results {
	r := Results{Words: make([]Word, len(at.groups)), Hits: make([]Hit, len(best))}
	for i, g := range at.groups {
		r.Words[i] = Word{Text: g.word, Head: g.head, Found: g.found, Forms: g.texts}
	}
	for i, b := range best {
		r.Hits[i] = Hit{ID: at.ids[b.doc], Score: b.score}
	}
	return r
}
