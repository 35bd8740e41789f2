package caddymodule_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/caddymodule"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// What is configured reaches the shop, and every call is told to whoever counts
// them.
func TestUpstreamsSendWhatIsConfigured(t *testing.T) {
	var mu sync.Mutex
	var sent []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, r)
		http.Error(w, "{}", http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	t.Setenv("STOREWARE_TEST_KEY", "the-key")
	file := filepath.Join(t.TempDir(), "shop.map")
	if err := os.WriteFile(file, []byte("header X-Shop-Key {env.STOREWARE_TEST_KEY}\n"+plainMap), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, path, header, value string }{
		"vendure":         {"vendure URL {\nchannel uk\n}", "/shop-api", "vendure-token", "uk"},
		"medusa":          {"medusa URL {\nkey {env.STOREWARE_TEST_KEY}\n}", "/store/", "x-publishable-api-key", "the-key"},
		"woocommerce":     {"woocommerce URL/store {\nforwarded_https\n}", "/store/", "X-Forwarded-Proto", "https"},
		"shopify":         {"shopify URL {\nprivate_token {env.STOREWARE_TEST_KEY}\nversion 2026-10\n}", "/api/2026-10/graphql.json", "Shopify-Storefront-Private-Token", "the-key"},
		"shopify, public": {"shopify URL {\npublic_token the-key\n}", "/api/2026-07/graphql.json", "X-Shopify-Storefront-Access-Token", "the-key"},
		"mapped":          {"mapped URL " + file, "/products.json", "X-Shop-Key", "the-key"},
		"mapped, a block": {"mapped {\nmapping {\napi URL/v2\nheader X-Shop-Key {env.STOREWARE_TEST_KEY}\n" + plainMap + "}\n}", "/v2/products.json", "X-Shop-Key", "the-key"},
	} {
		t.Run(name, func(t *testing.T) {
			module, err := provisioned(t, strings.ReplaceAll(test.text, "URL", server.URL))
			if err != nil {
				t.Fatal(err)
			}
			calls := 0
			shop, err := module.OpenShop(caddymodule.UpstreamOptions{Observe: func(shopclient.Call) {
				mu.Lock()
				defer mu.Unlock()
				calls++
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer shop.(interface{ Close() }).Close()
			mu.Lock()
			sent = nil
			mu.Unlock()
			if _, err := shop.Describe(t.Context()); upstream.CodeOf(err) != upstream.CodeUnavailable {
				t.Errorf("a shop that fails: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			if len(sent) == 0 || calls == 0 {
				t.Fatalf("%d requests were sent, and %d calls told", len(sent), calls)
			}
			if got := sent[0]; !strings.HasPrefix(got.URL.Path, test.path) || got.Header.Get(test.header) != test.value {
				t.Errorf("sent to %s with %s: %q", got.URL.Path, test.header, got.Header.Get(test.header))
			}
		})
	}
}
