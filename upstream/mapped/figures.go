package mapped

import (
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// figures reads the amounts of one answer, all in one currency. The first that
// cannot be read is kept as err, and nothing read afterwards counts.
type figures struct {
	reader   *reader
	currency money.Currency
	err      error
}

func (f *figures) zero() money.Amount { return money.Amount{Currency: f.currency} }

// read reads an amount, and whether there is one.
func (f *figures) read(s scope, v Value) (money.Amount, bool) {
	if f.err != nil {
		return f.zero(), false
	}
	amount, is, err := f.reader.amount(s, v, f.currency)
	f.err = err
	return amount, is && err == nil
}

// sum adds up amounts, and less subtracts b from a.
func (f *figures) sum(amounts ...money.Amount) money.Amount {
	total, err := money.Sum(append(amounts, f.zero())...)
	f.failed(err)
	return total
}

func (f *figures) less(a, b money.Amount) money.Amount {
	difference, err := a.Sub(b)
	f.failed(err)
	return difference
}

// failed keeps the first error.
func (f *figures) failed(err error) {
	if f.err == nil {
		f.err = err
	}
}

// split divides an amount in proportion to weights.
func (f *figures) split(amount money.Amount, weights []int64) []money.Amount {
	out := make([]money.Amount, len(weights))
	for i, minor := range money.Allocate(amount.Minor, weights) {
		out[i] = money.Amount{Minor: minor, Currency: amount.Currency}
	}
	return out
}

// price is what a line costs: one of it, all before discounts, all after.
type price struct{ unit, subtotal, total money.Amount }

// price reads what a line costs. What the shop does not say follows from the rest.
func (f *figures) price(item scope, m *Lines, quantity int64) price {
	unit, hasUnit := f.read(item, m.Unit)
	subtotal, hasSubtotal := f.read(item, m.Subtotal)
	total, hasTotal := f.read(item, m.Total)
	var err error
	switch {
	case !hasUnit && !hasSubtotal:
		err = faultf(m.Unit.At, "a line has neither unit nor subtotal")
	case !hasSubtotal:
		subtotal, err = unit.Mul(quantity)
	case !hasUnit:
		unit, err = subtotal.Ratio(1, quantity)
	}
	f.failed(err)
	if !hasTotal || total.Minor > subtotal.Minor {
		total = subtotal
	}
	return price{unit, subtotal, total}
}

// sumFields are where the figures of a basket or an order stand.
type sumFields struct {
	total, tax, delivery, discount Value
	fees                           []Pairs
}

// sums are the figures of a basket or an order.
type sums struct {
	totals []upstream.Total
	total  money.Amount
	tax    *money.Amount
	// off is what was taken off the goods, fee what delivery costs.
	off, fee money.Amount
}

// sums reads figures so that the totals add up to the total: what the shop rounded
// away is a line of its own.
func (f *figures) sums(from scope, m sumFields, lines []upstream.Line, tax upstream.Tax) sums {
	var s sums
	var is bool
	if s.total, is = f.read(from, m.total); !is && len(lines) > 0 {
		f.failed(faultf(m.total.At, "there is no total there"))
	}
	subtotal, onLines := f.zero(), f.zero()
	for _, line := range lines {
		subtotal = f.sum(subtotal, line.Subtotal)
		onLines = f.sum(onLines, f.less(line.Subtotal, line.Total))
	}
	// Shops write what is taken off with either sign.
	all, _ := f.read(from, m.discount)
	if all.Minor < 0 {
		all = f.less(f.zero(), all)
	}
	onWhole := f.less(all, onLines)
	if onWhole.Minor < 0 {
		onWhole = f.zero()
	}
	s.off = f.sum(onLines, onWhole)
	s.fee, _ = f.read(from, m.delivery)
	s.add(upstream.TotalSubtotal, "", subtotal, true)
	s.add(upstream.TotalItemsDiscount, "", f.less(f.zero(), onLines), false)
	s.add(upstream.TotalDiscount, "", f.less(f.zero(), onWhole), false)
	s.add(upstream.TotalFulfillment, "", s.fee, false)
	for _, fee := range f.fees(from, m.fees) {
		s.add(upstream.TotalFee, fee.Label, fee.Amount, false)
	}
	if included, is := f.read(from, m.tax); is {
		s.tax = &included
		if tax == upstream.TaxExcluded {
			s.add(upstream.TotalTax, "", included, true)
		}
	}
	rest := s.total
	for _, total := range s.totals {
		rest = f.less(rest, total.Amount)
	}
	s.add(upstream.TotalRounding, "", rest, false)
	return s
}

// add adds a total. One of nothing is left out unless it always stands there.
func (s *sums) add(kind upstream.TotalKind, label string, amount money.Amount, always bool) {
	if always || amount.Minor != 0 {
		s.totals = append(s.totals, upstream.Total{Kind: kind, Label: label, Amount: amount})
	}
}

// fees reads what is charged besides. One that would make it cheaper is no fee, and
// is left to the rounding.
func (f *figures) fees(from scope, all []Pairs) []upstream.Total {
	var fees []upstream.Total
	for _, m := range all {
		for _, item := range f.reader.items(from, m.In) {
			if amount, is := f.read(item, m.Value); is && amount.Minor > 0 {
				fees = append(fees, upstream.Total{Label: f.reader.text(item, m.Name), Amount: amount})
			}
		}
	}
	return fees
}

// readDiscounts returns what lowered the price of the basket. The shop's own list
// says by what; how much it is in all, and on which lines, the totals say.
func (b *basket) readDiscounts(f *figures, o upstream.Observed, s sums) []upstream.Discount {
	listed := b.listedDiscounts(f)
	var onGoods []upstream.Discount
	var weights []int64
	for _, d := range listed {
		if !d.OnDelivery && d.Amount.Minor > 0 {
			onGoods = append(onGoods, d)
			weights = append(weights, d.Amount.Minor)
		}
	}
	if len(onGoods) == 0 {
		onGoods, weights = []upstream.Discount{b.onlyDiscount()}, []int64{1}
	}
	var discounts []upstream.Discount
	for i, part := range f.split(s.off, weights) {
		if onGoods[i].Amount = part; part.Minor > 0 {
			discounts = append(discounts, onGoods[i])
		}
	}
	if len(discounts) == 1 {
		for _, line := range o.Lines {
			if off := f.less(line.Subtotal, line.Total); off.Minor > 0 {
				if discounts[0].Lines == nil {
					discounts[0].Lines = make(map[string]money.Amount)
				}
				discounts[0].Lines[line.Key] = off
			}
		}
	}
	return append(discounts, b.deliveryDiscounts(f, o, s, listed)...)
}

// listedDiscounts reads the shop's list of discounts.
func (b *basket) listedDiscounts(f *figures) []upstream.Discount {
	m, r := b.shop.m.Basket.Discounts, b.shop.reader
	if !m.In.mapped() {
		return nil
	}
	var all []upstream.Discount
	for _, item := range r.items(b.held.tree, m.In) {
		amount, _ := f.read(item, m.Amount)
		if amount.Minor < 0 {
			amount = f.less(f.zero(), amount)
		}
		d := upstream.Discount{Code: r.word(item, m.Code), Title: r.text(item, m.Title), Amount: amount, OnDelivery: r.yes(item, m.OnDelivery)}
		if d.Code == "" && d.Title == "" {
			d.Title = discountTitle
		}
		all = append(all, d)
	}
	return all
}

// discountTitle is what a buyer reads for a discount without a name.
const discountTitle = "Discount"

// onlyDiscount is the discount of a shop that tells but codes: its one code, or
// none that can be told.
func (b *basket) onlyDiscount() upstream.Discount {
	if codes := b.codes(); len(codes) == 1 {
		return upstream.Discount{Code: codes[0]}
	}
	return upstream.Discount{Title: discountTitle}
}

// deliveryDiscounts are what made the delivery cheaper than it was offered at: the
// first that the shop lists for that, or the only code.
func (b *basket) deliveryDiscounts(f *figures, o upstream.Observed, s sums, listed []upstream.Discount) []upstream.Discount {
	option := b.option(o.Chosen)
	if option == nil || s.fee.Minor >= option.Price.Minor {
		return nil
	}
	d := b.onlyDiscount()
	if at := slices.IndexFunc(listed, func(d upstream.Discount) bool { return d.OnDelivery }); at >= 0 {
		d = listed[at]
	}
	d.OnDelivery, d.Amount = true, f.less(option.Price, s.fee)
	return []upstream.Discount{d}
}
