package shopify_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// TestBasketRequests: how many requests a basket takes.
func TestBasketRequests(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	d := wants(t, shop, "NCK", "EMB")
	d.Buyer, d.Codes = upstream.Buyer{Email: "ada@example.com"}, []string{"WELCOME10"}
	var handle upstream.Handle
	step := func(name string, want ...string) {
		t.Helper()
		h.Asked()
		applied := apply(t, shop, handle, d)
		handle = applied.Handle
		if got := h.Asked(); !slices.Equal(got, want) {
			t.Errorf("%s: asked %v, want %v", name, got, want)
		}
		if len(applied.Notices) > 0 {
			t.Errorf("%s: %+v", name, applied.Notices)
		}
	}
	step("a new basket", "Basket", "Change")
	step("the same again", "Basket")
	d.Address, d.Delivery = &ada, "9b07-express"
	d.Lines[0].Quantity, d.Lines = 3, d.Lines[:1]
	step("all changed, and a way of delivery", "Basket", "Change", "Change")
	step("the same again", "Basket")
	d.Address, d.Delivery, d.Codes, d.Buyer = nil, "", nil, upstream.Buyer{}
	step("all taken away but a line", "Basket", "Change")
	step("the same again", "Basket")
	h.Asked()
	if _, err := shop.Read(t.Context(), agent, handle); err != nil {
		t.Fatal(err)
	}
	if got := h.Asked(); !slices.Equal(got, []string{"Read"}) {
		t.Errorf("reading asked %v", got)
	}
}

