package main_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// plainList is all that a shop tells which can do no more than list its products.
const plainList = `{"products": [
	{"id": 401, "handle": "wool-blanket", "title": "Wool blanket", "product_type": "Bedroom", "vendor": "Plain & Sons", "tags": ["new"],
		"body_html": "<p>A blanket of pure wool.</p>", "options": [{"name": "Size"}], "images": [], "updated_at": "2026-10-30T09:15:00+01:00", "variants": [
		{"id": 40101, "title": "Small", "sku": "BLANKET-S", "price": "120.00", "compare_at_price": null, "available": true, "option1": "Small"},
		{"id": 40102, "title": "Large", "sku": "BLANKET-L", "price": "150.00", "compare_at_price": null, "available": false, "option1": "Large"}]},
	{"id": 402, "handle": "royal-blanket", "title": "Royal wool blanket", "product_type": "Bedroom", "vendor": "Plain & Sons", "tags": [],
		"body_html": "<p>A blanket for two.</p>", "options": [{"name": "Title"}], "images": [], "updated_at": "2026-10-30T09:15:00+01:00", "variants": [
		{"id": 40201, "title": "Default Title", "sku": "ROYAL", "price": "310.00", "compare_at_price": null, "available": true, "option1": "Default Title"}]},
	{"id": 403, "handle": "tea-towel", "title": "Tea towel", "product_type": "Kitchen", "vendor": "Plain & Sons", "tags": [],
		"body_html": "<p>A towel of linen.</p>", "options": [{"name": "Title"}], "images": [], "updated_at": "2026-10-30T09:15:00+01:00", "variants": [
		{"id": 40301, "title": "Default Title", "sku": "TOWEL", "price": "8.50", "compare_at_price": null, "available": true, "option1": "Default Title"}]}
]}`

// TestAListIsEnough: a shop that can only list its products has a catalogue, answers,
// baskets with prices, and is handed those who want to buy.
func TestAListIsEnough(t *testing.T) {
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/products.json":
			http.NotFound(w, r)
		case r.URL.Query().Get("page") == "1":
			_, _ = io.WriteString(w, plainList)
		default:
			_, _ = io.WriteString(w, `{"products": []}`)
		}
	}))
	t.Cleanup(shop.Close)
	a := newAgent(t)
	dir, address := t.TempDir(), freeAddress(t)
	serve(t, dir, address, "run", "--config", caddyfile(t, dir, address, "mapped "+shop.URL+" "+example(t, "products-json.map"), "", a))
	base := "http://" + address + "/api/ucp/v1"
	a.waitForShop(t, base)

	checkout := a.fill(t, base, basket{words: "blanket", goods: []goods{{"BLANKET-S", 2}, {"TOWEL", 1}}, total: 24850})
	a.handedOff(t, base, checkout)
	if got, want := checkout.Get("continue_url").String(), "https://shop.example.com/cart/40101:2,40301:1"; got != want {
		t.Errorf("a person goes on at %q, want %q", got, want)
	}

	found := a.answered(t, base, "wool blanket under £200")
	if got := found.Get("products.#.handle").Raw; got != `["wool-blanket"]` {
		t.Errorf("found %s: %s", got, found.Get("messages").Raw)
	}
}

// answered searches until the module knows the catalogue, and says what it has ruled
// out.
func (a *agent) answered(t *testing.T, base, query string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		found := a.must(t, "POST", base+"/catalog/search", object{"query": query, "context": object{"address_country": "GB"}})
		if found.Get(`messages.#(code=="ai.storeware.understood")`).Exists() && found.Get(`messages.#(code=="ai.storeware.ruled_out")`).Exists() {
			return found
		}
		select {
		case <-ctx.Done():
			t.Fatalf("nothing was ruled out: %s", found.Raw)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
