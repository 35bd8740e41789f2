package index

import (
	"fmt"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/translate/answer/index/words"
	"github.com/storeware/caddy-storeware/upstream"
)

// DefaultProducts is the most products that an index takes if not told otherwise.
const DefaultProducts = 500_000

// Options make an index.
type Options struct {
	// Language is the BCP 47 tag of the shop's own words.
	Language string
	// Products is the most products that are taken, 0 for [DefaultProducts].
	Products int
}

// Index finds products by words. Its methods are safe for concurrent use.
type Index struct {
	language words.Language
	most     int
	scratch  sync.Pool // of *scratch

	writing  sync.Mutex // held by whoever changes the index
	analysis analysis

	mu sync.RWMutex // guards what follows, for as long as words are looked up
	in contents
}

// New returns an empty index.
func New(o Options) *Index {
	if o.Products <= 0 {
		o.Products = DefaultProducts
	}
	language := words.LanguageOf(o.Language)
	return &Index{language: language, most: o.Products, analysis: analysis{language: language}, in: newContents()}
}

// Put adds a product, or replaces the one with its id. A product beyond the most
// that are taken, or without an id, is left out.
func (x *Index) Put(p upstream.Product) {
	if p.ID == "" {
		return
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	// Only writers change the contents, so a writer reads them without the lock.
	if _, known := x.in.byID[p.ID]; !known && x.in.live() >= x.most {
		return
	}
	x.analysis.read(&p)
	x.put(strings.Clone(p.ID))
	x.tidy()
}

// put adds the product that was analysed.
func (x *Index) put(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := &x.in
	if doc, known := c.byID[id]; known {
		c.bury(doc)
	}
	doc := uint32(len(c.ids))
	c.byID[id] = doc
	c.ids = append(c.ids, id)
	var lengths [fieldCount]uint8
	for i, n := range x.analysis.lengths {
		lengths[i] = uint8(min(n, 255))
		c.total[i] += uint64(lengths[i])
	}
	c.lengths = append(c.lengths, lengths)
	x.analysis.entries(c.term, func(term uint32, p posting) {
		p.doc = doc
		c.lists[term].add(p)
	})
}

// Remove takes the product with that id out, if it is there.
func (x *Index) Remove(id string) {
	x.writing.Lock()
	defer x.writing.Unlock()
	doc, known := x.in.byID[id]
	if !known {
		return
	}
	x.mu.Lock()
	x.in.bury(doc)
	x.mu.Unlock()
	x.tidy()
}

// tidy does what piles up: a new alphabet, or a copy without the dead. Searches go
// on meanwhile with what there is. It is called by writers.
func (x *Index) tidy() {
	if x.in.deaths > 1024+x.in.live()/4 {
		fresh := x.in.without()
		x.mu.Lock()
		x.in = fresh
		x.mu.Unlock()
	}
	if x.in.alphabet.full() {
		sorted := x.in.alphabet.sorted(x.in.terms)
		x.mu.Lock()
		x.in.alphabet = sorted
		x.mu.Unlock()
	}
}

// Size says how large an index is.
type Size struct {
	// Products can be found, by Terms.
	Products, Terms int
}

// String implements fmt.Stringer.
func (s Size) String() string { return fmt.Sprintf("%d products, %d terms", s.Products, s.Terms) }

// Size returns the size of the index.
func (x *Index) Size() Size {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return Size{Products: x.in.live(), Terms: len(x.in.terms)}
}
