package medusa_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

var (
	agent = upstream.Visit{Agent: "flows"}
	gil   = upstream.Buyer{Email: "guest@example.com", FirstName: "Gil", LastName: "Hartley", Phone: "+441539000002"}
	home  = upstream.Address{Street: "4 Lake Road", City: "Ambleside", Region: "Cumbria", PostalCode: "LA22 0AD", Country: "GB"}
)

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

func placement(total money.Amount) upstream.Placement {
	return upstream.Placement{
		Attempt: "attempt-1", Started: time.Now(), Method: method, Credential: secret.New(`{"outcome":"paid"}`), Expected: total,
	}
}

// wares returns a line for each SKU, with its SKU as key.
func (s *stage) wares(quantity int64, skus ...string) []upstream.DesiredLine {
	s.Helper()
	matches, err := s.shop.Lookup(s.Context(), agent, skus)
	if err != nil {
		s.Fatal(err)
	}
	var lines []upstream.DesiredLine
	for _, match := range matches {
		for _, input := range match.Inputs {
			lines = append(lines, upstream.DesiredLine{Key: input.Ref, Item: input.Variant, Quantity: quantity})
		}
	}
	if len(lines) != len(skus) {
		s.Fatalf("of %v these were found: %v", skus, lines)
	}
	return lines
}

func (s *stage) apply(h upstream.Handle, d upstream.Desired) upstream.Applied {
	s.Helper()
	applied, err := s.shop.Apply(s.Context(), agent, h, d)
	if err != nil {
		s.Fatal(err)
	}
	shoptest.CheckObserved(s.T, applied.Observed)
	return applied
}

// choose returns the id of the way of delivery with that title.
func (s *stage) choose(o upstream.Observed, title string) string {
	s.Helper()
	for _, d := range o.Delivery {
		if d.Title == title {
			return d.ID
		}
	}
	s.Fatalf("no way of delivery is called %q: %+v", title, o.Delivery)
	return ""
}

// order places what is desired.
func (s *stage) order(d upstream.Desired) (upstream.Placed, upstream.Observed) {
	s.Helper()
	d.Buyer, d.Address = gil, &home
	applied := s.apply(upstream.Handle{}, d)
	d.Delivery = s.choose(applied.Observed, "Next-day delivery")
	applied = s.apply(applied.Handle, d)
	placed, err := s.shop.Place(s.Context(), agent, applied.Handle, placement(applied.Observed.Total))
	if err != nil {
		s.Fatal(err)
	}
	return placed, applied.Observed
}

func (s *stage) read(ref upstream.OrderRef) upstream.Order {
	s.Helper()
	order, err := s.shop.Order(s.Context(), agent, ref)
	if err != nil {
		s.Fatal(err)
	}
	return order
}

// TestPurchase buys the basket that costs £274.55 in every shop of the project,
// and counts the requests that this takes.
func TestPurchase(t *testing.T) {
	flow(t, func(s *stage) {
		s.requests("describing", 3, func() {
			d, err := s.shop.Describe(s.Context())
			if err != nil || d.Currency != "GBP" || d.Tax != upstream.TaxIncluded || !d.Capabilities.Place {
				s.Fatalf("%+v, %v", d, err)
			}
		})
		var d upstream.Desired
		s.requests("looking up three SKUs", 2, func() { d.Lines = s.wares(1, "RDG-SLATE-M", "SOK-M", "PDL-RED-34") })
		d.Lines[1].Quantity = 3
		var applied upstream.Applied
		s.requests("a new basket", 3, func() { applied = s.apply(upstream.Handle{}, d) })
		if got := applied.Observed; got.Total != gbp(29400) || !got.Estimated {
			s.Errorf("three things cost %v, estimated: %v", got.Total, got.Estimated)
		}
		d.Buyer, d.Address, d.Codes = gil, &home, []string{"WELCOME10"}
		d.Delivery = s.choose(applied.Observed, "Next-day delivery")
		s.requests("all the rest", 5, func() { applied = s.apply(applied.Handle, d) })
		if got := applied.Observed; got.Total != gbp(27455) || got.Estimated || len(got.Missing) > 0 || len(applied.Notices) > 0 {
			s.Errorf("it costs %v, missing %v, notices %v", got.Total, got.Missing, applied.Notices)
		}
		s.requests("the same again", 3, func() { applied = s.apply(applied.Handle, d) })
		s.requests("reading", 2, func() {
			observed, err := s.shop.Read(s.Context(), agent, applied.Handle)
			if diff := cmp.Diff(applied.Observed, observed); err != nil || diff != "" {
				s.Errorf("read: %v (-applied +read):\n%s", err, diff)
			}
		})
		p := placement(applied.Observed.Total)
		var placed upstream.Placed
		s.requests("placing", 4, func() {
			var err error
			if placed, err = s.shop.Place(s.Context(), agent, applied.Handle, p); err != nil || placed.Total != gbp(27455) {
				s.Fatalf("%+v, %v", placed, err)
			}
		})
		s.requests("asking what came of it", 1, func() {
			again, err := s.shop.Recover(s.Context(), agent, applied.Handle, p)
			if err != nil || again.Ref.ID != placed.Ref.ID || again.Total != placed.Total {
				s.Errorf("%+v, %v", again, err)
			}
		})
		s.requests("reading the order", 1, func() {
			order := s.read(placed.Ref)
			if diff := cmp.Diff(applied.Observed.Totals, order.Totals); diff != "" {
				s.Errorf("totals (-basket +order):\n%s", diff)
			}
		})
		// A basket that was ordered says so, and stays as it is.
		d.Lines[0].Quantity = 2
		if after := s.apply(applied.Handle, d).Observed; after.Ordered == nil || after.Ordered.Ref.ID != placed.Ref.ID || after.Total != gbp(27455) {
			s.Errorf("after the order: %+v", after)
		}
		s.behind(func(b backOffice) {
			order := b.call(s, http.MethodGet, "admin/orders/"+placed.Ref.Key.Reveal()+"?fields=metadata", nil).Get("order.metadata")
			if order.Get("storeware_agent").String() != agent.Agent || order.Get("storeware_attempt").String() != p.Attempt {
				s.Errorf("the back office reads %s", order.Raw)
			}
		})
	})
}

