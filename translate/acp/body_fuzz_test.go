package acp

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/cardnumber"
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

func newRecorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

// Whatever body comes, it is refused or it can be read: a basket is wanted that
// holds something, no card number comes through, and what means the same has the
// same canonical form.
func FuzzBody(f *testing.F) {
	for _, body := range []string{
		"{" + ordered + "}", "{" + paying + "}", selecting("express"), `{"items":[{"id":"v","quantity":2}],"coupons":["A"]}`,
		`{"fulfillment_groups":[{"id":"g","item_ids":[],"destination_type":"shipping"}],"order_notes":"x"}`,
		`{"affiliate_attribution":{"provider":"x","token":"y","metadata":{"a":1.50}}}`, `{"line_items":null}`, `{"a":"4111111111111111"}`, `{`, `[]`, ``,
	} {
		f.Add(body)
	}
	operations := []Operation{CreateSession, UpdateSession, CompleteSession, CancelSession, CreateCart, ReplaceCart, CancelCart}
	f.Fuzz(func(t *testing.T, body string) {
		for _, op := range operations {
			err := checkPayload(op, []byte(body))
			if err != nil {
				if refusal := refusalOf(err); refusal.Status != 400 || cardnumber.In(refusal.Param) && op != CancelCart {
					t.Errorf("%s: refused with HTTP %d %s", op, refusal.Status, refusal.body())
				}
				continue
			}
			payload := gjson.Parse(body)
			var wanted basket.Wanted
			readWanted(payload, &wanted)
			if (op == CreateSession || op == CreateCart) && len(wanted.Lines) == 0 {
				t.Errorf("%s wants nothing: %s", op, body)
			}
			once, err := canonical([]byte(body))
			if err != nil {
				t.Errorf("%s has no canonical form: %v", body, err)
			}
			if twice, err := canonical(once); err != nil || string(twice) != string(once) {
				t.Errorf("the canonical form %s has another one: %s, %v", once, twice, err)
			}
		}
	})
}

// Whatever rows a shop's sum has, as long as they add up, so do ours, without a
// sign.
func TestTotalsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []upstream.TotalKind{
			upstream.TotalSubtotal, upstream.TotalItemsDiscount, upstream.TotalDiscount, upstream.TotalFulfillment,
			upstream.TotalTax, upstream.TotalFee, upstream.TotalRounding,
		}
		var rows []upstream.Total
		var total int64
		for range rapid.IntRange(0, 8).Draw(t, "rows") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			amount := rapid.Int64Range(0, 1e9).Draw(t, "amount")
			lowers := kind == upstream.TotalItemsDiscount || kind == upstream.TotalDiscount
			if lowers || kind == upstream.TotalRounding && rapid.Bool().Draw(t, "down") {
				amount = -amount
			}
			rows, total = append(rows, upstream.Total{Kind: kind, Amount: money.Amount{Minor: amount, Currency: "GBP"}}), total+amount
		}
		sums := map[string]int64{}
		for _, row := range totalsOf(rows, total) {
			if row.Amount < 0 && row.Type != "total" && row.Type != "subtotal" || row.DisplayText == "" {
				t.Errorf("row %+v", row)
			}
			sums[row.Type] += row.Amount
		}
		if sums["subtotal"] != sums["items_base_amount"]-sums["items_discount"] ||
			sums["total"] != sums["subtotal"]-sums["discount"]+sums["fulfillment"]+sums["tax"]+sums["fee"] {
			t.Errorf("%v", sums)
		}
	})
}

// A member that is null is another thing than none, and the order of elements
// counts.
func TestCanonical(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[1,2]}`, ` {"b" : [1, 2], "a": 1.0}`, true},
		{`{"a":1.50}`, `{"a":1.5}`, true},
		{`{"a":100}`, `{"a":1}`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":"1.0"}`, `{"a":"1"}`, false},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
	} {
		a, errA := canonical([]byte(c.a))
		b, errB := canonical([]byte(c.b))
		if errA != nil || errB != nil || (string(a) == string(b)) != c.same || !json.Valid(a) {
			t.Errorf("%s is %s, and %s is %s", c.a, a, c.b, b)
		}
	}
}
