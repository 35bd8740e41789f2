package woocommerce

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// drawnBasket is a basket of a shop with any number of decimals, which shows its
// prices with tax or without, gives discounts, takes fees, and is off by a unit.
func drawnBasket(t *rapid.T) (body gjson.Result, decimals int, total int64) {
	type object = map[string]any
	decimals = rapid.IntRange(0, 4).Draw(t, "decimals")
	gross := rapid.Bool().Draw(t, "gross")
	money := func(of object) object {
		of["currency_code"], of["currency_minor_unit"] = "GBP", decimals
		return of
	}
	text := func(n int64) string { return fmt.Sprint(n) }
	var items []object
	var net, tax, off, offTax int64
	for i := range rapid.IntRange(1, 4).Draw(t, "lines") {
		count := rapid.Int64Range(1, 9).Draw(t, "count")
		price := rapid.Int64Range(0, 1_000_000).Draw(t, "price")
		before := price * count
		vat := before / 5
		if gross {
			vat = before - before*10/12
			before -= vat
		}
		less := rapid.Int64Range(0, before).Draw(t, "off")
		lessTax := min(vat, less/5)
		net, tax, off, offTax = net+before, tax+vat, off+less, offTax+lessTax
		items = append(items, object{
			"key": fmt.Sprintf("k%d", i), "id": i + 1, "name": "Thing", "quantity": count, "prices": money(object{"price": text(price)}),
			"totals": money(object{
				"line_subtotal": text(before), "line_subtotal_tax": text(vat), "line_total": text(before - less), "line_total_tax": text(vat - lessTax),
			}),
		})
	}
	slip := rapid.Int64Range(-1, 1).Draw(t, "slip")
	shipping, shippingTax := rapid.Int64Range(0, 5000).Draw(t, "shipping"), rapid.Int64Range(0, 1000).Draw(t, "shipping tax")
	fee, feeTax := rapid.Int64Range(0, 5000).Draw(t, "fee"), rapid.Int64Range(0, 1000).Draw(t, "fee tax")
	allTax := tax - offTax + shippingTax + feeTax
	total = max(net-off+shipping+fee+allTax+slip, allTax)
	basket := object{
		"items": items, "needs_shipping": true, "coupons": []any{},
		"fees": []any{object{"name": "Small order", "totals": money(object{"total": text(fee), "total_tax": text(feeTax)})}},
		"totals": money(object{
			"total_price": text(total), "total_tax": text(allTax), "total_shipping": text(shipping), "total_shipping_tax": text(shippingTax),
			"total_fees": text(fee), "total_fees_tax": text(feeTax),
		}),
		"shipping_rates": []any{object{"package_id": 0, "shipping_rates": []any{
			money(object{"rate_id": "flat_rate:1", "name": "Post", "price": text(shipping), "taxes": text(shippingTax), "selected": true}),
		}}},
	}
	if off > 0 {
		basket["coupons"] = []any{object{"code": "less", "totals": money(object{
			"total_discount": text(off + slip*rapid.Int64Range(0, 1).Draw(t, "coupon's slip")), "total_discount_tax": text(offTax),
		})}}
	}
	written, err := json.Marshal(basket)
	if err != nil {
		t.Fatal(err)
	}
	return gjson.ParseBytes(written), decimals, total
}

// TestFiguresAddUp: whatever a shop counts with, what a buyer reads comes to what
// the shop charges.
func TestFiguresAddUp(t *testing.T) {
	shop, facts := recordedShop(t), recordedFacts(t)
	rapid.Check(t, func(r *rapid.T) {
		body, decimals, total := drawnBasket(r)
		o, err := readBy(shop, facts, body)
		if err != nil {
			r.Fatal(err)
		}
		shoptest.CheckObserved(t, o)
		want := (&purse{currency: "GBP", decimals: decimals}).amount(units(total))
		if o.Total != want {
			r.Fatalf("the total is %v, want %v", o.Total, want)
		}
		for _, one := range o.Totals {
			if one.Kind == upstream.TotalDiscount || one.Kind == upstream.TotalFee && one.Label == "" {
				r.Fatalf("%+v comes from nowhere", one)
			}
		}
		if t.Failed() {
			r.Fatalf("of %s", body.Raw)
		}
	})
}
