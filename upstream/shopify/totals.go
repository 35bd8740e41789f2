package shopify

import (
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// sums are the figures of a cart.
type sums struct {
	totals []upstream.Total
	total  money.Amount
}

// readSums reads the figures of a cart so that its totals add up to its total. What
// was taken off the whole is spread over the lines, and so it is off the items. The
// delivery stands there as it is after its own discounts.
//
// Shopify's total holds the delivery at some times and not at others: where it is
// the goods alone, the delivery in force is added. What else it holds, such as a
// tax that a shop adds to its prices, is not told apart and stands as a fee.
func readSums(purse *purse, c cart, delivery money.Amount) sums {
	subtotal, off := purse.zero(), purse.zero()
	for _, line := range c.lines() {
		subtotal = purse.sum(subtotal, purse.read(line.Get("cost.subtotalAmount")))
		off = purse.sum(off, purse.allocated(line.Get("discountAllocations").Array()))
	}
	goods := purse.less(subtotal, off)
	s := sums{total: purse.read(c.Get("cost.totalAmount"))}
	if s.total != purse.sum(goods, delivery) {
		// Otherwise the price is what the discounts have left already.
		delivery = purse.less(delivery, purse.allocated(c.onDelivery()))
		delivery.Minor = max(delivery.Minor, 0)
	}
	if s.total == goods {
		s.total = purse.sum(goods, delivery)
	}
	s.add(upstream.TotalSubtotal, subtotal, true)
	s.add(upstream.TotalItemsDiscount, purse.less(purse.zero(), off), false)
	s.add(upstream.TotalFulfillment, delivery, len(c.Get("deliveryGroups.nodes").Array()) > 0)
	rest := purse.less(s.total, purse.sum(goods, delivery))
	if rest.Minor > int64(len(c.lines())) {
		s.add(upstream.TotalFee, rest, true)
	} else {
		s.add(upstream.TotalRounding, rest, false)
	}
	return s
}

// add adds a line. One of nothing is left out unless it always stands there.
func (s *sums) add(kind upstream.TotalKind, amount money.Amount, always bool) {
	if always || amount.Minor != 0 {
		s.totals = append(s.totals, upstream.Total{Kind: kind, Amount: amount})
	}
}

// chosenPrice is what the way of delivery in force costs.
func chosenPrice(purse *purse, ways []way, chosen string) money.Amount {
	for _, w := range ways {
		if w.ID == chosen {
			return w.Price
		}
	}
	return purse.zero()
}
