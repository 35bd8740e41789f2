package spectest_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

func TestTotals(t *testing.T) {
	for _, c := range []struct{ name, body, at string }{
		{"nothing to add up", `{}`, "-"},
		{"a delivery option", `{"options": [{"id": "s", "totals": [{"type": "total", "amount": 500}]}]}`, "-"},
		{"every kind", `{"totals": [{"type": "subtotal", "amount": 10000}, {"type": "discount", "amount": -1500}, {"type": "tax", "amount": 680},
			{"type": "account_credit", "amount": -2500}, {"type": "total", "amount": 6680}]}`, "-"},
		{"lines that add up", `{"totals": [{"type": "fee", "amount": 3, "lines": [{"amount": 1}, {"amount": 2}]}, {"type": "total", "amount": 3}]}`, "-"},
		{"a nested line", `{"line_items": [{"id": "a", "totals": [{"type": "subtotal", "amount": 5}, {"type": "total", "amount": 5}]},
			{"id": "b", "parent_id": "a", "totals": [{"type": "subtotal", "amount": 5}, {"type": "total", "amount": 5}]}],
			"totals": [{"type": "subtotal", "amount": 5}, {"type": "total", "amount": 5}]}`, "-"},
		{"the same id in two lists", `{"a": [{"id": "1"}], "b": [{"id": "1"}]}`, "-"},
		{"the same option value twice", `{"options": [{"name": "Top", "label": "Red", "id": "r"}, {"name": "Sole", "label": "Red", "id": "r"}]}`, "-"},

		{"no total", `{"totals": [{"type": "subtotal", "amount": 1}]}`, "/totals"},
		{"two totals", `{"totals": [{"type": "total", "amount": 1}, {"type": "total", "amount": 1}]}`, "/totals"},
		{"two subtotals", `{"totals": [{"type": "subtotal", "amount": 1}, {"type": "subtotal", "amount": 1}, {"type": "total", "amount": 2}]}`, "/totals"},
		{"a penny off", `{"totals": [{"type": "subtotal", "amount": 100}, {"type": "tax", "amount": 20}, {"type": "total", "amount": 119}]}`, "/totals"},
		{"free delivery taken off twice", `{"totals": [{"type": "subtotal", "amount": 100}, {"type": "fulfillment", "amount": 0}, {"type": "discount", "amount": -5}, {"type": "total", "amount": 100}]}`, "/totals"},
		{"deep inside", `{"a": [{"b": {"totals": []}}]}`, "/a/0/b/totals"},
		{"a positive discount", `{"totals": [{"type": "discount", "amount": 1}, {"type": "total", "amount": 1}]}`, "/totals/0"},
		{"a discount of 0", `{"totals": [{"type": "items_discount", "amount": 0}, {"type": "total", "amount": 0}]}`, "/totals/0"},
		{"a negative tax", `{"totals": [{"type": "tax", "amount": -1}, {"type": "total", "amount": -1}]}`, "/totals/0"},
		{"lines that fall short", `{"totals": [{"type": "fee", "amount": 3, "lines": [{"amount": 1}]}, {"type": "total", "amount": 3}]}`, "/totals/0/lines"},
		{"a float", `{"totals": [{"type": "total", "amount": 5.0}]}`, "/totals/0/amount"},
		{"an amount in words", `{"totals": [{"type": "total", "amount": "5"}]}`, "/totals/0/amount"},
		{"2^53", `{"totals": [{"type": "total", "amount": 9007199254740992}]}`, "/totals/0/amount"},
		{"lines against subtotal", `{"line_items": [{"id": "a", "totals": [{"type": "subtotal", "amount": 5}, {"type": "total", "amount": 5}]}],
			"totals": [{"type": "subtotal", "amount": 6}, {"type": "total", "amount": 6}]}`, "/totals"},
		{"lines against discount", `{"line_items": [{"id": "a", "totals": [{"type": "subtotal", "amount": 5}, {"type": "total", "amount": 5}]}],
			"totals": [{"type": "subtotal", "amount": 5}, {"type": "items_discount", "amount": -1}, {"type": "total", "amount": 4}]}`, "/totals"},
		{"an id twice", `{"line_items": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}`, "/line_items/2/id"},
		{"no JSON", `totals`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := spectest.Totals([]byte(c.body))
			if c.at != "-" {
				refused(t, err, c.at)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// A breakdown made to add up is accepted; with any one amount moved it is not.
func TestTotalsProperty(t *testing.T) {
	type entry struct {
		Type   string `json:"type"`
		Amount int64  `json:"amount"`
	}
	check := func(entries []entry) error {
		body, err := json.Marshal(map[string]any{"totals": entries})
		if err != nil {
			return err
		}
		return spectest.Totals(body)
	}
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(1, 1<<40)
		entries := []entry{{"subtotal", amount.Draw(t, "subtotal")}}
		total := entries[0].Amount
		for _, kind := range rapid.SliceOfN(rapid.SampledFrom([]string{"discount", "items_discount", "fulfillment", "tax", "fee"}), 0, 6).Draw(t, "kinds") {
			value := amount.Draw(t, kind)
			if kind == "discount" || kind == "items_discount" {
				value = -value
			}
			entries = append(entries, entry{kind, value})
			total += value
		}
		entries = append(entries, entry{"total", total})
		if err := check(entries); err != nil {
			t.Fatalf("%v: %v", entries, err)
		}
		at := rapid.IntRange(0, len(entries)-1).Draw(t, "at")
		entries[at].Amount += rapid.Int64Range(1, 100).Draw(t, "by")
		if err := check(entries); err == nil {
			t.Fatalf("%v accepted", entries)
		}
	})
}
