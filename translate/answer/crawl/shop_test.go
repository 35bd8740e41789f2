package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop lists its products by id, a page at a time, and from the beginning again
// when it has come to the end.
type shop struct {
	mu       sync.Mutex
	products map[string]upstream.Product
	pageSize int
	failures int // how many more requests fail
	asked    int
	places   []upstream.Place // asked for
}

func newShop(n, pageSize int) *shop {
	s := &shop{products: map[string]upstream.Product{}, pageSize: pageSize}
	for i := range n {
		s.set(i, "first")
	}
	return s
}

func (s *shop) set(i int, words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("p%04d", i)
	stock := int64(i)
	s.products[id] = upstream.Product{
		ID: id, Title: fmt.Sprintf("Product %d %s", i, words), Description: "Good " + words,
		Attributes: []upstream.Attribute{{Key: "colour", Values: []string{words}}},
		Options:    []upstream.Option{{Name: "Size", Values: []string{"S", "M"}}},
		Media:      []upstream.Media{{URL: "https://shop.example/" + id}},
		Variants: []upstream.Variant{{
			ID: id + "/1", SKU: "SKU-" + id, Price: money.Amount{Minor: 100 + stock, Currency: "EUR"}, Stock: &stock, Availability: upstream.InStock,
			Options: []upstream.Choice{{Name: "Size", Value: "S"}},
		}},
	}
}

func (s *shop) drop(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.products, fmt.Sprintf("p%04d", i))
}

// Walk implements upstream.Walker.
func (s *shop) Walk(ctx context.Context, _ upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.places = append(s.places, place)
	if s.failures > 0 {
		s.failures--
		return upstream.Walked{}, upstream.Errorf(upstream.CodeUnavailable, "walking", "the shop is away")
	}
	if place == "of another adapter" {
		return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, "walking", "what place is that")
	}
	var w upstream.Walked
	for _, id := range slices.Sorted(maps.Keys(s.products)) {
		if id <= string(place) && place != "" {
			continue
		}
		if len(w.Products) == s.pageSize {
			w.More = true
			break
		}
		w.Products = append(w.Products, s.products[id])
		w.Next = upstream.Place(id)
	}
	if !w.More {
		w.Next, w.Whole = "", true
	}
	return w, ctx.Err()
}

// kept is what a sink was given.
type kept struct {
	mu       sync.Mutex
	products map[string]upstream.Product
	puts     int
}

func newKept() *kept { return &kept{products: map[string]upstream.Product{}} }

func (k *kept) Put(p upstream.Product) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.puts++
	k.products[p.ID] = p
}

func (k *kept) Remove(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.products, id)
}

func (k *kept) all() map[string]upstream.Product {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.products)
}

// recorded is what a sink should have of the shop.
func (s *shop) recorded() map[string]upstream.Product {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]upstream.Product{}
	for id, p := range s.products {
		p.Media = nil
		p.Variants = slices.Clone(p.Variants)
		for i, v := range p.Variants {
			p.Variants[i] = upstream.Variant{ID: v.ID, SKU: v.SKU, Options: v.Options}
		}
		all[id] = p
	}
	return all
}

func openStore(t *testing.T) state.Store {
	t.Helper()
	store, err := bolt.Open(filepath.Join(t.TempDir(), "state"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func newCrawl(store state.Store, s *shop, k *kept) *crawl.Crawl {
	return crawl.New(crawl.Options{Shop: "shop", Walker: s, Store: store, Sinks: []crawl.Sink{k}})
}

// dying is a store that fails for good at its n-th write, which it may have done.
type dying struct {
	state.Store
	mu     sync.Mutex
	writes int
	done   bool // the last write is done before it fails
	died   chan struct{}
}

var errDied = fmt.Errorf("%w: killed", state.ErrUnavailable)

func (d *dying) write(do func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes--
	if d.writes > 0 {
		return do()
	}
	if d.writes == 0 {
		close(d.died)
		if d.done {
			return errors.Join(errDied, do())
		}
	}
	return errDied
}

func (d *dying) CompareAndSwap(ctx context.Context, key string, old state.Version, value []byte, ttl time.Duration) (v state.Version, err error) {
	err = d.write(func() (err error) {
		v, err = d.Store.CompareAndSwap(ctx, key, old, value, ttl)
		return err
	})
	return v, err
}

func (d *dying) Delete(ctx context.Context, key string) error {
	return d.write(func() error { return d.Store.Delete(ctx, key) })
}

// chunks counts the entries of the log.
func chunks(t *testing.T, store state.Store) (n int) {
	t.Helper()
	for _, err := range store.Scan(t.Context(), "crawl/shop/", "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// count is how many pages were asked for.
func (s *shop) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}
