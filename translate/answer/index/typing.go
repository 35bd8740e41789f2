package index

// maxCorrections is how many words a word with a typing error may mean.
const maxCorrections = 4

// correct adds terms that at least so many products have and that are one typing
// error away: a letter too many, one missing, a wrong one, or two that changed
// places.
//
// One error leaves one half of a word as it is, so that only terms that begin or
// end like the word need be compared with it. An error in an ending may hide from
// the stem what it is; there the word is mended first and its stem looked up.
func (p *planner) correct(g *group, least uint32, weight float32) bool {
	var found []candidate
	look := func(n uint32, text string) {
		if !near(g.stem, text) {
			return
		}
		if size := p.size(n); size > least {
			found = append(found, candidate{term: n, size: size, weight: weight})
		}
	}
	half := len(g.stem) / 2
	p.alphabet.beginning(p.terms, g.stem[:half], look)
	p.alphabet.ending(p.terms, g.stem[half:], look)
	mended := make([]byte, 0, len(g.word))
	exact := func(word []byte) {
		if n, known := p.dict.find(p.terms, p.shop.Stem(word)); known && p.size(n) > least && len(p.terms[n]) >= leastPart {
			found = append(found, candidate{term: n, size: p.size(n), weight: weight})
		}
	}
	for i := range len(g.word) {
		exact(append(append(mended[:0], g.word[:i]...), g.word[i+1:]...))
		if i > 0 {
			mended = append(mended[:0], g.word...)
			mended[i-1], mended[i] = mended[i], mended[i-1]
			exact(mended)
		}
	}
	before := len(g.forms)
	p.addBest(g, unique(found), maxCorrections)
	return len(g.forms) > before
}

// unique leaves each term once.
func unique(all []candidate) []candidate {
	seen := make(map[uint32]bool, len(all))
	kept := all[:0]
	for _, c := range all {
		if !seen[c.term] {
			seen[c.term] = true
			kept = append(kept, c)
		}
	}
	return kept
}

// near reports whether two words are one typing error apart.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false // The same word.
	}
	return a[i+1:] == b[i+1:] ||
		i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
