package vendure

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// purse reads the amounts of one answer, all in one currency. The first one that
// is none is kept as err, and nothing read afterwards counts.
type purse struct {
	currency money.Currency
	decimals int
	err      error
}

// newPurse returns a purse for amounts in the currency that code names.
func (s *Shop) newPurse(code gjson.Result) *purse {
	currency, err := money.ParseCurrency(code.String())
	return &purse{currency: currency, decimals: s.decimals, err: err}
}

// read reads an amount. Vendure's are whole numbers of the smallest unit it
// counts in, but for prices of delivery before they are in an order: those may
// be fractions, such as 829.1666666666667.
func (p *purse) read(number gjson.Result) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	raw := ""
	if number.Type == gjson.Number {
		raw = shift(number.Raw, p.decimals)
	}
	var amount money.Amount
	amount, p.err = money.RoundDecimal(raw, p.currency)
	return amount
}

// either reads the price with or without tax from an object that has both, the
// latter under the name with.
func (p *purse) either(object gjson.Result, included bool, without, with string) money.Amount {
	if included {
		return p.read(object.Get(with))
	}
	return p.read(object.Get(without))
}

// sum adds up amounts of the purse's currency.
func (p *purse) sum(amounts ...money.Amount) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	var total money.Amount
	if total, p.err = money.Sum(amounts...); total == (money.Amount{}) {
		return p.zero()
	}
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

func (p *purse) zero() money.Amount { return money.Amount{Currency: p.currency} }

// failed returns why the answer cannot be used, nil if it can.
func (p *purse) failed(op string) error {
	if p.err == nil {
		return nil
	}
	return &upstream.Error{Code: upstream.CodeUnavailable, Op: op, Text: "the shop's answer holds an amount that is none", Err: p.err}
}

// shift divides a JSON number by 10^decimals.
func shift(number string, decimals int) string {
	exponent := 0
	if at := strings.IndexAny(number, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(number[at+1:]); err != nil {
			return number // Too long to be one; whoever reads it says so.
		}
		number = number[:at]
	}
	return number + "e" + strconv.Itoa(exponent-decimals)
}
