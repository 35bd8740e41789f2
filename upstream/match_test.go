package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestMatchAll(t *testing.T) {
	products := []upstream.Product{
		{ID: "1", Handle: "mug", Variants: []upstream.Variant{{ID: "11", SKU: "MUG"}, {ID: "12"}}},
		{ID: "2", Handle: "11", Variants: []upstream.Variant{{ID: "21", SKU: "mug"}}},
		{ID: "MUG", Handle: "hat", Variants: []upstream.Variant{{ID: "31", SKU: "2"}, {ID: "32", SKU: "Hat-L"}}},
	}
	find := func(ref string) (*upstream.Product, string) { return upstream.Find(ref, products) }
	for _, test := range []struct {
		name string
		refs []string
		want []upstream.Match
	}{
		{"nothing", nil, nil},
		{"no such thing", []string{"", "none", "MuG-1"}, nil},
		{"an id before all else", []string{"MUG", "2"}, []upstream.Match{
			{Product: products[2], Inputs: []upstream.Input{{Ref: "MUG"}}},
			{Product: products[1], Inputs: []upstream.Input{{Ref: "2"}}},
		}},
		{"a variant before a handle", []string{"11"}, []upstream.Match{{Product: products[0], Inputs: []upstream.Input{{Ref: "11", Variant: "11"}}}}},
		{"a handle before an SKU", []string{"mug"}, []upstream.Match{{Product: products[0], Inputs: []upstream.Input{{Ref: "mug"}}}}},
		{"an SKU in other letters", []string{"HAT-l", "Mug"}, []upstream.Match{
			{Product: products[2], Inputs: []upstream.Input{{Ref: "HAT-l", Variant: "32"}}},
			{Product: products[0], Inputs: []upstream.Input{{Ref: "Mug", Variant: "11"}}},
		}},
		{"one product by several names", []string{"12", "hat", "mug", "1"}, []upstream.Match{
			{Product: products[0], Inputs: []upstream.Input{{Ref: "12", Variant: "12"}, {Ref: "mug"}, {Ref: "1"}}},
			{Product: products[2], Inputs: []upstream.Input{{Ref: "hat"}}},
		}},
	} {
		if diff := cmp.Diff(test.want, upstream.MatchAll(test.refs, find)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
