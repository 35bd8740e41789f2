package medusa

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// aShop is a shop that nobody calls.
func aShop(t testing.TB, change ...func(*Config)) *Shop {
	t.Helper()
	s, err := New(configured(change...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// observed reads a cart that is written as JSON.
func observed(t testing.TB, text string, options string, kept ...keptLine) upstream.Observed {
	t.Helper()
	if !gjson.Valid(text) {
		t.Fatalf("not JSON: %s", text)
	}
	k := &knowledge{regions: []region{{id: "uk", currency: "GBP", countries: []string{"GB"}}}, tax: upstream.TaxIncluded}
	o, err := aShop(t).observe(k, cart{gjson.Parse(text)}, gjson.Parse(options).Array(), handle{Cart: "cart_1", Lines: kept})
	if err != nil {
		t.Fatal(err)
	}
	shoptest.CheckObserved(t, o)
	return o
}

// TestTaxExcluded: where prices are without tax, so are lines and delivery, and
// the tax is a total of its own.
func TestTaxExcluded(t *testing.T) {
	o := observed(t, `{"id":"cart_1","currency_code":"gbp","total":50.99,"tax_total":8.498333333333334,
		"shipping_address":{"country_code":"gb"},
		"items":[{"id":"i1","variant_id":"v1","product_id":"p1","product_title":"Hat","quantity":2,"unit_price":20,"is_tax_inclusive":false,
			"requires_shipping":true,"subtotal":40,"total":43.2,"original_total":48,"discount_subtotal":4,
			"adjustments":[{"code":"TEN","amount":4}]}],
		"shipping_methods":[{"id":"m1","shipping_option_id":"so1","amount":6.491666666666667,"is_tax_inclusive":false,
			"subtotal":6.491666666666667,"total":7.79,"original_total":7.79,"discount_subtotal":0}],
		"promotions":[{"code":"TEN","is_automatic":false,"campaign":{"name":"Ten &amp; more"}}]}`,
		`[]`, keptLine{"a", "v1", 2})
	want := []upstream.Total{
		{Kind: upstream.TotalSubtotal, Amount: gbp(4000)},
		{Kind: upstream.TotalItemsDiscount, Amount: gbp(-400)},
		{Kind: upstream.TotalFulfillment, Amount: gbp(649)},
		{Kind: upstream.TotalTax, Amount: gbp(850)},
	}
	if diff := cmp.Diff(want, o.Totals); diff != "" || o.Tax != upstream.TaxExcluded {
		t.Errorf("tax %d, totals (-want +got):\n%s", o.Tax, diff)
	}
	discounts := []upstream.Discount{{Code: "TEN", Title: "Ten & more", Amount: gbp(400), Lines: map[string]money.Amount{"a": gbp(400)}}}
	if diff := cmp.Diff(discounts, o.Discounts); diff != "" {
		t.Errorf("discounts (-want +got):\n%s", diff)
	}
}

// TestDiscountsOfAllKinds: two codes on a line, a rule of the shop on another one
// and on the delivery, and credit.
func TestDiscountsOfAllKinds(t *testing.T) {
	o := observed(t, `{"id":"cart_1","currency_code":"gbp","total":23.5,"tax_total":0,
		"items":[
			{"id":"i1","variant_id":"v1","product_id":"p1","product_title":"Hat","quantity":1,"unit_price":20,"is_tax_inclusive":true,
				"total":16,"original_total":20,"adjustments":[{"code":"ONE","amount":1},{"code":"THREE","amount":3}]},
			{"id":"i2","variant_id":"v2","product_id":"p2","product_title":"Cap","quantity":1,"unit_price":10,"is_tax_inclusive":true,
				"total":9.5,"original_total":10,"adjustments":[{"code":"AUTO-7","amount":0.5}]}],
		"shipping_methods":[{"id":"m1","shipping_option_id":"so1","amount":5,"is_tax_inclusive":true,"total":3,"original_total":5,
			"adjustments":[{"code":"AUTO-7","amount":2}]}],
		"credit_lines":[{"amount":5}],
		"promotions":[{"code":"ONE","is_automatic":false},{"code":"THREE","is_automatic":false},
			{"code":"AUTO-7","is_automatic":true,"campaign":{"name":"Winter sale"}}]}`,
		`[]`, keptLine{"a", "v1", 1}, keptLine{"b", "v2", 1})
	want := []upstream.Discount{
		{Code: "ONE", Amount: gbp(100), Lines: map[string]money.Amount{"a": gbp(100)}},
		{Code: "THREE", Amount: gbp(300), Lines: map[string]money.Amount{"a": gbp(300)}},
		{Title: "Winter sale", Amount: gbp(50), Lines: map[string]money.Amount{"b": gbp(50)}},
		{Title: "Winter sale", Amount: gbp(200), OnDelivery: true},
		{Title: "Credit", Amount: gbp(500)},
	}
	if diff := cmp.Diff(want, o.Discounts); diff != "" {
		t.Errorf("discounts (-want +got):\n%s", diff)
	}
	totals := []upstream.Total{
		{Kind: upstream.TotalSubtotal, Amount: gbp(3000)},
		{Kind: upstream.TotalItemsDiscount, Amount: gbp(-450)},
		{Kind: upstream.TotalFulfillment, Amount: gbp(300)},
		{Kind: upstream.TotalDiscount, Label: "Credit", Amount: gbp(-500)},
	}
	if diff := cmp.Diff(totals, o.Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

// TestSharedItem: an item of the shop that is two lines of the caller and more of
// it than wanted, and one that the caller does not know.
func TestSharedItem(t *testing.T) {
	o := observed(t, `{"id":"cart_1","currency_code":"gbp","total":50,"tax_total":0,"items":[
		{"id":"i1","variant_id":"v1","product_id":"p1","product_title":"Hat","quantity":4,"unit_price":10,"is_tax_inclusive":true,
			"total":39.99,"original_total":40,"adjustments":[]},
		{"id":"i2","variant_id":"v2","product_id":"p2","product_title":"Cap","quantity":1,"unit_price":10,"is_tax_inclusive":true,
			"total":10,"original_total":10}]}`,
		`[]`, keptLine{"a", "v1", 1}, keptLine{"b", "v1", 2})
	got := map[string]int64{}
	for _, line := range o.Lines {
		got[line.Key] = line.Subtotal.Minor
	}
	if diff := cmp.Diff(map[string]int64{"a": 1000, "b": 3000, "shop-i2": 1000}, got); diff != "" {
		t.Errorf("subtotals by line (-want +got):\n%s", diff)
	}
	// What no adjustment explains is a discount all the same.
	if len(o.Discounts) != 1 || o.Discounts[0].Title == "" || o.Discounts[0].Amount != gbp(1) {
		t.Errorf("discounts %+v", o.Discounts)
	}
}

// TestNothingToSend: a basket that only holds what is not sent needs no address.
func TestNothingToSend(t *testing.T) {
	o := observed(t, `{"id":"cart_1","currency_code":"gbp","total":10,"tax_total":0,"email":"a@b.example",
		"shipping_address":{"country_code":"gb"},
		"items":[{"id":"i1","variant_id":"v1","product_id":"p1","product_title":"Voucher","quantity":1,"unit_price":10,"is_tax_inclusive":true,
			"requires_shipping":false,"total":10,"original_total":10}]}`,
		`[{"id":"so1","name":"Post","amount":3,"shipping_profile_id":"sp1"}]`, keptLine{"a", "v1", 1})
	if len(o.Missing) > 0 || len(o.Delivery) > 0 || o.Estimated {
		t.Errorf("missing %v, delivery %v, estimated %v", o.Missing, o.Delivery, o.Estimated)
	}
}

// TestSumsAddUp: whatever fractions Medusa computes, the totals add up to what is
// paid, and the discounts to what was taken off.
func TestSumsAddUp(t *testing.T) {
	s := aShop(t)
	k := &knowledge{regions: []region{{id: "uk"}}}
	rapid.Check(t, func(t *rapid.T) {
		included := rapid.Bool().Draw(t, "included")
		fraction := rapid.Float64Range(0, 500)
		type item = map[string]any
		var items []item
		var kept []keptLine
		var total float64
		for i := range rapid.IntRange(0, 5).Draw(t, "items") {
			n := rapid.Int64Range(1, 9).Draw(t, "quantity")
			unit := fraction.Draw(t, "unit")
			all := unit * float64(n)
			off := all * rapid.Float64Range(0, 1).Draw(t, "off")
			total += all - off
			id := fmt.Sprint("v", i)
			items = append(items, item{
				"id": fmt.Sprint("i", i), "variant_id": id, "product_id": "p", "product_title": "Thing", "quantity": n,
				"unit_price": unit, "is_tax_inclusive": included, "total": all - off, "original_total": all,
				"subtotal": all, "discount_subtotal": off,
				"adjustments": []item{{"code": "A", "amount": off / 3}, {"code": "B", "amount": off - off/3}},
			})
			kept = append(kept, keptLine{fmt.Sprint(i), id, n})
		}
		post := fraction.Draw(t, "delivery")
		tax := fraction.Draw(t, "tax")
		text, err := json.Marshal(item{
			"id": "cart_1", "currency_code": "gbp", "total": total + post, "tax_total": tax, "items": items,
			"shipping_methods": []item{{"total": post, "original_total": post, "subtotal": post, "discount_subtotal": 0}},
		})
		if err != nil {
			t.Fatal(err)
		}
		o, err := s.observe(k, cart{gjson.ParseBytes(text)}, nil, handle{Lines: kept})
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range unbalanced(o) {
			t.Error(problem)
		}
	})
}

// unbalanced says where the figures of a basket do not add up.
func unbalanced(o upstream.Observed) (problems []string) {
	var sum, lines, off, discounts int64
	for _, total := range o.Totals {
		sum += total.Amount.Minor
		if total.Kind == upstream.TotalItemsDiscount {
			off -= total.Amount.Minor
		}
	}
	for _, line := range o.Lines {
		lines += line.Subtotal.Minor - line.Total.Minor
	}
	for _, d := range o.Discounts {
		if !d.OnDelivery && d.Title != creditTitle {
			discounts += d.Amount.Minor
		}
	}
	if sum != o.Total.Minor {
		problems = append(problems, fmt.Sprintf("the totals add up to %d, the total is %d", sum, o.Total.Minor))
	}
	if lines != off || discounts != off {
		problems = append(problems, fmt.Sprintf("%d is off the items, %d off the lines, %d explained", off, lines, discounts))
	}
	return problems
}
