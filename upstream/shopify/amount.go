package shopify

import (
	"errors"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
)

// purse reads the amounts of one answer, all in one currency: that of the first.
// The first amount that is none is kept as err, and nothing read afterwards
// counts.
type purse struct {
	currency money.Currency
	err      error
}

// read reads a MoneyV2 exactly.
func (p *purse) read(is gjson.Result) money.Amount { return p.parse(is, money.ParseDecimal) }

// readUnit reads what one of several costs, to the nearest minor unit: Shopify
// may give a part of one.
func (p *purse) readUnit(is gjson.Result) money.Amount { return p.parse(is, money.RoundDecimal) }

func (p *purse) parse(is gjson.Result, parse func(string, money.Currency) (money.Amount, error)) money.Amount {
	if p.err != nil {
		return money.Amount{}
	}
	currency, err := money.ParseCurrency(is.Get("currencyCode").String())
	switch {
	case err != nil:
		p.err = bare(err)
		return money.Amount{}
	case p.currency == "":
		p.currency = currency
	case p.currency != currency:
		p.err = money.ErrMismatch
		return money.Amount{}
	}
	amount, err := parse(is.Get("amount").String(), currency)
	p.err = bare(err)
	return amount
}

// bare returns why an amount is none without the shop's words, which the error
// of package money quotes.
func bare(err error) error {
	for _, reason := range []error{money.ErrSyntax, money.ErrPrecision, money.ErrOverflow, money.ErrCurrency} {
		if errors.Is(err, reason) {
			return reason
		}
	}
	return nil
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
	return unusable(op, "an amount is none", p.err)
}
