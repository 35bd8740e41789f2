package mapped

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

func testFigures() *figures {
	r := testReader()
	r.money = ScaleMinor
	return &figures{reader: r, currency: "GBP"}
}

// TestPrices: what a shop does not say of a line follows from the rest.
func TestPrices(t *testing.T) {
	m := &Lines{Unit: field(t, "unit"), Subtotal: field(t, "subtotal"), Total: field(t, "total")}
	for json, want := range map[string]price{
		`{"unit": 100, "subtotal": 300, "total": 270}`: {gbp(100), gbp(300), gbp(270)},
		`{"unit": 100}`:                  {gbp(100), gbp(300), gbp(300)},
		`{"subtotal": 301}`:              {gbp(100), gbp(301), gbp(301)},
		`{"unit": 100, "total": 250}`:    {gbp(100), gbp(300), gbp(250)},
		`{"subtotal": 300, "total": 0}`:  {gbp(100), gbp(300), gbp(0)},
		`{"unit": 100, "subtotal": 297}`: {gbp(100), gbp(297), gbp(297)},
		// A total above the subtotal is one with tax, say, and no discount.
		`{"unit": 100, "subtotal": 300, "total": 360}`: {gbp(100), gbp(300), gbp(300)},
	} {
		f := testFigures()
		got := f.price(scope{Result: gjson.Parse(json)}, m, 3)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(price{})); diff != "" || f.err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", json, f.err, diff)
		}
	}
	for _, json := range []string{`{}`, `{"total": 5}`, `{"unit": "free"}`, `{"unit": 9223372036854775807}`} {
		f := testFigures()
		if f.price(scope{Result: gjson.Parse(json)}, m, 3); f.err == nil {
			t.Errorf("%s is a price", json)
		}
	}
}

// TestSums: whatever the shop's figures are, the totals add up to its total.
func TestSums(t *testing.T) {
	m := sumFields{
		total: field(t, "total"), tax: field(t, "tax"), delivery: field(t, "fee"), discount: field(t, "off"),
		fees: []Pairs{{Name: field(t, "literal Wrapping"), Value: field(t, "wrapping")}},
	}
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string) string {
			return rapid.OneOf(rapid.Just("null"), rapid.StringMatching(`-?[1-9][0-9]{0,6}`)).Draw(t, name)
		}
		json := `{"total": ` + rapid.StringMatching(`[1-9][0-9]{0,7}`).Draw(t, "total") + `, "tax": ` + figure("tax") + `, "fee": ` + figure("fee") +
			`, "off": ` + figure("off") + `, "wrapping": ` + figure("wrapping") + `}`
		var lines []upstream.Line
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			subtotal := rapid.Int64Range(0, 1_000_000).Draw(t, "subtotal")
			lines = append(lines, upstream.Line{Subtotal: gbp(subtotal), Total: gbp(rapid.Int64Range(0, subtotal).Draw(t, "after"))})
		}
		tax := rapid.SampledFrom([]upstream.Tax{upstream.TaxIncluded, upstream.TaxExcluded, upstream.TaxUnknown}).Draw(t, "tax")
		f := testFigures()
		got := f.sums(scope{Result: gjson.Parse(json)}, m, lines, tax)
		if f.err != nil {
			t.Fatal(f.err)
		}
		sum := gbp(0)
		for _, total := range got.totals {
			sum = f.sum(sum, total.Amount)
			off := total.Kind == upstream.TotalItemsDiscount || total.Kind == upstream.TotalDiscount
			if off && total.Amount.Minor > 0 || total.Kind == upstream.TotalFee && total.Amount.Minor < 0 {
				t.Fatalf("%s is %v", total.Kind, total.Amount)
			}
		}
		if sum != got.total {
			t.Fatalf("the totals %v add up to %v, the total is %v", got.totals, sum, got.total)
		}
	})
}

// TestTaxOnTop: tax that is added on top is a total of its own.
func TestTaxOnTop(t *testing.T) {
	f := testFigures()
	m := sumFields{total: field(t, "total"), tax: field(t, "tax"), delivery: field(t, "fee")}
	got := f.sums(scope{Result: gjson.Parse(`{"total": 1320, "tax": 220, "fee": 100}`)}, m, []upstream.Line{{Subtotal: gbp(1000), Total: gbp(1000)}}, upstream.TaxExcluded)
	want := []upstream.Total{
		{Kind: upstream.TotalSubtotal, Amount: gbp(1000)}, {Kind: upstream.TotalFulfillment, Amount: gbp(100)}, {Kind: upstream.TotalTax, Amount: gbp(220)},
	}
	if diff := cmp.Diff(want, got.totals); diff != "" || f.err != nil || *got.tax != gbp(220) {
		t.Errorf("%v (-want +got):\n%s", f.err, diff)
	}
}
