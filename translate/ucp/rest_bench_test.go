package ucp

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// nowhere is a response that is thrown away.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}

// BenchmarkREST is a request for a page of 10 products of 15 kB, from the first
// look at its path to the last byte of its answer.
func BenchmarkREST(b *testing.B) {
	d := newDesk(b, func(d *desk) {
		page, err := bigShelf().Search(b.Context(), upstream.Visit{}, upstream.Query{Limit: 10})
		if err != nil {
			b.Fatal(err)
		}
		d.rest.Server.Catalogue = fixed{page}
		d.rest.Observe = nil
	})
	payload := []byte(`{"query":"tarn","filters":{"price":{"max":12000}},"context":{"currency":"GBP","address_country":"GB"},"pagination":{"limit":10}}`)
	template := d.request("scout", http.MethodPost, "/catalog/search", string(payload))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/api/ucp/v1/catalog/search", bytes.NewReader(payload))
		r.Header = template.Header
		d.rest.ServeHTTP(&nowhere{http.Header{}}, r)
	}
}
