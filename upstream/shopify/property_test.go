package shopify

import (
	"encoding/json"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// asMoney writes an amount as Shopify does.
func asMoney(minor int64, currency money.Currency) variables {
	text, _ := money.Amount{Minor: minor, Currency: currency}.FormatDecimal() // The currency is one.
	return variables{"amount": text, "currencyCode": string(currency)}
}

// TestTotalsAddUp: for any cart that Shopify may have, whether its total holds the
// delivery or not and whatever else it holds, the totals add up and discounts are
// explained.
func TestTotalsAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		currency := money.Currency(rapid.SampledFrom([]string{"GBP", "JPY", "KWD"}).Draw(r, "currency"))
		amount := func(name string, most int64) int64 { return rapid.Int64Range(0, most).Draw(r, name) }
		var lines []variables
		var kept []keptLine
		var goods int64
		for i := range rapid.IntRange(0, 4).Draw(r, "lines") {
			n := rapid.Int64Range(0, 5).Draw(r, "quantity")
			unit := amount("unit", 10_000)
			own := amount("own", n*unit)
			whole := amount("whole", n*unit-own)
			goods += n*unit - own - whole
			id := strconv.Itoa(i)
			all := []variables{{"discountedAmount": asMoney(own, currency), "title": "Sale"}, {"discountedAmount": asMoney(whole, currency), "code": "TEN"}}
			lines = append(lines, variables{
				"id": "l" + id, "quantity": n, "discountAllocations": all,
				"cost":        variables{"amountPerQuantity": asMoney(unit, currency), "subtotalAmount": asMoney(n*unit, currency)},
				"merchandise": variables{"id": "v" + id, "product": variables{"id": "p" + id, "title": "P" + id}},
			})
			kept = append(kept, keptLine{"a" + id, "v" + id, rapid.Int64Range(1, 5).Draw(r, "wanted")}, keptLine{"b" + id, "v" + id, 1})
		}
		price := amount("delivery", 2000)
		off := amount("off delivery", price)
		total := goods + rapid.SampledFrom([]int64{0, price, price - off, price - off + 3, price - off + 700}).Draw(r, "delivery in total")
		groups := []variables{}
		if rapid.Bool().Draw(r, "travels") {
			groups = append(groups, variables{
				"id": "g", "selectedDeliveryOption": variables{"handle": "h"},
				"deliveryOptions":     []variables{{"handle": "h", "title": "Post", "estimatedCost": asMoney(price, currency)}},
				"discountAllocations": []variables{{"discountedAmount": asMoney(off, currency), "code": "FREE"}},
			})
		}
		text, err := json.Marshal(variables{
			"id": "c", "checkoutUrl": "https://a.example", "cost": variables{"totalAmount": asMoney(total, currency)},
			"lines": variables{"nodes": lines}, "deliveryGroups": variables{"nodes": groups},
		})
		if err != nil {
			r.Fatal(err)
		}
		o, err := (&Shop{}).observe(cart{parsed(string(text))}, handle{Lines: kept})
		if err != nil {
			r.Fatal(err)
		}
		shoptest.CheckObserved(checker{t, r}, o)
	})
}

// checker hands what a check finds to rapid, which then looks for a smaller case.
type checker struct {
	testing.TB
	r *rapid.T
}

func (c checker) Errorf(format string, args ...any) { c.r.Errorf(format, args...) }
