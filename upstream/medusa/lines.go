package medusa

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// price is what some of the goods cost: before discounts, after them, and for
// one.
type price struct{ unit, subtotal, total money.Amount }

// readPrice reads what an item of a cart or an order costs. Medusa tells each
// figure with tax or without it.
func readPrice(purse *purse, item gjson.Result, included bool) price {
	var p price
	if included {
		p.subtotal, p.total = purse.read(item.Get("original_total")), purse.read(item.Get("total"))
	} else {
		p.subtotal = purse.read(item.Get("subtotal"))
		p.total = purse.less(p.subtotal, purse.read(item.Get("discount_subtotal")))
	}
	if item.Get("is_tax_inclusive").Bool() == included {
		p.unit = purse.read(item.Get("unit_price"))
	} else {
		p.unit = purse.each(p.subtotal, item.Get("quantity").Int())
	}
	return p
}

// offs say what was taken off each line, by the id of the shop's item.
type offs map[string][]off

type off struct {
	key    string
	amount money.Amount
}

// readLines returns the lines in the caller's order, and after them what the
// caller does not know of. An item of the shop is several lines of the caller
// where these named the same variant.
func (s *Shop) readLines(purse *purse, held cart, included bool, kept []keptLine) ([]upstream.Line, offs) {
	var lines []upstream.Line
	taken := make(offs)
	for _, item := range held.items() {
		price := readPrice(purse, item, included)
		shares := share(item, kept)
		weights := make([]int64, len(shares))
		for i, part := range shares {
			weights[i] = part.Quantity
		}
		subtotals := purse.split(price.subtotal, weights)
		totals := purse.split(price.total, weights)
		for i, part := range shares {
			line := s.readLine(item)
			line.Key, line.Quantity = part.Key, part.Quantity
			line.Unit, line.Subtotal, line.Total = price.unit, subtotals[i], totals[i]
			lines = append(lines, line)
			id := item.Get("id").String()
			taken[id] = append(taken[id], off{part.Key, purse.less(line.Subtotal, line.Total)})
		}
	}
	slices.SortStableFunc(lines, func(a, b upstream.Line) int { return position(a.Key, kept) - position(b.Key, kept) })
	return lines, taken
}

// position is where a line stands among the caller's, behind all if it is none.
func position(key string, kept []keptLine) int {
	at := slices.IndexFunc(kept, func(k keptLine) bool { return k.Key == key })
	if at < 0 {
		return len(kept)
	}
	return at
}

// readLine reads what an item is.
func (s *Shop) readLine(item gjson.Result) upstream.Line {
	product := item.Get("product_id").String()
	line := upstream.Line{
		Item:    item.Get("variant_id").String(),
		Product: product,
		Title:   plaintext.FromHTML(item.Get("product_title").String()),
		Image:   item.Get("thumbnail").String(),
		URL:     s.product.Fill("handle", item.Get("product_handle").String(), "id", product),
	}
	for _, choice := range readChoices(item.Get("variant.options")) {
		if !isDefault(choice.Value) {
			line.Choices = append(line.Choices, choice)
		}
	}
	return line
}

// share divides an item of the shop among the caller's lines of the same variant,
// the first ones first. An item of which the caller knows nothing is one share.
func share(item gjson.Result, kept []keptLine) []keptLine {
	variant, left := item.Get("variant_id").String(), item.Get("quantity").Int()
	var shares []keptLine
	for _, line := range kept {
		if line.Variant != variant || left == 0 {
			continue
		}
		line.Quantity = min(line.Quantity, left)
		left -= line.Quantity
		shares = append(shares, line)
	}
	switch {
	case len(shares) == 0:
		return []keptLine{{Key: "shop-" + item.Get("id").String(), Variant: variant, Quantity: left}}
	case left > 0:
		// More than was wanted: somebody else has the cart too.
		shares[len(shares)-1].Quantity += left
	}
	return shares
}
