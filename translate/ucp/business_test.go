package ucp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/upstream"
)

const publishedKeys = `[{"kid":"2026-11","kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"sig","alg":"ES256"}]`

// offerOf returns the offer of a shop that can do all this.
func offerOf(can upstream.Capabilities) Offer {
	return Offer{
		Shop:     &upstream.Description{Name: "Fell & Beck", Currency: "GBP", Currencies: []money.Currency{"GBP", "JPY"}, Capabilities: can},
		Services: []Service{RESTService("https://shop.example/api/ucp/v1"), MCPService("https://shop.example/ucp/mcp")},
		Handlers: Handlers{UpstreamHandler{}},
		Keys:     json.RawMessage(publishedKeys),
	}
}

// allCapabilities are those of a shop that can do everything.
var allCapabilities = upstream.Capabilities{
	Search: true, PriceFilter: true, Baskets: true, Place: true, HandOff: true, Codes: upstream.CodesMany, Delivery: true, Orders: true,
	Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
}

func newBusiness(t testing.TB, o Offer) *Business {
	t.Helper()
	b, err := NewBusiness(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestProfileGolden(t *testing.T) {
	for name, offer := range map[string]Offer{
		"profile_full.json":     offerOf(allCapabilities),
		"profile_readonly.json": offerOf(upstream.Capabilities{Search: true}),
		"profile_away.json":     {Services: []Service{RESTService("https://shop.example/api/ucp/v1")}, Keys: json.RawMessage(publishedKeys)},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBusiness(t, offer)
			if again := newBusiness(t, offer); !bytes.Equal(b.Profile, again.Profile) || b.ETag != again.ETag {
				t.Error("the same offer made another profile")
			}
			golden(t, name, b.Profile)
		})
	}
}

// golden compares JSON with a file of testdata. UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, got, "", "\t"); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	pretty.WriteByte('\n')
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// Whatever a shop can do, its profile follows the schemas, and the profile
// declares what has a way to its end.
func TestProfileOfEveryShop(t *testing.T) {
	spec := spectest.Open(t, Release)
	for bits := range 1 << 7 {
		has := func(i int) bool { return bits&(1<<i) != 0 }
		can := upstream.Capabilities{Search: has(0), Baskets: has(1), Place: has(2), Delivery: has(3), Orders: has(4), HandOff: has(6), Payments: allCapabilities.Payments}
		if has(5) {
			can.Codes = upstream.CodesOne
		}
		b := newBusiness(t, offerOf(can))
		if err := spec.Profile(spectest.Business, b.Profile); err != nil {
			t.Fatalf("%+v: %v\n%s", can, err, b.Profile)
		}
		declared := func(name Capability) bool {
			return slices.ContainsFunc(b.Declarations, func(d Declaration) bool { return d.Name == name })
		}
		checkout := can.Baskets && (can.Place || can.HandOff)
		for name, want := range map[Capability]bool{
			CapabilitySearch:      can.Search,
			CapabilityLookup:      true,
			CapabilityCart:        can.Baskets,
			CapabilityCheckout:    checkout,
			CapabilityOrder:       can.Baskets && can.Place && can.Orders,
			CapabilityFulfillment: checkout && can.Delivery,
			CapabilityDiscount:    can.Baskets && can.Codes != upstream.CodesNone,
		} {
			if declared(name) != want {
				t.Errorf("%+v: %s declared %v", can, name, !want)
			}
		}
		if got := bytes.Contains(b.Profile, []byte(`"upstream:card"`)); got != can.Place {
			t.Errorf("%+v: payment handlers there %v", can, got)
		}
		for _, d := range b.Declarations {
			for _, parent := range d.Extends {
				if !declared(parent) {
					t.Errorf("%+v: %s extends %s, which is not declared", can, d.Name, parent)
				}
			}
		}
	}
}

func TestNewBusinessRefuses(t *testing.T) {
	for name, change := range map[string]func(*Offer){
		"a relative endpoint":  func(o *Offer) { o.Services[0].Endpoint = "/api/ucp/v1" },
		"a slash at the end":   func(o *Offer) { o.Services[0].Endpoint += "/" },
		"another scheme":       func(o *Offer) { o.Services[0].Endpoint = "ftp://shop.example/x" },
		"keys that are none":   func(o *Offer) { o.Keys = json.RawMessage(`{"keys":[]}`) },
		"keys that are broken": func(o *Offer) { o.Keys = json.RawMessage(`[`) },
		"too short a time":     func(o *Offer) { o.MaxAge = 59 * time.Second },
	} {
		offer := offerOf(allCapabilities)
		change(&offer)
		if _, err := NewBusiness(offer); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDiscovery(t *testing.T) {
	b := newBusiness(t, offerOf(allCapabilities))
	d := &Discovery{Business: func() *Business { return b }}
	for name, test := range map[string]struct {
		method string
		header http.Header
		status int
		body   string
		want   http.Header
	}{
		"read": {"GET", nil, 200, string(b.Profile), http.Header{
			"Content-Type": {"application/json"}, "Etag": {b.ETag}, "Cache-Control": {"public, max-age=300, no-transform"},
			"Access-Control-Allow-Origin": {"*"}, "Content-Length": {fmt.Sprint(len(b.Profile))},
		}},
		"looked at": {"HEAD", nil, 200, "", http.Header{"Content-Length": {fmt.Sprint(len(b.Profile))}, "Etag": {b.ETag}}},
		"known": {"GET", http.Header{"If-None-Match": {`"x", W/` + b.ETag}}, 304, "", http.Header{
			"Etag": {b.ETag}, "Cache-Control": {"public, max-age=300, no-transform"}, "Content-Length": nil, "Content-Type": nil,
		}},
		"known by any name": {"GET", http.Header{"If-None-Match": {"*"}}, 304, "", nil},
		"known, but another": {"GET", http.Header{"If-None-Match": {`"x"`}, "Request-Id": {"r1"}}, 200, string(b.Profile), http.Header{
			"Request-Id": {"r1"},
		}},
		"from a browser": {"OPTIONS", http.Header{"Origin": {"https://agent.example"}}, 204, "", http.Header{
			"Allow": {"GET, HEAD, OPTIONS"}, "Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Methods": {"GET, HEAD, OPTIONS"},
		}},
		"written": {"POST", nil, 405, `{"code":"method_not_allowed","content":"This document takes GET, HEAD, OPTIONS"}`, http.Header{
			"Allow": {"GET, HEAD, OPTIONS"}, "Cache-Control": {"no-store, no-transform"}, "Access-Control-Allow-Origin": {"*"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "https://shop.example/.well-known/ucp", nil)
			r.Header = test.header
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code != test.status || w.Body.String() != test.body {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
			for name, want := range test.want {
				if diff := cmp.Diff(want, http.Header(w.Header())[name]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
	away := newBusiness(t, Offer{MaxAge: time.Hour})
	if away.MaxAge != time.Minute || strings.Contains(string(away.Profile), "dev.ucp.shopping.catalog") {
		t.Errorf("a shop that is away: kept for %v, %s", away.MaxAge, away.Profile)
	}
}
