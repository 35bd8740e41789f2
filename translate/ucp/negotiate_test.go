package ucp

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNegotiate(t *testing.T) {
	const answer, gift = Capability("ai.storeware.shopping.answer"), Capability("com.example.gift")
	ours := []Declaration{
		{CapabilitySearch, Release, nil},
		{CapabilityCart, Release, nil},
		{CapabilityCheckout, Release, nil},
		{CapabilityDiscount, Release, []Capability{CapabilityCart, CapabilityCheckout}},
		{CapabilityFulfillment, Release, []Capability{CapabilityCheckout}},
		{answer, "2026-09-01", []Capability{CapabilitySearch}},
		{answer, "2026-11-01", []Capability{CapabilitySearch}},
		{gift, "2026-11-01", []Capability{CapabilityDiscount}},
	}
	of := func(names ...Capability) map[Capability][]string {
		theirs := map[Capability][]string{}
		for _, name := range names {
			theirs[name] = []string{Release}
		}
		return theirs
	}
	for name, test := range map[string]struct {
		theirs map[Capability][]string
		want   string
	}{
		"nothing":                         {nil, "[]"},
		"what we do not have":             {of(CapabilityOrder), "[]"},
		"a shared root":                   {of(CapabilityCart, CapabilityOrder), "[{dev.ucp.shopping.cart 2026-08-25}]"},
		"another version":                 {map[Capability][]string{CapabilityCart: {"2026-04-08"}}, "[]"},
		"one version of several":          {map[Capability][]string{CapabilityCart: {"2026-04-08", Release, "2027-01-01"}}, "[{dev.ucp.shopping.cart 2026-08-25}]"},
		"an orphan":                       {of(CapabilityCart, CapabilityFulfillment), "[{dev.ucp.shopping.cart 2026-08-25}]"},
		"one parent of two":               {of(CapabilityCart, CapabilityDiscount), "[{dev.ucp.shopping.cart 2026-08-25} {dev.ucp.shopping.discount 2026-08-25}]"},
		"the latest that both have":       {map[Capability][]string{CapabilitySearch: {Release}, answer: {"2026-11-01", "2026-09-01"}}, "[{dev.ucp.shopping.catalog.search 2026-08-25} {ai.storeware.shopping.answer 2026-11-01}]"},
		"the earlier, if it is the only":  {map[Capability][]string{CapabilitySearch: {Release}, answer: {"2026-12-01", "2026-09-01"}}, "[{dev.ucp.shopping.catalog.search 2026-08-25} {ai.storeware.shopping.answer 2026-09-01}]"},
		"an extension of an extension":    {map[Capability][]string{CapabilityCart: {Release}, CapabilityDiscount: {Release}, gift: {"2026-11-01"}}, "[{dev.ucp.shopping.cart 2026-08-25} {dev.ucp.shopping.discount 2026-08-25} {com.example.gift 2026-11-01}]"},
		"an orphan of an orphan":          {map[Capability][]string{CapabilityDiscount: {Release}, gift: {"2026-11-01"}}, "[]"},
		"an extension without its parent": {map[Capability][]string{gift: {"2026-11-01"}, CapabilityCart: {Release}}, "[{dev.ucp.shopping.cart 2026-08-25}]"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, fmt.Sprint(negotiate(ours, test.theirs))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRelevant(t *testing.T) {
	ours := []Declaration{
		{CapabilitySearch, Release, nil},
		{CapabilityLookup, Release, nil},
		{CapabilityCart, Release, nil},
		{CapabilityCheckout, Release, nil},
		{CapabilityOrder, Release, nil},
		{CapabilityFulfillment, Release, []Capability{CapabilityCheckout}},
		{CapabilityDiscount, Release, []Capability{CapabilityCart, CapabilityCheckout}},
	}
	all := map[Capability][]string{}
	for _, d := range ours {
		all[d.Name] = []string{d.Version}
	}
	for op, want := range map[Operation]string{
		SearchCatalog:    "dev.ucp.shopping.catalog.search",
		LookupCatalog:    "dev.ucp.shopping.catalog.lookup",
		GetProduct:       "dev.ucp.shopping.catalog.lookup",
		CancelCart:       "dev.ucp.shopping.cart dev.ucp.shopping.discount",
		CompleteCheckout: "dev.ucp.shopping.checkout dev.ucp.shopping.fulfillment dev.ucp.shopping.discount",
		GetOrder:         "dev.ucp.shopping.order",
	} {
		negotiated := negotiate(ours, all)
		got := fmt.Sprint(names(relevant(ours, negotiated, op)))
		if got != "["+want+"]" {
			t.Errorf("%s: got %s, want [%s]", op, got, want)
		}
		delete(all, op.Root())
		if got := relevant(ours, negotiate(ours, all), op); len(got) > 0 {
			t.Errorf("%s without its root: got %v", op, got)
		}
		all[op.Root()] = []string{Release}
	}
}

// Whatever two sides declare: only what both declare is negotiated, in our order
// and once, and no extension is without a parent.
func TestNegotiateInvariants(t *testing.T) {
	namesOf := []Capability{"a.a", "a.b", "a.c", "a.d", "a.e"}
	versions := []string{"2026-01-01", "2026-02-02", "2026-03-03"}
	rapid.Check(t, func(t *rapid.T) {
		ours := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Declaration {
			return Declaration{
				Name:    rapid.SampledFrom(namesOf).Draw(t, "name"),
				Version: rapid.SampledFrom(versions).Draw(t, "version"),
				Extends: rapid.SliceOfN(rapid.SampledFrom(namesOf), 0, 2).Draw(t, "extends"),
			}
		}), 0, 8).Draw(t, "ours")
		theirs := rapid.MapOf(rapid.SampledFrom(namesOf), rapid.SliceOf(rapid.SampledFrom(versions))).Draw(t, "theirs")

		active := negotiate(ours, theirs)
		seen := map[Capability]bool{}
		for _, s := range active {
			if seen[s.Name] {
				t.Fatalf("%s twice in %v", s.Name, active)
			}
			seen[s.Name] = true
			if !slices.Contains(theirs[s.Name], s.Version) {
				t.Fatalf("%v is not theirs", s)
			}
			if !slices.ContainsFunc(ours, func(d Declaration) bool {
				return d.Name == s.Name && d.Version == s.Version &&
					(len(d.Extends) == 0 || slices.ContainsFunc(d.Extends, active.Has))
			}) {
				t.Fatalf("%v is not ours, or an orphan in %v", s, active)
			}
			for _, later := range versions {
				if later > s.Version && slices.Contains(theirs[s.Name], later) &&
					slices.ContainsFunc(ours, func(d Declaration) bool { return d.Name == s.Name && d.Version == later }) {
					t.Fatalf("%v, though both have %s", s, later)
				}
			}
		}
	})
}
