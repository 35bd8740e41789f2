package vendure_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// What all flows buy with. Stock is as seeded, but of what the flows order.
var (
	agent   = upstream.Visit{Agent: "Marvin"}
	gil     = upstream.Buyer{Email: "guest@example.com", FirstName: "Gil", LastName: "Hartley", Phone: "+441539000002"}
	home    = upstream.Address{FirstName: "Gil", LastName: "Hartley", Street: "4 Lake Road", City: "Ambleside", Region: "Cumbria", PostalCode: "LA22 0AD", Country: "GB", Phone: "+441539000002"}
	express = "2"
)

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// item returns the id of the variant with an SKU.
func (s *stage) item(sku string) string {
	s.Helper()
	matches, err := s.shop.Lookup(s.Context(), agent, []string{sku})
	if err != nil || len(matches) != 1 || matches[0].Inputs[0].Variant == "" {
		s.Fatalf("looking up %s: %v, %v", sku, matches, err)
	}
	return matches[0].Inputs[0].Variant
}

func (s *stage) apply(h upstream.Handle, d upstream.Desired) upstream.Applied {
	s.Helper()
	applied, err := s.shop.Apply(s.Context(), agent, h, d)
	if err != nil {
		s.Fatalf("applying: %v", err)
	}
	shoptest.CheckObserved(s, applied.Observed)
	return applied
}

// family is a basket of £274.55: a jacket, socks, and a coat that bears no tax.
func (s *stage) family() upstream.Desired {
	s.Helper()
	s.behind(func(b backOffice) {
		for _, sku := range []string{"RDG-SLATE-M", "SOK-M", "PDL-RED-34"} {
			b.setStock(s, sku, 20)
		}
	})
	return upstream.Desired{
		Lines: []upstream.DesiredLine{
			{Key: "jacket", Item: s.item("RDG-SLATE-M"), Quantity: 1},
			{Key: "socks", Item: s.item("SOK-M"), Quantity: 3},
			{Key: "coat", Item: s.item("PDL-RED-34"), Quantity: 1},
		},
		Codes: []string{"welcome10"}, Buyer: gil, Address: &home, Delivery: express,
	}
}

func placement(total money.Amount) upstream.Placement {
	return upstream.Placement{
		Attempt: "attempt-1", Started: time.Now().UTC(), Method: "test-card",
		Credential: secret.New(`{"reference":"agent-order-1"}`), Expected: total,
	}
}

// codesOf returns the codes of notices, with what each is about.
func codesOf(notices []upstream.Notice) []string {
	var codes []string
	for _, n := range notices {
		codes = append(codes, strings.TrimSpace(string(n.Code)+" "+n.Line+n.Discount))
	}
	slices.Sort(codes)
	return codes
}

func TestPurchase(t *testing.T) {
	flow(t, func(s *stage) {
		wanted := s.family()
		var first, applied upstream.Applied
		s.requests(3, func() { first = s.apply(upstream.Handle{}, upstream.Desired{Lines: wanted.Lines}) })
		if got := first.Observed; got.Total != gbp(29400) || !got.Estimated || len(got.Delivery) != 2 {
			s.Errorf("the bare basket is %+v", got)
		}
		s.requests(3, func() { applied = s.apply(first.Handle, wanted) })
		want := upstream.Observed{
			Currency: "GBP", Tax: upstream.TaxIncluded,
			Totals: []upstream.Total{
				{Kind: upstream.TotalSubtotal, Amount: gbp(29400)},
				{Kind: upstream.TotalItemsDiscount, Amount: gbp(-2940)},
				{Kind: upstream.TotalFulfillment, Amount: gbp(995)},
			},
			Total: gbp(27455), TaxTotal: pointer(gbp(3991)),
			Discounts: []upstream.Discount{{
				Code: "WELCOME10", Title: "10% off your order", Amount: gbp(2940),
				Lines: map[string]money.Amount{"jacket": gbp(1890), "socks": gbp(660), "coat": gbp(390)},
			}},
			Delivery: []upstream.DeliveryOption{
				{ID: "1", Title: "Standard delivery", Description: "3 to 5 working days", Price: gbp(495)},
				{ID: "2", Title: "Next-day delivery", Description: "Next working day, order by 2 pm", Price: gbp(995)},
			},
			Chosen: express,
		}
		if diff := cmp.Diff(want, applied.Observed, cmpopts.IgnoreFields(upstream.Observed{}, "Lines")); diff != "" {
			s.Errorf("the whole basket (-want +got):\n%s", diff)
		}
		if len(applied.Notices) > 0 {
			s.Errorf("notices: %+v", applied.Notices)
		}
		s.requests(1, func() {
			if again := s.apply(applied.Handle, wanted); !cmp.Equal(applied.Observed, again.Observed) {
				s.Errorf("the same again:\n%s", cmp.Diff(applied.Observed, again.Observed))
			}
		})
		s.requests(1, func() {
			read, err := s.shop.Read(s.Context(), agent, applied.Handle)
			if err != nil || !cmp.Equal(applied.Observed, read) {
				s.Errorf("read: %v\n%s", err, cmp.Diff(applied.Observed, read))
			}
		})
		s.purchase(applied)
	})
}

