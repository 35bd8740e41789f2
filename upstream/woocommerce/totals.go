package woocommerce

import (
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// bill is a basket or an order that is being added up. The shop counts without
// tax and names the tax beside it, always; a bill shows what its buyers see.
type bill struct {
	*purse
	included bool
}

// newBill returns a bill in the way that the lines show their prices, or in the
// way of the catalogue where none of them has tax.
func newBill(totals gjson.Result, lines []gjson.Result, catalogue upstream.Tax) bill {
	if shown := shownTax(lines); shown != upstream.TaxUnknown {
		catalogue = shown
	}
	return bill{purse: newPurse(totals), included: catalogue != upstream.TaxExcluded}
}

// shownTax says how lines show their prices.
func shownTax(lines []gjson.Result) upstream.Tax {
	for _, line := range lines {
		if shown := shownBy(line); shown != upstream.TaxUnknown {
			return shown
		}
	}
	return upstream.TaxUnknown
}

// shownBy says how tax stands to the price of one of a line: price × quantity is
// the line with its tax, or without. Nobody can tell from a line without tax.
func shownBy(line gjson.Result) upstream.Tax {
	p := newPurse(line.Get("totals"))
	net, tax := p.units(line.Get("totals.line_subtotal")), p.units(line.Get("totals.line_subtotal_tax"))
	shown := p.units(line.Get("prices.price")) * units(line.Get("quantity").Int())
	switch {
	case p.err != nil || tax == 0:
		return upstream.TaxUnknown
	case distance(shown, net+tax) <= distance(shown, net):
		return upstream.TaxIncluded
	}
	return upstream.TaxExcluded
}

func distance(a, b units) units { return max(a-b, b-a) }

func (b bill) tax() upstream.Tax {
	if b.included {
		return upstream.TaxIncluded
	}
	return upstream.TaxExcluded
}

// pair reads an amount and the tax on it, as the bill shows it.
func (b bill) pair(object gjson.Result, net, tax string) money.Amount {
	n := b.units(object.Get(net))
	if b.included {
		n += b.units(object.Get(tax))
	}
	return b.amount(n)
}

// figures are what a bill comes to.
type figures struct {
	totals []upstream.Total
	total  money.Amount
	// tax is the tax in total.
	tax money.Amount
	// off is what was taken off the lines.
	off money.Amount
	// gifts are discounts that are neither on lines nor by code.
	gifts []upstream.Discount
}

// figures adds up totals. What the shop rounded away is a line of its own, and so
// is what a plug-in added without a word, so that they always add up to the
// shop's total.
func (b bill) figures(totals gjson.Result, lines []gjson.Result, fees gjson.Result, delivery bool) figures {
	fig := figures{total: b.read(totals.Get("total_price")), tax: b.read(totals.Get("total_tax")), off: b.zero()}
	subtotal := b.zero()
	for _, line := range lines {
		before := b.pair(line.Get("totals"), "line_subtotal", "line_subtotal_tax")
		subtotal = b.sum(subtotal, before)
		fig.off = b.sum(fig.off, b.less(before, b.lineTotal(line, before)))
	}
	fig.add(upstream.TotalSubtotal, "", subtotal, true)
	fig.add(upstream.TotalItemsDiscount, "", b.less(b.zero(), fig.off), false)
	b.addFees(&fig, totals, fees)
	if delivery {
		fig.add(upstream.TotalFulfillment, "", b.pair(totals, "total_shipping", "total_shipping_tax"), true)
	}
	if !b.included {
		fig.add(upstream.TotalTax, "", fig.tax, true)
	}
	rest := fig.total
	for _, total := range fig.totals {
		rest = b.less(rest, total.Amount)
	}
	fig.settle(rest, b.rounding(len(lines)))
	return fig
}

// settle adds what the totals lack. What is more than rounding is none.
func (fig *figures) settle(rest money.Amount, rounding int64) {
	if rest.Minor >= -rounding && rest.Minor <= rounding {
		fig.add(upstream.TotalRounding, "", rest, false)
		return
	}
	fig.charge("", rest)
}

// lineTotal is a line after the discounts, which never is more than before.
func (b bill) lineTotal(line gjson.Result, before money.Amount) money.Amount {
	after := b.pair(line.Get("totals"), "line_total", "line_total_tax")
	after.Minor = max(0, min(after.Minor, before.Minor))
	return after
}

// addFees adds the fees by their names, or in one where the shop names none.
func (b bill) addFees(fig *figures, totals, fees gjson.Result) {
	left := b.pair(totals, "total_fees", "total_fees_tax")
	for _, fee := range fees.Array() {
		amount := b.pair(fee.Get("totals"), "total", "total_tax")
		left = b.less(left, amount)
		fig.charge(title(fee.Get("name").String()), amount)
	}
	fig.charge("", left)
}

// charge adds a fee. Below nothing it is a discount, which is how many plug-ins
// give one.
func (fig *figures) charge(label string, amount money.Amount) {
	if amount.Minor >= 0 {
		fig.add(upstream.TotalFee, label, amount, false)
		return
	}
	fig.add(upstream.TotalDiscount, label, amount, false)
	amount.Minor = -amount.Minor
	fig.gifts = append(fig.gifts, upstream.Discount{Title: cmp.Or(label, unnamed), Amount: amount})
}

// add adds a line. One of nothing is left out unless it always stands there.
func (fig *figures) add(kind upstream.TotalKind, label string, amount money.Amount, always bool) {
	if always || amount.Minor != 0 {
		fig.totals = append(fig.totals, upstream.Total{Kind: kind, Label: label, Amount: amount})
	}
}
