package basket_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// A refusal that names nothing tells the agent where to look, and keeps its cause.
func TestRefusalWithoutAField(t *testing.T) {
	for given, want := range map[string]string{
		"":                      "it gives no reason (it names no part of the basket: check ",
		"the shop answered 422": "the shop answered 422 (it names no part of the basket: check ",
	} {
		b := newBench(t)
		cause := &upstream.Error{Code: upstream.CodeInvalid, Op: "changing the basket", Text: given}
		b.shop.applyErr = cause
		_, err := b.Create(t.Context(), alice, visit, full())
		var refusal *upstream.Error
		if !errors.As(err, &refusal) || refusal.Code != upstream.CodeInvalid || !strings.HasPrefix(refusal.Text, want) || !errors.Is(err, cause) {
			t.Errorf("%q: Create = %v", given, err)
		}
	}
	b := newBench(t)
	b.shop.applyErr = upstream.Errorf(upstream.CodeUnavailable, "changing the basket", "away")
	if _, err := b.Create(t.Context(), alice, visit, full()); !errors.Is(err, b.shop.applyErr) || strings.Contains(err.Error(), "names no part") {
		t.Errorf("a shop that is away: %v", err)
	}
	if got := (&basket.Invalid{Text: "it is wrong"}).Error(); got != "it is wrong" {
		t.Errorf("what is about the whole basket says %q", got)
	}
}

// Where nobody can go on, nobody is told that a person can.
func TestNowhereToGoOn(t *testing.T) {
	for name, test := range map[string]struct {
		page string
		want basket.IssueCode
	}{
		"a page of the shop": {"https://shop.example/checkout", basket.HandOff},
		"no page":            {"", basket.NotOrderable},
	} {
		b := newBench(t)
		b.shop.handOff = test.page
		describe := b.Describe
		b.Describe = func() (upstream.Description, error) {
			d, err := describe()
			d.Capabilities.Place, d.Capabilities.Payments = false, nil
			return d, err
		}
		made := b.create(t, full())
		if len(made.Blockers) != 1 || made.Blockers[0].Code != test.want || made.Blockers[0].ByBuyer != (test.page != "") || made.HandOff == "" {
			t.Errorf("%s: blockers %+v, page %q", name, made.Blockers, made.HandOff)
		}
	}
	for page, want := range map[string]basket.IssueCode{"https://shop.example/checkout": basket.HandOff, "": basket.NotOrderable} {
		b := newBench(t)
		b.shop.beforePlace = func() error { return &upstream.Error{Code: upstream.CodeEscalate, Op: "placing", URL: page} }
		got, err := b.Complete(t.Context(), alice, visit, b.create(t, full()).ID, card)
		if err != nil || !has(brief(got.Blockers), codeField{Code: want}) {
			t.Errorf("sent to the page %q: Complete = %+v, %v", page, got, err)
		}
	}
}

// Totals add up (promise 5): a unit that rounding explains becomes a line, more is
// refused.
func TestTotalsAddUp(t *testing.T) {
	for off, want := range map[int64]int{0: 0, 1: 1, -1: 1, 4: 1, -4: 1, 5: -1, -5: -1, 1 << 40: -1} {
		b := newBench(t)
		b.shop.off = off
		made, err := b.Create(t.Context(), alice, visit, full())
		if want < 0 {
			if upstream.CodeOf(err) != upstream.CodeUnavailable {
				t.Errorf("off by %d: Create = %+v, %v", off, made, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("off by %d: %v", off, err)
			continue
		}
		var sum int64
		rounding := 0
		for _, total := range made.Observed.Totals {
			sum += total.Amount.Minor
			if total.Kind == upstream.TotalRounding {
				rounding++
			}
		}
		if sum != made.Observed.Total.Minor || rounding != want {
			t.Errorf("off by %d: the totals %v make %d, not %v", off, made.Observed.Totals, sum, made.Observed.Total)
		}
	}
}
