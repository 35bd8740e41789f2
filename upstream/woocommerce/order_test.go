package woocommerce

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// An order as its buyer is shown it. Its total of items is after the discounts,
// and its taxes leave that of the delivery out.
func TestTrapOrderCountsOtherwise(t *testing.T) {
	o, err := recordedFacts(t).readShownOrder(recorded(t, "313-order-by-key").body())
	if err != nil {
		t.Fatal(err)
	}
	want := []upstream.Total{
		{Kind: upstream.TotalSubtotal, Amount: gbp(5700)},
		{Kind: upstream.TotalItemsDiscount, Amount: gbp(-570)},
		{Kind: upstream.TotalFulfillment, Amount: gbp(1000)},
	}
	if diff := cmp.Diff(want, o.Totals); diff != "" || o.Total != gbp(6130) {
		t.Errorf("the total is %v: %s", o.Total, diff)
	}
}

// The same order as the merchant sees it, after it was sent and a part refunded.
func TestManagedOrder(t *testing.T) {
	refund := recorded(t, "423-v3-order-refund").Response.Body
	o, err := recordedFacts(t).readManagedOrder(
		recorded(t, "424-v3-order-after-refund").body(), gjson.Parse("["+string(refund)+"]"), recorded(t, "421-v3-order-notes").body(),
	)
	if err != nil {
		t.Fatal(err)
	}
	at := func(second int) time.Time { return time.Date(2026, 11, 30, 17, 45, second, 0, time.UTC) }
	want := upstream.Order{
		PlacedAt: at(38), Currency: "GBP",
		Lines: []upstream.OrderLine{
			{
				ID: "11", Item: "65.67", Product: "65", Title: "Organic Cotton T-Shirt",
				Choices: []upstream.Choice{{Name: "Colour", Value: "Black"}, {Name: "Size", Value: "M"}},
				Ordered: 2, Active: 2, Fulfilled: 2, Unit: gbp(2400), Subtotal: gbp(4800), Total: gbp(4320),
				Image: o.Lines[0].Image,
			},
			{
				ID: "12", Item: "25", Product: "25", Title: "Enamel Mug", Ordered: 1, Active: 1, Fulfilled: 1,
				Unit: gbp(900), Subtotal: gbp(900), Total: gbp(810), Image: o.Lines[1].Image,
			},
		},
		Totals: []upstream.Total{
			{Kind: upstream.TotalSubtotal, Amount: gbp(5700)},
			{Kind: upstream.TotalItemsDiscount, Amount: gbp(-570)},
			{Kind: upstream.TotalFulfillment, Amount: gbp(1000)},
		},
		Total: gbp(6130),
		Address: &upstream.Address{
			FirstName: "Jane", LastName: "Doe", Street: "10 Downing Street", City: "London", PostalCode: "SW1A 2AA", Country: "GB", Phone: "+442079250918",
		},
		Delivery: "Next-day delivery",
		Status:   "completed",
		Events: []upstream.FulfillmentEvent{{
			ID: "completed", Type: "completed", At: at(48), Text: "The shop has marked the order as completed.",
			Lines: []upstream.LineQuantity{{Line: "11", Quantity: 2}, {Line: "12", Quantity: 1}},
		}},
		Adjustments: []upstream.Adjustment{{ID: "95", Type: "refund", At: at(49), Status: "completed", Amount: gbp(-500), Text: "goodwill"}},
	}
	if o.Lines[0].Image == "" || o.Lines[1].Image == "" {
		t.Error("a line has no picture")
	}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Error(diff)
	}
}