// TestObserved: all that is told of a basket with discounts of every kind.
func TestObserved(t *testing.T) {
	for name, options := range map[string]fakeshop.Options{
		"a total with the delivery": {}, "a total of the goods alone": {GoodsOnly: true},
	} {
		t.Run(name, func(t *testing.T) {
			shop := newHouse(t, options).adapter(t)
			d := wants(t, shop, "SOK-M", "RDG-SLATE-M")
			d.Lines[0].Quantity, d.Lines[0].Key = 4, "socks"
			d.Lines = append(d.Lines, upstream.DesiredLine{Key: "more", Item: d.Lines[0].Item, Quantity: 2})
			d.Codes, d.Address = []string{"freeship", "TRAIL20"}, &ada
			applied := apply(t, shop, upstream.Handle{}, d)
			if len(applied.Notices) > 0 {
				t.Errorf("notices: %+v", applied.Notices)
			}
			o := applied.Observed
			shoptest.CheckObserved(t, o)
			// 6 × 22.00 less 10 % is 118.80, and 189.00; 20.00 off those.
			want := upstream.Observed{
				Currency: "GBP", Estimated: true, Total: gbp(28780), Chosen: "3f1c-standard",
				Totals: []upstream.Total{
					{Kind: upstream.TotalSubtotal, Amount: gbp(32100)},
					{Kind: upstream.TotalItemsDiscount, Amount: gbp(-3320)},
					{Kind: upstream.TotalFulfillment, Amount: gbp(0)},
				},
				Discounts: []upstream.Discount{
					{Title: "Five or more socks", Amount: gbp(1320), Lines: map[string]money.Amount{"socks": gbp(880), "more": gbp(440)}},
					{Code: "TRAIL20", Title: "TRAIL20", Amount: gbp(2000), Lines: map[string]money.Amount{"socks": gbp(515), "more": gbp(257), "RDG-SLATE-M": gbp(1228)}},
					{Code: "FREESHIP", Title: "FREESHIP", Amount: gbp(495), OnDelivery: true},
				},
				Delivery: []upstream.DeliveryOption{
					{ID: "3f1c-standard", Title: "Standard delivery", Description: "3 to 5 working days", Price: gbp(495)},
					{ID: "9b07-express", Title: "Next-day delivery", Price: gbp(995)},
				},
			}
			if diff := cmp.Diff(want, o, cmpopts.IgnoreFields(o, "Lines", "HandOff")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			socks := upstream.Line{
				Key: "socks", Item: d.Lines[0].Item, Product: "gid://shopify/Product/102", Title: "Merino Hiking Socks (2 Pack)",
				Choices: []upstream.Choice{{Name: "Size", Value: "M"}}, Quantity: 4, Unit: gbp(2200), Subtotal: gbp(8800), Total: gbp(7405),
				Image: "https://cdn.example/merino-hiking-socks-SOK-M.jpg",
			}
			if diff := cmp.Diff(socks, o.Lines[0]); diff != "" {
				t.Errorf("a line (-want +got):\n%s", diff)
			}
			if len(o.Lines) != 3 || o.Lines[1].Key != "RDG-SLATE-M" || o.Lines[2].Key != "more" || o.Lines[2].Quantity != 2 {
				t.Errorf("lines: %+v", o.Lines)
			}
		})
	}
}

// TestNotices: what the shop does otherwise than wanted, and why.
func TestNotices(t *testing.T) {
	tell := func(code upstream.NoticeCode) upstream.Notice { return upstream.Notice{Code: code} }
	onLine := func(code upstream.NoticeCode) upstream.Notice { return upstream.Notice{Code: code, Line: "one"} }
	onCode := func(code upstream.NoticeCode, discount string) upstream.Notice {
		return upstream.Notice{Code: code, Discount: discount}
	}
	address := func(change func(*upstream.Address)) func(*upstream.Desired) {
		return func(d *upstream.Desired) { to := ada; change(&to); d.Address = &to }
	}
	for name, test := range map[string]struct {
		sku      string
		quantity int64
		change   func(*upstream.Desired)
		held     int64
		want     []upstream.Notice
	}{
		"in sixes":            {"OAT", 13, nil, 12, []upstream.Notice{onLine(upstream.NoticeQuantityLowered)}},
		"fewer than sold":     {"OAT", 5, nil, 0, []upstream.Notice{onLine(upstream.NoticeNotBuyable)}},
		"more than sold":      {"OAT", 60, nil, 48, []upstream.Notice{onLine(upstream.NoticeQuantityLowered)}},
		"by subscription":     {"COF", 1, nil, 0, []upstream.Notice{onLine(upstream.NoticeNotBuyable)}},
		"sold beyond stock":   {"CRG", 7, nil, 7, nil},
		"not counted":         {"GFT", 7, nil, 7, nil},
		"an enormous number":  {"GFT", 1 << 60, nil, 1_000_000, []upstream.Notice{onLine(upstream.NoticeQuantityLowered)}},
		"a bad e-mail":        {"NCK", 1, func(d *upstream.Desired) { d.Buyer.Email = "ada at example" }, 1, []upstream.Notice{tell(upstream.NoticeBuyerRefused)}},
		"a bad number":        {"NCK", 1, func(d *upstream.Desired) { d.Buyer.Phone = "+999 1234567" }, 1, []upstream.Notice{tell(upstream.NoticeBuyerRefused)}},
		"a national number":   {"NCK", 1, func(d *upstream.Desired) { d.Buyer.Phone = "01539 000001" }, 1, []upstream.Notice{tell(upstream.NoticeBuyerRefused)}},
		"mark-up in a street": {"NCK", 1, address(func(a *upstream.Address) { a.Street = "<b>1</b>" }), 1, []upstream.Notice{tell(upstream.NoticeAddressRefused)}},
		"nowhere":             {"NCK", 1, address(func(a *upstream.Address) { a.Country = "AQ" }), 1, []upstream.Notice{tell(upstream.NoticeNoDelivery)}},
		"by mail, nowhere":    {"GFT", 1, address(func(a *upstream.Address) { a.Country = "AQ" }), 1, nil},
		"used up":             {"NCK", 1, codes("USEDUP"), 1, []upstream.Notice{onCode(upstream.NoticeDiscountExpired, "USEDUP")}},
		"for staff":           {"NCK", 1, codes("STAFF"), 1, []upstream.Notice{onCode(upstream.NoticeDiscountNotMet, "STAFF")}},
		"for socks":           {"NCK", 1, codes("SOCKS50"), 1, []upstream.Notice{onCode(upstream.NoticeDiscountNotMet, "SOCKS50")}},
		"not beside another": {"NCK", 10, codes("WELCOME10", "TRAIL20"), 10, []upstream.Notice{
			onCode(upstream.NoticeDiscountNotCombinable, "TRAIL20"),
		}},
		"several reasons": {"NCK", 1, codes("TRAIL20", "nope", "", " ", "SUMMER24", "a\nb"), 1, []upstream.Notice{
			onCode(upstream.NoticeDiscountNotMet, "TRAIL20"), onCode(upstream.NoticeDiscountUnknown, "nope"), onCode(upstream.NoticeDiscountUnknown, " "),
			onCode(upstream.NoticeDiscountExpired, "SUMMER24"), onCode(upstream.NoticeDiscountUnknown, "a\nb"),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			shop := newHouse(t, fakeshop.Options{}).adapter(t)
			d := wants(t, shop, test.sku)
			d.Lines[0].Key, d.Lines[0].Quantity = "one", test.quantity
			if test.change != nil {
				test.change(&d)
			}
			first := apply(t, shop, upstream.Handle{}, d)
			// And again, when the basket stands already.
			for _, applied := range []upstream.Applied{first, apply(t, shop, first.Handle, d)} {
				shoptest.CheckObserved(t, applied.Observed)
				var held int64
				for _, line := range applied.Observed.Lines {
					held += line.Quantity
				}
				if held != test.held {
					t.Errorf("the basket holds %d, want %d", held, test.held)
				}
				if diff := cmp.Diff(test.want, applied.Notices, cmpopts.IgnoreFields(upstream.Notice{}, "Text", "Available"), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("notices (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func codes(codes ...string) func(*upstream.Desired) {
	return func(d *upstream.Desired) { d.Codes = codes }
}

// TestRefusedPartsSpoilNothing: what Shopify refuses of a new basket is left out,
// and all else is in it.
func TestRefusedPartsSpoilNothing(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	d := wants(t, shop, "NCK", "EMB")
	to := ada
	to.Street = "<i>"
	d.Buyer, d.Address, d.Codes = upstream.Buyer{Email: "a b@c", Phone: "+999 1234567"}, &to, []string{"WELCOME10"}
	applied := apply(t, shop, upstream.Handle{}, d)
	var got []upstream.NoticeCode
	for _, n := range applied.Notices {
		got = append(got, n.Code)
	}
	want := []upstream.NoticeCode{upstream.NoticeBuyerRefused, upstream.NoticeBuyerRefused, upstream.NoticeAddressRefused}
	if !slices.Equal(got, want) || len(applied.Observed.Lines) != 2 || len(applied.Observed.Discounts) != 1 {
		t.Errorf("notices %v, lines %+v, discounts %+v", got, applied.Observed.Lines, applied.Observed.Discounts)
	}
	d.Buyer, d.Address = upstream.Buyer{Email: "ada@example.com"}, &ada
	if applied = apply(t, shop, applied.Handle, d); len(applied.Notices) > 0 || len(applied.Observed.Delivery) != 2 {
		t.Errorf("put right: %+v, delivery %+v", applied.Notices, applied.Observed.Delivery)
	}
}

// TestParcels: a basket that travels in two parcels has one choice all the same.
func TestParcels(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{Parcels: true}).adapter(t)
	d := wants(t, shop, "NCK")
	d.Address = &ada
	applied := apply(t, shop, upstream.Handle{}, d)
	if n := len(applied.Observed.Delivery); n != 2 || applied.Observed.Delivery[1].Price != gbp(1990) {
		t.Fatalf("ways: %+v", applied.Observed.Delivery)
	}
	d.Delivery = applied.Observed.Delivery[1].ID
	applied = apply(t, shop, applied.Handle, d)
	shoptest.CheckObserved(t, applied.Observed)
	if o := applied.Observed; len(applied.Notices) > 0 || o.Chosen != d.Delivery || o.Total != gbp(1800+1990) {
		t.Errorf("chosen %q, total %v, notices %+v", o.Chosen, o.Total, applied.Notices)
	}
}

// TestSoldMeanwhile: a line that was sold since leaves the basket, and no line of
// nothing behind.
func TestSoldMeanwhile(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	d := wants(t, shop, "NCK", "EMB")
	d.Lines[1].Quantity = 3
	first := apply(t, shop, upstream.Handle{}, d)
	h.SetStock("EMB", 0)
	sold := apply(t, shop, first.Handle, d)
	if len(sold.Observed.Lines) != 1 || len(sold.Notices) != 1 || sold.Notices[0].Code != upstream.NoticeOutOfStock {
		t.Errorf("lines %+v, notices %+v", sold.Observed.Lines, sold.Notices)
	}
	if n := h.Lines(cartOf(t, sold.Handle)); n != 1 {
		t.Errorf("the cart has %d lines", n)
	}
	h.SetStock("EMB", 2)
	back := apply(t, shop, sold.Handle, d)
	if len(back.Observed.Lines) != 2 || len(back.Notices) != 1 || *back.Notices[0].Available != 2 {
		t.Errorf("lines %+v, notices %+v", back.Observed.Lines, back.Notices)
	}
}

// TestSoldInBetween: so does one that is sold between looking and taking, for
// which Shopify leaves a line of nothing.
func TestSoldInBetween(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	d := wants(t, shop, "NCK", "EMB")
	h.Intercept(func(asked string, _ http.ResponseWriter, _ *http.Request) bool {
		if asked == "Change" {
			h.SetStock("EMB", 0)
		}
		return false
	})
	applied := apply(t, shop, upstream.Handle{}, d)
	if n := h.Lines(cartOf(t, applied.Handle)); n != 1 || len(applied.Notices) != 1 || applied.Notices[0].Code != upstream.NoticeOutOfStock {
		t.Errorf("the cart has %d lines; notices %+v", n, applied.Notices)
	}
	if got := h.Asked(); !slices.Equal(got[len(got)-3:], []string{"Basket", "Change", "Change"}) {
		t.Errorf("asked %v", got)
	}
}

// TestCountryOfAddress: where the goods go decides on prices, whatever the market.
func TestCountryOfAddress(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	d := wants(t, shop, "NCK")
	to := ada
	to.Country, to.Region = "JP", "JP-13"
	applied := apply(t, shop, upstream.Handle{}, d)
	d.Address = &to
	moved := apply(t, shop, applied.Handle, d)
	var sent struct{ Variables map[string]any }
	h.road.watch = func(r *http.Request) {
		body, err := r.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(body).Decode(&sent); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := shop.Read(t.Context(), agent, moved.Handle); err != nil {
		t.Fatal(err)
	}
	if sent.Variables["country"] != "JP" {
		t.Errorf("the basket is read for %v", sent.Variables["country"])
	}
	if applied.Observed.Total != gbp(1800) || moved.Observed.Total.Currency != "JPY" || moved.Observed.Lines[0].Unit.Minor != 3600 {
		t.Errorf("at home %v, in Japan %v", applied.Observed.Total, moved.Observed.Lines)
	}
}
