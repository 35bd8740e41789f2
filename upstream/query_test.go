package upstream_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestQueryMatch(t *testing.T) {
	price := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }
	boot := upstream.Product{
		ID:         "boot",
		Categories: []string{"Footwear", "Footwear/Walking boots"},
		Variants: []upstream.Variant{
			{ID: "8", Price: price(12000), Availability: upstream.OutOfStock},
			{ID: "9", Price: price(15000), Availability: upstream.InStock},
		},
	}
	limit := func(minor int64) *int64 { return &minor }
	for name, test := range map[string]struct {
		query upstream.Query
		want  bool
	}{
		"no filter":                  {upstream.Query{}, true},
		"words are no filter":        {upstream.Query{Words: "kettle"}, true},
		"whole category":             {upstream.Query{Categories: []string{"footwear/walking boots"}}, true},
		"last part of a category":    {upstream.Query{Categories: []string{"Walking Boots"}}, true},
		"one of several categories":  {upstream.Query{Categories: []string{"Tents", "Footwear"}}, true},
		"another category":           {upstream.Query{Categories: []string{"Boots"}}, false},
		"a variant below the limit":  {upstream.Query{MaxPrice: limit(12000)}, true},
		"all above the limit":        {upstream.Query{MaxPrice: limit(11999)}, false},
		"all below the least":        {upstream.Query{MinPrice: limit(15001)}, false},
		"between two variants":       {upstream.Query{MinPrice: limit(12001), MaxPrice: limit(14999)}, false},
		"one of its variants is had": {upstream.Query{Available: true}, true},
	} {
		if got := test.query.Match(&boot); got != test.want {
			t.Errorf("%s: Match = %v, want %v", name, got, test.want)
		}
	}
	if low, high := boot.PriceRange(); low != price(12000) || high != price(15000) {
		t.Errorf("PriceRange() = %v, %v", low, high)
	}
}
