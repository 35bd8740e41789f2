package medusa

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

func markets() *knowledge {
	return &knowledge{regions: []region{
		{id: "uk", currency: "GBP", countries: []string{"GB"}},
		{id: "eu", currency: "EUR", countries: []string{"DE", "FR", "IE"}},
		{id: "us", currency: "USD", countries: []string{"US"}},
	}}
}

func TestPlace(t *testing.T) {
	k := markets()
	for name, test := range map[string]struct {
		market              upstream.Market
		region, country, of string
	}{
		"nobody in particular":            {upstream.Market{}, "uk", "GB", "gb"},
		"a country":                       {upstream.Market{Country: "FR"}, "eu", "FR", "fr"},
		"a country against its currency":  {upstream.Market{Country: "FR", Currency: "USD"}, "eu", "FR", "fr"},
		"a currency":                      {upstream.Market{Currency: "EUR"}, "eu", "", "de"},
		"a currency of one country":       {upstream.Market{Currency: "USD"}, "us", "US", "us"},
		"a country without the shop":      {upstream.Market{Country: "JP", Currency: "EUR"}, "eu", "", "de"},
		"a currency without the shop":     {upstream.Market{Currency: "JPY"}, "uk", "GB", "gb"},
		"the default region has priority": {upstream.Market{Currency: "GBP"}, "uk", "GB", "gb"},
	} {
		p := k.place(test.market)
		if p.region.id != test.region || p.country != test.country || p.query(nil).Get("country_code") != test.of {
			t.Errorf("%s: %s in %q, prices of %s; want %s in %q, prices of %s", name,
				p.region.id, p.country, p.query(nil).Get("country_code"), test.region, test.country, test.of)
		}
	}
}

func TestWhereabouts(t *testing.T) {
	french := upstream.Market{Country: "FR"}
	to := func(country string) *upstream.Address { return &upstream.Address{Country: country} }
	for name, test := range map[string]struct {
		kept            handle
		market          upstream.Market
		address         *upstream.Address
		region, country string
	}{
		"a new basket":                       {handle{}, french, nil, "eu", "FR"},
		"where the goods go":                 {handle{}, french, to("US"), "us", "US"},
		"where the goods go, later":          {handle{Region: "eu", Country: "FR"}, french, to("GB"), "uk", "GB"},
		"where it was begun":                 {handle{Region: "eu", Country: "IE"}, upstream.Market{}, nil, "eu", "IE"},
		"in a region without a country yet":  {handle{Region: "eu"}, french, nil, "eu", "FR"},
		"and nothing new is known":           {handle{Region: "eu"}, upstream.Market{}, nil, "eu", ""},
		"a region that is gone":              {handle{Region: "asia", Country: "JP"}, french, nil, "eu", "FR"},
		"abroad, it stays where it was":      {handle{Region: "us", Country: "US"}, french, to("JP"), "us", "US"},
		"abroad, and a new basket":           {handle{}, french, to("JP"), "eu", "FR"},
		"a country that has changed regions": {handle{Region: "uk", Country: "IE"}, upstream.Market{}, nil, "uk", "GB"},
	} {
		a := &apply{known: markets(), kept: test.kept, visit: upstream.Visit{Market: test.market}, desired: upstream.Desired{Address: test.address}}
		if got := a.whereabouts(); got.region.id != test.region || got.country != test.country {
			t.Errorf("%s: %s in %q, want %s in %q", name, got.region.id, got.country, test.region, test.country)
		}
	}
}

// TestRegions: the region of the configuration comes first, and payment providers
// that are off, or that agents may not use, are none.
func TestRegions(t *testing.T) {
	answer := gjson.Parse(`[
		{"id":"old","currency_code":"gbp","countries":[{"iso_2":"gb"}],"payment_providers":[{"id":"pp_a","is_enabled":true},{"id":"pp_b","is_enabled":false}]},
		{"id":"odd","currency_code":"doubloons"},
		{"id":"new","currency_code":"EUR","countries":[{"iso_2":"ie"},{"iso_2":"de"}],"payment_providers":[{"id":"pp_a","is_enabled":true},{"id":"pp_c","is_enabled":true}]}]`)
	old := region{id: "old", currency: "GBP", countries: []string{"GB"}, payments: []string{"pp_a"}, enabled: []string{"pp_a"}}
	young := region{id: "new", currency: "EUR", countries: []string{"DE", "IE"}, payments: []string{"pp_a", "pp_c"}, enabled: []string{"pp_a", "pp_c"}}
	compare := cmp.AllowUnexported(region{})
	got, err := aShop(t).regionsOf(answer)
	if diff := cmp.Diff([]region{old, young}, got, compare); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	chosen := aShop(t, func(c *Config) { c.Region, c.Payments = "new", []string{"pp_c"} })
	old.payments, young.payments = nil, []string{"pp_c"}
	got, err = chosen.regionsOf(answer)
	if diff := cmp.Diff([]region{young, old}, got, compare); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := aShop(t, func(c *Config) { c.Region = "asia" }).regionsOf(answer); upstream.CodeOf(err) != upstream.CodeUnavailable {
		t.Errorf("a region that the shop has not: %v", err)
	}
}
