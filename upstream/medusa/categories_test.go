package medusa

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCategories(t *testing.T) {
	c := categories{
		"w": {"Women", ""}, "wj": {"Jackets", "w"}, "wjs": {"Shells", "wj"},
		"m": {"Men", ""}, "mj": {"Jackets", "m"},
		"lost": {"Lost", "hidden"},
		"a":    {"A", "b"}, "b": {"B", "a"},
	}
	for id, want := range map[string][]string{
		"w":       {"Women"},
		"wjs":     {"Women", "Women/Jackets", "Women/Jackets/Shells"},
		"lost":    {"Lost"}, // Below one that visitors do not see.
		"unknown": {},
	} {
		if diff := cmp.Diff(want, c.paths(id)); diff != "" {
			t.Errorf("paths of %s (-want +got):\n%s", id, diff)
		}
	}
	if got := len(c.paths("a")); got != maxNesting {
		t.Errorf("a circle is %d deep, want %d", got, maxNesting)
	}
	for name, test := range map[string]struct{ names, want []string }{
		"one, and what is in it":  {[]string{"women"}, []string{"w", "wj", "wjs"}},
		"the last part of two":    {[]string{"JACKETS"}, []string{"mj", "wj", "wjs"}},
		"a whole path":            {[]string{"Men/Jackets"}, []string{"mj"}},
		"one of several":          {[]string{"Boots", "Shells"}, []string{"wjs"}},
		"none":                    {[]string{"Boots"}, nil},
		"a path that ends higher": {[]string{"Jackets/Shells"}, nil},
	} {
		if diff := cmp.Diff(test.want, c.ids(test.names)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
