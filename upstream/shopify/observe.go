package shopify

import (
	"context"
	"slices"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingBasket = "reading the basket"

// Read implements upstream.Shop. It takes one request, and another one of the
// Admin API where the cart is gone or was renewed before.
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	kept, c, err := s.readCart(ctx, v, h)
	if err != nil {
		return upstream.Observed{}, err
	}
	if kept.mayBeOrdered(c) {
		placed, err := s.ordered(ctx, v, readingBasket, kept)
		if err != nil {
			return upstream.Observed{}, err
		}
		if placed != nil {
			return upstream.Observed{Currency: placed.Total.Currency, Ordered: placed}, nil
		}
	}
	if c.none() {
		return upstream.Observed{}, upstream.Errorf(upstream.CodeBasketGone, readingBasket, "the shop has dropped the basket")
	}
	return s.observe(c, kept)
}

// readCart reads the cart of a handle.
func (s *Shop) readCart(ctx context.Context, v upstream.Visit, h upstream.Handle) (handle, cart, error) {
	kept, err := readHandle(h)
	if err != nil {
		return handle{}, cart{}, err
	}
	if kept.Cart == "" {
		return handle{}, cart{}, upstream.Errorf(upstream.CodeBasketGone, readingBasket, "no basket was begun")
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return handle{}, cart{}, err
	}
	values := market{kept.Country, f.languageCode(v.Market.Language)}.variables()
	values["cart"] = kept.Cart
	data, err := s.run(ctx, v, call{op: readingBasket, name: "Read", document: document(readDocument, cartParts), variables: values, safe: true})
	return kept, cart{data.Get("cart")}, err
}

// observe turns what Shopify says of a cart into the model.
func (s *Shop) observe(c cart, kept handle) (upstream.Observed, error) {
	var purse purse
	purse.read(c.Get("cost.totalAmount")) // Its currency is the cart's.
	shares := shareOut(c, kept.Lines)
	ways, chosen := c.ways(&purse)
	sums := readSums(&purse, c, chosenPrice(&purse, ways, chosen))
	o := upstream.Observed{
		Currency:  purse.currency,
		Lines:     s.readLines(&purse, c, shares),
		Totals:    sums.totals,
		Total:     sums.total,
		Estimated: true,
		Discounts: readDiscounts(&purse, c, shares),
		Chosen:    chosen,
		HandOff:   webAddress(c.Get("checkoutUrl")),
	}
	for _, w := range ways {
		o.Delivery = append(o.Delivery, w.DeliveryOption)
	}
	if len(o.Lines) == 0 {
		// All else the shop asks for on its own page.
		o.Missing = []upstream.Missing{upstream.MissingLines}
	}
	return o, purse.failed(readingBasket)
}

// readLines returns the lines in the caller's order, and after them what the
// caller does not know of.
func (s *Shop) readLines(purse *purse, c cart, shares shares) []upstream.Line {
	var lines []upstream.Line
	for _, is := range c.lines() {
		parts := shares.of[is.id()]
		subtotal := purse.read(is.Get("cost.subtotalAmount"))
		subtotals := purse.split(subtotal, parts)
		totals := purse.split(purse.less(subtotal, purse.allocated(is.Get("discountAllocations").Array())), parts)
		for i, part := range parts {
			at := slices.IndexFunc(lines, func(l upstream.Line) bool { return l.Key == part.Key })
			if at < 0 {
				at = len(lines)
				lines = append(lines, s.readLine(purse, is))
				lines[at].Key = part.Key
			}
			line := &lines[at]
			line.Quantity += part.Quantity
			line.Subtotal, line.Total = purse.sum(line.Subtotal, subtotals[i]), purse.sum(line.Total, totals[i])
		}
	}
	slices.SortStableFunc(lines, func(a, b upstream.Line) int { return shares.position(a.Key) - shares.position(b.Key) })
	return lines
}

// readLine reads what a line says of its item.
func (s *Shop) readLine(purse *purse, is line) upstream.Line {
	product := is.Get("merchandise.product")
	return upstream.Line{
		Item:    is.variant(),
		Product: product.Get("id").String(),
		Title:   titleOf(product),
		Choices: readChoices(is.Get("merchandise.selectedOptions")),
		Unit:    purse.readUnit(is.Get("cost.amountPerQuantity")),
		Image:   webAddress(is.Get("merchandise.image.url")),
		URL:     s.page(product),
	}
}
