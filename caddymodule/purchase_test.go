package caddymodule_test

import (
	"net/http"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// site is the Caddyfile of a shop on any host.
const site = `
{
	GLOBAL
	storeware {
		state file DIR/state.db
	}
}
:PORT {
	storeware {
		upstream demo SHOP
		name shop.example
		contact keys@shop.example
		agent tester HASH
		profile_file https://agent.example/ucp.json DIR/agent.json
	}
	reverse_proxy SHOP
}
`

// What an agent sends to buy a pair of boots.
const (
	bootsCheckout = `{
		"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}],
		"buyer": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"},
		"fulfillment": {"methods": [{
			"type": "shipping",
			"destinations": [{"type": "shipping_address", "street_address": "12 Stricklandgate", "address_locality": "Kendal", "postal_code": "LA9 4ND", "address_country": "GB"}],
			"groups": [{"selected_option_id": "standard"}]}]}
	}`
	cardPayment = `{"payment": {"instruments": [{"id": "card", "handler_id": "upstream:demo-card", "type": "card", "credential": {"type": "token", "token": "tok_demo"}}]}}`
)

// A purchase, from discovery to the order, over HTTP: every answer is as the
// schemas want it, and signed.
func TestPurchase(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("", key)
	agent.awaitShop()

	found := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "walking boots"}`)
	if !found.get(`products.#(handle=="fjell-trail-gtx")`).Exists() {
		t.Errorf("the search has not found the boots: %s", found.get("products.#.handle"))
	}
	product := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/product", `{"id": "fjell-trail-gtx", "selected": [{"name": "size", "label": "8"}, {"name": "colour", "label": "Tan"}]}`)
	if got := product.get("product.variants.0.id").String(); got != "v-FJL-8-TAN" {
		t.Errorf("the selected variant is %q", got)
	}
	looked := agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/lookup", `{"ids": ["FJL-8-TAN", "no-such-thing"]}`)
	if got := looked.get("products.#").Int(); got != 1 {
		t.Errorf("the lookup has found %d products, want 1", got)
	}

	cart := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/carts", `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`)
	same := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", `{"cart_id": `+cart.get("id").Raw+`, "line_items": []}`)
	if cart.get("id").String() != same.get("id").String() {
		t.Errorf("the cart %s became the checkout %s, want the same id", cart.get("id"), same.get("id"))
	}
	agent.want(http.StatusOK, "POST", "/api/ucp/v1/carts/"+cart.get("id").String()+"/cancel", "{}")

	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	if got := checkout.get("status").String(); got != "ready_for_complete" {
		t.Fatalf("the checkout is %s\n%s", got, checkout.get("messages"))
	}
	path := "/api/ucp/v1/checkout-sessions/" + checkout.get("id").String()
	agent.want(http.StatusOK, "GET", path, "")
	completed := agent.want(http.StatusOK, "POST", path+"/complete", cardPayment, "Idempotency-Key", "first")
	if got := completed.get("status").String(); got != "completed" {
		t.Fatalf("the checkout is %s\n%s", got, completed.get("messages"))
	}
	again := agent.want(http.StatusOK, "POST", path+"/complete", cardPayment, "Idempotency-Key", "first")
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(completed.body) {
		t.Errorf("the second answer to the same key is not the first: %s", again.body)
	}
	order := agent.want(http.StatusOK, "GET", "/api/ucp/v1/orders/"+completed.get("order.id").String(), "")
	if got := order.get("checkout_id").String(); got != checkout.get("id").String() {
		t.Errorf("the order is of the checkout %q", got)
	}
	if got := house.orders(); got != 1 {
		t.Errorf("the shop has %d orders, want 1", got)
	}
}
