package medusa

import (
	"net/url"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// configured is a configuration that works, of a shop that nobody calls.
func configured(change ...func(*Config)) Config {
	c := Config{
		Client: shopclient.Config{BaseURL: &url.URL{Scheme: "http", Host: "shop.example:3102"}},
		Key:    secret.New("pk_1"),
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

func TestNewRefuses(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"URL is missing":             func(c *Config) { c.Client.BaseURL = nil },
		"publishable key is missing": func(c *Config) { c.Key = secret.String{} },
		"the product URL: ":          func(c *Config) { c.ProductURL = "https://shop.example/{slug}" },
		"the checkout URL: ":         func(c *Config) { c.CheckoutURL = "/checkout/{cart}" },
		"begin with http:// or":      func(c *Config) { c.Client.BaseURL.Scheme = "ftp" },
		"is negative":                func(c *Config) { c.Client.Timeout = -1 },
	} {
		if _, err := New(configured(change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestWithPath(t *testing.T) {
	for given, want := range map[string]string{
		"http://shop.example":            "http://shop.example/store",
		"http://shop.example/":           "http://shop.example/store",
		"http://shop.example/api/store":  "http://shop.example/api/store",
		"http://shop.example/api/store/": "http://shop.example/api/store/",
	} {
		u, err := url.Parse(given)
		if err != nil {
			t.Fatal(err)
		}
		if got := withPath(u).String(); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
}

func TestPaymentTitle(t *testing.T) {
	for id, want := range map[string]string{
		"pp_system_default":       "As agreed with the shop",
		"pp_stripe_stripe":        "Stripe",
		"pp_stripe-ideal_stripe":  "Stripe ideal",
		"pp_":                     "pp_",
		"something-else_entirely": "Something else",
	} {
		if got := paymentTitle(id); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
}
