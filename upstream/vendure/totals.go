package vendure

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// sums are the figures of an order.
type sums struct {
	totals []upstream.Total
	total  money.Amount
	// tax is the tax in total.
	tax money.Amount
}

// readSums reads the figures of an order so that its totals add up to its total:
// what Vendure rounded away between them is a line of its own. It spreads what was
// taken off the whole over the lines, and so that is off the items. Delivery stands
// there as it is after its own discounts.
func readSums(purse *purse, order gjson.Result, included bool) sums {
	s := sums{total: purse.read(order.Get("totalWithTax"))}
	s.tax = purse.less(s.total, purse.read(order.Get("total")))

	subtotal, after := purse.zero(), purse.zero()
	for _, line := range order.Get("lines").Array() {
		subtotal = purse.sum(subtotal, purse.either(line, included, "linePrice", "linePriceWithTax"))
		after = purse.sum(after, purse.either(line, included, "proratedLinePrice", "proratedLinePriceWithTax"))
	}
	s.add(upstream.TotalSubtotal, "", subtotal, true)
	s.add(upstream.TotalItemsDiscount, "", purse.less(after, subtotal), false)
	for _, surcharge := range order.Get("surcharges").Array() {
		kind := upstream.TotalFee
		amount := purse.either(surcharge, included, "price", "priceWithTax")
		if amount.Minor < 0 {
			kind = upstream.TotalDiscount
		}
		s.add(kind, plaintext.FromHTML(surcharge.Get("description").String()), amount, false)
	}
	if shipping := order.Get("shippingLines").Array(); len(shipping) > 0 {
		price := purse.zero()
		for _, line := range shipping {
			price = purse.sum(price, purse.either(line, included, "discountedPrice", "discountedPriceWithTax"))
		}
		s.add(upstream.TotalFulfillment, "", price, true)
	}
	if !included {
		s.add(upstream.TotalTax, "", s.tax, true)
	}
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
