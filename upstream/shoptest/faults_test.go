package shoptest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

// faulty is an adapter with one thing wrong: each function, where there is one,
// changes what a right adapter returns.
type faulty struct {
	upstream.Shop
	store *store

	describe func(*upstream.Description)
	query    func(*upstream.Query)
	results  func(*upstream.Results)
	matches  func([]upstream.Match) []upstream.Match
	from     func(*upstream.Place)
	walked   func(*upstream.Walked)
	desired  func(*upstream.Desired)
	applied  func(*upstream.Applied, error) error
	observed func(*upstream.Observed)
	place    func(*store, upstream.Handle, *upstream.Placement) (*upstream.Placed, error)
	recover  func(error) error
	order    func(*upstream.Order, error) error
	context  func(context.Context) context.Context
	failed   func(error) error
}

func (f *faulty) in(ctx context.Context) context.Context {
	if f.context != nil {
		return f.context(ctx)
	}
	return ctx
}

func (f *faulty) err(err error) error {
	if f.failed != nil && err != nil {
		return f.failed(err)
	}
	return err
}

func (f *faulty) Describe(ctx context.Context) (upstream.Description, error) {
	d, err := f.Shop.Describe(f.in(ctx))
	if f.describe != nil {
		f.describe(&d)
	}
	return d, f.err(err)
}

func (f *faulty) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	if f.query != nil {
		f.query(&q)
	}
	results, err := f.Shop.Search(f.in(ctx), v, q)
	if f.results != nil {
		f.results(&results)
	}
	return results, f.err(err)
}

func (f *faulty) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	matches, err := f.Shop.Lookup(f.in(ctx), v, refs)
	if f.matches != nil {
		matches = f.matches(matches)
	}
	return matches, f.err(err)
}

func (f *faulty) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	if f.from != nil {
		f.from(&place)
	}
	walked, err := f.Shop.(upstream.Walker).Walk(f.in(ctx), v, place)
	if f.walked != nil {
		f.walked(&walked)
	}
	return walked, f.err(err)
}

func (f *faulty) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	if f.desired != nil {
		f.desired(&d)
	}
	applied, err := f.Shop.Apply(f.in(ctx), v, h, d)
	if f.observed != nil {
		f.observed(&applied.Observed)
	}
	if f.applied != nil {
		err = f.applied(&applied, err)
	}
	return applied, f.err(err)
}

func (f *faulty) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	observed, err := f.Shop.Read(f.in(ctx), v, h)
	if f.observed != nil && err == nil {
		f.observed(&observed)
	}
	return observed, f.err(err)
}

func (f *faulty) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	if f.place != nil && f.in(ctx).Err() == nil {
		f.store.mu.Lock()
		placed, err := f.place(f.store, h, &p)
		f.store.mu.Unlock()
		if placed != nil || err != nil {
			if placed == nil {
				placed = new(upstream.Placed)
			}
			return *placed, f.err(err)
		}
	}
	placed, err := f.Shop.Place(f.in(ctx), v, h, p)
	return placed, f.err(err)
}

func (f *faulty) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	placed, err := f.Shop.Recover(f.in(ctx), v, h, p)
	if f.recover != nil {
		err = f.recover(err)
	}
	return placed, f.err(err)
}

func (f *faulty) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	order, err := f.Shop.Order(f.in(ctx), v, ref)
	if f.order != nil {
		err = f.order(&order, err)
	}
	return order, f.err(err)
}

// TestFaults: each fault fails the cases that are about it, and no others where
// "only" is set. Every case can fail.
func TestFaults(t *testing.T) {
	ever := map[string]bool{}
	all := faults()
	maps.Copy(all, handOffFaults())
	for name, fault := range all {
		t.Run(name, func(t *testing.T) {
			outcomes := record(t, fixture(func(s *store) upstream.Shop {
				f := fault.shop
				f.Shop, f.store = memory{s}, s
				return &f
			}))
			failed := failures(outcomes)
			for _, name := range failed {
				ever[name] = true
			}
			slices.Sort(fault.fails)
			if diff := cmp.Diff(fault.fails, failed); fault.only && diff != "" {
				t.Errorf("failed cases (-want +got):\n%s", diff)
			}
			for _, name := range fault.fails {
				if outcomes[name] == nil || !outcomes[name].failed {
					t.Errorf("%q does not fail", name)
				}
			}
			for _, name := range failed {
				t.Logf("%s: %s", name, strings.Join(outcomes[name].messages, "\n"))
			}
		})
	}
	for _, g := range groups() {
		for _, c := range g.cases {
			if name := g.name + "/" + c.name; !ever[name] {
				t.Errorf("no fault fails %q", name)
			}
		}
	}
}

// failures returns the sorted names of the cases that failed.
func failures(outcomes map[string]*recorder) []string {
	return names(outcomes, func(r *recorder) bool { return r.failed })
}

// TestNothingIsSkippedUnseen: a shop without a capability skips by name, and a
// fixture cannot leave out what its shop promises.
func TestNothingIsSkippedUnseen(t *testing.T) {
	skipped := names(record(t, fixture(right)), func(r *recorder) bool { return r.skipped })
	if diff := cmp.Diff([]string{"basket/a page to go on with", "codes/several where one is allowed"}, skipped); diff != "" {
		t.Errorf("a shop that can do all skips (-want +got):\n%s", diff)
	}

	handOff := func(s *store) upstream.Shop {
		return &faulty{Shop: memory{s}, store: s, describe: func(d *upstream.Description) {
			d.Capabilities.Place, d.Capabilities.Payments = false, nil
		}, place: func(*store, upstream.Handle, *upstream.Placement) (*upstream.Placed, error) {
			return nil, &upstream.Error{Code: upstream.CodeEscalate, URL: "https://shop.example/basket"}
		}}
	}
	outcomes := record(t, fixture(handOff))
	if got := failures(outcomes); len(got) > 0 {
		t.Errorf("a shop that hands off fails %v", got)
	}
	for _, name := range []string{"place/an order", "recover/what was never placed"} {
		if r := outcomes[name]; !r.skipped || !strings.Contains(r.messages[0], "orders through its API") {
			t.Errorf("%q is not skipped for want of Place: %v", name, r.messages)
		}
	}
	if outcomes["basket/a page to go on with"].skipped {
		t.Error("the hand-off is skipped")
	}

	poor := fixture(right)
	poor.Codes.Expired = ""
	if got, want := failures(record(t, poor)), []string{"codes/expired"}; !slices.Equal(got, want) {
		t.Errorf("a fixture without an expired code fails %v, want %v", got, want)
	}
	poor.Lacks = map[string]string{"codes/expired": "codes live for ever", "codes/unknown": "no reason"}
	outcomes = record(t, poor)
	if r := outcomes["codes/expired"]; !r.skipped || !strings.Contains(r.messages[0], "codes live for ever") {
		t.Errorf("an excused case is not skipped with its reason: %v", r.messages)
	}
	if !outcomes["codes/unknown"].failed {
		t.Error("a case that can be run was excused")
	}
}
