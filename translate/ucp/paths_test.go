package ucp

import (
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// A line that the response does not show is named by its item, which cannot be
// taken for the place of another line.
func TestPathOfARefusedLine(t *testing.T) {
	for item, want := range map[string]string{
		"nope":                   `$.line_items[?@.item.id == 'nope']`,
		`it's "7\8"`:             `$.line_items[?@.item.id == 'it\'s "7\\8"']`,
		"a\tb\x01":               `$.line_items[?@.item.id == 'a\tb\u0001']`,
		"grün":                   `$.line_items[?@.item.id == 'grün']`,
		`\'`:                     `$.line_items[?@.item.id == '\\\'']`,
		"":                       `$.line_items`,
		strings.Repeat("x", 257): `$.line_items`,
	} {
		if got := refusedLine(basket.Issue{Field: basket.FieldLine, Item: item}); got != want {
			t.Errorf("%q: %s, want %s", item, got, want)
		}
	}
	b := boots()
	b.Wanted.Lines = append([]basket.Line{{ID: "li_9", Item: "gone", Quantity: 1}}, b.Wanted.Lines...)
	at := func(i int, field basket.Field) string {
		return pathsOf(b).of(basket.Issue{Field: field, Index: i, Item: b.Wanted.Lines[i].Item})
	}
	if got := at(0, basket.FieldQuantity); got != "$.line_items[?@.item.id == 'gone'].quantity" {
		t.Errorf("the quantity of what is not there is at %s", got)
	}
	if got := at(1, basket.FieldLine); got != "$.line_items[0]" {
		t.Errorf("the first line that is there is at %s", got)
	}
}
