package ledger

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// clock is a time that tests move on.
type clock struct{ at atomic.Pointer[time.Time] }

func newClock() *clock {
	c := &clock{}
	start := time.Date(2026, time.October, 7, 12, 0, 0, 0, time.UTC)
	c.at.Store(&start)
	return c
}

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) advance(d time.Duration) {
	later := c.now().Add(d)
	c.at.Store(&later)
}

const life = time.Hour

func open(t *testing.T, dir string, c *clock) *Ledger {
	t.Helper()
	l, err := Open(dir, life, c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// both runs a test on a ledger in memory and on one in a file.
func both(t *testing.T, test func(t *testing.T, l *Ledger, c *clock)) {
	for name, dir := range map[string]string{"memory": "", "file": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			test(t, open(t, dir, c), c)
		})
	}
}

func create(t *testing.T, l *Ledger, token string) {
	t.Helper()
	if err := l.Create(Basket{Token: token, Lines: []Line{{"a", "v1", 2}}}); err != nil {
		t.Fatal(err)
	}
}

var stock int64 = 3

func place(l *Ledger, token string) (*Order, error) {
	return l.Place(token, func(b *Basket) (*Order, map[string]Level, error) {
		return &Order{Key: "key", Lines: []OrderLine{{ID: "1", Variant: b.Lines[0].Variant}}},
			map[string]Level{b.Lines[0].Variant: {Stock: &stock}}, nil
	})
}

func TestBasket(t *testing.T) {
	both(t, func(t *testing.T, l *Ledger, c *clock) {
		create(t, l, "one")
		create(t, l, "two")
		if err := l.Change("one", func(b *Basket) error { b.Delivery = "standard"; return nil }); err != nil {
			t.Fatal(err)
		}
		refused := errors.New("refused")
		if err := l.Change("one", func(b *Basket) error { b.Delivery = "none"; return refused }); !errors.Is(err, refused) {
			t.Errorf("got %v, want the error of the change", err)
		}
		want := &Basket{Token: "one", Lines: []Line{{"a", "v1", 2}}, Delivery: "standard", Created: c.now()}
		if got, err := l.Basket("one"); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%v, (-want +got):\n%s", err, cmp.Diff(want, got))
		}
		if got, _ := l.Basket("two"); got == nil || got.Delivery != "" {
			t.Errorf("a change of one basket reached another: %+v", got)
		}
		if err := l.Drop("one"); err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{"one", "three", ""} {
			if _, err := l.Basket(token); !errors.Is(err, ErrNotFound) {
				t.Errorf("%q: got %v, want ErrNotFound", token, err)
			}
			if err := l.Change(token, func(*Basket) error { return nil }); !errors.Is(err, ErrNotFound) {
				t.Errorf("changing %q: got %v, want ErrNotFound", token, err)
			}
		}
	})
}

func TestBasketsAreForgotten(t *testing.T) {
	both(t, func(t *testing.T, l *Ledger, c *clock) {
		for i := range 2 * forgetAtOnce {
			create(t, l, fmt.Sprint("old", i))
		}
		c.advance(life)
		if _, err := l.Basket("old0"); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v for a basket whose time is up", err)
		}
		for i := range 2 {
			create(t, l, fmt.Sprint("new", i))
		}
		left := 0
		_ = l.store.view(func(t tx) error {
			return t.each(tableBaskets, func(string, []byte) error { left++; return nil })
		})
		if left != 2 || len(l.living) != 2 {
			t.Errorf("%d baskets are kept and %d remembered, want 2", left, len(l.living))
		}
	})
}