// TestAfterwards: what happens to an order is told, and its totals stay what they
// were.
func TestAfterwards(t *testing.T) {
	flow(t, func(s *stage) {
		placed, observed := s.order(upstream.Desired{Lines: s.wares(2, "SOK-M", "CAP-BLACK")})
		s.behind(func(b backOffice) { b.fulfil(s, placed.Ref.Key.Reveal()) })
		order := s.read(placed.Ref)
		var types []string
		for _, event := range order.Events {
			types = append(types, event.Type)
			if len(event.Lines) != 2 || event.Lines[0].Quantity != 2 {
				s.Errorf("event %s is about %v", event.Type, event.Lines)
			}
		}
		if diff := cmp.Diff([]string{"processing", "shipped", "delivered"}, types); diff != "" {
			s.Errorf("events (-want +got):\n%s", diff)
		}
		if sent := order.Events[1]; sent.Tracking != "RP123456789GB" || sent.TrackingURL == "" {
			s.Errorf("the parcel is tracked by %q at %q", sent.Tracking, sent.TrackingURL)
		}
		active := map[string]int64{}
		for _, line := range order.Lines {
			active[line.Title] = line.Active
			if line.Ordered != 2 || line.Fulfilled != line.Active {
				s.Errorf("line %+v", line)
			}
		}
		want := map[string]int64{"Merino Hiking Socks (2 Pack)": 1, "Sunpath Cap": 2}
		if diff := cmp.Diff(want, active); diff != "" || order.Status != "delivered" {
			s.Errorf("status %q, left of each line (-want +got):\n%s", order.Status, diff)
		}
		types = nil
		for _, a := range order.Adjustments {
			types = append(types, a.Type)
			if a.Type == "refund" && a.Amount != gbp(-1000) || a.Type == "return" && len(a.Lines) != 1 {
				s.Errorf("adjustment %+v", a)
			}
		}
		if diff := cmp.Diff([]string{"return", "refund"}, types); diff != "" {
			s.Errorf("adjustments (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(observed.Totals, order.Totals); diff != "" || order.Total != observed.Total {
			s.Errorf("totals (-basket +order, %v):\n%s", order.Total, diff)
		}
	})
}

// TestCanceled: an order that the shop cancels.
func TestCanceled(t *testing.T) {
	flow(t, func(s *stage) {
		placed, observed := s.order(upstream.Desired{Lines: s.wares(1, "NCK")})
		s.behind(func(b backOffice) {
			b.call(s, http.MethodPost, "admin/orders/"+placed.Ref.Key.Reveal()+"/cancel", map[string]any{})
		})
		order := s.read(placed.Ref)
		if !order.Canceled || order.Status != "canceled" || order.Lines[0].Active != 0 || order.Total != observed.Total {
			s.Errorf("%+v", order)
		}
		if len(order.Adjustments) != 1 || order.Adjustments[0].Type != "cancellation" || order.Adjustments[0].At.IsZero() {
			s.Errorf("adjustments %+v", order.Adjustments)
		}
	})
}

// TestMarkets: a basket is in the region where its goods go, at the prices there.
func TestMarkets(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(1, "SOK-M"), Buyer: gil}
		british := s.apply(upstream.Handle{}, d)
		if got := british.Observed.Total; got != gbp(2200) {
			s.Errorf("in Britain it costs %v", got)
		}
		dublin := upstream.Address{Street: "1 Quay", City: "Dublin", PostalCode: "D01 AAA1", Country: "IE"}
		d.Address = &dublin
		irish := s.apply(british.Handle, d)
		if got := irish.Observed.Total; got != (money.Amount{Minor: 2640, Currency: "EUR"}) || len(irish.Observed.Delivery) == 0 {
			s.Errorf("sent to Ireland it costs %v; delivery %+v", got, irish.Observed.Delivery)
		}
		// The address goes, the basket stays where it is.
		d.Address = nil
		if got := s.apply(irish.Handle, d).Observed.Total; got.Currency != "EUR" {
			s.Errorf("without the address it costs %v", got)
		}
		visit := upstream.Visit{Market: upstream.Market{Country: "IE"}}
		results, err := s.shop.Search(s.Context(), visit, upstream.Query{Words: "merino", Limit: 1})
		if err != nil || results.Products[0].Variants[0].Price.Currency != "EUR" {
			s.Errorf("for Ireland: %+v, %v", results, err)
		}
	})
}

