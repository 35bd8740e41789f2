package mapped

import (
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// currency is that of the basket.
func (b *basket) currency() (money.Currency, error) {
	if b.held.tree.Raw == "" {
		return b.shop.currencyOf(b.visit), nil
	}
	return b.shop.reader.currency(b.held.tree, b.shop.m.Basket.Currency)
}

// noDelivery reports whether nothing in the basket has to be sent.
func (b *basket) noDelivery() bool {
	m := b.shop.m.Basket
	return m.NoDelivery.mapped() && b.shop.reader.yes(b.held.tree, m.NoDelivery)
}

// observe turns what the shop says of the basket into the model.
func (b *basket) observe() (upstream.Observed, error) {
	currency, err := b.currency()
	if err != nil {
		return upstream.Observed{}, unreadable(b.op, err)
	}
	o := upstream.Observed{
		Currency: currency,
		Tax:      b.shop.m.Tax.model(),
		Chosen:   b.chosen(),
		HandOff:  b.handOff(),
	}
	for _, option := range b.options {
		o.Delivery = append(o.Delivery, option.DeliveryOption)
	}
	if b.held.tree.Raw == "" {
		zero := money.Amount{Currency: currency}
		o.Total, o.Totals = zero, []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: zero}}
		o.Missing = b.missing(o)
		return o, nil
	}
	f := figures{reader: b.shop.reader, currency: currency}
	o.Lines = b.readLines(&f)
	m := b.shop.m.Basket
	sums := f.sums(b.held.tree, sumFields{m.Total, m.TaxTotal, m.DeliveryFee, m.Discount, m.Fees}, o.Lines, o.Tax)
	o.Totals, o.Total, o.TaxTotal = sums.totals, sums.total, sums.tax
	o.Discounts = b.readDiscounts(&f, o, sums)
	o.Missing = b.missing(o)
	o.Estimated = b.kept.Address == nil || b.shop.m.Place == nil || slices.Contains(o.Missing, upstream.MissingDelivery)
	if f.err != nil {
		return upstream.Observed{}, unreadable(b.op, f.err)
	}
	return o, nil
}

// readLines returns the lines in the caller's order, and after them what the
// caller does not know of. A line of the shop is several of the caller's where
// these named the same variant.
func (b *basket) readLines(f *figures) []upstream.Line {
	var lines []upstream.Line
	left := slices.Clone(b.kept.Lines)
	for _, held := range b.held.lines {
		shares := share(held, &left)
		weights := make([]int64, len(shares))
		for i, part := range shares {
			weights[i] = part.Quantity
		}
		price := f.price(held.scope, &b.shop.m.Basket.Lines, held.quantity)
		subtotals, totals := f.split(price.subtotal, weights), f.split(price.total, weights)
		for i, part := range shares {
			line := b.shop.readLine(held.scope, &b.shop.m.Basket.Lines)
			line.Key, line.Quantity, line.Item = part.Key, part.Quantity, held.item
			if line.Product == "" {
				line.Product = part.Product
			}
			line.Unit, line.Subtotal, line.Total = price.unit, subtotals[i], totals[i]
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(a, c upstream.Line) int { return b.position(a.Key) - b.position(c.Key) })
	return lines
}

// position is where a line stands among the caller's, behind all if it is none.
func (b *basket) position(key string) int {
	at := slices.IndexFunc(b.kept.Lines, func(k keptLine) bool { return k.Key == key })
	if at < 0 {
		return len(b.kept.Lines)
	}
	return at
}

// readLine reads what a line is.
func (s *Shop) readLine(item scope, m *Lines) upstream.Line {
	r := s.reader
	line := upstream.Line{
		Product: r.word(item, m.Product),
		Title:   r.text(item, m.Title),
		Image:   r.address(item, m.Image),
		URL:     r.address(item, m.URL),
	}
	for _, c := range r.pairs(item, m.Choices) {
		line.Choices = append(line.Choices, upstream.Choice{Name: c.name, Value: c.value})
	}
	return line
}

// share divides a line of the shop's among the caller's lines for the same item
// that have no share yet, the first ones first. One of which the caller knows
// nothing is one share.
func share(held heldLine, left *[]keptLine) []keptLine {
	rest := held.quantity
	var shares []keptLine
	*left = slices.DeleteFunc(*left, func(line keptLine) bool {
		if line.Item != held.item || rest == 0 {
			return false
		}
		line.Quantity = min(line.Quantity, rest)
		rest -= line.Quantity
		shares = append(shares, line)
		return true
	})
	switch {
	case len(shares) == 0:
		return []keptLine{{Key: "shop-" + held.id, Item: held.item, Product: held.item, Quantity: rest}}
	case rest > 0:
		// More than was wanted: somebody else has the basket too.
		shares[len(shares)-1].Quantity += rest
	}
	return shares
}

// missing says what the shop still wants before it takes the order.
func (b *basket) missing(o upstream.Observed) []upstream.Missing {
	var list []upstream.Missing
	if len(o.Lines) == 0 {
		list = append(list, upstream.MissingLines)
	}
	if b.shop.m.Place == nil {
		return list
	}
	var address upstream.Address
	if b.kept.Address != nil {
		address = *b.kept.Address
	}
	known := map[upstream.Missing]string{
		upstream.MissingEmail: b.kept.Buyer.Email, upstream.MissingFirstName: address.FirstName + b.kept.Buyer.FirstName,
		upstream.MissingLastName: address.LastName + b.kept.Buyer.LastName, upstream.MissingPhone: address.Phone + b.kept.Buyer.Phone,
		upstream.MissingAddress: address.Country, upstream.MissingStreet: address.Street, upstream.MissingCity: address.City,
		upstream.MissingRegion: address.Region, upstream.MissingPostalCode: address.PostalCode,
	}
	for _, need := range b.shop.m.Needs {
		if known[need] == "" && !slices.Contains(list, need) {
			list = append(list, need)
		}
	}
	if b.shop.m.Delivery != nil && o.Chosen == "" && !b.noDelivery() {
		list = append(list, upstream.MissingDelivery)
	}
	return list
}
