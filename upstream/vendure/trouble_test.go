package vendure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// refuses fails unless err has the code.
func (s *stage) refuses(err error, code upstream.Code, doing string) {
	s.Helper()
	if upstream.CodeOf(err) != code {
		s.Errorf("%s: got %v, want %s", doing, err, code)
	}
}

func TestWhatTheShopDoesNotTake(t *testing.T) {
	flow(t, func(s *stage) {
		s.behind(func(b backOffice) { b.setStock(s, "TRG-125CM", 5) })
		matches, err := s.shop.Lookup(s.Context(), agent, []string{"sunpath-cap"})
		if err != nil {
			s.Fatal(err)
		}
		applied := s.apply(upstream.Handle{}, upstream.Desired{
			Lines: []upstream.DesiredLine{
				{Key: "few", Item: s.item("TRG-125CM"), Quantity: 7},
				{Key: "sold", Item: s.item("RDG-SLATE-L"), Quantity: 1},
				{Key: "open", Item: matches[0].Product.ID, Quantity: 1},
				{Key: "gone", Item: "v.13.99999", Quantity: 1},
				{Key: "many", Item: s.item("NCK"), Quantity: 50_000},
			},
			Codes:    []string{"NOPE", "summer24", "TRAIL20"},
			Buyer:    upstream.Buyer{Email: "ada@example.com", FirstName: "Not", LastName: "Ada"},
			Address:  &upstream.Address{Country: "FR", Street: "1 Rue du Lac"},
			Delivery: "99",
		})
		want := []string{
			"buyer_refused",
			"discount_expired summer24",
			"discount_unknown NOPE",
			"no_delivery",
			"not_found gone",
			"option_needed open",
			"out_of_stock sold",
			"quantity_lowered few",
			"quantity_lowered many",
		}
		if diff := cmp.Diff(want, codesOf(applied.Notices)); diff != "" {
			s.Errorf("notices (-want +got):\n%s", diff)
		}
		for _, n := range applied.Notices {
			if n.Line == "few" && (n.Available == nil || *n.Available != 5) {
				s.Errorf("the notice of few says that there are %v", n.Available)
			}
		}
		for _, missing := range []upstream.Missing{upstream.MissingEmail, upstream.MissingAddress, upstream.MissingDelivery} {
			if !cmp.Equal(1, strings.Count(join(applied.Observed.Missing), string(missing))) {
				s.Errorf("%s is not missing: %v", missing, applied.Observed.Missing)
			}
		}
		_, err = s.shop.Place(s.Context(), agent, applied.Handle, placement(applied.Observed.Total))
		s.refuses(err, upstream.CodeIncomplete, "placing it all the same")
	})
}

func join(list []upstream.Missing) string {
	var words []string
	for _, m := range list {
		words = append(words, string(m))
	}
	return strings.Join(words, " ")
}

func TestPlacingThatFails(t *testing.T) {
	flow(t, func(s *stage) {
		wanted := s.family()
		applied := s.apply(upstream.Handle{}, wanted)
		p := placement(gbp(27455))
		p.Credential = secret.New(`{"shouldDecline":true}`)
		_, err := s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodePaymentDeclined, "a declined payment")
		p.Credential = secret.New(`{"shouldError":true}`)
		_, err = s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodePaymentDeclined, "a payment that failed")
		p.Credential = secret.String{}
		p.Expected.Minor--
		_, err = s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodePriceChanged, "another total")
		p.Method = "cash"
		_, err = s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodeInvalid, "another method")

		s.behind(func(b backOffice) { b.setStock(s, "SOK-M", 1) })
		p = placement(gbp(27455))
		_, err = s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodeOutOfStock, "something sold meanwhile")
		after := s.apply(applied.Handle, wanted)
		if diff := cmp.Diff([]string{"quantity_lowered socks"}, codesOf(after.Notices)); diff != "" {
			s.Errorf("notices afterwards (-want +got):\n%s", diff)
		}
		placed, err := s.shop.Place(s.Context(), agent, after.Handle, placement(after.Observed.Total))
		if err != nil || placed.Total != after.Observed.Total {
			s.Errorf("in the end: %+v, %v", placed, err)
		}
	})
}

// TestLockedBasket: an attempt that died between locking and paying leaves a
// basket that can be changed and placed.
func TestLockedBasket(t *testing.T) {
	flow(t, func(s *stage) {
		applied := s.apply(upstream.Handle{}, s.family())
		lock := func() { s.lock(applied.Handle) }
		lock()
		_, err := s.shop.Recover(s.Context(), agent, applied.Handle, placement(gbp(27455)))
		s.refuses(err, upstream.CodeNotPlaced, "recovering what was not attempted")
		wanted := s.family()
		wanted.Delivery = "1"
		if changed := s.apply(applied.Handle, wanted); changed.Observed.Total != gbp(26955) {
			s.Errorf("the changed basket costs %v", changed.Observed.Total)
		}
		lock()
		if _, err := s.shop.Place(s.Context(), agent, applied.Handle, placement(gbp(26955))); err != nil {
			s.Errorf("placing it: %v", err)
		}
	})
}

