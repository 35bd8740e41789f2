package woocommerce_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// ordered orders a shirt and two mugs, and returns the order.
func ordered(t testing.TB, shop upstream.Shop) upstream.Placed {
	t.Helper()
	d := complete(wanted("65.67", 1))
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "l2", Item: "25", Quantity: 2})
	placed, err := placeIt(t, shop, apply(t, shop, upstream.Handle{}, d))
	if err != nil {
		t.Fatal(err)
	}
	return placed
}

// read reads an order, whose totals must come to its total.
func read(t testing.TB, shop upstream.Shop, ref upstream.OrderRef) upstream.Order {
	t.Helper()
	order, err := shop.Order(t.Context(), upstream.Visit{}, ref)
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, total := range order.Totals {
		sum += total.Amount.Minor
	}
	if sum != order.Total.Minor {
		t.Errorf("%+v come to %d, the total is %v", order.Totals, sum, order.Total)
	}
	return order
}

// With a key and without, an order has the same lines and figures.
func TestOrderWithAndWithoutAKey(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	buyers, merchants := newShop(t, fake), newShop(t, fake, withKey)
	placed := ordered(t, buyers)
	one, other := read(t, buyers, placed.Ref), read(t, merchants, placed.Ref)
	for i := range one.Lines {
		one.Lines[i].URL, one.Lines[i].Title = "", strings.TrimSuffix(one.Lines[i].Title, " - Black, M")
	}
	other.PlacedAt, one.Delivery = one.PlacedAt, other.Delivery
	for i := range other.Events {
		other.Events[i].At = one.Events[i].At
	}
	same := cmp.Comparer(func(a, b secret.String) bool { return a.Equal(b) })
	if diff := cmp.Diff(one, other, same); diff != "" {
		t.Errorf("without a key (-) and with one (+):\n%s", diff)
	}
}

// Every status means the same to buyers and merchants, a plug-in's own too.
func TestTrapOrderStatuses(t *testing.T) {
	for status, want := range map[string]struct {
		events    []string
		fulfilled int64
		canceled  bool
	}{
		"pending":         {},
		"on-hold":         {},
		"processing":      {events: []string{"processing"}},
		"completed":       {events: []string{"completed"}, fulfilled: 2},
		"cancelled":       {canceled: true},
		"refunded":        {canceled: true},
		"failed":          {},
		"ready-to-pickup": {},
	} {
		fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
		for _, shop := range []upstream.Shop{newShop(t, fake), newShop(t, fake, withKey)} {
			placed := ordered(t, shop)
			id, err := strconv.ParseInt(placed.Ref.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			fake.SetStatus(id, status)
			order := read(t, shop, placed.Ref)
			var events []string
			for _, event := range order.Events {
				events = append(events, event.Type)
			}
			if diff := cmp.Diff(want.events, events); diff != "" || order.Canceled != want.canceled || order.Lines[1].Fulfilled != want.fulfilled || order.Status != status {
				t.Errorf("%s: %+v %s", status, order, diff)
			}
		}
	}
}

// What was given back, and what the buyer was told.
func TestRefundsAndNotes(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	buyers, merchants := newShop(t, fake), newShop(t, fake, withKey)
	placed := ordered(t, buyers)
	fake.Note(87, "Your parcel &amp; <b>its</b> number: 123", true)
	fake.Note(87, "Not for the buyer", false)
	order := read(t, merchants, placed.Ref)
	mug := order.Lines[1].ID
	fake.Refund(87, 872, 1, "9.00", "broken")
	fake.Refund(87, 0, 0, "1.50", "goodwill")
	order = read(t, merchants, placed.Ref)
	if mug != "872" || order.Lines[1].Active != 1 || order.Lines[1].Ordered != 2 {
		t.Errorf("the line is %+v", order.Lines[1])
	}
	if len(order.Adjustments) != 2 || order.Adjustments[0].Amount.Minor != -900 || order.Adjustments[1].Amount.Minor != -150 ||
		order.Adjustments[0].Lines[0] != (upstream.LineQuantity{Line: "872", Quantity: 1}) {
		t.Errorf("the adjustments are %+v", order.Adjustments)
	}
	var notes []string
	for _, event := range order.Events {
		if event.Type == "note" {
			notes = append(notes, event.Text)
		}
	}
	if diff := cmp.Diff([]string{"Your parcel & its number: 123"}, notes); diff != "" {
		t.Error(diff)
	}
	// A buyer is told the sum.
	order = read(t, buyers, placed.Ref)
	if len(order.Adjustments) != 1 || order.Adjustments[0].Amount.Minor != -1050 {
		t.Errorf("a buyer's adjustments are %+v", order.Adjustments)
	}
}

// An order is shown to who has its key, and to nobody else, even if the adapter
// could see it.
func TestOrderOfSomebodyElse(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	for _, shop := range []upstream.Shop{newShop(t, fake), newShop(t, fake, withKey)} {
		placed := ordered(t, shop)
		for name, text := range map[string]string{
			"another key":   strings.Replace(placed.Ref.Key.Reveal(), "wc_order_", "wc_order_x", 1),
			"another order": `{"id":99999,"key":"wc_order_x","email":"ada@example.test"}`,
			"no key":        `{"id":87,"key":"","email":"ada@example.test"}`,
			"no number":     `{"id":0,"key":"wc_order_x"}`,
			"nothing":       "",
		} {
			_, err := shop.Order(t.Context(), upstream.Visit{}, upstream.OrderRef{ID: "87", Key: secret.New(text)})
			if got := upstream.CodeOf(err); got != upstream.CodeNotFound {
				t.Errorf("%s: got %q (%v)", name, got, err)
			}
		}
	}
}

// The merchant reads on the order who made it.
func TestOrderSaysWhoMadeIt(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	ordered(t, shop)
	if got := fake.CustomerNote(87); got != "Ordered by Tester (storeware attempt-1)" {
		t.Errorf("the note is %q", got)
	}
}
