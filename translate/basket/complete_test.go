package basket_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestComplete(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	if len(made.Blockers) != 0 {
		t.Fatalf("blockers %v", made.Blockers)
	}
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Completed || done.Order == nil || done.Order.Total != made.Observed.Total || done.HandOff != "" {
		t.Fatalf("Complete = %+v, %v", done, err)
	}
	again, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || again.Order == nil || again.Order.ID != done.Order.ID || len(again.Warnings) != 0 {
		t.Errorf("Complete again = %+v, %v", again, err)
	}
	late, err := b.Replace(t.Context(), alice, visit, made.ID, basket.Wanted{Lines: []basket.Line{{Item: "sock", Quantity: 1}}})
	if err != nil || late.State != basket.Completed || !has(brief(late.Warnings), codeField{Code: basket.AlreadyCompleted}) {
		t.Errorf("Replace afterwards = %+v, %v", late, err)
	}
	if n := b.shop.count(); n != 1 {
		t.Errorf("%d orders", n)
	}
	if by := b.shop.orders[done.Order.ID].Status; by != visit.Agent {
		t.Errorf("the shop's order was placed by %q", by)
	}
}

func TestCompleteWithBlockersPlacesNothing(t *testing.T) {
	b := newBench(t)
	w := full()
	w.Delivery = ""
	made := b.create(t, w)
	got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || got.State != basket.Open || !has(brief(got.Blockers), codeField{basket.Missing, basket.FieldDelivery, 0}) {
		t.Errorf("Complete = %+v, %v", got, err)
	}
	got, err = b.Complete(t.Context(), alice, visit, made.ID, basket.Payment{Method: "cowries"})
	if err != nil || !has(brief(got.Blockers), codeField{basket.PaymentUnknown, basket.FieldPayment, 0}) {
		t.Errorf("Complete with an unknown way to pay = %+v, %v", got, err)
	}
	if b.shop.places != 0 {
		t.Error("the shop was sent an order that lacks something")
	}
}

// The buyer pays what they saw (promise 2).
func TestPriceGuard(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.setPrice("boot", 12500)
	got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || got.State != basket.Open || !has(brief(got.Blockers), codeField{Code: basket.PriceChanged}) {
		t.Fatalf("Complete after a change of price = %+v, %v", got, err)
	}
	if b.shop.places != 0 {
		t.Fatal("ordered at a price nobody saw")
	}
	if got.Observed.Total.Minor != made.Observed.Total.Minor+500 {
		t.Errorf("the answer shows %v", got.Observed.Total)
	}
	// Now it has been seen.
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Completed || done.Order.Total != got.Observed.Total {
		t.Errorf("Complete again = %+v, %v", done, err)
	}
}

// Between our last look and the shop's own the price changes once more.
func TestPriceChangesWhilePlacing(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.beforePlace = func() error { b.shop.setPrice("boot", 13000); return nil }
	got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || got.State != basket.Open || !has(brief(got.Blockers), codeField{Code: basket.PriceChanged}) {
		t.Fatalf("Complete = %+v, %v", got, err)
	}
	if b.shop.count() != 0 {
		t.Error("ordered at a price nobody saw")
	}
}

func TestDeclined(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	got, err := b.Complete(t.Context(), alice, visit, made.ID, basket.Payment{Method: "card", Credential: secret.New("decline")})
	declined := codeField{basket.PaymentDeclined, basket.FieldPayment, 0}
	if err != nil || got.State != basket.Open || !has(brief(got.Blockers), declined) {
		t.Fatalf("Complete = %+v, %v", got, err)
	}
	got, err = b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || !has(brief(got.Blockers), declined) {
		t.Errorf("Get afterwards = %+v, %v", got, err)
	}
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Completed {
		t.Errorf("Complete with another card = %+v, %v", done, err)
	}
}

func TestSandboxNeverReachesTheShop(t *testing.T) {
	b := newBench(t)
	o := alice
	o.Sandbox = true
	made, err := b.Create(t.Context(), o, visit, full())
	if err != nil {
		t.Fatal(err)
	}
	done, err := b.Complete(t.Context(), o, visit, made.ID, card)
	if err != nil || done.Order == nil || !done.Order.Test {
		t.Fatalf("Complete = %+v, %v", done, err)
	}
	got, err := b.Order(t.Context(), o, visit, done.Order.ID)
	if err != nil || !got.Test || got.Total != made.Observed.Total || len(got.Lines) != 2 {
		t.Errorf("Order = %+v, %v", got, err)
	}
	if b.shop.places != 0 || b.shop.count() != 0 {
		t.Error("a sandbox order reached the shop")
	}
}

