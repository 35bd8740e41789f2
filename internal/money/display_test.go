package money_test

import (
	"math"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
)

func TestDisplay(t *testing.T) {
	for want, amount := range map[string]money.Amount{
		"£150.00":                     {Minor: 15000, Currency: "GBP"},
		"-£5.00":                      {Minor: -500, Currency: "GBP"},
		"£0.05":                       {Minor: 5, Currency: "GBP"},
		"£999.00":                     {Minor: 99900, Currency: "GBP"},
		"£1,234,567.89":               {Minor: 123456789, Currency: "GBP"},
		"-£92,233,720,368,547,758.08": {Minor: math.MinInt64, Currency: "GBP"},
		"¥15,000":                     {Minor: 15000, Currency: "JPY"},
		"$1.00":                       {Minor: 100, Currency: "USD"},
		"CA$1.00":                     {Minor: 100, Currency: "CAD"},
		"€1.00":                       {Minor: 100, Currency: "EUR"},
		"CHF 12.50":                   {Minor: 1250, Currency: "CHF"},
		"-KWD 1.500":                  {Minor: -1500, Currency: "KWD"},
		`5 minor units of "ZZZ"`:      {Minor: 5, Currency: "ZZZ"},
		`0 minor units of ""`:         {},
	} {
		if got := amount.Display(); got != want {
			t.Errorf("%#v.Display() = %q, want %q", amount, got, want)
		}
	}
}
