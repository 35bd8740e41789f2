package spectest_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

func TestProfileAccepts(t *testing.T) {
	spec := spectest.Open(t, release)
	if err := spec.Profile(spectest.Business, []byte(businessProfile)); err != nil {
		t.Errorf("business: %v", err)
	}
	if err := spec.Profile(spectest.Platform, []byte(platformProfile)); err != nil {
		t.Errorf("platform: %v", err)
	}
	older := spectest.Open(t, "2026-04-08")
	if err := older.Profile(spectest.Platform, []byte(`{"ucp": {"version": "2026-04-08", "services": {}, "payment_handlers": {}}}`)); err != nil {
		t.Errorf("platform of 2026-04-08: %v", err)
	}
}

func TestProfileRefuses(t *testing.T) {
	spec := spectest.Open(t, release)
	const (
		rest     = `ucp.services.dev\.ucp\.shopping.0`
		checkout = `ucp.capabilities.dev\.ucp\.shopping\.checkout.0`
		delivery = `ucp.capabilities.dev\.ucp\.shopping\.fulfillment.0`
	)
	for _, c := range []struct {
		name  string
		party spectest.Party
		edit  edit
		at    string
	}{
		{"no payment handlers", spectest.Business, edit{path: "ucp.payment_handlers", remove: true}, "/ucp"},
		{"no endpoint", spectest.Business, edit{path: rest + ".endpoint", remove: true}, "/ucp/services/dev.ucp.shopping/0"},
		{"a slash behind the endpoint", spectest.Business, edit{path: rest + ".endpoint", raw: `"https://shop.example/"`}, "/ucp/services/dev.ucp.shopping/0/endpoint"},
		{"no schema", spectest.Business, edit{path: checkout + ".schema", remove: true}, "/ucp/capabilities/dev.ucp.shopping.checkout/0"},
		{"a schema of another domain", spectest.Business, edit{path: checkout + ".schema", raw: `"https://cdn.ucp.dev/checkout.json"`}, "/ucp/capabilities/dev.ucp.shopping.checkout/0/schema"},
		{"a schema over plain http", spectest.Business, edit{path: checkout + ".schema", raw: `"http://ucp.dev/checkout.json"`}, "/ucp/capabilities/dev.ucp.shopping.checkout/0/schema"},
		{"a schema behind a user name", spectest.Business, edit{path: checkout + ".schema", raw: `"https://ucp.dev@ucp.dev/checkout.json"`}, "/ucp/capabilities/dev.ucp.shopping.checkout/0/schema"},
		{"an older capability", spectest.Business, edit{path: checkout + ".version", raw: `"2026-04-08"`}, "/ucp/capabilities/dev.ucp.shopping.checkout/0/version"},
		{"an older release", spectest.Business, edit{path: "ucp.version", raw: `"2026-04-08"`}, "/ucp/version"},
		{"fulfilment in carts", spectest.Business, edit{path: delivery + ".extends", raw: `"dev.ucp.shopping.cart"`}, "/ucp/capabilities/dev.ucp.shopping.fulfillment/0/extends"},
		{"fulfilment configured wrongly", spectest.Business, edit{path: delivery + ".config.method_combinations", raw: `"all"`}, "/ucp/capabilities/dev.ucp.shopping.fulfillment/0/config/method_combinations"},
		{"a private key", spectest.Business, edit{path: "keys.0.d", raw: `"secret"`}, "/keys/0"},
		{"a key without y", spectest.Business, edit{path: "keys.0.y", remove: true}, "/keys/0"},
		{"a key twice", spectest.Business, edit{path: "keys.1", raw: `{"kid": "k1", "kty": "OKP", "crv": "Ed25519", "x": "a"}`}, "/keys/1/kid"},
		{"a platform without spec", spectest.Platform, edit{path: checkout + ".spec", remove: true}, "/ucp/capabilities/dev.ucp.shopping.checkout/0"},
		{"a list of capabilities", spectest.Platform, edit{path: "ucp.capabilities", raw: `[]`}, "/ucp/capabilities"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := businessProfile
			if c.party == spectest.Platform {
				body = platformProfile
			}
			refused(t, spec.Profile(c.party, c.edit.apply(t, body)), c.at)
		})
	}
}