// TestRecoverWaits: while a payment may be under way nobody knows; later the
// order is unlocked first.
func TestRecoverWaits(t *testing.T) {
	flow(t, func(s *stage) {
		wanted := s.family()
		applied := s.apply(upstream.Handle{}, wanted)
		p := placement(gbp(27455))
		p.Credential = secret.New(`{"shouldDecline":true}`)
		_, err := s.shop.Place(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodePaymentDeclined, "a declined payment") // The order bears the attempt now.
		s.lock(applied.Handle)
		_, err = s.shop.Recover(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodeUnknownOutcome, "at once")
		p.Started = p.Started.Add(-time.Hour)
		_, err = s.shop.Recover(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodeNotPlaced, "an hour later")
		s.requests(1, func() { s.apply(applied.Handle, wanted) })
	})
}

// TestOrderMovesOn reads an order that was partly sent, cancelled and refunded.
func TestOrderMovesOn(t *testing.T) {
	flow(t, func(s *stage) {
		applied := s.apply(upstream.Handle{}, s.family())
		placed, err := s.shop.Place(s.Context(), agent, applied.Handle, placement(gbp(27455)))
		if err != nil {
			s.Fatal(err)
		}
		s.behind(func(b backOffice) { b.moveOn(s, placed.Ref.ID) })
		order, err := s.shop.Order(s.Context(), agent, placed.Ref)
		if err != nil {
			s.Fatal(err)
		}
		if order.Status != "PartiallyShipped" || order.Canceled {
			s.Errorf("the order is %s, canceled: %t", order.Status, order.Canceled)
		}
		jacket := lineWith(order, "Women's Ridge 3L Waterproof Jacket Slate M")
		socks := lineWith(order, "Merino Hiking Socks (2 Pack) M")
		if jacket.Fulfilled != 1 || socks.Ordered != 3 || socks.Active != 2 || socks.Fulfilled != 0 {
			s.Errorf("lines: %+v, %+v", jacket, socks)
		}
		var events []string
		for _, e := range order.Events {
			events = append(events, e.Type+" "+e.Carrier+" "+e.Tracking)
			if len(e.Lines) != 1 || e.Lines[0].Line != jacket.ID || e.Lines[0].Quantity != 1 || e.At.IsZero() {
				s.Errorf("event %+v is not about the jacket", e)
			}
		}
		if diff := cmp.Diff([]string{"processing Royal Post RP123456789GB", "shipped Royal Post RP123456789GB"}, events); diff != "" {
			s.Errorf("events (-want +got):\n%s", diff)
		}
		var adjustments []string
		for _, a := range order.Adjustments {
			adjustments = append(adjustments, a.Type+" "+a.Status+" "+a.Amount.Display()+" "+a.Text)
			if len(a.Lines) != 1 || a.Lines[0].Line != socks.ID || a.Lines[0].Quantity != 1 {
				s.Errorf("adjustment %+v is not about the socks", a)
			}
		}
		if diff := cmp.Diff([]string{"cancellation completed £0.00 too small", "refund completed -£19.80 too small"}, adjustments); diff != "" {
			s.Errorf("adjustments (-want +got):\n%s", diff)
		}
	})
}

func lineWith(order upstream.Order, title string) upstream.OrderLine {
	for _, line := range order.Lines {
		if line.Title == title {
			return line
		}
	}
	return upstream.OrderLine{}
}

// TestAdministration reads an order and its outcome with the administration's
// key. On tape the key is another one.
func TestAdministration(t *testing.T) {
	key := "recorded"
	if !t.Run("key", func(t *testing.T) { key = login(t, shopURL(t)).newKey(t) }) {
		t.Fatal("no key")
	}
	flow(t, func(s *stage) {
		applied := s.apply(upstream.Handle{}, s.family())
		p := placement(gbp(27455))
		_, err := s.shop.Recover(s.Context(), agent, applied.Handle, p)
		s.refuses(err, upstream.CodeNotPlaced, "recovering an open basket")
		placed, err := s.shop.Place(s.Context(), agent, applied.Handle, p)
		if err != nil {
			s.Fatal(err)
		}
		order, err := s.shop.Order(s.Context(), agent, placed.Ref)
		if err != nil {
			s.Fatal(err)
		}
		s.checkOrder(order)
		if got, err := s.shop.Recover(s.Context(), agent, applied.Handle, p); err != nil || !samePlaced(got, placed) {
			s.Errorf("recovered: %+v, %v, want %+v", got, err, placed)
		}
		_, err = s.shop.Order(s.Context(), agent, upstream.OrderRef{ID: "NOPE"})
		s.refuses(err, upstream.CodeNotFound, "another order")
	}, func(c *vendure.Config) { c.AdminKey = secret.New(key) })
}
