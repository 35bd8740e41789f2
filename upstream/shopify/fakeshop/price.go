package fakeshop

import (
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
)

// home is the shop's own country.
const home = "GB"

// land is a country that the shop has prices for.
type land struct {
	code     string
	currency money.Currency
	// num / den minor units are a penny.
	num, den int64
	ships    bool
}

func lands() []land {
	return []land{
		{home, "GBP", 1, 1, true},
		{"IE", "EUR", 6, 5, true},
		{"FR", "EUR", 6, 5, false},
		{"JP", "JPY", 2, 1, true},
		{"KW", "KWD", 4, 1, true},
	}
}

// landOf is the country of a context, the shop's own if there is none such.
func landOf(code string) land {
	for _, l := range lands() {
		if l.code == code {
			return l
		}
	}
	return lands()[0]
}

// amount is what so many pence are in a country.
func (l land) amount(pence int64) money.Amount {
	amount, err := money.Amount{Minor: pence, Currency: l.currency}.Ratio(l.num, l.den)
	if err != nil {
		return money.Amount{Currency: l.currency}
	}
	return amount
}

// moneyOf writes an amount as Shopify does: with one decimal at least, and no
// more than are needed.
func moneyOf(a money.Amount) object {
	text, err := a.FormatDecimal()
	if err != nil {
		return nil
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(text, "0")
	}
	if !strings.Contains(text, ".") {
		text += "."
	}
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return object{"amount": text, "currencyCode": string(a.Currency)}
}

// price is an amount in pence as an answer has it.
func (l land) price(pence int64) object { return moneyOf(l.amount(pence)) }
