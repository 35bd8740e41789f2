package medusa

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// refundCredit is what the credit lines refer to that Medusa writes on an order
// for a refund.
const refundCredit = "payment_collection"

// sums are the figures of a cart or an order.
type sums struct {
	totals []upstream.Total
	total  money.Amount
	// tax is the tax in total.
	tax money.Amount
}

// readSums reads the figures of a cart or an order so that its totals add up to
// its total: what was rounded away between them is a line of its own. Delivery
// stands there as it is after its own discounts. The figures do not change with a
// refund: that is an adjustment.
func readSums(purse *purse, from gjson.Result, included bool, lines []upstream.Line) sums {
	s := sums{total: purse.read(from.Get("total")), tax: purse.read(from.Get("tax_total"))}
	subtotal, items := purse.zero(), purse.zero()
	for _, line := range lines {
		subtotal = purse.sum(subtotal, line.Subtotal)
		items = purse.sum(items, purse.less(line.Total, line.Subtotal))
	}
	s.add(upstream.TotalSubtotal, "", subtotal, true)
	s.add(upstream.TotalItemsDiscount, "", items, false)
	if methods := from.Get("shipping_methods").Array(); len(methods) > 0 {
		price := purse.zero()
		for _, method := range methods {
			_, now := methodPrice(purse, method, included)
			price = purse.sum(price, now)
		}
		s.add(upstream.TotalFulfillment, "", price, true)
	}
	if !included {
		s.add(upstream.TotalTax, "", s.tax, true)
	}
	credit := readCredit(purse, from)
	s.add(upstream.TotalDiscount, creditTitle, purse.less(purse.zero(), credit), false)
	s.total = purse.sum(s.total, refunded(purse, from))
	rest := s.total
	for _, total := range s.totals {
		rest = purse.less(rest, total.Amount)
	}
	s.add(upstream.TotalRounding, "", rest, false)
	return s
}

// add adds a line. One of nothing is left out unless it always stands there.
func (s *sums) add(kind upstream.TotalKind, label string, amount money.Amount, always bool) {
	if always || amount.Minor != 0 {
		s.totals = append(s.totals, upstream.Total{Kind: kind, Label: label, Amount: amount})
	}
}

// methodPrice is what a delivery costs before its discounts and after them.
func methodPrice(purse *purse, method gjson.Result, included bool) (before, now money.Amount) {
	if included {
		return purse.read(method.Get("original_total")), purse.read(method.Get("total"))
	}
	before = purse.read(method.Get("subtotal"))
	return before, purse.less(before, purse.read(method.Get("discount_subtotal")))
}

// readCredit adds up what is paid with the shop's own credit, such as a gift card.
func readCredit(purse *purse, from gjson.Result) money.Amount {
	return creditLines(purse, from, func(reference string) bool { return reference != refundCredit })
}

// refunded adds up the credit lines that Medusa took off an order's total for
// refunds.
func refunded(purse *purse, from gjson.Result) money.Amount {
	return creditLines(purse, from, func(reference string) bool { return reference == refundCredit })
}

func creditLines(purse *purse, from gjson.Result, such func(reference string) bool) money.Amount {
	sum := purse.zero()
	for _, line := range from.Get("credit_lines").Array() {
		if such(line.Get("reference").String()) {
			sum = purse.sum(sum, purse.read(line.Get("amount")))
		}
	}
	return sum
}
