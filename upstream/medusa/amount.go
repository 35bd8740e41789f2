package medusa

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// purse reads the amounts of one answer, all in one currency. The first one that
// is none is kept as err, and nothing read afterwards counts.
type purse struct {
	currency money.Currency
	err      error
}

// newPurse returns a purse for amounts in the currency that code names, in
// capital or small letters.
func newPurse(code gjson.Result) *purse {
	currency, err := money.ParseCurrency(code.String())
	return &purse{currency: currency, err: err}
}

// read reads an amount: a decimal number of major units. What Medusa computed may
// have fifteen decimals, and is rounded to what can be paid.
func (p *purse) read(number gjson.Result) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	raw := ""
	if number.Type == gjson.Number {
		raw = number.Raw
	}
	var amount money.Amount
	amount, p.err = money.RoundDecimal(raw, p.currency)
	return amount
}

// sum adds up amounts of the purse's currency.
func (p *purse) sum(amounts ...money.Amount) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	var total money.Amount
	total, p.err = money.Sum(append(amounts, p.zero())...)
	return total
}

// less subtracts b from a.
func (p *purse) less(a, b money.Amount) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	var difference money.Amount
	difference, p.err = a.Sub(b)
	return difference
}

// each divides what n cost together.
func (p *purse) each(all money.Amount, n int64) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	var one money.Amount
	one, p.err = all.Ratio(1, n)
	return one
}

// split divides an amount in proportion to weights.
func (p *purse) split(amount money.Amount, weights []int64) []money.Amount {
	parts := make([]money.Amount, len(weights))
	for i, minor := range money.Allocate(amount.Minor, weights) {
		parts[i] = money.Amount{Minor: minor, Currency: amount.Currency}
	}
	return parts
}

func (p *purse) zero() money.Amount { return money.Amount{Currency: p.currency} }

// failed returns why the answer cannot be used, nil if it can.
func (p *purse) failed(op string) error {
	if p.err == nil {
		return nil
	}
	return &upstream.Error{Code: upstream.CodeUnavailable, Op: op, Text: "the shop's answer holds an amount that is none", Err: p.err}
}
