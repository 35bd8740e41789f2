package woocommerce

import (
	"errors"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxDecimals is how many decimals a shop may be set to count with.
const maxDecimals = 10

// maxUnits bounds an amount in the shop's units, so that no sum of what one
// answer holds can leave 64 bits.
const maxUnits = 1_000_000_000_000_000

// What can be wrong with an amount. None of these quotes it.
var (
	errCurrency = errors.New("no currency")
	errDecimals = errors.New("decimals out of range")
	errUnits    = errors.New("not a whole number of units")
	errDecimal  = errors.New("not a decimal number")
	errSum      = errors.New("a sum that is too large")
)

// units are an amount as the shop counts: in 10^-decimals of its currency, where
// the decimals are a setting of the shop and not those of ISO 4217.
type units int64

// purse reads the amounts of one answer. The first one that is none is kept as
// err, and nothing read afterwards counts.
type purse struct {
	currency money.Currency
	decimals int
	err      error
}

// newPurse returns a purse for the amounts beside currency_code and
// currency_minor_unit.
func newPurse(object gjson.Result) *purse {
	p := newWallet(object.Get("currency_code"))
	decimals := object.Get("currency_minor_unit")
	p.decimals = int(decimals.Int())
	if p.err == nil && (p.decimals < 0 || p.decimals > maxDecimals || decimals.Type != gjson.Number) {
		p.err = errDecimals
	}
	return p
}

// newWallet returns a purse for decimal amounts in the currency that code names.
func newWallet(code gjson.Result) *purse {
	currency, err := money.ParseCurrency(code.String())
	if err != nil {
		return &purse{err: errCurrency}
	}
	return &purse{currency: currency}
}

// units reads an amount: a string of an integer, or null for none.
func (p *purse) units(value gjson.Result) units {
	if p.err != nil || value.Type == gjson.Null {
		return 0
	}
	n, err := strconv.ParseInt(value.String(), 10, 64)
	if err != nil || n > maxUnits || n < -maxUnits {
		p.err = errUnits
		return 0
	}
	return units(n)
}

// amount converts to minor units of ISO 4217, rounded half away from zero where
// the shop counts more finely.
func (p *purse) amount(u units) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	amount, err := money.RoundDecimal(strconv.FormatInt(int64(u), 10)+"e-"+strconv.Itoa(p.decimals), p.currency)
	if err != nil {
		p.err = errUnits
	}
	return amount
}

// read reads an amount and converts it.
func (p *purse) read(value gjson.Result) money.Amount { return p.amount(p.units(value)) }

// decimal reads an amount of the REST API: a decimal number in a string.
func (p *purse) decimal(value gjson.Result) money.Amount {
	if p.err != nil || value.String() == "" {
		return p.zero()
	}
	amount, err := money.RoundDecimal(value.String(), p.currency)
	if err != nil {
		p.err = errDecimal
	}
	return amount
}

// rounding is how much the shop may be off in minor units, as it rounds each line
// and the whole to units of its own.
func (p *purse) rounding(lines int) int64 {
	unit := p.amount(1)
	return max(unit.Minor, 1) * (int64(lines) + 2)
}

// sum adds up amounts of the purse's currency.
func (p *purse) sum(amounts ...money.Amount) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	total := p.zero()
	for _, amount := range amounts {
		var err error
		if total, err = total.Add(amount); err != nil {
			p.err = errSum
			return money.Amount{}
		}
	}
	return total
}

// less subtracts b from a.
func (p *purse) less(a, b money.Amount) money.Amount {
	return p.sum(a, money.Amount{Minor: -b.Minor, Currency: b.Currency})
}

func (p *purse) zero() money.Amount { return money.Amount{Currency: p.currency} }

// of returns minor units as an amount.
func (p *purse) of(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: p.currency} }

// failed returns why the answer cannot be used, nil if it can.
func (p *purse) failed(op string) error {
	if p.err == nil {
		return nil
	}
	return &upstream.Error{Code: upstream.CodeUnavailable, Op: op, Text: "the shop's answer holds an amount that is none", Err: p.err}
}
