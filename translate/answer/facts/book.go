package facts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// Book is the facts of one shop. It is safe for concurrent use.
type Book struct {
	store state.Store
	key   string
	now   atomic.Pointer[page]
}

// page is the facts as they were read last.
type page struct {
	version state.Version
	of      map[string][]upstream.Attribute
}

// NewBook returns the book of a shop, empty until it is loaded.
func NewBook(store state.Store, shop string) *Book {
	b := &Book{store: store, key: "facts/" + shop}
	b.now.Store(&page{})
	return b
}

// Load reads the facts, if they are others than those that are known.
func (b *Book) Load(ctx context.Context) error {
	entry, err := b.store.Get(ctx, b.key)
	if errors.Is(err, state.ErrNotFound) {
		b.now.Store(&page{})
		return nil
	}
	if err != nil {
		return fmt.Errorf("loading facts: %w", err)
	}
	if entry.Version == b.now.Load().version {
		return nil
	}
	var all []Fact
	if err := json.Unmarshal(entry.Value, &all); err != nil {
		return fmt.Errorf("loading facts: %w", err)
	}
	p := &page{version: entry.Version, of: make(map[string][]upstream.Attribute)}
	for _, f := range all {
		p.add(f)
	}
	b.now.Store(p)
	return nil
}

func (p *page) add(f Fact) {
	attributes := p.of[f.Product]
	i := slices.IndexFunc(attributes, func(a upstream.Attribute) bool { return a.Key == f.Key })
	if i < 0 {
		p.of[f.Product] = append(attributes, upstream.Attribute{Key: f.Key, Values: []string{f.Value}})
		return
	}
	if !slices.Contains(attributes[i].Values, f.Value) {
		attributes[i].Values = append(attributes[i].Values, f.Value)
	}
}

// Replace puts these facts in the place of all that are there.
func (b *Book) Replace(ctx context.Context, all []Fact) error {
	if len(all) == 0 {
		if err := b.store.Delete(ctx, b.key); err != nil {
			return fmt.Errorf("removing facts: %w", err)
		}
		return b.Load(ctx)
	}
	encoded, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encoding facts: %w", err)
	}
	if len(encoded) > state.MaxValue {
		return fmt.Errorf("%w: they are too long together", ErrFacts)
	}
	if _, err := b.store.Put(ctx, b.key, encoded, 0); err != nil {
		return fmt.Errorf("keeping facts: %w", err)
	}
	return b.Load(ctx)
}

// Enrich adds to a product what is recorded of it, and to a variant what is
// recorded under its SKU.
func (b *Book) Enrich(p *upstream.Product) {
	of := b.now.Load().of
	if len(of) == 0 {
		return
	}
	p.Attributes = join(p.Attributes, of[p.ID])
	if p.Handle != "" && p.Handle != p.ID {
		p.Attributes = join(p.Attributes, of[p.Handle])
	}
	for i := range p.Variants {
		if v := &p.Variants[i]; v.SKU != "" && len(of[v.SKU]) > 0 {
			v.Attributes = join(v.Attributes, of[v.SKU])
		}
	}
}

// join returns both lists, in memory of its own.
func join(a, b []upstream.Attribute) []upstream.Attribute {
	if len(b) == 0 {
		return a
	}
	return slices.Concat(a, b)
}