func TestWithdraw(t *testing.T) {
	b := &Basket{}
	for i := range maxWithdrawn {
		if err := b.Withdraw(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Withdraw("0"); err != nil || !b.IsWithdrawn("0") || b.IsWithdrawn("x") {
		t.Errorf("withdrawing again: %v", err)
	}
	if err := b.Withdraw("x"); !errors.Is(err, ErrTooMany) {
		t.Errorf("got %v, want ErrTooMany", err)
	}
}

// TestOneOrder is the first promise of the design: many calls, one order.
func TestOneOrder(t *testing.T) {
	both(t, func(t *testing.T, l *Ledger, _ *clock) {
		create(t, l, "one")
		var placed, ordered atomic.Int64
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				_, err := place(l, "one")
				var already *OrderedError
				switch {
				case err == nil:
					placed.Add(1)
				case errors.As(err, &already) && already.Number == "KC10001":
					ordered.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wait.Wait()
		count, err := l.Count()
		if err != nil || placed.Load() != 1 || ordered.Load() != 49 || count != 1 {
			t.Errorf("%d were placed, %d were told of the order, there are %d orders, %v", placed.Load(), ordered.Load(), count, err)
		}
		var already *OrderedError
		if _, err := l.Basket("one"); !errors.As(err, &already) {
			t.Errorf("the ordered basket is read as %v", err)
		}
	})
}

func TestFailedPlaceChangesNothing(t *testing.T) {
	both(t, func(t *testing.T, l *Ledger, _ *clock) {
		create(t, l, "one")
		declined := errors.New("declined")
		_, err := l.Place("one", func(*Basket) (*Order, map[string]Level, error) { return nil, nil, declined })
		if !errors.Is(err, declined) {
			t.Fatal(err)
		}
		if count, _ := l.Count(); count != 0 {
			t.Errorf("there are %d orders", count)
		}
		if _, err := l.Basket("one"); err != nil {
			t.Errorf("the basket is gone: %v", err)
		}
	})
}

// TestSurvives opens the file a second time. What a killed process leaves is tested
// with a real one, in package shop.
func TestSurvives(t *testing.T) {
	dir, c := t.TempDir(), newClock()
	l, err := Open(dir, life, c.now)
	if err != nil {
		t.Fatal(err)
	}
	create(t, l, "one")
	create(t, l, "two")
	if _, err := place(l, "one"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, life, c.now); err == nil {
		t.Error("two processes opened the same ledger")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, c)
	if order, err := l.Order("KC10001"); err != nil || order.Key != "key" {
		t.Errorf("the order is %+v, %v", order, err)
	}
	if _, err := l.Basket("two"); err != nil {
		t.Errorf("the open basket: %v", err)
	}
	var already *OrderedError
	if _, err := place(l, "one"); !errors.As(err, &already) {
		t.Errorf("the basket is ordered twice: %v", err)
	}
	levels, err := l.Levels()
	if diff := cmp.Diff(map[string]Level{"v1": {Stock: &stock}}, levels); diff != "" || err != nil {
		t.Errorf("%v, levels (-want +got):\n%s", err, diff)
	}
	if len(l.living) != 2 {
		t.Errorf("%d baskets will be forgotten one day, want 2", len(l.living))
	}
}

func TestOrders(t *testing.T) {
	both(t, func(t *testing.T, l *Ledger, _ *clock) {
		for i := range 3 {
			create(t, l, fmt.Sprint(i))
			if _, err := place(l, fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.ChangeOrder("KC10002", func(o *Order) error { o.Agent = "changed"; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := l.ChangeOrder("KC1", func(*Order) error { return nil }); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
		if _, err := l.Order("KC1"); !errors.Is(err, ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound", err)
		}
		newest, err := l.Newest(2, func(*Order) bool { return true })
		if err != nil || len(newest) != 2 || newest[0].Number != "KC10003" || newest[1].Agent != "changed" {
			t.Errorf("the newest are %+v, %v", newest, err)
		}
		mine, err := l.Newest(5, func(o *Order) bool { return o.Agent == "changed" })
		if err != nil || len(mine) != 1 {
			t.Errorf("found %+v, %v", mine, err)
		}
	})
}

func TestProgress(t *testing.T) {
	at := time.Date(2026, time.October, 7, 12, 0, 0, 0, time.UTC)
	order := func() *Order {
		return &Order{
			Number: "KC1", PlacedAt: at, ShipsAt: at.Add(2 * time.Minute), ArrivesAt: at.Add(5 * time.Minute),
			Lines: []OrderLine{{ID: "1", Quantity: 3, Returned: 1}, {ID: "2", Quantity: 1, Digital: true}},
		}
	}
	tests := []struct {
		name   string
		after  time.Duration
		change func(*Order)
		status Status
		events []Status
		sent   int64
	}{
		{"placed", 0, nil, StatusProcessing, []Status{StatusProcessing}, 0},
		{"before it leaves", 2*time.Minute - 1, nil, StatusProcessing, []Status{StatusProcessing}, 0},
		{"sent", 2 * time.Minute, nil, StatusShipped, []Status{StatusProcessing, StatusShipped, StatusDelivered}, 2},
		{"arrived", 5 * time.Minute, nil, StatusDelivered, []Status{StatusProcessing, StatusShipped, StatusDelivered, StatusDelivered}, 2},
		{"canceled", time.Hour, func(o *Order) { o.CanceledAt = at.Add(time.Minute) }, StatusCanceled, []Status{StatusProcessing, StatusCanceled}, 0},
		{"no parcel", time.Hour, func(o *Order) { o.Lines = o.Lines[1:] }, StatusDelivered, []Status{StatusProcessing, StatusDelivered}, 1},
	}
	for _, test := range tests {
		o := order()
		if test.change != nil {
			test.change(o)
		}
		now := at.Add(test.after)
		var events []Status
		ids := map[string]bool{}
		for _, event := range o.Events(now) {
			events = append(events, event.Type)
			ids[event.ID] = true
		}
		if o.Status(now) != test.status || o.Fulfilled(&o.Lines[0], now) != test.sent {
			t.Errorf("%s: %s, %d sent, want %s, %d", test.name, o.Status(now), o.Fulfilled(&o.Lines[0], now), test.status, test.sent)
		}
		if diff := cmp.Diff(test.events, events); diff != "" || len(ids) != len(events) {
			t.Errorf("%s: events (-want +got):\n%s, ids %v", test.name, diff, ids)
		}
	}
}
