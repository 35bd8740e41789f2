package spectest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var releases = []string{"2026-01-23", "2026-04-08", "2026-08-25"}

// Every operation of every release composes, alone and with all extensions.
func TestEveryReleaseComposes(t *testing.T) {
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			spec := Open(t, release)
			all := slices.Collect(maps.Keys(spec.named))
			for _, op := range spec.operations {
				for _, active := range [][]string{nil, all} {
					for annotation, ref := range map[string]string{"ucp_request": op.request, "ucp_response": op.response} {
						if ref == "" {
							continue
						}
						if _, err := spec.compose(op, annotation, ref, active); err != nil {
							t.Error(err)
						}
					}
				}
			}
			for _, party := range []Party{Business, Platform} {
				if _, err := spec.profileSchema(party); err != nil {
					t.Errorf("%s profile: %v", party, err)
				}
			}
		})
	}
}

// The extensions that a release publishes reach the operations they extend.
func TestExtensionsAreFound(t *testing.T) {
	for _, c := range []struct{ release, operation, annotation, capability, at string }{
		{"2026-01-23", "create_checkout", "ucp_request", "dev.ucp.shopping.discount", "/$defs/checkout"},
		{"2026-04-08", "create_cart", "ucp_request", "dev.ucp.shopping.discount", "/$defs/dev.ucp.shopping.cart"},
		{"2026-08-25", "create_checkout", "ucp_request", "dev.ucp.shopping.cart", "/$defs/checkout"},
		{"2026-08-25", "search_catalog", "ucp_request", "dev.ucp.shopping.fulfillment", "/$defs/dev.ucp.shopping.catalog.search/$defs/search_request"},
		{"2026-08-25", "get_product", "ucp_response", "dev.ucp.shopping.fulfillment", "/$defs/dev.ucp.shopping.catalog.lookup/$defs/get_product_response"},
		{"2026-08-25", "lookup_catalog", "ucp_response", "dev.ucp.common.loyalty", "/$defs/dev.ucp.shopping.catalog.lookup"},
		{"2026-08-25", "lookup_catalog", "ucp_request", "dev.ucp.common.loyalty", ""},
		{"2026-08-25", "create_cart", "ucp_response", "dev.ucp.shopping.fulfillment", ""},
		{"2026-08-25", "create_cart", "ucp_response", "dev.ucp.shopping.cart", ""},
		{"2026-08-25", "create_cart", "ucp_response", "ai.storeware.shopping.answer", ""},
	} {
		spec := Open(t, c.release)
		op, ok := spec.find(c.operation)
		if !ok {
			t.Fatalf("UCP %s has no %s", c.release, c.operation)
		}
		_, part, found := spec.extension(op, c.annotation, c.capability)
		if part.at != c.at || found != (c.at != "") {
			t.Errorf("UCP %s: %s in the %s of %s: found %t at %q, want %q", c.release, c.capability, c.annotation, c.operation, found, part.at, c.at)
		}
	}
}

// Annotations stand where derive looks for them. A release that puts one
// elsewhere would be read wrongly without a sound.
func TestAnnotationsStandWhereTheyAreRead(t *testing.T) {
	read := regexp.MustCompile(`^(/allOf/\d+/then|.*/(allOf|oneOf)/\d+|/\$defs/[^/]+|/items/allOf/\d+|.*/properties/[^/]+)?/properties/[^/]+$`)
	for _, release := range releases {
		for url, doc := range Open(t, release).docs {
			if !strings.HasPrefix(url, base+"schemas/") {
				continue
			}
			for n := range (tree{value: doc}).all() {
				for _, annotation := range []string{"ucp_request", "ucp_response"} {
					// What a dictionary of the loyalty extension holds is
					// never sent, since no request has the dictionary.
					unsent := strings.HasSuffix(url, "/loyalty.json") && n.at == "/$defs/loyalty/additionalProperties"
					if n.has(annotation) && !unsent && !read.MatchString(n.at) {
						t.Errorf("UCP %s: %s of %s at %s is not read", release, annotation, url, n.at)
					}
				}
			}
		}
	}
}

// The requests of older releases are read through their own annotations.
func TestOlderRequests(t *testing.T) {
	for _, c := range []struct {
		release, operation, body string
		ok                       bool
	}{
		{"2026-04-08", "create_checkout", `{"line_items": [{"item": {"id": "v"}, "quantity": 1}]}`, true},
		{"2026-04-08", "create_checkout", `{"line_items": [], "status": "incomplete"}`, false},
		{"2026-01-23", "create_checkout", `{"line_items": [{"item": {"id": "v"}, "quantity": 1}], "currency": "GBP", "payment": {}}`, false},
		{"2026-01-23", "complete_checkout", `{"payment": {"instruments": []}, "risk_signals": {}}`, true},
		{"2026-01-23", "complete_checkout", `{"payment": {}, "risk_signals": 7}`, false},
	} {
		err := Open(t, c.release).Request(c.operation, nil, []byte(c.body))
		if (err == nil) != c.ok {
			t.Errorf("UCP %s: %s %s: %v", c.release, c.operation, c.body, err)
		}
	}
}

func TestMatch(t *testing.T) {
	spec := Open(t, "2026-08-25")
	for _, c := range []struct{ method, path, want string }{
		{"POST", "/catalog/search", "search_catalog"},
		{"GET", "/carts/b1", "get_cart"},
		{"PUT", "/carts/b1", "update_cart"},
		{"POST", "/checkout-sessions/b1/complete", "complete_checkout"},
		{"GET", "/orders/o1", "get_order"},
		{"GET", "/catalog/search", ""},
		{"GET", "/carts/", ""},
		{"GET", "/carts/b1/", ""},
		{"POST", "", ""},
	} {
		if op, _ := spec.match(c.method, c.path); op.id != c.want {
			t.Errorf("%s %s is %q, want %q", c.method, c.path, op.id, c.want)
		}
	}
}

// The table of the overview, "Derivation algorithm", and what its text adds.
func TestAuthority(t *testing.T) {
	for _, c := range []struct {
		name, host string
		want       bool
	}{
		{"dev.ucp.shopping.checkout", "ucp.dev", true},
		{"dev.ucp.shopping.checkout", "shopping.ucp.dev", true},
		{"com.example.payments.installments", "example.com", true},
		{"com.example.pay", "pay.example.com", true},
		{"com.example.pay", "PAY.Example.com.:8443", true},
		{"com.example.pay", "evil.example", false},
		{"dev.ucp.shopping.checkout", "evil.example", false},
		{"com.examplecorp.pay", "example.com", false},
		{"com.example.pay", "cdn.example.com", false},
		{"localhost.pay", "localhost", false},
		{"10.113.0.203.pay", "203.0.113.10", false},
		{"com.example.pay", "user@example.com", false},
	} {
		if got := authoritative(c.name, "https://"+c.host+"/schema.json"); got != c.want {
			t.Errorf("%s at %s: %t, want %t", c.name, c.host, got, c.want)
		}
	}
}