// TestCodes: each code of several is in force or has its notice, in few requests.
func TestCodes(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(1, "RDG-SLATE-M"), Codes: []string{"WELCOME10"}}
		var applied upstream.Applied
		s.requests("a good code", 3, func() { applied = s.apply(upstream.Handle{}, d) })
		d.Codes = []string{"WELCOME10", "NOPE", "SUMMER24", " ", "FREESHIP"}
		s.requests("three bad ones", 7, func() { applied = s.apply(applied.Handle, d) })
		want := []upstream.NoticeCode{upstream.NoticeDiscountUnknown, upstream.NoticeDiscountNotMet, upstream.NoticeDiscountUnknown, upstream.NoticeDiscountNotMet}
		if diff := cmp.Diff(want, codesOf(applied)); diff != "" {
			s.Errorf("notices (-want +got):\n%s", diff)
		}
		s.requests("the same again", 3, func() { applied = s.apply(applied.Handle, d) })
		if diff := cmp.Diff(want, codesOf(applied)); diff != "" {
			s.Errorf("notices of the same again (-want +got):\n%s", diff)
		}
		// With a delivery to be free, the code for that applies; the others are
		// tried once more.
		d.Buyer, d.Address = gil, &home
		d.Delivery = s.choose(applied.Observed, "Standard delivery")
		s.requests("a delivery", 6, func() { applied = s.apply(applied.Handle, d) })
		if diff := cmp.Diff(want[:3], codesOf(applied)); diff != "" {
			s.Errorf("notices with a delivery (-want +got):\n%s", diff)
		}
		if got := applied.Observed.Total; got != gbp(17010) {
			s.Errorf("it costs %v; totals %+v", got, applied.Observed.Totals)
		}
	})
}

// TestCodesReplaced: a code whose conditions are met only without another one
// applies as soon as that one goes.
func TestCodesReplaced(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(7, "SOK-M"), Codes: []string{"WELCOME10"}}
		applied := s.apply(upstream.Handle{}, d)
		d.Codes = []string{"TRAIL20"} // From £150, and with the other one it is £138.60.
		if applied = s.apply(applied.Handle, d); applied.Observed.Total != gbp(7*2200-2000) || len(applied.Notices) > 0 {
			s.Errorf("it costs %v; notices %+v", applied.Observed.Total, applied.Notices)
		}
	})
}

// TestAbroad: where the shop does not deliver to, nothing can be sent, and nothing
// is ordered.
func TestAbroad(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(1, "SOK-M"), Buyer: gil, Address: &home}
		applied := s.apply(upstream.Handle{}, d)
		d.Delivery = applied.Observed.Delivery[0].ID
		applied = s.apply(applied.Handle, d)
		total := applied.Observed.Total
		d.Address = &upstream.Address{Street: "1 Rue du Lac", City: "Annecy", PostalCode: "74000", Country: "FR"}
		applied = s.apply(applied.Handle, d)
		if diff := cmp.Diff([]upstream.NoticeCode{upstream.NoticeNoDelivery}, codesOf(applied)); diff != "" {
			s.Errorf("notices (-want +got):\n%s", diff)
		}
		want := []upstream.Missing{upstream.MissingAddress, upstream.MissingDelivery}
		if diff := cmp.Diff(want, applied.Observed.Missing); diff != "" || len(applied.Observed.Delivery) > 0 {
			s.Errorf("ways %+v, missing (-want +got):\n%s", applied.Observed.Delivery, diff)
		}
		_, err := s.shop.Place(s.Context(), agent, applied.Handle, placement(applied.Observed.Total))
		if upstream.CodeOf(err) != upstream.CodeIncomplete {
			s.Errorf("placing: %v", err)
		}
		d.Address = &home
		if applied = s.apply(applied.Handle, d); applied.Observed.Total != total || len(applied.Observed.Missing) > 0 {
			s.Errorf("back home it costs %v, missing %v", applied.Observed.Total, applied.Observed.Missing)
		}
	})
}

