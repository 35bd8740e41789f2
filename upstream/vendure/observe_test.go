package vendure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

func usd(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "USD"} }

// A shop in the United States: prices without tax, a promotion on one line, a
// code on the whole, free delivery, a surcharge, and a cent lost to rounding.
const american = `{
	"code": "ABC", "state": "AddingItems", "currencyCode": "USD", "couponCodes": ["TEN"],
	"total": 13199, "totalWithTax": 14254,
	"promotions": [{"id": "T_7", "couponCode": "TEN", "name": "Ten off"}, {"id": "T_8", "couponCode": null, "name": "Caps"}],
	"discounts": [
		{"adjustmentSource": "PROMOTION:7", "description": "Ten off", "amount": -1001},
		{"adjustmentSource": "PROMOTION:8", "description": "Caps", "amount": -300},
		{"adjustmentSource": "PROMOTION:9", "description": "Free delivery", "amount": -500}
	],
	"surcharges": [{"description": "Gift wrap", "price": 501, "priceWithTax": 541}],
	"lines": [
		{"id": "1", "quantity": 3, "unitPrice": 1000, "linePrice": 3000, "proratedLinePrice": 2500,
			"discounts": [
				{"adjustmentSource": "PROMOTION:8", "type": "PROMOTION", "amount": -300},
				{"adjustmentSource": "PROMOTION:7", "type": "DISTRIBUTED_ORDER_PROMOTION", "amount": -200}
			],
			"productVariant": {"id": "5", "name": "Cap", "options": [], "product": {"id": "4", "slug": "cap"}}},
		{"id": "2", "quantity": 1, "unitPrice": 11000, "linePrice": 11000, "proratedLinePrice": 10199,
			"discounts": [{"adjustmentSource": "PROMOTION:7", "type": "DISTRIBUTED_ORDER_PROMOTION", "amount": -801}],
			"productVariant": {"id": "9", "name": "Boots", "options": [], "product": {"id": "8", "slug": "boots"}}}
	],
	"shippingLines": [{"shippingMethod": {"id": "3", "name": "Mail"}, "discountedPrice": 0,
		"discounts": [{"adjustmentSource": "PROMOTION:9", "amount": -500}]}],
	"customer": {"emailAddress": "a@example.com", "firstName": "A", "lastName": "B"},
	"shippingAddress": {"countryCode": "US", "streetLine1": "1 Main St"}
}`

func TestObserveWithoutTax(t *testing.T) {
	page, err := pageurl.Parse("https://shop.example/{handle}", "handle")
	if err != nil {
		t.Fatal(err)
	}
	shop := &Shop{decimals: 2, product: page}
	held := contents{
		order:   gjson.Parse(american),
		methods: gjson.Parse(`[{"id": "3", "name": "Mail", "description": "<p>A week</p>", "price": 499.5, "priceWithTax": 540}]`),
	}
	// The caps were two lines, and somebody else put the boots in.
	kept := handle{Order: "ABC", Lines: []keptLine{{Key: "two", Variant: "5", Quantity: 2}, {Key: "one", Variant: "5", Quantity: 1}}}
	got, err := shop.observe(&schema{}, upstream.Visit{}, held, kept)
	if err != nil {
		t.Fatal(err)
	}
	shoptest.CheckObserved(t, got)
	want := upstream.Observed{
		Currency: "USD", Tax: upstream.TaxExcluded, Total: usd(14254), TaxTotal: &money.Amount{Minor: 1055, Currency: "USD"},
		Totals: []upstream.Total{
			{Kind: upstream.TotalSubtotal, Amount: usd(14000)},
			{Kind: upstream.TotalItemsDiscount, Amount: usd(-1301)},
			{Kind: upstream.TotalFee, Label: "Gift wrap", Amount: usd(501)},
			{Kind: upstream.TotalFulfillment, Amount: usd(0)},
			{Kind: upstream.TotalTax, Amount: usd(1055)},
			{Kind: upstream.TotalRounding, Amount: usd(-1)},
		},
		Lines: []upstream.Line{
			{Key: "two", Quantity: 2, Unit: usd(1000), Subtotal: usd(2000), Total: usd(1667), Item: "v.4.5", Product: "p.4", Title: "Cap", URL: "https://shop.example/cap"},
			{Key: "one", Quantity: 1, Unit: usd(1000), Subtotal: usd(1000), Total: usd(833), Item: "v.4.5", Product: "p.4", Title: "Cap", URL: "https://shop.example/cap"},
			{Key: "shop-2", Quantity: 1, Unit: usd(11000), Subtotal: usd(11000), Total: usd(10199), Item: "v.8.9", Product: "p.8", Title: "Boots", URL: "https://shop.example/boots"},
		},
		Discounts: []upstream.Discount{
			{Code: "TEN", Title: "Ten off", Amount: usd(1001), Lines: map[string]money.Amount{"two": usd(133), "one": usd(67), "shop-2": usd(801)}},
			{Title: "Caps", Amount: usd(300), Lines: map[string]money.Amount{"two": usd(200), "one": usd(100)}},
			{Title: "Free delivery", Amount: usd(500), OnDelivery: true},
		},
		Delivery: []upstream.DeliveryOption{{ID: "3", Title: "Mail", Description: "A week", Price: usd(500)}},
		Chosen:   "3",
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzAnswers reads whatever a shop may say of a basket, an order and a product.
func FuzzAnswers(f *testing.F) {
	f.Add(american)
	f.Add(`{"currencyCode":"JPY","totalWithTax":1,"total":1,"lines":[{"quantity":-1,"linePrice":1e300}]}`)
	f.Add(`{"orderPlacedAt":"2026-11-30T19:02:34Z","currencyCode":"GBP","lines":{"a":1},"history":{"items":[{"type":"ORDER_CANCELLATION"}]}}`)
	f.Add(`{"id":"1","variants":[{"currencyCode":"GBP","price":1,"priceWithTax":2,"stockLevel":"-3","facetValues":[{"facet":{"code":"gtin"}}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !gjson.Valid(text) {
			return
		}
		answer := gjson.Parse(text)
		shop := &Shop{decimals: 2}
		kept := handle{Lines: []keptLine{{Key: "a", Variant: "5", Quantity: 2}, {Key: "b", Variant: "5", Quantity: 1}}}
		for _, included := range []bool{true, false} {
			observed, err := shop.observe(&schema{currency: "GBP"}, upstream.Visit{}, contents{order: answer, methods: answer.Get("methods"), included: included}, kept)
			if err == nil {
				addsUp(t, observed.Totals, observed.Total)
			}
			order, err := shop.readOrder(answer, included)
			if err == nil {
				addsUp(t, order.Totals, order.Total)
			}
			if _, err := shop.readProduct("reading", answer, included); err != nil && upstream.CodeOf(err) != upstream.CodeUnavailable {
				t.Errorf("a product: %v", err)
			}
		}
	})
}

func addsUp(t *testing.T, totals []upstream.Total, want money.Amount) {
	t.Helper()
	sum := money.Amount{Currency: want.Currency}
	for _, total := range totals {
		var err error
		if sum, err = sum.Add(total.Amount); err != nil {
			t.Fatal(err)
		}
	}
	if sum != want {
		t.Errorf("the totals add up to %v, not to %v", sum, want)
	}
}