// One order (promise 1): however many call at once.
func TestConcurrentCompletes(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	var wg sync.WaitGroup
	orders := make([]string, 50)
	for i := range orders {
		wg.Go(func() {
			done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
			if err != nil {
				t.Errorf("Complete: %v", err)
				return
			}
			orders[i] = done.Order.ID
		})
	}
	wg.Wait()
	for _, id := range orders {
		if id != orders[0] || id == "" {
			t.Errorf("answered with order %q beside %q", id, orders[0])
		}
	}
	if n := b.shop.count(); n != 1 {
		t.Errorf("%d orders", n)
	}
}

// The shop takes the order, and its answer is lost.
func TestLostAnswer(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.afterPlace = func() error {
		return upstream.Errorf(upstream.CodeUnknownOutcome, "placing", "no answer")
	}
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Completed || b.shop.count() != 1 {
		t.Fatalf("Complete = %+v, %v, %d orders", done, err, b.shop.count())
	}
}

// The shop takes the order, and something on the way turns its answer into a
// refusal that is not the shop's: a filter's 403, a limiter's 429.
func TestRefusedOnTheWayBack(t *testing.T) {
	for _, code := range []upstream.Code{
		upstream.CodeDenied, upstream.CodeBusy, upstream.CodeInvalid, upstream.CodeUnsupported, upstream.CodeNotFound, upstream.CodeUnavailable,
	} {
		b := newBench(t)
		made := b.create(t, full())
		b.shop.afterPlace = func() error { return upstream.Errorf(code, "placing", "the shop answered 403") }
		done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
		if err != nil || done.State != basket.Completed {
			t.Errorf("%s: Complete = %+v, %v", code, done, err)
		}
		if _, err := b.Complete(t.Context(), alice, visit, made.ID, card); err != nil || b.shop.count() != 1 {
			t.Errorf("%s: Complete again = %v, %d orders", code, err, b.shop.count())
		}
	}
}

// A shop that is too busy to take the order says so, and nothing was ordered.
func TestBusyShop(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.beforePlace = func() error { return upstream.Errorf(upstream.CodeBusy, "placing", "later") }
	_, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if upstream.CodeOf(err) != upstream.CodeBusy || b.shop.count() != 0 {
		t.Errorf("Complete = %v, %d orders", err, b.shop.count())
	}
}

// The request never arrived, and the shop says so.
func TestLostRequest(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	b.shop.beforePlace = func() error { return upstream.Errorf(upstream.CodeUnavailable, "placing", "connection reset") }
	got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || got.State != basket.Open || len(got.Blockers) != 1 {
		t.Fatalf("Complete = %+v, %v", got, err)
	}
	b.shop.beforePlace = nil
	done, err := b.Complete(t.Context(), alice, visit, made.ID, card)
	if err != nil || done.State != basket.Completed || b.shop.count() != 1 {
		t.Errorf("Complete again = %+v, %v, %d orders", done, err, b.shop.count())
	}
}

// Nobody knows what became of the order: nothing is placed until somebody does.
func TestUnknownOutcome(t *testing.T) {
	b := newBench(t)
	made := b.create(t, full())
	unknown := upstream.Errorf(upstream.CodeUnknownOutcome, "placing", "no answer")
	b.shop.afterPlace = func() error { return unknown }
	b.shop.recoverErr = upstream.Errorf(upstream.CodeUnavailable, "recovering", "away")
	for range 3 {
		got, err := b.Complete(t.Context(), alice, visit, made.ID, card)
		if err != nil || got.State != basket.Completing || got.Order != nil || !has(brief(got.Warnings), codeField{Code: basket.StillCompleting}) && b.shop.places > 1 {
			t.Fatalf("Complete = %+v, %v", got, err)
		}
	}
	got, err := b.Replace(t.Context(), alice, visit, made.ID, full())
	if err != nil || got.State != basket.Completing || !has(brief(got.Warnings), codeField{Code: basket.StillCompleting}) {
		t.Errorf("Replace meanwhile = %+v, %v", got, err)
	}
	if got, err := b.Cancel(t.Context(), alice, visit, made.ID); err != nil || got.State != basket.Completing {
		t.Errorf("Cancel meanwhile = %+v, %v", got, err)
	}
	if b.shop.places != 1 {
		t.Fatalf("placed %d times", b.shop.places)
	}
	b.shop.recoverErr = nil
	got, err = b.Get(t.Context(), alice, visit, made.ID)
	if err != nil || got.State != basket.Completed || b.shop.count() != 1 {
		t.Errorf("Get when the shop is back = %+v, %v", got, err)
	}
}