// TestSearch: filters that the shop has and has not, and pages.
func TestSearch(t *testing.T) {
	flow(t, func(s *stage) {
		search := func(q upstream.Query) upstream.Results {
			results, err := s.shop.Search(s.Context(), agent, q)
			if err != nil {
				s.Fatal(err)
			}
			for _, p := range results.Products {
				if !q.Match(&p) {
					s.Errorf("%+v finds %q", q, p.Title)
				}
			}
			return results
		}
		first := search(upstream.Query{Words: "waterproof", Categories: []string{"jackets"}, Limit: 2})
		rest := search(upstream.Query{Words: "waterproof", Categories: []string{"jackets"}, Limit: 50, Cursor: first.Next})
		if len(first.Products) != 2 || first.Total != 2+len(rest.Products) || rest.Next != "" {
			s.Errorf("%d of %d products, then %d and %q", len(first.Products), first.Total, len(rest.Products), rest.Next)
		}
		cheap := int64(2500)
		if found := search(upstream.Query{MaxPrice: &cheap, Available: true, Limit: 100}); len(found.Products) == 0 || found.Total != len(found.Products) {
			s.Errorf("%d of %d products", len(found.Products), found.Total)
		}
		if found := search(upstream.Query{Available: true, Limit: 3}); len(found.Products) != 3 || found.Next == "" || found.Total >= 0 {
			s.Errorf("%d of %d products, then %q", len(found.Products), found.Total, found.Next)
		}
		if found := search(upstream.Query{Categories: []string{"Zeppelins"}}); len(found.Products) > 0 || found.Total != 0 {
			s.Errorf("a category that does not exist holds %d", len(found.Products))
		}
	})
}

func codesOf(applied upstream.Applied) []upstream.NoticeCode {
	var codes []upstream.NoticeCode
	for _, n := range applied.Notices {
		codes = append(codes, n.Code)
	}
	return codes
}

// TestRefusedBuyer: an address of e-mail that the shop does not take spoils
// nothing else.
func TestRefusedBuyer(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(1, "SOK-M"), Buyer: upstream.Buyer{Email: "no address", FirstName: "Gil"}, Address: &home}
		applied := s.apply(upstream.Handle{}, d)
		if diff := cmp.Diff([]upstream.NoticeCode{upstream.NoticeBuyerRefused}, codesOf(applied)); diff != "" {
			s.Errorf("notices (-want +got):\n%s", diff)
		}
		want := []upstream.Missing{upstream.MissingEmail, upstream.MissingLastName, upstream.MissingDelivery}
		if diff := cmp.Diff(want, applied.Observed.Missing); diff != "" || len(applied.Observed.Lines) != 1 {
			s.Errorf("%d lines, missing (-want +got):\n%s", len(applied.Observed.Lines), diff)
		}
		// Nor can one that it took be taken off again; it counts as none.
		d.Buyer = gil
		if applied = s.apply(applied.Handle, d); slices.Contains(applied.Observed.Missing, upstream.MissingEmail) {
			s.Errorf("with a buyer still missing: %v", applied.Observed.Missing)
		}
		d.Buyer = upstream.Buyer{}
		if applied = s.apply(applied.Handle, d); !slices.Contains(applied.Observed.Missing, upstream.MissingEmail) {
			s.Errorf("without the buyer missing: %v", applied.Observed.Missing)
		}
	})
}

// TestScarce: of what there is too little of, the basket holds what there is.
func TestScarce(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(2, "RDG-MOSS-S", "SOK-M", "RDG-SLATE-L")}
		applied := s.apply(upstream.Handle{}, d)
		want := []upstream.NoticeCode{upstream.NoticeQuantityLowered, upstream.NoticeOutOfStock}
		if diff := cmp.Diff(want, codesOf(applied)); diff != "" || *applied.Notices[0].Available != 1 {
			s.Errorf("notices (-want +got):\n%s", diff)
		}
		if got := applied.Observed.Total; got != gbp(16900+2*2200) {
			s.Errorf("it costs %v", got)
		}
	})
}