// purchase places the family's basket, more often than anybody should.
func (s *stage) purchase(applied upstream.Applied) {
	p := placement(gbp(27455))
	var placed upstream.Placed
	s.requests(2, func() {
		var err error
		if placed, err = s.shop.Place(s.Context(), agent, applied.Handle, p); err != nil {
			s.Fatalf("placing: %v", err)
		}
	})
	if placed.Ref.ID == "" || placed.Total != gbp(27455) {
		s.Errorf("placed %+v", placed)
	}
	if got, err := s.shop.Place(s.Context(), agent, applied.Handle, p); err != nil || !samePlaced(got, placed) {
		s.Errorf("placed again: %+v, %v, want %+v", got, err, placed)
	}
	s.requests(1, func() {
		if got, err := s.shop.Recover(s.Context(), agent, applied.Handle, p); err != nil || !samePlaced(got, placed) {
			s.Errorf("recovered: %+v, %v, want %+v", got, err, placed)
		}
	})
	if got, err := s.shop.Read(s.Context(), agent, applied.Handle); err != nil || got.Ordered == nil || !samePlaced(*got.Ordered, placed) {
		s.Errorf("reading an ordered basket: %+v, %v", got.Ordered, err)
	}
	var order upstream.Order
	s.requests(1, func() {
		var err error
		if order, err = s.shop.Order(s.Context(), agent, placed.Ref); err != nil {
			s.Fatalf("reading the order: %v", err)
		}
	})
	s.checkOrder(order)
	s.behind(func(b backOffice) { b.checkMarks(s, placed.Ref.ID) })
}

func samePlaced(a, b upstream.Placed) bool {
	return a.Ref.ID == b.Ref.ID && a.Ref.Key.Equal(b.Ref.Key) && a.Total == b.Total
}

// checkOrder checks the family's order right after it was placed.
func (s *stage) checkOrder(order upstream.Order) {
	s.Helper()
	type line struct {
		title           string
		ordered, active int64
		total           money.Amount
	}
	var lines []line
	for _, l := range order.Lines {
		lines = append(lines, line{l.Title, l.Ordered, l.Active, l.Total})
	}
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.title, b.title) })
	want := []line{
		{"Kids' Puddle Rain Jacket Red 3-4", 1, 1, gbp(3510)},
		{"Merino Hiking Socks (2 Pack) M", 3, 3, gbp(5940)},
		{"Women's Ridge 3L Waterproof Jacket Slate M", 1, 1, gbp(17010)},
	}
	if diff := cmp.Diff(want, lines, cmp.AllowUnexported(line{})); diff != "" {
		s.Errorf("lines of the order (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&home, order.Address); diff != "" {
		s.Errorf("address of the order (-want +got):\n%s", diff)
	}
	if order.Total != gbp(27455) || order.Delivery != "Next-day delivery" || order.Status != "PaymentSettled" || order.PlacedAt.IsZero() {
		s.Errorf("the order is %+v", order)
	}
}

func pointer[T any](value T) *T { return &value }
