package basket_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// A shop whose order numbers start again gives one agent's number to another
// agent's order (promise 7): neither reads the other's.
func TestReusedOrderNumber(t *testing.T) {
	b := newBench(t)
	ctx := t.Context()
	first, err := b.Complete(ctx, alice, visit, b.create(t, full()).ID, card)
	if err != nil {
		t.Fatal(err)
	}
	clear(b.shop.orders)
	b.clock.advance(48 * time.Hour)
	made, err := b.Create(ctx, bob, visit, full())
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Complete(ctx, bob, visit, made.ID, card)
	if err != nil || second.Order == nil || second.Order.ID != first.Order.ID {
		t.Fatalf("the second order is %+v, %v, want number %s again", second, err, first.Order.ID)
	}
	// The shop has the order, so that it is not sent there once more.
	if again, err := b.Complete(ctx, bob, visit, made.ID, card); err != nil || again.State != basket.Completed || b.shop.places != 2 {
		t.Errorf("Complete again = %+v, %v, after %d orders sent", again, err, b.shop.places)
	}
	if got, err := b.Order(ctx, bob, visit, first.Order.ID); !errors.Is(err, basket.ErrNotFound) {
		t.Errorf("the number is Alice's, and Bob reads %+v, %v", got, err)
	}
	// A shop that does not say when it took an order leaves us to believe it.
	if got, err := b.Order(ctx, alice, visit, first.Order.ID); err != nil || got.BasketID == made.ID {
		t.Errorf("Alice's order = %+v, %v", got, err)
	}
	b.shop.placedAt = b.clock.Now()
	if got, err := b.Order(ctx, alice, visit, first.Order.ID); !errors.Is(err, basket.ErrNotFound) {
		t.Errorf("the shop has Bob's order at this number, and Alice reads %+v, %v", got, err)
	}
	b.shop.placedAt = first.Order.At.Add(time.Hour)
	if _, err := b.Order(ctx, alice, visit, first.Order.ID); err != nil {
		t.Errorf("Alice's order, by a clock that is ahead: %v", err)
	}
}

// TestOrderWithoutPage: an order that the shop has no page of is seen on the page of
// its basket.
func TestOrderWithoutPage(t *testing.T) {
	b := newBench(t)
	b.shop.pageless = true
	done, err := b.Complete(t.Context(), alice, visit, b.create(t, full()).ID, card)
	if err != nil {
		t.Fatal(err)
	}
	placed, err := b.Order(t.Context(), alice, visit, done.Order.ID)
	if err != nil {
		t.Fatal(err)
	}
	own := "https://shop.example/basket/" + done.ID + "/"
	if !strings.HasPrefix(done.Order.URL, own) || placed.URL != done.Order.URL {
		t.Errorf("the order is seen at %q, and read at %q, want the page at %s", done.Order.URL, placed.URL, own)
	}
	seen, err := b.View(t.Context(), done.ID, strings.TrimPrefix(done.Order.URL, own))
	if err != nil || seen.Order == nil || seen.Order.ID != done.Order.ID {
		t.Errorf("the page shows %+v, %v", seen, err)
	}
}
