package goods

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Home is the currency that the built-in catalogue and the shop's tables are
// written in.
const Home money.Currency = "GBP"

//go:embed catalogue.jsonl
var builtIn []byte

// BuiltIn returns the shop's own products with prices in a currency. The error
// wraps [money.ErrCurrency].
func BuiltIn(currency money.Currency) (*Catalogue, error) {
	c, err := Read(bytes.NewReader(builtIn))
	if err != nil {
		return nil, fmt.Errorf("reading the built-in catalogue: %w", err)
	}
	if currency == c.Currency {
		return c, nil
	}
	for i := range c.Products {
		variants := c.Products[i].Variants
		for j := range variants {
			for _, price := range []*int64{&variants[j].Price, &variants[j].ListPrice} {
				if *price, err = Convert(*price, currency); err != nil {
					return nil, fmt.Errorf("converting the built-in catalogue: %w", err)
				}
			}
		}
	}
	c.Currency = currency
	return c, nil
}

// Convert returns what an amount of pence is in minor units of a currency, by a
// fixed table: ¥190, €1.17 and $1.34 to the pound. Any other currency is taken at
// the pound's figure, £4.95 as 4.95 of it. The error wraps [money.ErrCurrency] or
// [money.ErrOverflow].
func Convert(pence int64, currency money.Currency) (int64, error) {
	digits, err := currency.Digits()
	if err != nil {
		return 0, err
	}
	num, den := int64(1), int64(100)
	switch currency {
	case Home:
		return pence, nil
	case "JPY":
		num = 190
	case "EUR":
		num, den = 117, 10_000
	case "USD":
		num, den = 134, 10_000
	}
	for range digits {
		num *= 10
	}
	amount, err := money.Amount{Minor: pence, Currency: currency}.Ratio(num, den)
	return amount.Minor, err
}
