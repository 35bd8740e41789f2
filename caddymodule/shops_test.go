package caddymodule_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// twoShops is the Caddyfile of two shops on one port.
const twoShops = `
{
	GLOBAL
	storeware {
		state file DIR/state.db
	}
}
http://one.example:PORT, http://www.one.example:PORT {
	storeware {
		upstream demo ONE
		agent first HASH1
		profile_file https://agent.example/ucp.json DIR/agent.json
	}
	reverse_proxy ONE
}
http://two.example:PORT {
	storeware {
		upstream demo TWO
		name second
		agent first HASH2
		profile_file https://agent.example/ucp.json DIR/agent.json
	}
	reverse_proxy TWO
}
`

func TestShopsAreKeptApart(t *testing.T) {
	one, two := openHouse(t, shop.Options{}), openHouse(t, shop.Options{Currency: "JPY"})
	key1, hash1 := newKey()
	key2, hash2 := newKey()
	server := startCaddy(t, fill(twoShops, "ONE", one.url(), "TWO", two.url(), "HASH1", hash1, "HASH2", hash2))
	first, second := server.agent("one.example", key1), server.agent("two.example", key2)

	// A key of one shop is none at the other, whatever it is tried on.
	for _, stranger := range []*agent{server.agent("one.example", key2), server.agent("two.example", key1)} {
		refused := stranger.want(http.StatusUnauthorized, "POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`)
		if got := refused.get("code").String(); got != "unauthorized" {
			t.Errorf("the code is %q", got)
		}
	}
	// Each shop has its own prices, keys and addresses.
	for _, test := range []struct {
		agent          *agent
		currency, base string
	}{{first, "GBP", "http://one.example"}, {second, "JPY", "http://two.example"}} {
		found := test.agent.want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", `{"query": "Fjell Trail"}`)
		if got := found.get("products.0.price_range.min.currency").String(); got != test.currency {
			t.Errorf("%s: the currency is %s, want %s", test.agent.host, got, test.currency)
		}
		profile := test.agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
		endpoint := profile.get("ucp.services.dev\\.ucp\\.shopping.0.endpoint").String()
		if endpoint != test.base+"/api/ucp/v1" {
			t.Errorf("%s: the endpoint is %s", test.agent.host, endpoint)
		}
	}
	kid := func(a *agent) string {
		return a.want(http.StatusOK, "GET", "/.well-known/ucp", "").get("keys.0.kid").String()
	}
	if kid(first) == kid(second) {
		t.Error("both shops sign with the same key")
	}
	// The other hostname of a site is the same shop, under its own address.
	www := server.agent("www.one.example", key1)
	if kid(www) != kid(first) {
		t.Error("the two hostnames of a site have different keys")
	}
	checkout := www.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)
	path := "/api/ucp/v1/checkout-sessions/" + checkout.get("id").String()
	first.want(http.StatusOK, "GET", path, "")

	// What is in one shop is not in the other, and one agent's is not another's.
	if got := second.want(http.StatusOK, "GET", path, "").get("messages.0.code").String(); got != "not_found" {
		t.Errorf("the other shop says %q of the checkout", got)
	}
	first.want(http.StatusOK, "POST", path+"/complete", cardPayment)
	if one.orders() != 1 || two.orders() != 0 {
		t.Errorf("the shops have %d and %d orders, want 1 and 0", one.orders(), two.orders())
	}
}

// A name is one shop: two shops with the same would share agents and baskets.
func TestTwoShopsOfOneName(t *testing.T) {
	server := startCaddy(t, fill(twoShops, "ONE", "http://127.0.0.1:1", "TWO", "http://127.0.0.1:1",
		"agent first HASH1", "", "agent first HASH2", "", "name second", "name one.example"))
	err := server.tryLoad(fill(twoShops, "ONE", "http://127.0.0.1:1", "TWO", "http://127.0.0.1:2",
		"agent first HASH1", "", "agent first HASH2", "", "name second", "name one.example"))
	if err == nil || !strings.Contains(err.Error(), `two shops are called "one.example"`) {
		t.Errorf("got %v", err)
	}
}
