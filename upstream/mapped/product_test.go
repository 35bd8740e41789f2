package mapped

import (
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// TestAvailability: what can be had, where a shop says it by a word, by a number or
// by both.
func TestAvailability(t *testing.T) {
	s := &Shop{m: new(Mapping), reader: testReader()}
	s.m.Product.Variants.Availability, s.m.Product.Variants.Stock = field(t, "word"), field(t, "n")
	for json, want := range map[string]struct {
		availability upstream.Availability
		stock        int64 // -1 for none
	}{
		`{}`:                               {upstream.AvailabilityUnknown, -1},
		`{"word": true}`:                   {upstream.InStock, -1},
		`{"word": false}`:                  {upstream.OutOfStock, -1},
		`{"word": "low_stock"}`:            {upstream.LowStock, -1},
		`{"word": "moon"}`:                 {upstream.AvailabilityUnknown, -1},
		`{"n": 3}`:                         {upstream.InStock, 3},
		`{"n": 0}`:                         {upstream.OutOfStock, 0},
		`{"n": -2}`:                        {upstream.OutOfStock, 0},
		`{"n": "many"}`:                    {upstream.AvailabilityUnknown, -1},
		`{"word": "in_stock", "n": 0}`:     {upstream.OutOfStock, 0},
		`{"word": "out_of_stock", "n": 3}`: {upstream.OutOfStock, -1},
		`{"word": "backorder", "n": 0}`:    {upstream.Backorder, 0},
		`{"word": "preorder", "n": 3}`:     {upstream.Preorder, 3},
		`{"word": "discontinued", "n": 3}`: {upstream.Discontinued, -1},
	} {
		var v upstream.Variant
		s.readStock(scope{Result: gjson.Parse(json)}, &v)
		stock := int64(-1)
		if v.Stock != nil {
			stock = *v.Stock
		}
		if v.Availability != want.availability || stock != want.stock {
			t.Errorf("%s: availability %d and stock %d, want %d and %d", json, v.Availability, stock, want.availability, want.stock)
		}
	}
}
