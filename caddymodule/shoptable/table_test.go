package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

// The README says of each shop what its adapter says.
func TestReadmeIsUpToDate(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), want); diff != "" {
		t.Errorf("run go generate ./caddymodule/shoptable (-is +should be):\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	got := table([]shop{
		{"All", "`key`", upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, Place: true, Codes: upstream.CodesMany, Delivery: true, Orders: true, ExactStock: true,
		}},
		{"Some", "", upstream.Capabilities{Search: true, Baskets: true, HandOff: true, Codes: upstream.CodesOne}},
		{"Shown", "", upstream.Capabilities{Search: true, Baskets: true}},
		{"None", "", upstream.Capabilities{}},
	})
	want := `| shop | with | search | by price | baskets | discount codes | delivery | ordering | orders read | stock in numbers |
| --- | --- | :-: | :-: | :-: | :-: | :-: | :-: | :-: | :-: |
| All | ` + "`key`" + ` | yes | yes | yes | many | yes | by the agent | yes | yes |
| Some |  | yes | – | yes | one | – | on the shop's page | – | – |
| Shown |  | yes | – | yes | – | – | – | – | – |
| None |  | – | – | – | – | – | – | – | – |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadmeWithoutPlace(t *testing.T) {
	for _, text := range []string{"", begin, end, end + begin} {
		if _, err := withTable(text); err == nil {
			t.Errorf("%q has a place for the table", text)
		}
	}
}
