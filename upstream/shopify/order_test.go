package shopify_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

// orders opens a shop whose orders are checked against the Admin API's schema too.
func orders(t *testing.T, options fakeshop.Options) house {
	t.Helper()
	options.Admin = schema(t, fakeshop.Admin, version)
	return newHouse(t, options)
}

// bought fills a basket, which a person then orders on the shop's page.
func bought(t *testing.T, h house, shop upstream.Shop) (upstream.Desired, upstream.Applied, fakeshop.Order) {
	t.Helper()
	d := wants(t, shop, "SOK-M", "EMB")
	d.Lines[0].Quantity = 3
	d.Codes, d.Address, d.Buyer = []string{"WELCOME10"}, &ada, upstream.Buyer{Email: "ada@example.com"}
	applied := apply(t, shop, upstream.Handle{}, d)
	order, err := h.Buy(cartOf(t, applied.Handle))
	if err != nil {
		t.Fatal(err)
	}
	return d, applied, order
}

// TestOrdered: a basket that a person ordered is an order, for whoever asks.
func TestOrdered(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	shop := h.adapter(t, withOrders)
	d, applied, order := bought(t, h, shop)
	want := upstream.Placed{
		Ref: upstream.OrderRef{ID: order.Name()}, URL: "https://checkout.fell.example/orders/1001/authenticate?key=secret", Total: applied.Observed.Total,
	}
	same := func(what string, got upstream.Placed, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(upstream.OrderRef{}, "Key")); diff != "" || got.Ref.Key.IsZero() {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	observed, err := shop.Read(t.Context(), agent, applied.Handle)
	same("Read", *observed.Ordered, err)
	d.Lines = d.Lines[:1]
	again, err := shop.Apply(t.Context(), agent, applied.Handle, d)
	same("Apply", *again.Observed.Ordered, err)
	placed, err := shop.Place(t.Context(), agent, applied.Handle, upstream.Placement{})
	same("Place", placed, err)
	placed, err = shop.Recover(t.Context(), agent, applied.Handle, upstream.Placement{})
	same("Recover", placed, err)
	if n := h.Orders(); n != 1 {
		t.Errorf("there are %d orders", n)
	}
}

// TestNeverClaimed: an order is the basket's only if it bears the basket's mark.
func TestNeverClaimed(t *testing.T) {
	h := orders(t, fakeshop.Options{FindsAny: true})
	shop := h.adapter(t, withOrders)
	bought(t, h, shop)
	d := wants(t, shop, "NCK")
	mine := apply(t, shop, upstream.Handle{}, d)
	h.Drop(cartOf(t, mine.Handle))
	_, err := shop.Read(t.Context(), agent, mine.Handle)
	fails(t, err, upstream.CodeBasketGone)
	_, err = shop.Recover(t.Context(), agent, mine.Handle, upstream.Placement{})
	fails(t, err, upstream.CodeNotPlaced)
	renewed := apply(t, shop, mine.Handle, d)
	if len(renewed.Notices) != 1 || renewed.Notices[0].Code != upstream.NoticeBasketRenewed {
		t.Errorf("notices: %+v", renewed.Notices)
	}
}

// TestOrderThatIsFoundLate: the shop's search may not know an order yet when its
// cart is gone already. The basket goes on with a new cart and is an order as soon
// as the shop says so, also after another cart.
func TestOrderThatIsFoundLate(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	shop := h.adapter(t, withOrders)
	d, applied, order := bought(t, h, shop)
	order.Show(false)
	_, err := shop.Read(t.Context(), agent, applied.Handle)
	fails(t, err, upstream.CodeBasketGone)
	renewed := apply(t, shop, applied.Handle, d)
	if renewed.Observed.Ordered != nil || len(renewed.Observed.Lines) != 2 {
		t.Fatalf("not found yet: %+v", renewed.Observed)
	}
	h.Drop(cartOf(t, renewed.Handle))
	renewed = apply(t, shop, renewed.Handle, d)
	order.Show(true)
	observed, err := shop.Read(t.Context(), agent, renewed.Handle)
	if err != nil || observed.Ordered == nil || observed.Ordered.Ref.ID != order.Name() {
		t.Errorf("found: %+v, %v", observed.Ordered, err)
	}
	if again := apply(t, shop, renewed.Handle, d); again.Observed.Ordered == nil {
		t.Errorf("found by Apply: %+v", again.Observed)
	}
}

// TestOrderedWithoutToken: without a token nobody knows, and nothing is claimed.
func TestOrderedWithoutToken(t *testing.T) {
	for name, test := range map[string]struct {
		options fakeshop.Options
		orders  bool
	}{"none": {fakeshop.Options{}, false}, "one without the right": {fakeshop.Options{HideOrders: true}, true}} {
		t.Run(name, func(t *testing.T) {
			h := orders(t, test.options)
			shop := h.adapter(t)
			if test.orders {
				shop = h.adapter(t, withOrders)
			}
			_, applied, _ := bought(t, h, shop)
			_, err := shop.Read(t.Context(), agent, applied.Handle)
			fails(t, err, upstream.CodeBasketGone)
		})
	}
}

// TestOrder: an order as it stands, after some of it was sent and paid back.
func TestOrder(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	shop := h.adapter(t, withOrders)
	d, applied, sold := bought(t, h, shop)
	observed, err := shop.Read(t.Context(), agent, applied.Handle)
	if err != nil {
		t.Fatal(err)
	}
	sold.Send(2)
	sold.Refund(1980, true)
	got, err := shop.Order(t.Context(), agent, observed.Ordered.Ref)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	event := func(kind string, hours time.Duration) upstream.FulfillmentEvent {
		return upstream.FulfillmentEvent{
			ID: "7-" + kind, Type: kind, At: at.Add(hours * time.Hour), Lines: []upstream.LineQuantity{{Line: "gid://shopify/LineItem/100100", Quantity: 2}},
			Carrier: "Royal Mail", Tracking: "RM123", TrackingURL: "https://track.example/RM123",
		}
	}
	home := ada
	home.Region = "" // It was no code.
	want := upstream.Order{
		Ref: upstream.OrderRef{ID: "#1001"}, URL: observed.Ordered.URL, PlacedAt: at, Currency: "GBP", Total: gbp(10755),
		Lines: []upstream.OrderLine{
			{
				ID: "gid://shopify/LineItem/100100", Item: d.Lines[0].Item, Product: "gid://shopify/Product/102", Title: "Merino Hiking Socks (2 Pack)",
				Choices: []upstream.Choice{{Name: "Size", Value: "M"}}, Ordered: 3, Active: 3, Fulfilled: 2,
				Unit: gbp(2200), Subtotal: gbp(6600), Total: gbp(5940),
			},
			{
				ID: "gid://shopify/LineItem/100101", Item: d.Lines[1].Item, Product: "gid://shopify/Product/111", Title: "Ember Gas Stove",
				Ordered: 1, Active: 1, Unit: gbp(4800), Subtotal: gbp(4800), Total: gbp(4320),
			},
		},
		Totals: []upstream.Total{
			{Kind: upstream.TotalSubtotal, Amount: gbp(11400)},
			{Kind: upstream.TotalItemsDiscount, Amount: gbp(-1140)},
			{Kind: upstream.TotalFulfillment, Amount: gbp(495)},
		},
		Address: &home, Delivery: "Standard delivery", Status: "unfulfilled",
		Events: []upstream.FulfillmentEvent{event("shipped", 1), event("in_transit", 2), event("out_for_delivery", 3)},
		Adjustments: []upstream.Adjustment{{
			ID: "9", Type: "refund", At: at.Add(24 * time.Hour), Status: "pending", Amount: gbp(-1980), Text: "Did not fit",
			Lines: []upstream.LineQuantity{{Line: "gid://shopify/LineItem/100100", Quantity: 1}},
		}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(upstream.OrderRef{}, "Key")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sold.Refund(1980, false)
	sold.Cancel()
	got, err = shop.Order(t.Context(), agent, observed.Ordered.Ref)
	if err != nil || !got.Canceled || len(got.Adjustments) != 2 || got.Adjustments[0].Type != "cancellation" || got.Adjustments[1].Status != "completed" {
		t.Errorf("cancelled: %+v, %v", got.Adjustments, err)
	}
}

// TestOrderIsShownToItsOwner: an order's name alone shows nobody an order.
func TestOrderIsShownToItsOwner(t *testing.T) {
	h := orders(t, fakeshop.Options{})
	shop := h.adapter(t, withOrders)
	_, applied, _ := bought(t, h, shop)
	observed, err := shop.Read(t.Context(), agent, applied.Handle)
	if err != nil {
		t.Fatal(err)
	}
	ref := observed.Ordered.Ref
	for name, wrong := range map[string]upstream.OrderRef{
		"no key":        {ID: ref.ID},
		"another's":     {ID: "#1002", Key: ref.Key},
		"a key of none": {ID: ref.ID, Key: secret.New("gid://shopify/Order/999")},
		"no key at all": {ID: ref.ID, Key: secret.New(`gid://shopify/Order/1" OR 1=1`)},
	} {
		_, err := shop.Order(t.Context(), agent, wrong)
		if upstream.CodeOf(err) != upstream.CodeNotFound {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err = h.adapter(t).Order(t.Context(), agent, ref)
	fails(t, err, upstream.CodeUnsupported)
}

// TestHandOff: every open basket has the page where a person goes on, and placing
// it leads there.
func TestHandOff(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	applied := apply(t, shop, upstream.Handle{}, wants(t, shop, "NCK"))
	_, err := shop.Place(t.Context(), agent, applied.Handle, upstream.Placement{Expected: applied.Observed.Total})
	fails(t, err, upstream.CodeEscalate)
	var e *upstream.Error
	if !errors.As(err, &e) || e.URL == "" || e.URL != applied.Observed.HandOff {
		t.Errorf("the page is %q, the basket's %q", e.URL, applied.Observed.HandOff)
	}
	emptied := apply(t, shop, applied.Handle, upstream.Desired{})
	_, err = shop.Place(t.Context(), agent, emptied.Handle, upstream.Placement{})
	fails(t, err, upstream.CodeIncomplete)
	_, err = shop.Place(t.Context(), agent, upstream.Handle{}, upstream.Placement{})
	fails(t, err, upstream.CodeBasketGone)
}

// TestMerchantReadsWhoBought: the order says which agent made its basket.
func TestMerchantReadsWhoBought(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	v := agent
	v.Agent = "An\nagent"
	applied, err := shop.Apply(t.Context(), v, upstream.Handle{}, wants(t, shop, "NCK"))
	if err != nil {
		t.Fatal(err)
	}
	attributes := h.Attributes(cartOf(t, applied.Handle))
	if attributes["Agent"] != "An agent" || attributes["Storeware basket"] == "" {
		t.Errorf("the cart has the attributes %v", attributes)
	}
}
