package basket_test

import (
	"errors"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// payPage is where the shop of these tests sends a buyer.
const payPage = "https://shop.example/pay/7"

// handOffs are the ways in which a purchase becomes a person's: the shop takes no
// order through its API, or not this one.
var handOffs = map[string]func(*bench){
	"by its nature": func(b *bench) {
		b.shop.handOff = payPage
		describe := b.Describe
		b.Describe = func() (upstream.Description, error) {
			d, err := describe()
			d.Capabilities.Place, d.Capabilities.Payments = false, nil
			return d, err
		}
	},
	"by a refusal": func(b *bench) {
		b.shop.beforePlace = func() error {
			return &upstream.Error{Code: upstream.CodeEscalate, Op: "placing", Text: "The bank wants to see the buyer.", URL: payPage}
		}
	},
}

// waits fails unless the basket waits for a person on the shop's page.
func (b *bench) waits(t *testing.T, when string, got *basket.Basket, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	asked := false
	for _, i := range got.Blockers {
		asked = asked || i.Code == basket.HandOff && i.ByBuyer && i.Text != ""
	}
	if got.State != basket.Open || !asked || got.HandOff != payPage || got.Order != nil {
		t.Errorf("%s: the basket is %s on page %q with order %+v and blockers %+v", when, got.State, got.HandOff, got.Order, got.Blockers)
	}
}

// A basket that was handed over waits for its buyer, and becomes their order as
// soon as the shop shows it, whichever way it does.
func TestHandedOff(t *testing.T) {
	for name, test := range map[string]struct {
		// buys is the buyer on the shop's page, ordered whether the shop shows
		// their order.
		buys    func(*shop)
		ordered bool
	}{
		"shown by the basket":             {(*shop).orderElsewhere, true},
		"shown by a note":                 {func(s *shop) { s.orderElsewhere(); s.dropBaskets(); s.noted = true }, true},
		"never shown":                     {func(*shop) {}, false},
		"never shown, the basket is gone": {(*shop).dropBaskets, false},
	} {
		for way, handOff := range handOffs {
			t.Run(name+"/"+way, func(t *testing.T) {
				b := newBench(t)
				handOff(b)
				made := b.create(t, full())
				got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
				b.waits(t, "completing it", got, err)
				places := b.shop.places

				b.clock.advance(5 * time.Hour)
				got, err = b.Get(t.Context(), alice, visit, made.ID)
				b.waits(t, "while the buyer is away", got, err)
				test.buys(b.shop)
				got, err = b.Get(t.Context(), alice, visit, made.ID)
				if test.ordered {
					b.hasOrder(t, made, got, err)
				} else {
					b.waits(t, "when the shop shows nothing", got, err)
					b.runsOut(t, made)
				}
				if b.shop.places != places {
					t.Errorf("the shop was sent %d orders more", b.shop.places-places)
				}
			})
		}
	}
}

// hasOrder fails unless the basket is the order that the shop shows, which its
// agent can read and nobody else.
func (b *bench) hasOrder(t *testing.T, made, got *basket.Basket, err error) {
	t.Helper()
	if err != nil || got.State != basket.Completed || got.Order == nil || got.HandOff != "" || len(got.Blockers) != 0 {
		t.Fatalf("after the purchase: %+v, %v", got, err)
	}
	order, err := b.Order(t.Context(), alice, visit, got.Order.ID)
	if err != nil || order.BasketID != made.ID || order.Total != made.Observed.Total {
		t.Errorf("Order = %+v, %v", order, err)
	}
	if _, err := b.Order(t.Context(), bob, visit, got.Order.ID); !errors.Is(err, basket.ErrNotFound) {
		t.Errorf("another agent's Order: %v", err)
	}
	b.clock.advance(basket.Lifetime)
	again, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || again.State != basket.Completed || again.Order == nil || again.Order.ID != got.Order.ID {
		t.Errorf("completing it again: %+v, %v", again, err)
	}
}

// runsOut fails unless the basket, five hours after it was made, waits for the
// last of its six and is given up then, whatever becomes of it at the shop.
func (b *bench) runsOut(t *testing.T, made *basket.Basket) {
	t.Helper()
	b.clock.advance(made.Expires.Sub(b.clock.Now()) - time.Nanosecond)
	got, err := b.Get(t.Context(), alice, visit, made.ID)
	b.waits(t, "at the last moment", got, err)
	b.clock.advance(time.Nanosecond)
	got, err = b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || got.State != basket.Canceled || got.HandOff != "" || got.Order != nil {
		t.Errorf("after six hours: %+v, %v", got, err)
	}
	got, err = b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || got.State != basket.Canceled || !has(brief(got.Warnings), codeField{Code: basket.AlreadyCanceled}) {
		t.Errorf("completing it then: %+v, %v", got, err)
	}
}

// The page of a refusal goes before the basket's own one, and ends with the basket
// that it was for.
func TestPageOfARefusal(t *testing.T) {
	const checkout = "https://shop.example/checkout"
	b := newBench(t)
	handOffs["by a refusal"](b)
	b.shop.handOff = checkout
	made := b.create(t, full())
	got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	b.waits(t, "completing it", got, err)
	got, err = b.Get(t.Context(), alice, visit, made.ID)
	b.waits(t, "reading it", got, err)
	b.shop.dropBaskets()
	if got, err = b.Get(t.Context(), alice, visit, made.ID); err != nil || got.HandOff != checkout || !has(brief(got.Blockers), codeField{Code: basket.HandOff}) {
		t.Errorf("after the shop dropped it: page %q, blockers %+v, %v", got.HandOff, got.Blockers, err)
	}
	got, err = b.Replace(t.Context(), alice, visit, made.ID, full())
	if err != nil || got.HandOff != checkout || len(got.Blockers) != 0 {
		t.Errorf("after a change: page %q, blockers %+v, %v", got.HandOff, got.Blockers, err)
	}
}
