package caddymodule_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// A shop that is down when Caddy starts does not stop it: the profile answers, and
// operations ask to come back, until the shop is there.
func TestShopAwayAtTheStart(t *testing.T) {
	house := openHouse(t, shop.Options{})
	house.close()
	key, hash := newKey()
	caddyfile := fill(site, "SHOP", house.url(), "HASH", hash)
	server := startCaddy(t, caddyfile)
	agent := server.agent("", key)

	profile := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
	if got := profile.get("ucp.capabilities").Map(); len(got) != 0 {
		t.Errorf("a shop that never said what it can declares %v", got)
	}
	if !profile.get("keys.0.kid").Exists() {
		t.Error("the profile has no keys")
	}
	wantAway(t, agent.do("POST", "/api/ucp/v1/catalog/search", `{"query": "boots"}`))

	house.open()
	agent.awaitShop()
	checkout := agent.want(http.StatusCreated, "POST", "/api/ucp/v1/checkout-sessions", bootsCheckout)

	// When the shop goes away again, and even when Caddy starts without it, the
	// profile says what the shop can, as it said it last.
	house.close()
	for _, moment := range []string{"while it is away", "after a start without it"} {
		profile := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
		if !profile.get(`ucp.capabilities.dev\.ucp\.shopping\.checkout`).Exists() {
			t.Errorf("%s the profile declares %s", moment, profile.get("ucp.capabilities"))
		}
		path := "/api/ucp/v1/checkout-sessions/" + checkout.get("id").String()
		wantAway(t, agent.do("GET", path, ""))
		wantAway(t, agent.do("POST", path+"/complete", cardPayment, "Idempotency-Key", "k"))
		server.restart(caddyfile)
	}
	house.open()
	completed := agent.want(http.StatusOK, "POST", "/api/ucp/v1/checkout-sessions/"+checkout.get("id").String()+"/complete", cardPayment, "Idempotency-Key", "k")
	if got := completed.get("status").String(); got != "completed" {
		t.Errorf("once the shop is back the checkout is %s: %s", got, completed.get("messages"))
	}
	if got := house.orders(); got != 1 {
		t.Errorf("the shop has %d orders, want 1", got)
	}
}

// wantAway fails the test unless the answer says when to come back.
func wantAway(t *testing.T, got answer) {
	t.Helper()
	after, err := strconv.Atoi(got.Header.Get("Retry-After"))
	if got.StatusCode != http.StatusServiceUnavailable || err != nil || after < 1 || got.get("code").String() != "unavailable" {
		t.Errorf("status %d, Retry-After %q, want 503 and a number\n%s", got.StatusCode, got.Header.Get("Retry-After"), got.body)
	}
}
