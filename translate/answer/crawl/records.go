package crawl

import (
	"encoding/json"
	"hash/maphash"
	"maps"

	"github.com/storeware/caddy-storeware/upstream"
)

// Sink is given the products that the crawl knows. It is called by one goroutine at
// a time.
type Sink interface {
	// Put adds a product, or replaces the one with its id. It has what is recorded of
	// it, and neither prices, stock, pictures nor pages.
	Put(p upstream.Product)
	// Remove takes a product out.
	Remove(id string)
}

// record is what is remembered of a product.
type record struct {
	chunk uint64 // the number of the chunk that has it
	sum   uint64 // of its document
	walk  uint32 // the last walk that showed it
	size  uint32 // of its document, in bytes
}

// content is what is remembered of a chunk.
type content struct {
	live    int  // documents that no later chunk replaces
	size    int  // of these, in bytes
	removed bool // it says that products are gone
}

// lose takes out a document that something else holds for.
func (c *content) lose(r record) {
	c.live--
	c.size -= int(r.size)
}

// records is what the log says, in short.
type records struct {
	seed     maphash.Seed
	products map[string]record
	chunks   map[uint64]*content
	last     uint64 // the number of the last chunk, 0 for none
	at       position
	// before is what was known before the log is read anew.
	before map[string]record
}

func newRecords() *records {
	return &records{seed: maphash.MakeSeed(), products: map[string]record{}, chunks: map[uint64]*content{}}
}

func (r *records) sum(raw json.RawMessage) uint64 { return maphash.Bytes(r.seed, raw) }

// apply takes in a chunk, and gives the sinks what is new in it.
func (r *records) apply(number uint64, c *chunk, sinks []Sink) error {
	here := &content{removed: len(c.Removed) > 0}
	r.chunks[number] = here
	r.last, r.at = number, c.position
	for _, raw := range c.Documents {
		p, err := decode(raw)
		if err != nil {
			return err
		}
		sum := r.sum(raw)
		old, known := r.products[p.ID]
		if known {
			r.chunks[old.chunk].lose(old)
		} else {
			old, known = r.before[p.ID]
		}
		r.products[p.ID] = record{chunk: number, sum: sum, walk: c.Walk, size: uint32(len(raw))}
		here.live++
		here.size += len(raw)
		if known && old.sum == sum {
			continue
		}
		for _, s := range sinks {
			s.Put(p)
		}
	}
	for _, id := range c.Seen {
		if known, ok := r.products[id]; ok {
			known.walk = c.Walk
			r.products[id] = known
		}
	}
	for _, id := range c.Removed {
		r.forget(id, sinks)
	}
	return nil
}

func (r *records) forget(id string, sinks []Sink) {
	known, ok := r.products[id]
	if !ok {
		return
	}
	r.chunks[known.chunk].lose(known)
	delete(r.products, id)
	for _, s := range sinks {
		s.Remove(id)
	}
}

// anew forgets the log, but not which products the sinks have.
func (r *records) anew() {
	if r.before == nil {
		r.before = map[string]record{}
	}
	maps.Copy(r.before, r.products)
	r.products = map[string]record{}
	r.chunks, r.last, r.at = map[uint64]*content{}, 0, position{}
}

// settled takes out of the sinks what the log does not have any more.
func (r *records) settled(sinks []Sink) {
	for id := range r.before {
		if _, known := r.products[id]; !known {
			for _, s := range sinks {
				s.Remove(id)
			}
		}
	}
	r.before = nil
}
