package main_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// shopRow is a shop system, and how a site is put in front of one.
type shopRow struct {
	// upstream is what a Caddyfile says after the word. It skips the test where the
	// shop is not there.
	upstream func(t *testing.T) string
	words    string
	// handsOff: the shop takes no orders through its API.
	handsOff bool
}

// shopRows are all shop systems there are adapters for.
func shopRows() map[string]shopRow {
	return map[string]shopRow{
		"demo": {words: "jacket", upstream: func(t *testing.T) string {
			shop := freeAddress(t)
			serve(t, t.TempDir(), shop, "demo-shop", "--listen", shop)
			return "demo http://" + shop
		}},
		"vendure": {words: "jacket", upstream: func(t *testing.T) string {
			return "vendure " + realShop(t, "VENDURE_URL", "upstream/vendure/testdata/shop")
		}},
		"medusa": {words: "jacket", upstream: func(t *testing.T) string {
			shop := realShop(t, "MEDUSA_URL", "upstream/medusa/testdata/shop")
			return fmt.Sprintf("medusa %s {\n\t\t\tkey %s\n\t\t}", shop, medusaKey(t))
		}},
		"mapped (EverShop)": {words: "jacket", upstream: func(t *testing.T) string {
			shop := realShop(t, "EVERSHOP_URL", "upstream/mapped/testdata/evershop")
			t.Setenv("EVERSHOP_STAFF", "staff@example.com")
			t.Setenv("EVERSHOP_PASSWORD", "Fell-and-Ford-0")
			mapping, err := filepath.Abs("../../upstream/mapped/examples/evershop.map")
			if err != nil {
				t.Fatal(err)
			}
			return "mapped " + shop + " " + mapping
		}},
		"woocommerce (its double)": {words: "jacket", upstream: func(t *testing.T) string {
			// The double answers as the recorded shop did, at its address.
			home, err := url.Parse(wootest.Home)
			if err != nil {
				t.Fatal(err)
			}
			shop := httptest.NewServer(&httputil.ReverseProxy{
				Transport: wootest.New(t, wootest.Config{}),
				Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(home) },
			})
			t.Cleanup(shop.Close)
			return fmt.Sprintf("woocommerce %s {\n\t\t\tpublic_url %s\n\t\t}", shop.URL, wootest.Home)
		}},
		"shopify (its double)": {words: "jacket", handsOff: true, upstream: func(t *testing.T) string {
			options := fakeshop.Options{Refused: func(err error) { t.Errorf("Shopify would have refused: %v", err) }}
			modules := os.Getenv("STOREWARE_NODE_MODULES")
			if modules == "" {
				t.Skip("SKIPPED: Shopify's schema is not here; set STOREWARE_NODE_MODULES to a folder with @shopify/dev-mcp in it")
			}
			var err error
			if options.Storefront, err = fakeshop.LoadSchema(modules, "storefront-graphql", "2026-07"); err != nil {
				t.Fatal(err)
			}
			shop := httptest.NewServer(fakeshop.New(options))
			t.Cleanup(shop.Close)
			return fmt.Sprintf("shopify %s {\n\t\t\tprivate_token %s\n\t\t}", shop.URL, fakeshop.PrivateToken)
		}},
	}
}

// realShop is the address of a shop that was started for the tests.
func realShop(t *testing.T, variable, folder string) string {
	t.Helper()
	address := os.Getenv("STOREWARE_" + variable)
	if address == "" {
		t.Skipf("SKIPPED: this purchase needs STOREWARE_%s; set the shop up with setup.sh and start.sh in %s", variable, folder)
	}
	return strings.TrimSuffix(address, "/")
}

// medusaKey is the publishable key that the shop's set-up has written down.
func medusaKey(t *testing.T) string {
	t.Helper()
	if key := os.Getenv("STOREWARE_MEDUSA_KEY"); key != "" {
		return key
	}
	folder := cmp.Or(os.Getenv("STOREWARE_MEDUSA_FOLDER"), "../../upstream/medusa/testdata/shop")
	written, err := os.ReadFile(filepath.Join(folder, "data", "shop.json"))
	if err != nil {
		t.Skipf("SKIPPED: the publishable key is not known: %v", err)
	}
	return gjson.GetBytes(written, "publishableKey").String()
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
			if row.handsOff {
				a.handedOff(t, base, row.words)
			} else {
				a.buys(t, base, row.words)
			}
		})
	}
}

// buys buys something and reads the order.
func (a *agent) buys(t *testing.T, base, words string) {
	t.Helper()
	ready := a.checkout(t, base, words)
	address := base + "/checkout-sessions/" + ready.Get("id").String()
	done := a.must(t, "POST", address+"/complete", payment(ready), "Idempotency-Key", "purchase-1")
	if done.Get("status").String() != "completed" {
		t.Fatalf("the checkout is %s", done.Raw)
	}
	again := a.must(t, "POST", address+"/complete", payment(ready), "Idempotency-Key", "purchase-1")
	if again.Raw != done.Raw || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same request again: %v %s", again.header, again.Raw)
	}
	profile := a.must(t, "GET", strings.TrimSuffix(base, "/api/ucp/v1")+"/.well-known/ucp", nil)
	if !profile.Get(`ucp.capabilities.dev\.ucp\.shopping\.order`).Exists() {
		t.Log("orders cannot be read at this shop, and its profile does not say so")
		return
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

// handedOff fills a basket, and is sent to the shop's own page with it.
func (a *agent) handedOff(t *testing.T, base, words string) {
	t.Helper()
	a.waitForShop(t, base)
	found := a.must(t, "POST", base+"/catalog/search", object{"query": words, "context": object{"address_country": "GB"}})
	item := found.Get(`products.#.variants|@flatten|#(availability.available==true).id`).String()
	if item == "" {
		t.Fatalf("nothing to buy in %s", found.Raw)
	}
	made := a.must(t, "POST", base+"/checkout-sessions", purchase(item))
	next, err := url.Parse(made.Get("continue_url").String())
	if err != nil || next.Scheme != "https" && next.Scheme != "http" || next.Host == "" {
		t.Errorf("a person goes on at %q: %v", made.Get("continue_url"), err)
	}
	if status := made.Get("status").String(); status == "ready_for_complete" || status == "completed" {
		t.Errorf("a shop that takes no orders has a checkout that is %s", status)
	}
	got := a.must(t, "POST", base+"/checkout-sessions/"+made.Get("id").String()+"/complete", object{"payment": object{"instruments": []object{}}})
	if got.status != http.StatusOK || got.Get("status").String() == "completed" || got.Get("order").Exists() {
		t.Errorf("completed: %s", got.Raw)
	}
}
