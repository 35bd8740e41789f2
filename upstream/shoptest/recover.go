package shoptest

import (
	"context"
	"errors"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func recoverCases() []testCase {
	place := []need{needPlace}
	return []testCase{
		{"an order that was placed", place, recoverPlaced},
		{"on another node", []need{needPlace, hookAnother}, recoverAnother},
		{"what was never placed", place, recoverNever},
		{"what was refused", place, recoverRefused},
		{"what was declined", []need{needPlace, needDeclined}, recoverDeclined},
		{"an answer that was lost", []need{needPlace, hookLoseAnswer}, recoverLostAnswer},
		{"an answer that was lost, and placed again", []need{needPlace, hookLoseAnswer}, recoverLostAndAgain},
		{"a request that was lost", []need{needPlace, hookLoseRequest}, recoverLostRequest},
		{"a basket that the shop has dropped", []need{needPlace, hookDrop}, recoverDropped},
		{"a handle that is not one", place, recoverGarbage},
		{"a context that has ended", place, recoverCanceled},
	}
}

// later returns the placement as it looks to somebody who asks an hour later.
func later(p upstream.Placement) upstream.Placement {
	p.Started = p.Started.Add(-time.Hour)
	return p
}

// recovered fails unless Recover knows the order.
func (r *run) recovered(h upstream.Handle, p upstream.Placement, want upstream.Placed) {
	r.Helper()
	for range 2 { // It can be asked as often as anybody likes.
		got, err := r.shop.Recover(r.Context(), r.visit, h, p)
		r.must(err, "Recover")
		r.checkPlaced(got, p)
		if want.Ref.ID != "" && (got.Ref.ID != want.Ref.ID || !got.Ref.Key.Equal(want.Ref.Key)) {
			r.Errorf("Recover finds order %q, Place made %q", got.Ref.ID, want.Ref.ID)
		}
	}
}

func recoverPlaced(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	placed := r.place(applied.Handle, p)
	r.recovered(applied.Handle, p, placed)
	r.recovered(applied.Handle, later(p), placed)
	check(1)
}

func recoverAnother(r *run) {
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	placed := r.place(applied.Handle, p)
	r.shop = r.hooks.Another(r.TB)
	r.recovered(applied.Handle, p, placed)
}

// notPlaced fails unless the shop says that the basket is no order, at the
// latest an hour after.
func (r *run) notPlaced(h upstream.Handle, p upstream.Placement) {
	r.Helper()
	_, err := r.shop.Recover(r.Context(), r.visit, h, p)
	r.refused(err, "Recover at once", upstream.CodeNotPlaced, upstream.CodeUnknownOutcome)
	_, err = r.shop.Recover(r.Context(), r.visit, h, later(p))
	r.refused(err, "Recover an hour later", upstream.CodeNotPlaced)
}

func recoverNever(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	r.notPlaced(applied.Handle, r.placement(applied.Observed.Total))
	check(0)
}

func recoverRefused(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Single)
	p := r.placement(applied.Observed.Total)
	p.Expected.Minor++
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place for another total", upstream.CodePriceChanged)
	r.notPlaced(applied.Handle, p)
	check(0)
}

func recoverDeclined(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	p.Credential = r.f.Declined
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place with a payment that is declined", upstream.CodePaymentDeclined)
	r.notPlaced(applied.Handle, p)
	check(0)
}

// lost places a basket whose answer or request gets lost. An adapter may find out
// by itself what came of it; then it must be right.
func (r *run) lost(applied upstream.Applied, p upstream.Placement) upstream.Placed {
	r.Helper()
	placed, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	if err == nil {
		return placed
	}
	r.refused(err, "Place whose answer is lost", upstream.CodeUnknownOutcome)
	return upstream.Placed{}
}

func recoverLostAnswer(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	r.hooks.LoseNextAnswer(r.TB)
	placed := r.lost(applied, p)
	check(1)
	r.recovered(applied.Handle, p, placed)
	check(1)
}

func recoverLostAndAgain(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	r.hooks.LoseNextAnswer(r.TB)
	first := r.lost(applied, p)
	second, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	if first.Ref.ID != "" {
		r.placedAgain(first, second, err)
	}
	check(1)
	r.recovered(applied.Handle, p, second)
}

func recoverLostRequest(r *run) {
	check := r.counting()
	_, applied := r.ready(r.f.Variant)
	p := r.placement(applied.Observed.Total)
	r.hooks.LoseNextRequest(r.TB)
	if placed := r.lost(applied, p); placed.Ref.ID != "" {
		r.Fatalf("the request was lost, and Place says that it made order %q", placed.Ref.ID)
	}
	r.notPlaced(applied.Handle, p)
	check(0)
}

// recoverDropped: a basket that is gone and was never ordered is no order.
func recoverDropped(r *run) {
	_, applied := r.ready(r.f.Single)
	r.hooks.DropBasket(r.TB, applied.Handle)
	r.notPlaced(applied.Handle, r.placement(applied.Observed.Total))
}

func recoverGarbage(r *run) {
	for what, h := range garbage() {
		placed, err := r.shop.Recover(r.Context(), r.visit, h, later(r.placement(money.Amount{Minor: 100, Currency: r.d.Currency})))
		var e *upstream.Error
		if !errors.As(err, &e) {
			r.Errorf("Recover of a handle that is %s: got order %q, %v; want an *upstream.Error", what, placed.Ref.ID, err)
		}
	}
}

func recoverCanceled(r *run) {
	_, applied := r.ready(r.f.Single)
	_, err := r.shop.Recover(r.canceled(), r.visit, applied.Handle, later(r.placement(applied.Observed.Total)))
	if !errors.Is(err, context.Canceled) || upstream.CodeOf(err) == upstream.CodeNotPlaced {
		r.Errorf("Recover: got %v, want the context's error", err)
	}
}
