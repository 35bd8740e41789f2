package ucp

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// BenchmarkMCP is the search of BenchmarkREST, as a tool call.
func BenchmarkMCP(b *testing.B) {
	d := newDesk(b, func(d *desk) {
		page, err := bigShelf().Search(b.Context(), upstream.Visit{}, upstream.Query{Limit: 10})
		if err != nil {
			b.Fatal(err)
		}
		d.mcp.Server.Catalogue = fixed{page}
		d.mcp.Observe = nil
	})
	body := []byte(toolMessage(1, SearchCatalog, "",
		`"catalog":{"query":"tarn","filters":{"price":{"max":12000}},"context":{"currency":"GBP","address_country":"GB"},"pagination":{"limit":10}}`))
	template := d.message("scout", string(body))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/ucp/mcp", bytes.NewReader(body))
		r.Header = template.Header
		d.mcp.ServeHTTP(&nowhere{http.Header{}}, r)
	}
}
