package shoptest

import (
	"net/netip"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// Run runs the suite, each case as a subtest of its group.
func Run(t *testing.T, f Fixture) {
	s := newSuite(f)
	known := map[string]bool{}
	for _, g := range groups() {
		for _, c := range g.cases {
			known[g.name+"/"+c.name] = true
		}
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) { s.run(t, g.name+"/"+c.name, c) })
			}
		})
	}
	for name := range f.Lacks {
		if !known[name] {
			t.Errorf("Fixture.Lacks names a case %q that does not exist", name)
		}
	}
}

// group is a number of cases about one thing.
type group struct {
	name  string
	cases []testCase
}

func groups() []group {
	return []group{
		{"describe", describeCases()},
		{"products", productCases()},
		{"search", searchCases()},
		{"lookup", lookupCases()},
		{"walk", walkCases()},
		{"basket", basketCases()},
		{"lines", lineCases()},
		{"buyer", buyerCases()},
		{"codes", codeCases()},
		{"delivery", deliveryCases()},
		{"place", placeCases()},
		{"recover", recoverCases()},
		{"order", orderCases()},
		{"trouble", troubleCases()},
	}
}

// testCase is one thing that every shop must do right.
type testCase struct {
	name  string
	needs []need
	run   func(*run)
}

// suite is one Run.
type suite struct {
	fixture Fixture
	// caller is the address that the last case came from.
	caller netip.Addr
	// catalogue holds every product, once a case has read them.
	catalogue []upstream.Product
}

func newSuite(f Fixture) *suite { return &suite{fixture: f, caller: f.Visit.Addr} }

// run decides whether a case can be run, and runs it.
func (s *suite) run(t testing.TB, name string, c testCase) {
	shop, hooks := s.fixture.New(t)
	d, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatalf("Describe: %v", err)
	}
	reason, excused := s.fixture.Lacks[name]
	r := &run{TB: t, suite: s, f: &s.fixture, shop: shop, hooks: hooks, d: d, visit: s.fixture.Visit, excused: excused}
	s.caller = s.caller.Next()
	r.visit.Addr = s.caller
	for _, n := range c.needs {
		switch what, kind := n.missing(r); {
		case what == "":
		case kind != ofFixture:
			t.Skipf("the shop has no %s", what)
		case excused:
			t.Skipf("the shop has no %s: %s", what, reason)
		default:
			t.Fatalf("the fixture has no %s; if the shop cannot have it, say why in Fixture.Lacks[%q]", what, name)
		}
	}
	if excused {
		t.Fatalf("Fixture.Lacks excuses this case, but the fixture has all that it needs")
	}
	c.run(r)
}
