package demo_test

import (
	"net/http"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// BenchmarkSearch is a search whose answer is about 10 kB, over loopback, beside the
// same request without the adapter.
func BenchmarkSearch(b *testing.B) {
	h := open(b, shop.Options{})
	s := h.adapter()
	query := upstream.Query{Words: "waterproof jacket", Limit: 7}
	b.Run("adapter", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			results, err := s.Search(b.Context(), visit, query)
			if err != nil || len(results.Products) != query.Limit {
				b.Fatal(len(results.Products), err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		var bytes int
		for b.Loop() {
			response, err := http.Get(h.url().String() + "/api/products?q=waterproof+jacket&limit=7")
			if err != nil {
				b.Fatal(err)
			}
			bytes = drain(b, response)
		}
		b.ReportMetric(float64(bytes), "B/answer")
	})
	http.DefaultClient.CloseIdleConnections()
}

// BenchmarkBasket is a new basket and its change.
func BenchmarkBasket(b *testing.B) {
	for name, dir := range map[string]string{"memory": "", "file": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			h := open(b, shop.Options{DataDir: dir})
			s := h.adapter()
			want := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "1", Item: "SOK-M", Quantity: 2}}}
			for b.Loop() {
				applied, err := s.Apply(b.Context(), visit, upstream.Handle{}, want)
				if err == nil {
					_, err = s.Apply(b.Context(), visit, applied.Handle, want)
				}
				if err != nil || applied.Observed.Total != (money.Amount{Minor: 4400, Currency: "GBP"}) {
					b.Fatal(applied.Observed.Total, err)
				}
			}
		})
	}
}
