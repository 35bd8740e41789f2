package woocommerce

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// observe turns what the shop says of a basket into the model. pay is the page
// where its order can be paid, if the shop waits for that.
func (s *Shop) observe(op string, f *facts, c cart, h handle, pay string) (upstream.Observed, error) {
	b := newBill(c.Get("totals"), c.lines(), f.tax)
	chosen, ways := c.chosen()
	fig := b.figures(c.Get("totals"), c.lines(), c.Get("fees"), chosen != nil)
	o := upstream.Observed{
		Currency: b.currency,
		Lines:    b.lines(c, h),
		Tax:      b.tax(),
		Totals:   fig.totals,
		Total:    fig.total,
		TaxTotal: &fig.tax,
		Missing:  c.missing(h),
		HandOff:  cmp.Or(pay, s.handOff(f, c, h)),
	}
	for _, way := range ways {
		o.Delivery = append(o.Delivery, b.option(way))
	}
	if chosen != nil {
		o.Chosen = chosen.id()
	}
	o.Discounts = append(b.discounts(c.Get("coupons"), fig, o.Lines, h.Codes), b.freeDelivery(c, chosen, ways, h.Codes)...)
	o.Estimated = slices.Contains(o.Missing, upstream.MissingAddress) || slices.Contains(o.Missing, upstream.MissingDelivery)
	return o, b.failed(op)
}

// freeDelivery returns the discount of a code that opened a way of delivery which
// costs nothing, if that way is chosen. What it saves is what the cheapest of the
// others costs.
func (b bill) freeDelivery(c cart, chosen *delivery, ways []delivery, codes []string) []upstream.Discount {
	if chosen == nil || !chosen.free() || b.option(*chosen).Price.Minor != 0 {
		return nil
	}
	code := idleCode(c)
	saved := money.Amount{}
	for _, way := range ways {
		price := b.option(way).Price
		if price.Minor > 0 && (saved.Minor == 0 || price.Minor < saved.Minor) {
			saved = price
		}
	}
	if code == "" || saved.Minor == 0 {
		return nil
	}
	return []upstream.Discount{{Code: written(code, codes), Amount: saved, OnDelivery: true}}
}

// idleCode returns the first code that takes nothing off the lines.
func idleCode(c cart) string {
	for _, coupon := range c.Get("coupons").Array() {
		if coupon.Get("totals.total_discount").Int() == 0 {
			return coupon.Get("code").String()
		}
	}
	return ""
}

// lines returns the lines in the caller's order, and after them what the caller
// does not know of. A line of the shop is several of the caller's where these
// named the same variant.
func (b bill) lines(c cart, h handle) []upstream.Line {
	var lines []upstream.Line
	for _, one := range c.lines() {
		parts := h.share(one)
		weights := make([]int64, len(parts))
		for i, part := range parts {
			weights[i] = part.Quantity
		}
		before := b.pair(one.Get("totals"), "line_subtotal", "line_subtotal_tax")
		subtotals := money.Allocate(before.Minor, weights)
		totals := money.Allocate(b.lineTotal(one, before).Minor, weights)
		for i, part := range parts {
			line := b.line(one, part)
			line.Unit = b.unit(one, before)
			line.Subtotal, line.Total = b.of(subtotals[i]), b.of(min(totals[i], subtotals[i]))
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(x, y upstream.Line) int { return h.position(x.Key) - h.position(y.Key) })
	return lines
}

// unit is what one of a line costs: its price, unless a plug-in has made the line
// cost something else.
func (b bill) unit(one gjson.Result, line money.Amount) money.Amount {
	price, count := b.read(one.Get("prices.price")), one.Get("quantity").Int()
	if b.err != nil || count < 1 {
		return price
	}
	whole, err := price.Mul(count)
	if err == nil && whole.Minor-line.Minor <= count && line.Minor-whole.Minor <= count {
		return price // As near as rounding lets it be.
	}
	if price, err = line.Ratio(1, count); err != nil {
		b.err = errSum
	}
	return price
}

// line reads what a line says of its item.
func (b bill) line(one gjson.Result, part keptLine) upstream.Line {
	line := upstream.Line{
		Key:      part.Key,
		Item:     part.Item,
		Title:    title(one.Get("name").String()),
		Quantity: part.Quantity,
		URL:      link(one.Get("permalink").String()),
	}
	if i, ok := parseItem(part.Item); ok {
		line.Product = item{product: i.product}.String()
	}
	for _, choice := range one.Get("variation").Array() {
		line.Choices = append(line.Choices, upstream.Choice{
			Name: title(choice.Get("attribute").String()), Value: title(choice.Get("value").String()),
		})
	}
	if media := readMedia(one.Get("images")); len(media) > 0 {
		line.Image = media[0].URL
	}
	return line
}

// share divides a line of the shop among the caller's lines of the same variant,
// the first ones first. A line of which the caller knows nothing is one share,
// by the shop's key; its number is all that is known of the product.
func (h *handle) share(one gjson.Result) []keptLine {
	key, left := one.Get("key").String(), one.Get("quantity").Int()
	var parts []keptLine
	for _, line := range h.Lines {
		if line.Line != key || left <= 0 {
			continue
		}
		line.Quantity = min(line.Quantity, left)
		left -= line.Quantity
		parts = append(parts, line)
	}
	switch {
	case len(parts) == 0:
		return []keptLine{{Key: key, Item: number(one.Get("id").Int()), Quantity: left}}
	case left > 0:
		// More than was wanted: somebody else has the token too.
		parts[len(parts)-1].Quantity += left
	}
	return parts
}

// position is where a line stands among the caller's, behind all if it is none.
func (h *handle) position(key string) int {
	at := slices.IndexFunc(h.Lines, func(l keptLine) bool { return l.Key == key })
	if at < 0 {
		return len(h.Lines)
	}
	return at
}
