package shopify

import (
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
)

// shares say which of the caller's lines the lines of a cart are. A line of the
// cart is several of the caller's where these named the same variant.
type shares struct {
	kept []keptLine
	// of are the caller's lines that a line of the cart is, by its id.
	of map[string][]keptLine
}

// shareOut divides the lines of a cart among those of the caller that name the
// same variant, the first ones first. A line of which the caller knows nothing
// keeps the shop's own name.
func shareOut(c cart, kept []keptLine) shares {
	s := shares{kept: kept, of: make(map[string][]keptLine)}
	open := slices.Clone(kept)
	for _, is := range c.lines() {
		left := is.quantity()
		var parts []keptLine
		for i := range open {
			if n := min(open[i].Quantity, left); open[i].Variant == is.variant() && n > 0 {
				parts = append(parts, keptLine{open[i].Key, is.variant(), n})
				open[i].Quantity -= n
				left -= n
			}
		}
		switch {
		case left < 1:
		case len(parts) > 0:
			// More than was wanted: a person has changed it on the shop's own page.
			parts[len(parts)-1].Quantity += left
		default:
			parts = []keptLine{{"shop-" + is.id(), is.variant(), left}}
		}
		s.of[is.id()] = parts
	}
	return s
}

// position is where a line stands among the caller's, behind all if it is none.
func (s shares) position(key string) int {
	at := slices.IndexFunc(s.kept, func(k keptLine) bool { return k.Key == key })
	if at < 0 {
		return len(s.kept)
	}
	return at
}

// split divides an amount among parts of a line by their quantities.
func (p *purse) split(amount money.Amount, parts []keptLine) []money.Amount {
	weights := make([]int64, len(parts))
	for i, part := range parts {
		weights[i] = part.Quantity
	}
	split := make([]money.Amount, len(parts))
	for i, minor := range money.Allocate(amount.Minor, weights) {
		split[i] = money.Amount{Minor: minor, Currency: amount.Currency}
	}
	return split
}
