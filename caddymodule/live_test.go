package caddymodule_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// setPrice has the shop sell a variant for another price, in pence.
func (h *house) setPrice(variant string, price int64) {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodPatch, h.url()+"/api/backoffice/variants/"+variant, strings.NewReader(fmt.Sprintf(`{"price": %d}`, price)))
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+backOffice)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK {
		h.t.Fatalf("status %d: %s, %v", response.StatusCode, body, err)
	}
}

// Prices are live (promise 3): once the shop has another one, every answer has it.
func TestPricesAreLive(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	agent := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash)).agent("", key)
	agent.awaitShop()
	cart := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`)
	const variant = `.variants.#(id=="v-FJL-8-TAN").price.amount`
	for _, price := range []int64{12000, 13777, 9001} {
		house.setPrice("v-FJL-8-TAN", price)
		for _, test := range []struct{ method, path, body, where string }{
			{"POST", "/api/ucp/v1/catalog/search", `{"query": "fjell trail walking boots"}`, `products.#(handle=="fjell-trail-gtx")` + variant},
			{"POST", "/api/ucp/v1/catalog/lookup", `{"ids": ["v-FJL-8-TAN"]}`, "products.0" + variant},
			{"POST", "/api/ucp/v1/catalog/product", `{"id": "fjell-trail-gtx", "selected": [{"name": "size", "label": "8"}, {"name": "colour", "label": "Tan"}]}`, "product" + variant},
			{"GET", "/api/ucp/v1/carts/" + cart.get("id").String(), "", "line_items.0.item.price"},
		} {
			got := agent.want(http.StatusOK, test.method, test.path, test.body).get(test.where)
			if got.Int() != price {
				t.Errorf("%s %s: the price is %s, want %d", test.method, test.path, got, price)
			}
		}
	}
}
