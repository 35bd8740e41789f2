package main_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/tidwall/gjson"
)

// basket is what is bought at a shop, and what it costs there.
type basket struct {
	// words find the first of the goods.
	words    string
	goods    []goods
	code     string // none if empty
	delivery string // the title of the way of delivery, empty where none is chosen
	total    int64  // in pence
}

// goods is a number of one variant.
type goods struct {
	sku      string
	quantity int
}

// fellAndFord is the basket that costs the same wherever its catalogue is sold.
func fellAndFord() basket {
	return basket{
		words:    "jacket",
		goods:    []goods{{"RDG-SLATE-M", 1}, {"SOK-M", 3}, {"PDL-RED-34", 1}},
		code:     "WELCOME10",
		delivery: "Next-day delivery",
		total:    27455,
	}
}

// mugAndTees is a basket of the shop that WooCommerce's double was recorded from.
func mugAndTees() basket {
	return basket{
		words:    "tee",
		goods:    []goods{{"TEE-BLK-M", 2}, {"MUG-01", 1}},
		code:     "SAVE10",
		delivery: "Next-day delivery",
		total:    6130,
	}
}

// TestPurchase buys at every shop system: profile, search, checkout, complete or
// hand-off, order. Every answer is checked against the published schema.
func TestPurchase(t *testing.T) {
	for name, row := range shopRows() {
		t.Run(name, func(t *testing.T) {
			upstream := row.upstream(t)
			a := newAgent(t)
			dir, address := t.TempDir(), freeAddress(t)
			serve(t, dir, address, "run", "--config", caddyfile(t, dir, address, upstream, "", a))
			base := "http://" + address + "/api/ucp/v1"
			a.waitForShop(t, base)
			profile := a.must(t, "GET", "http://"+address+"/.well-known/ucp", nil)
			if reads := profile.Get(`ucp.capabilities.dev\.ucp\.shopping\.order`).Exists(); reads != row.readsOrders {
				t.Errorf("the profile says that orders are read: %v, want %v", reads, row.readsOrders)
			}
			checkout := a.fill(t, base, row.basket)
			if row.handsOff {
				a.handedOff(t, base, checkout)
				return
			}
			id := a.buys(t, base, checkout)
			if row.readsOrders {
				a.readsOrder(t, base, id, checkout)
			}
		})
	}
}

// fill looks for a basket's goods and makes a checkout of them, with the code and the
// way of delivery that the basket names.
func (a *agent) fill(t *testing.T, base string, b basket) answer {
	t.Helper()
	var lines []object
	place := object{"address_country": "GB"}
	for i, g := range b.goods {
		looked := a.must(t, "POST", base+"/catalog/lookup", object{"ids": []string{g.sku}, "context": place})
		variant := looked.Get(`products.#.variants|@flatten|#(sku=="` + g.sku + `").id`).String()
		if variant == "" {
			t.Fatalf("the shop has no %s: %s", g.sku, looked.Raw)
		}
		lines = append(lines, object{"item": object{"id": variant}, "quantity": g.quantity})
		if i > 0 {
			continue
		}
		found := a.must(t, "POST", base+"/catalog/search", object{"query": b.words, "context": place})
		product := looked.Get("products.0.id").String()
		if !slices.ContainsFunc(found.Get("products.#.id").Array(), func(id gjson.Result) bool { return id.String() == product }) {
			t.Errorf("%q does not find %s but %s", b.words, product, found.Get("products.#.title"))
		}
	}
	wanted := purchase("")
	wanted["line_items"] = lines
	if b.code != "" {
		wanted["discounts"] = object{"codes": []string{b.code}}
	}
	checkout := a.must(t, "POST", base+"/checkout-sessions", wanted)
	if b.delivery != "" {
		wanted["fulfillment"] = choice(t, checkout, b.delivery)
		for i := range lines {
			lines[i]["id"] = checkout.Get(fmt.Sprintf("line_items.%d.id", i)).String()
		}
		checkout = a.must(t, "PUT", base+"/checkout-sessions/"+checkout.Get("id").String(), wanted)
	}
	if got := total(checkout); got != b.total {
		t.Errorf("the basket costs %d, want %d: %s", got, b.total, checkout.Get("totals").Raw)
	}
	return checkout
}

// choice is the fulfillment of a checkout by the way of delivery with that title.
func choice(t *testing.T, checkout answer, title string) object {
	t.Helper()
	option := checkout.Get(`fulfillment.methods.0.groups.0.options.#(title=="` + title + `").id`).String()
	if option == "" {
		t.Fatalf("there is no %s: %s", title, checkout.Raw)
	}
	wanted := firstDelivery(checkout.Result)
	wanted["methods"].([]object)[0]["groups"].([]object)[0]["selected_option_id"] = option
	return wanted
}

// total is what a checkout or an order costs.
func total(of answer) int64 { return of.Get("totals.#(type==total).amount").Int() }

// buys completes a checkout, and returns the id of the order.
func (a *agent) buys(t *testing.T, base string, ready answer) string {
	t.Helper()
	if status := ready.Get("status").String(); status != "ready_for_complete" {
		t.Fatalf("the checkout is %s: %s", status, ready.Get("messages").Raw)
	}
	address := base + "/checkout-sessions/" + ready.Get("id").String()
	done := a.must(t, "POST", address+"/complete", payment(ready), "Idempotency-Key", "purchase-1")
	id := done.Get("order.id").String()
	if done.Get("status").String() != "completed" || id == "" {
		t.Fatalf("the checkout is %s", done.Raw)
	}
	again := a.must(t, "POST", address+"/complete", payment(ready), "Idempotency-Key", "purchase-1")
	if again.Raw != done.Raw || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same request again: %v %s", again.header, again.Raw)
	}
	return id
}

// readsOrder reads the order that a checkout became.
func (a *agent) readsOrder(t *testing.T, base, id string, of answer) {
	t.Helper()
	order := a.must(t, "GET", base+"/orders/"+id, nil)
	if got, want := total(order), total(of); got != want {
		t.Errorf("the order costs %d and the checkout said %d", got, want)
	}
	if order.Get("checkout_id").String() != of.Get("id").String() || order.Get("line_items.#").Int() != of.Get("line_items.#").Int() {
		t.Errorf("the order is %s", order.Raw)
	}
}

// handedOff sees that a person is sent to the shop's own page with a basket, and
// that an agent cannot order it.
func (a *agent) handedOff(t *testing.T, base string, checkout answer) {
	t.Helper()
	next, err := url.Parse(checkout.Get("continue_url").String())
	if err != nil || next.Scheme != "https" && next.Scheme != "http" || next.Host == "" {
		t.Errorf("a person goes on at %q: %v", checkout.Get("continue_url"), err)
	}
	if status := checkout.Get("status").String(); status == "ready_for_complete" || status == "completed" {
		t.Errorf("a shop that takes no orders has a checkout that is %s", status)
	}
	got := a.must(t, "POST", base+"/checkout-sessions/"+checkout.Get("id").String()+"/complete", object{"payment": object{"instruments": []object{}}})
	if got.status != http.StatusOK || got.Get("status").String() == "completed" || got.Get("order").Exists() {
		t.Errorf("completed: %s", got.Raw)
	}
}
