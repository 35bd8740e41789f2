package index

// contents is what an index holds. It only grows: a search keeps the slices it
// found and reads them while more is appended. What cannot be appended to is
// replaced.
type contents struct {
	dict     dictionary // a term's number
	terms    []string
	lists    []list // by the term's number
	alphabet alphabet

	byID    map[string]uint32 // the document of a product
	ids     []string          // by document
	lengths [][fieldCount]uint8
	total   [fieldCount]uint64 // lengths added up, of live documents
	dead    bitset             // documents whose product is gone or was added anew
	deaths  int
}

func newContents() contents {
	return contents{byID: map[string]uint32{}}
}

// live is how many products there are.
func (c *contents) live() int { return len(c.ids) - c.deaths }

// size is how many products have a term: exactly for one that few have, else with
// the dead among them, unless all are.
func (c *contents) size(term uint32) uint32 {
	l := c.lists[term]
	if c.deaths == 0 {
		return l.size
	}
	live := uint32(0)
	for w := (walk{data: l.data}); w.next(); {
		if c.dead.has(w.doc) {
			continue
		}
		if l.size > 100 {
			return l.size
		}
		live++
	}
	return live
}

// term returns the number of a term, which it may make.
func (c *contents) term(word []byte) uint32 {
	if n, ok := c.dict.find(c.terms, word); ok {
		return n
	}
	n := uint32(len(c.terms))
	text := string(word)
	c.terms = append(roomy(c.terms), text)
	c.dict.add(c.terms)
	c.lists = append(roomy(c.lists), list{})
	if letters(text) {
		c.alphabet.fresh = append(c.alphabet.fresh, n)
	}
	return n
}

// roomy returns a slice with room for one more element. That of a small shop grows by
// little, since most of what its index takes are its terms; append alone would leave
// up to a fifth of it empty.
func roomy[T any](s []T) []T {
	if len(s) < cap(s) || len(s) > 1<<16 {
		return s
	}
	return append(make([]T, 0, len(s)+len(s)/16+64), s...)
}

// bury marks a document as dead. Searches that run keep the set they have.
func (c *contents) bury(doc uint32) {
	for i, n := range c.lengths[doc] {
		c.total[i] -= uint64(n)
	}
	delete(c.byID, c.ids[doc])
	c.dead = c.dead.with(doc)
	c.deaths++
}

// without returns a copy that holds nothing of dead documents.
func (c *contents) without() contents {
	fresh := contents{
		byID: make(map[string]uint32, len(c.byID)),
		ids:  make([]string, 0, c.live()), lengths: make([][fieldCount]uint8, 0, c.live()), total: c.total,
	}
	moved := make([]uint32, len(c.ids))
	for doc, id := range c.ids {
		if c.dead.has(uint32(doc)) {
			continue
		}
		moved[doc] = uint32(len(fresh.ids))
		fresh.byID[id] = moved[doc]
		fresh.ids = append(fresh.ids, id)
		fresh.lengths = append(fresh.lengths, c.lengths[doc])
	}
	for n, text := range c.terms {
		var kept list
		for w := (walk{data: c.lists[n].data}); w.next(); {
			if !c.dead.has(w.doc) {
				kept.add(posting{doc: moved[w.doc], fields: w.fields, counts: w.counts})
			}
		}
		if kept.size > 0 {
			fresh.lists[fresh.term([]byte(text))] = kept
		}
	}
	fresh.alphabet = fresh.alphabet.sorted(fresh.terms)
	return fresh
}

// bitset is a set of documents that is never changed.
type bitset []uint64

func (b bitset) has(doc uint32) bool {
	word := int(doc / 64)
	return word < len(b) && b[word]&(1<<(doc%64)) != 0
}

func (b bitset) with(doc uint32) bitset {
	grown := make(bitset, max(len(b), int(doc/64)+1))
	copy(grown, b)
	grown[doc/64] |= 1 << (doc % 64)
	return grown
}
