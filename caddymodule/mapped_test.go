package caddymodule_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// A shop by a mapping, of a file or of a block, is searched and sold from as any
// other; a reload with another mapping is another shop at once.
func TestMappedShop(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	text := fill(site, "HASH", hash, "reverse_proxy SHOP", "", "upstream demo SHOP", "upstream mapped "+house.url()+" testdata/map/demo.map")
	server := startCaddy(t, text)
	agent := server.agent("", key)
	agent.awaitCart() // nothing in the mapping says where it is ordered
	found := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "Fjell Trail"}`)
	if got := found.get("products.0.title").String(); got != "Fjell Trail GTX" {
		t.Errorf("found %q\n%s", got, found.body)
	}
	cart := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 2}]}`)
	if got := cart.get(`totals.#(type=="total").amount`).Int(); got != 24000 {
		t.Errorf("two pairs of boots cost %d\n%s", got, cart.body)
	}

	server.load(strings.Replace(text, "testdata/map/demo.map", demoMap(t, "title       title", "title       brand"), 1))
	agent.awaitCart()
	found = agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "Fjell Trail"}`)
	if got := found.get("products.0.title").String(); got != "Skarn" {
		t.Errorf("with another mapping found %q", got)
	}
}
