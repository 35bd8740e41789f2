package medusa

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/upstream"
)

// twoProfiles is a cart with goods that travel in different ways.
const twoProfiles = `{"id":"cart_1","currency_code":"gbp","total":21,"tax_total":0,"shipping_address":{"country_code":"gb"},
	"items":[
		{"id":"i1","variant_id":"v1","product_id":"p1","product_title":"Hat","quantity":1,"unit_price":10,"is_tax_inclusive":true,
			"requires_shipping":true,"total":10,"original_total":10,"product":{"shipping_profile":{"id":"sp_small"}}},
		{"id":"i2","variant_id":"v2","product_id":"p2","product_title":"Sofa","quantity":1,"unit_price":5,"is_tax_inclusive":true,
			"requires_shipping":true,"total":5,"original_total":5,"product":{"shipping_profile":{"id":"sp_large"}}}],
	"shipping_methods":[
		{"id":"m2","shipping_option_id":"so_van","amount":4,"is_tax_inclusive":true,"total":4,"original_total":4},
		{"id":"m1","shipping_option_id":"so_post","amount":2,"is_tax_inclusive":true,"total":2,"original_total":2}]}`

// TestTwoProfiles: goods that travel in different ways have a way of delivery that
// is one of each.
func TestTwoProfiles(t *testing.T) {
	o := observed(t, twoProfiles, `[
		{"id":"so_post","name":"Post","amount":2,"shipping_profile_id":"sp_small","type":{"description":"Slow"}},
		{"id":"so_air","name":"Air","amount":9,"shipping_profile_id":"sp_small"},
		{"id":"so_van","name":"Van","amount":4,"shipping_profile_id":"sp_large","type":{"description":"Slow"}},
		{"id":"so_none","name":"No price","amount":null,"shipping_profile_id":"sp_small"},
		{"id":"so_far","name":"Stock elsewhere","amount":1,"shipping_profile_id":"sp_small","insufficient_inventory":true},
		{"id":"so_gift","name":"Another profile","amount":1,"shipping_profile_id":"sp_gift"}]`,
		keptLine{"a", "v1", 1}, keptLine{"b", "v2", 1})
	want := []upstream.DeliveryOption{
		{ID: "so_post+so_van", Title: "Van + Post", Description: "Slow", Price: gbp(600)},
		{ID: "so_air+so_van", Title: "Van + Air", Description: "Slow", Price: gbp(1300)},
	}
	if diff := cmp.Diff(want, o.Delivery); diff != "" || o.Chosen != "so_post+so_van" {
		t.Errorf("chosen is %q; ways (-want +got):\n%s", o.Chosen, diff)
	}
}

// TestOneProfileLacks: without a way for all of it, there is none.
func TestOneProfileLacks(t *testing.T) {
	o := observed(t, twoProfiles, `[{"id":"so_post","name":"Post","amount":2,"shipping_profile_id":"sp_small"}]`,
		keptLine{"a", "v1", 1}, keptLine{"b", "v2", 1})
	if len(o.Delivery) > 0 || o.Chosen != "" || !slices.Contains(o.Missing, upstream.MissingDelivery) {
		t.Errorf("ways %+v, chosen %q, missing %v", o.Delivery, o.Chosen, o.Missing)
	}
}

// carrier answers for a shop whose carrier computes prices.
func carrier(request *http.Request) (*http.Response, error) {
	status, answer := http.StatusOK, `{"shipping_options":[
		{"id":"so_flat","name":"Post","price_type":"flat","amount":2,"shipping_profile_id":"sp"},
		{"id":"so_air","name":"Air","price_type":"calculated","amount":null,"shipping_profile_id":"sp"},
		{"id":"so_sea","name":"Sea","price_type":"calculated","amount":null,"shipping_profile_id":"sp"}]}`
	switch {
	case strings.HasSuffix(request.URL.Path, "/so_air/calculate"):
		answer = `{"shipping_option":{"id":"so_air","name":"Air","amount":7.5,"shipping_profile_id":"sp"}}`
	case strings.HasSuffix(request.URL.Path, "/calculate"):
		status, answer = http.StatusBadRequest, `{"type":"invalid_data","message":"no ship goes there"}`
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(answer)),
	}, nil
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// TestCalculatedPrices: what a carrier computes is asked for, and what it refuses
// is not on offer.
func TestCalculatedPrices(t *testing.T) {
	s := aShop(t, func(c *Config) { c.Client.Transport = roundTrip(carrier) })
	options, err := s.readOptions(t.Context(), upstream.Visit{}, readingBasket, "cart_1")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, option := range options {
		got[option.Get("id").String()+" "+option.Get("amount").Raw] = offered(option)
	}
	want := map[string]bool{"so_flat 2": true, "so_air 7.5": true, "so_sea null": false}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("offered (-want +got):\n%s", diff)
	}
}
