package mapped_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// BenchmarkPage reads a page of fifty products through the mapping
// of a plain list, without a network.
func BenchmarkPage(b *testing.B) {
	s := newPlainShop(b)
	request := httptest.NewRequest(http.MethodGet, "/products.json?page=1&limit=50", nil)
	answer := httptest.NewRecorder()
	s.serve(answer, request)
	if !json.Valid(answer.Body.Bytes()) {
		b.Fatal("the page is no JSON")
	}
	shop := s.shop(b, answering{"", http.StatusOK, answer.Body.String(), nil})
	b.SetBytes(int64(answer.Body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		page, err := shop.Walk(b.Context(), upstream.Visit{}, "")
		if err != nil || len(page.Products) != 50 {
			b.Fatalf("%d products, %v", len(page.Products), err)
		}
	}
}
