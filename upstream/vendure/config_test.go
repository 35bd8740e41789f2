package vendure_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// witness notes what was asked and answers nothing.
type witness struct{ request *http.Request }

func (w *witness) RoundTrip(request *http.Request) (*http.Response, error) {
	w.request = request
	return with(404, "text/plain", "")(request)
}

func TestConfig(t *testing.T) {
	for _, test := range []struct{ base, admin, shopCalls, adminCalls string }{
		{"https://shop.example", "", "https://shop.example/shop-api", "https://shop.example/admin-api"},
		{"https://shop.example/", "", "https://shop.example/shop-api", "https://shop.example/admin-api"},
		{"http://10.0.0.1:3000/v/shop-api", "", "http://10.0.0.1:3000/v/shop-api", "http://10.0.0.1:3000/v/admin-api"},
		{"https://shop.example/api", "https://admin.example/api", "https://shop.example/api", "https://admin.example/api"},
	} {
		seen := new(witness)
		config := vendure.Config{
			Client:  shopclient.Config{BaseURL: parse(t, test.base), Transport: seen},
			Channel: "fell-and-ford", AdminKey: secret.New("key"),
		}
		if test.admin != "" {
			config.AdminURL = parse(t, test.admin)
		}
		shop, err := vendure.New(config)
		if err != nil {
			t.Fatalf("%s: %v", test.base, err)
		}
		if seen.request != nil {
			t.Error("New called the shop")
		}
		if _, err := shop.Describe(t.Context()); !errors.Is(err, upstream.ErrForeign) || upstream.CodeOf(err) != upstream.CodeUnavailable {
			t.Errorf("%s: %v", test.base, err)
		}
		if got := seen.request.URL.String(); got != test.shopCalls {
			t.Errorf("%s: called %s, want %s", test.base, got, test.shopCalls)
		}
		if got := seen.request.Header; got.Get("vendure-token") != "fell-and-ford" || got.Get("vendure-api-key") != "" {
			t.Errorf("%s: the Shop API was called with %v", test.base, got)
		}
	}
}

func TestConfigThatIsNone(t *testing.T) {
	for name, spoil := range map[string]func(*vendure.Config){
		"no URL":         func(c *vendure.Config) { c.Client.BaseURL = nil },
		"another scheme": func(c *vendure.Config) { c.Client.BaseURL = &url.URL{Scheme: "ftp", Host: "shop.example"} },
		"a product URL":  func(c *vendure.Config) { c.ProductURL = "/p/{handle}" },
		"a checkout URL": func(c *vendure.Config) { c.CheckoutURL = "https://shop.example/{basket}" },
		"decimals":       func(c *vendure.Config) { c.Decimals = pointer(7) },
		"an admin URL":   func(c *vendure.Config) { c.AdminKey, c.AdminURL = secret.New("key"), &url.URL{Path: "/admin"} },
		"a time-out":     func(c *vendure.Config) { c.Client.Timeout = -1 },
	} {
		config := vendure.Config{Client: shopclient.Config{BaseURL: parse(t, "https://shop.example")}}
		spoil(&config)
		if _, err := vendure.New(config); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
