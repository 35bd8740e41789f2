package shoptest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func troubleCases() []testCase {
	return []testCase{
		{"a shop that is away while reading", []need{hookAway}, troubleReading},
		{"a shop that is away while building a basket", []need{needBaskets, hookAway}, troubleBuilding},
		{"a shop that is away while placing", []need{needPlace, hookAway}, troublePlacing},
		{"a shop that restarts", []need{hookRestart}, troubleRestart},
		{"a basket after a restart", []need{needBaskets, hookRestart}, troubleRestartBasket},
		{"an order after a restart", []need{needPlace, needOrders, hookRestart}, troubleRestartOrder},
	}
}

// away fails unless err says that the shop cannot be reached.
func (r *run) away(err error, doing string) {
	r.Helper()
	r.refused(err, doing, upstream.CodeUnavailable, upstream.CodeBusy)
}

func troubleReading(r *run) {
	comeBack := r.hooks.GoAway(r.TB)
	_, err := r.shop.Describe(r.Context())
	r.away(err, "Describe of a shop that is away")
	_, err = r.shop.Search(r.Context(), r.visit, upstream.Query{Limit: 5})
	r.away(err, "Search of a shop that is away")
	_, err = r.shop.Lookup(r.Context(), r.visit, []string{"1"})
	r.away(err, "Lookup of a shop that is away")
	comeBack()
	if len(r.search(upstream.Query{Limit: 5}).Products) == 0 {
		r.Error("the shop is back and finds nothing")
	}
}

func troubleBuilding(r *run) {
	d := r.single(1)
	applied := r.apply(upstream.Handle{}, d)
	comeBack := r.hooks.GoAway(r.TB)
	d.Lines[0].Quantity = 2
	_, err := r.shop.Apply(r.Context(), r.visit, applied.Handle, d)
	r.away(err, "Apply to a shop that is away")
	_, err = r.shop.Read(r.Context(), r.visit, applied.Handle)
	r.away(err, "Read of a shop that is away")
	comeBack()
	r.want("when the shop is back", r.apply(applied.Handle, d).Observed, map[string]int64{"one": 2})
}

// troublePlacing: nothing was sent, so that the basket is no order; a shop that
// is away is no proof that it will never be one.
func troublePlacing(r *run) {
	d, applied := r.ready(r.f.Single)
	check := r.counting()
	p := r.placement(applied.Observed.Total)
	comeBack := r.hooks.GoAway(r.TB)
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, p)
	r.refused(err, "Place at a shop that is away", upstream.CodeUnavailable, upstream.CodeBusy, upstream.CodeUnknownOutcome)
	_, err = r.shop.Recover(r.Context(), r.visit, applied.Handle, later(p))
	r.refused(err, "Recover at a shop that is away", upstream.CodeUnavailable, upstream.CodeBusy, upstream.CodeUnknownOutcome)
	comeBack()
	check(0)
	r.stillUsable(d, applied)
}

func troubleRestart(r *run) {
	r.hooks.Restart(r.TB)
	after, err := r.shop.Describe(r.Context())
	r.must(err, "Describe")
	if diff := cmp.Diff(r.d, after); diff != "" {
		r.Errorf("Describe (-before +after):\n%s", diff)
	}
	r.find(r.f.Single)
}

// troubleRestartBasket: a basket survives, or is renewed aloud.
func troubleRestartBasket(r *run) {
	d := r.single(2)
	before := r.apply(upstream.Handle{}, d)
	r.hooks.Restart(r.TB)
	after := r.apply(before.Handle, d)
	r.want("after a restart", after.Observed, map[string]int64{"one": 2})
	if !before.Handle.Equal(after.Handle) && len(noticesOf(after, upstream.NoticeBasketRenewed)) == 0 {
		r.Error("the basket is another one, and no notice says so")
	}
}

func troubleRestartOrder(r *run) {
	_, applied := r.ready(r.f.Single)
	p := r.placement(applied.Observed.Total)
	placed := r.place(applied.Handle, p)
	r.hooks.Restart(r.TB)
	r.sameOrder(placed, applied.Observed)
	r.recovered(applied.Handle, p, placed)
}
