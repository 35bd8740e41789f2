package crawl_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
	"github.com/storeware/caddy-storeware/upstream"
)

// 10,000 real products are walked, stored sealed and indexed in far less than a
// minute, and loaded again in less than that.
func TestTenThousandProducts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: ten thousand products take too long here")
	}
	s := &shop{products: map[string]upstream.Product{}, pageSize: 100}
	for _, p := range indextest.Products(t) {
		s.products[p.ID] = p
	}
	store, err := state.Sealed(openStore(t), [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"walked", "loaded"} {
		x := index.New(index.Options{Language: "en"})
		whole := make(chan struct{}, 1)
		c := crawl.New(crawl.Options{Shop: "shop", Walker: s, Store: store, Sinks: []crawl.Sink{x}, Changed: func(p crawl.Progress) {
			if !p.Whole.IsZero() {
				select {
				case whole <- struct{}{}:
				default:
				}
			}
		}})
		began := time.Now()
		c.Start()
		select {
		case <-whole:
		case <-time.After(time.Minute):
			t.Errorf("%s: not within a minute: %+v", start, c.Progress())
		}
		took := time.Since(began)
		c.Close()
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		t.Logf("%s in %v: %v, %d MB of heap in use with the shop's own products", start, took.Round(time.Millisecond), x.Size(), m.HeapAlloc>>20)
		if got := x.Size().Products; got != len(s.products) {
			t.Errorf("%s: %d products of %d", start, got, len(s.products))
		}
	}
	if s.count() != 100 {
		t.Errorf("the shop was asked for %d pages", s.count())
	}
}
