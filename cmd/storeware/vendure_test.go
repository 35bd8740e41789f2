package main_test

import (
	"os"
	"testing"
)

// A whole purchase at a real Vendure: found, put into a basket, paid, and read
// again as an order.
func TestPurchaseAtVendure(t *testing.T) {
	shop := os.Getenv("STOREWARE_VENDURE_URL")
	if shop == "" {
		t.Skip("SKIPPED: a purchase at a real Vendure needs STOREWARE_VENDURE_URL; see upstream/vendure/testdata/shop")
	}
	a := newAgent(t)
	dir, address := t.TempDir(), freeAddress(t)
	config := caddyfile(t, dir, address, "vendure "+shop, "", a)
	serve(t, dir, address, "run", "--config", config)
	base := "http://" + address + "/api/ucp/v1"

	ready := a.checkout(t, base, "jacket")
	url := base + "/checkout-sessions/" + ready.Get("id").String()
	done := a.must(t, "POST", url+"/complete", payment(ready), "Idempotency-Key", "vendure-1")
	if done.Get("status").String() != "completed" {
		t.Fatalf("the checkout is %s", done.Raw)
	}
	again := a.must(t, "POST", url+"/complete", payment(ready), "Idempotency-Key", "vendure-1")
	if again.Raw != done.Raw || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same request again: %v %s", again.header, again.Raw)
	}
	order := a.must(t, "GET", base+"/orders/"+done.Get("order.id").String(), nil)
	want := ready.Get("totals.#(type==total).amount").Int()
	if got := order.Get("totals.#(type==total).amount").Int(); got != want {
		t.Errorf("the order costs %d and the checkout said %d", got, want)
	}
	if order.Get("checkout_id").String() != ready.Get("id").String() || order.Get("line_items.#").Int() != 1 {
		t.Errorf("the order is %s", order.Raw)
	}
}
