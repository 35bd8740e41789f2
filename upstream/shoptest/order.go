package shoptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

func orderCases() []testCase {
	orders := []need{needPlace, needOrders}
	return []testCase{
		{"as it was placed", orders, orderPlaced},
		{"with several lines", orders, orderLines},
		{"read on another node", []need{needPlace, needOrders, hookAnother}, orderAnother},
		{"the basket's handle does not touch it", orders, orderUntouched},
		{"that does not exist", []need{needOrders}, orderUnknown},
		{"with a key that is not its own", orders, orderWrongKey},
		{"its key is not printed", orders, orderSecret},
		{"a context that has ended", orders, orderCanceled},
	}
}

// sameOrder reads an order and fails unless it is the basket that was placed.
func (r *run) sameOrder(placed upstream.Placed, o upstream.Observed) upstream.Order {
	r.Helper()
	order, err := r.shop.Order(r.Context(), r.visit, placed.Ref)
	r.must(err, "Order")
	if order.Ref.ID != placed.Ref.ID {
		r.Errorf("order %q was asked for, %q was read", placed.Ref.ID, order.Ref.ID)
	}
	if order.Total != o.Total || order.Currency != o.Currency {
		r.Errorf("the order costs %v in %s, the basket %v in %s", order.Total, order.Currency, o.Total, o.Currency)
	}
	got := map[string]int64{}
	for _, line := range order.Lines {
		got[line.Item] += line.Ordered
	}
	if diff := cmp.Diff(quantities(o), got); diff != "" {
		r.Errorf("quantities ordered, by item (-basket +order):\n%s", diff)
	}
	for _, problem := range problemsOfOrder(order) {
		r.Errorf("order: %s", problem)
	}
	return order
}

// problemsOfOrder collects what does not hold for an order that was just placed,
// and should.
func problemsOfOrder(order upstream.Order) problems {
	var p problems
	sum := money.Amount{Currency: order.Currency}
	for _, total := range order.Totals {
		sum = p.sum("Totals", sum, total.Amount)
	}
	if sum != order.Total {
		p.add("Totals add up to %v, Total is %v", sum, order.Total)
	}
	ids := map[string]bool{}
	for _, line := range order.Lines {
		what := "line " + line.ID
		if line.ID == "" || ids[line.ID] {
			p.add("a line has the id %q, which is empty or another's", line.ID)
		}
		ids[line.ID] = true
		if line.Active != line.Ordered || line.Fulfilled < 0 || line.Fulfilled > line.Active {
			p.add("%s: %d ordered, %d active, %d fulfilled", what, line.Ordered, line.Active, line.Fulfilled)
		}
		p.linePrice(what, upstream.Line{Unit: line.Unit, Quantity: line.Ordered, Subtotal: line.Subtotal, Total: line.Total})
		p.text("title of "+what, line.Title)
		p.url("image of "+what, line.Image)
		p.url("URL of "+what, line.URL)
		if line.Title == "" {
			p.add("%s has no title", what)
		}
	}
	if order.Canceled {
		p.add("it is canceled")
	}
	if len(order.Adjustments) > 0 {
		p.add("it has adjustments: %+v", order.Adjustments)
	}
	for _, event := range order.Events {
		if event.ID == "" || event.Type == "" {
			p.add("event %+v has no id or no type", event)
		}
		for _, line := range event.Lines {
			if !ids[line.Line] || line.Quantity < 1 {
				p.add("event %q is about %d of line %q", event.ID, line.Quantity, line.Line)
			}
		}
	}
	if _, offset := order.PlacedAt.Zone(); !order.PlacedAt.IsZero() && offset != 0 {
		p.add("PlacedAt %v is not UTC", order.PlacedAt)
	}
	p.url("URL", order.URL)
	return p
}

func orderPlaced(r *run) {
	_, applied := r.ready(r.f.Single)
	p := r.placement(applied.Observed.Total)
	placed := r.place(applied.Handle, p)
	order := r.sameOrder(placed, applied.Observed)
	if address := order.Address; address != nil && (address.Country != r.f.Address.Country || address.PostalCode != r.f.Address.PostalCode) {
		r.Errorf("the order goes to %+v, want %+v", *address, r.f.Address)
	}
	// Clocks differ, but not by a day.
	if at := order.PlacedAt; !at.IsZero() && at.Sub(p.Started).Abs() > 24*time.Hour {
		r.Errorf("the order was placed at %v, which was %v", at, p.Started)
	}
}

func orderLines(r *run) {
	_, applied := r.complete(upstream.Handle{}, r.pair())
	order := r.sameOrder(r.place(applied.Handle, r.placement(applied.Observed.Total)), applied.Observed)
	want, got := map[string]money.Amount{}, map[string]money.Amount{}
	for _, line := range applied.Observed.Lines {
		want[line.Item] = line.Total
	}
	for _, line := range order.Lines {
		got[line.Item] = line.Total
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("totals by item (-basket +order):\n%s", diff)
	}
}

func orderAnother(r *run) {
	_, applied := r.ready(r.f.Variant)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	r.shop = r.hooks.Another(r.TB)
	r.sameOrder(placed, applied.Observed)
}

// orderUntouched: whatever a shop makes of the handle of an ordered basket, the
// order stays as it is.
func orderUntouched(r *run) {
	d, applied := r.ready(r.f.Variant)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	check := r.counting()
	d.Lines = []upstream.DesiredLine{r.line("other", r.f.Single, 2)}
	_, err := r.shop.Apply(r.Context(), r.visit, applied.Handle, d)
	var e *upstream.Error
	if err != nil && !errors.As(err, &e) {
		r.Errorf("Apply to an ordered basket: %T %v is no *upstream.Error", err, err)
	}
	r.sameOrder(placed, applied.Observed)
	check(0)
}

func orderUnknown(r *run) {
	for _, id := range []string{"no-such-order-xq", "", "0", "999999999", "../../admin", `"}`, "größe", "\x00", strings.Repeat("X", 3000)} {
		_, err := r.shop.Order(r.Context(), r.visit, upstream.OrderRef{ID: id})
		r.refused(err, fmt.Sprintf("Order %.20q", id), upstream.CodeNotFound)
	}
}

func orderWrongKey(r *run) {
	_, applied := r.ready(r.f.Variant)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	if placed.Ref.Key.IsZero() {
		r.Skip("the shop wants no key")
	}
	for _, key := range []string{"", "wrong", placed.Ref.Key.Reveal() + "x"} {
		ref := placed.Ref
		ref.Key = secret.New(key)
		_, err := r.shop.Order(r.Context(), r.visit, ref)
		r.refused(err, "Order with another key", upstream.CodeNotFound, upstream.CodeDenied)
	}
}

func orderSecret(r *run) {
	_, applied := r.ready(r.f.Variant)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	key := placed.Ref.Key.Reveal()
	// A link for the buyer may carry what shows the order.
	placed.URL = ""
	if len(key) > 3 && strings.Contains(fmt.Sprintf("%+v %#v", placed, placed), key) {
		r.Error("fmt shows the order's key")
	}
}

func orderCanceled(r *run) {
	_, applied := r.ready(r.f.Variant)
	placed := r.place(applied.Handle, r.placement(applied.Observed.Total))
	if _, err := r.shop.Order(r.canceled(), r.visit, placed.Ref); !errors.Is(err, context.Canceled) {
		r.Errorf("Order: got %v, want the context's error", err)
	}
}