// A person ordered the basket on the shop's own page: whoever asks next gets that
// order, and no second one.
func TestOrderedElsewhere(t *testing.T) {
	for name, call := range map[string]func(*bench, string) (*basket.Basket, error){
		"Get": func(b *bench, id string) (*basket.Basket, error) { return b.Get(t.Context(), alice, visit, id) },
		"Complete": func(b *bench, id string) (*basket.Basket, error) {
			return b.Complete(t.Context(), alice, visit, id, card)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			made := b.create(t, full())
			b.shop.orderElsewhere()
			got, err := call(b, made.ID)
			if err != nil || got.State != basket.Completed || got.Order == nil || b.shop.count() != 1 || b.shop.places != 0 {
				t.Fatalf("%s = %+v, %v", name, got, err)
			}
			if o, err := b.Order(t.Context(), alice, visit, got.Order.ID); err != nil || o.BasketID != made.ID {
				t.Errorf("Order = %+v, %v", o, err)
			}
		})
	}
}

// mortal is a store that dies at one of its writes, as its process would.
type mortal struct {
	state.Store
	mu sync.Mutex
	// left counts the writes before death; after says whether the last one is
	// still carried out.
	left  int
	after bool
}

var errKilled = errors.New("killed")

// The crash points of completing: before and after every write of the store, and
// around the order at the shop. After each, a new process with the same store
// and the same shop must end with exactly one order.
func TestCrashPoints(t *testing.T) {
	for _, crash := range []struct {
		name string
		arm  func(b *bench, m *mortal)
	}{
		{"before the attempt is recorded", func(_ *bench, m *mortal) { m.arm(0, false) }},
		{"after the attempt is recorded", func(_ *bench, m *mortal) { m.arm(0, true) }},
		{"before the shop hears of it", func(b *bench, m *mortal) {
			b.shop.beforePlace = func() error { m.arm(-1, false); return errKilled }
			b.shop.recoverErr = errKilled
		}},
		{"after the shop took it", func(b *bench, m *mortal) {
			b.shop.afterPlace = func() error { m.arm(-1, false); return errKilled }
			b.shop.recoverErr = errKilled
		}},
		{"before the way to the order is recorded", func(_ *bench, m *mortal) { m.arm(1, false) }},
		{"after the way to the order is recorded", func(_ *bench, m *mortal) { m.arm(1, true) }},
		{"before the order is recorded", func(_ *bench, m *mortal) { m.arm(2, false) }},
		{"after the order is recorded", func(_ *bench, m *mortal) { m.arm(2, true) }},
	} {
		t.Run(crash.name, func(t *testing.T) {
			file := t.TempDir() + "/state.db"
			c := &clock{now: newBench(t).clock.Now()}
			store, err := bolt.Open(file, c.Now)
			if err != nil {
				t.Fatal(err)
			}
			s := newShop()
			made := on(store, s, c).create(t, full())

			m := &mortal{Store: store, left: 1 << 30}
			dying := on(m, s, c)
			crash.arm(dying, m)
			dead, err := dying.Complete(t.Context(), alice, visit, made.ID, card)
			if err == nil && dead.State == basket.Completed && s.count() != 1 {
				t.Fatal("completed without an order")
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}

			s.beforePlace, s.afterPlace, s.recoverErr = nil, nil, nil
			store, err = bolt.Open(file, c.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = store.Close() }()
			reborn := on(store, s, c)
			done, err := reborn.Complete(t.Context(), alice, visit, made.ID, card)
			if err != nil || done.State != basket.Completed {
				t.Fatalf("Complete after the restart = %+v, %v", done, err)
			}
			if n := s.count(); n != 1 {
				t.Errorf("%d orders", n)
			}
			if got, err := reborn.Order(t.Context(), alice, visit, done.Order.ID); err != nil || got.BasketID != made.ID {
				t.Errorf("Order = %+v, %v", got, err)
			}
		})
	}
}
