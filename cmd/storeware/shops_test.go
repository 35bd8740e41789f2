package main_test

import (
	"cmp"
	"fmt"
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
	basket   basket
	// handsOff: the shop takes no orders through its API.
	handsOff bool
	// readsOrders: the shop shows an order to the agent that placed it.
	readsOrders bool
}

// shopRows are all shop systems there are adapters for.
func shopRows() map[string]shopRow {
	return map[string]shopRow{
		"demo": {basket: fellAndFord(), readsOrders: true, upstream: func(t *testing.T) string {
			shop := freeAddress(t)
			serve(t, t.TempDir(), shop, "demo-shop", "--listen", shop)
			return "demo http://" + shop
		}},
		"vendure": {basket: fellAndFord(), readsOrders: true, upstream: func(t *testing.T) string {
			return "vendure " + realShop(t, "VENDURE_URL", "upstream/vendure/testdata/shop")
		}},
		"medusa": {basket: fellAndFord(), readsOrders: true, upstream: func(t *testing.T) string {
			shop := realShop(t, "MEDUSA_URL", "upstream/medusa/testdata/shop")
			return fmt.Sprintf("medusa %s {\n\t\t\tkey %s\n\t\t}", shop, medusaKey(t))
		}},
		"mapped (EverShop)": {basket: fellAndFord(), readsOrders: true, upstream: func(t *testing.T) string {
			shop := realShop(t, "EVERSHOP_URL", "upstream/mapped/testdata/evershop")
			t.Setenv("EVERSHOP_STAFF", "staff@example.com")
			t.Setenv("EVERSHOP_PASSWORD", "Fell-and-Ford-0")
			return "mapped " + shop + " " + example(t, "evershop.map")
		}},
		"woocommerce (its double)": {basket: mugAndTees(), readsOrders: true, upstream: func(t *testing.T) string {
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
		"shopify (its double)": {basket: fellAndFord(), handsOff: true, upstream: func(t *testing.T) string {
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

// example is one of the mappings that ship.
func example(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../upstream/mapped/examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
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