// TestConfirmation: a payment that wants the buyer ends on the shop's own page.
func TestConfirmation(t *testing.T) {
	flow(t, func(s *stage) {
		d := upstream.Desired{Lines: s.wares(1, "SOK-M"), Buyer: gil, Address: &home}
		applied := s.apply(upstream.Handle{}, d)
		d.Delivery = applied.Observed.Delivery[0].ID
		applied = s.apply(applied.Handle, d)
		p := placement(applied.Observed.Total)
		p.Credential = secret.New(`{"outcome":"more"}`)
		_, err := s.shop.Place(s.Context(), agent, applied.Handle, p)
		var e *upstream.Error
		want := "https://shop.example/checkout?cart=" + cartOf(s, applied.Handle)
		if !errors.As(err, &e) || e.Code != upstream.CodeEscalate || e.URL != want || applied.Observed.HandOff != want {
			s.Errorf("got %v, want to go on at %s; the basket says %s", err, want, applied.Observed.HandOff)
		}
	}, func(c *medusa.Config) { c.CheckoutURL = "https://shop.example/checkout?cart={cart}" })
}

// TestForNothing: an order that costs nothing needs no payment, and is certain at
// once.
func TestForNothing(t *testing.T) {
	flow(t, func(s *stage) {
		s.behind(func(b backOffice) { b.giveAway(s, "ALLFREE") })
		d := upstream.Desired{Lines: s.wares(1, "CAP-BLACK"), Buyer: gil, Address: &home, Codes: []string{"ALLFREE", "FREESHIP"}}
		applied := s.apply(upstream.Handle{}, d)
		d.Delivery = s.choose(applied.Observed, "Standard delivery")
		applied = s.apply(applied.Handle, d)
		p := placement(gbp(0))
		var placed upstream.Placed
		s.requests("placing", 2, func() {
			var err error
			if placed, err = s.shop.Place(s.Context(), agent, applied.Handle, p); err != nil || placed.Total != gbp(0) {
				s.Fatalf("%+v, %v; the basket costs %v", placed, err, applied.Observed.Total)
			}
		})
		if again, err := s.shop.Recover(s.Context(), agent, applied.Handle, p); err != nil || again.Ref.ID != placed.Ref.ID {
			s.Errorf("%+v, %v", again, err)
		}
	})
}

// TestFigures: the shop's figures are the same with the few fields that are asked
// for and with all that it shows by itself.
func TestFigures(t *testing.T) {
	base, key := shopURL(t), shopKey(t)
	s := &stage{T: t, staff: login(t, base), live: true}
	s.shop = newShop(t, base, key, nil)
	s.staff.fill(t)
	d := upstream.Desired{
		Lines: s.wares(3, "RDG-SLATE-M", "SOK-M", "PDL-RED-34"), Codes: []string{"WELCOME10", "TRAIL20", "FREESHIP"}, Buyer: gil, Address: &home,
	}
	applied := s.apply(upstream.Handle{}, d)
	d.Delivery = s.choose(applied.Observed, "Next-day delivery")
	applied = s.apply(applied.Handle, d)
	whole := storeCall(t, base, key, "carts/"+cartOf(t, applied.Handle)).Get("cart")
	figures := func(what string, whole gjson.Result, total money.Amount, totals []upstream.Total) {
		want, err := money.RoundDecimal(whole.Get("total").Raw, "GBP")
		if err != nil || total != want {
			t.Errorf("the %s costs %v, with all fields %v, %v", what, total, want, err)
		}
		for _, one := range totals {
			if one.Kind == upstream.TotalRounding && (one.Amount.Minor > 2 || one.Amount.Minor < -2) {
				t.Errorf("the %s is rounded by %v", what, one.Amount)
			}
		}
	}
	figures("basket", whole, applied.Observed.Total, applied.Observed.Totals)
	tax, err := money.RoundDecimal(whole.Get("tax_total").Raw, "GBP")
	if err != nil || *applied.Observed.TaxTotal != tax {
		t.Errorf("the tax is %v, with all fields %v, %v", *applied.Observed.TaxTotal, tax, err)
	}
	placed, err := s.shop.Place(t.Context(), agent, applied.Handle, placement(applied.Observed.Total))
	if err != nil {
		t.Fatal(err)
	}
	order := s.read(placed.Ref)
	figures("order", storeCall(t, base, key, "orders/"+placed.Ref.Key.Reveal()).Get("order"), order.Total, order.Totals)
}
