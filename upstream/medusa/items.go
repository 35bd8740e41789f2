package medusa

import (
	"context"
	"net/http"
	"slices"

	"github.com/storeware/caddy-storeware/upstream"
)

// wantedLine is a line of the caller whose variant is known.
type wantedLine struct {
	key      string
	variant  string
	quantity int64
}

// readOffers reads what the lines name, and finds the variant that each means. A
// line that means none, or leaves a choice, gets a notice.
func (a *apply) readOffers(ctx context.Context) (err error) {
	var items []string
	for _, line := range a.desired.Lines {
		items = append(items, line.Item)
	}
	if a.offers, err = a.shop.products(ctx, a.visit, changingBasket, a.known, a.where, items); err != nil {
		return err
	}
	a.lines, a.notices = nil, nil
	for _, line := range a.desired.Lines {
		variant, notice := a.resolve(line.Item)
		if notice != nil {
			notice.Line = line.Key
			a.notices = append(a.notices, *notice)
			continue
		}
		if a.limit(variant) > maxQuantity && line.Quantity > maxQuantity {
			return upstream.Errorf(upstream.CodeInvalid, changingBasket, "a line wants more than anybody sells")
		}
		a.lines = append(a.lines, wantedLine{line.Key, variant, line.Quantity})
	}
	return nil
}

// resolve finds the variant that an id means, or says why there is none.
func (a *apply) resolve(item string) (variant string, notice *upstream.Notice) {
	for i := range a.offers {
		switch g := &a.offers[i]; {
		case g.Variant(item) != nil:
			return item, nil
		case slices.Contains(g.unpriced, item), g.ID == item && !g.forSale():
			return "", &upstream.Notice{Code: upstream.NoticeNotBuyable, Text: "The shop does not sell this item here."}
		case g.ID == item && len(g.Variants) > 1:
			return "", &upstream.Notice{
				Code: upstream.NoticeOptionNeeded, Text: "This product comes in several variants; choose one.",
				Options: g.Options, Variants: g.Variants,
			}
		case g.ID == item:
			return g.Variants[0].ID, nil
		}
	}
	return "", &upstream.Notice{Code: upstream.NoticeNotFound, Text: "The shop sells no such item."}
}

// limit is how many of a variant can be bought. One without a limit has the
// largest there is.
func (a *apply) limit(variant string) int64 {
	if a.stuck[variant] {
		return a.held.quantity(variant)
	}
	for i := range a.offers {
		if n, limited := a.offers[i].limits[variant]; limited {
			return n
		}
	}
	return maxQuantity + 1
}

// quantity says how many of a variant the cart holds.
func (c cart) quantity(variant string) int64 {
	var n int64
	for _, item := range c.items() {
		if item.Get("variant_id").String() == variant {
			n += item.Get("quantity").Int()
		}
	}
	return n
}

// variants returns how many of each variant the cart shall hold: one item of each,
// whatever the number of lines. Of what is not to be had there is none.
func (a *apply) variants() []wantedLine {
	var wanted []wantedLine
	for _, line := range a.lines {
		limit := a.limit(line.variant)
		at := slices.IndexFunc(wanted, func(w wantedLine) bool { return w.variant == line.variant })
		if at < 0 {
			line.quantity = min(line.quantity, limit)
			wanted = append(wanted, line)
		} else {
			// Neither is larger than the limit, so that the sum is no overflow.
			wanted[at].quantity = min(wanted[at].quantity+min(line.quantity, limit), limit)
		}
	}
	return slices.DeleteFunc(wanted, func(w wantedLine) bool { return w.quantity == 0 })
}

// lineStep is a change to one item: it gets a quantity, goes with none, and is
// new without an id.
type lineStep struct {
	item, variant string
	quantity      int64
}

// changeLines takes items out of the cart and changes quantities.
func (a *apply) changeLines(ctx context.Context) error { return a.walk(ctx, a.nextChange) }

// addLines puts items into the cart.
func (a *apply) addLines(ctx context.Context) error { return a.walk(ctx, a.nextAddition) }

// walk takes steps until there is none. Every step is taken once at most.
func (a *apply) walk(ctx context.Context, next func() (lineStep, bool)) error {
	for {
		step, ok := next()
		if !ok {
			return nil
		}
		if a.taken[step] {
			a.stuck[step.variant] = true
			continue
		}
		a.taken[step] = true
		if err := a.take(ctx, step); err != nil {
			return err
		}
	}
}

func (a *apply) nextChange() (lineStep, bool) {
	wanted := a.variants()
	seen := make(map[string]bool)
	for _, item := range a.held.items() {
		step := lineStep{item: item.Get("id").String(), variant: item.Get("variant_id").String()}
		at := slices.IndexFunc(wanted, func(w wantedLine) bool { return w.variant == step.variant })
		if at >= 0 && !seen[step.variant] {
			step.quantity = wanted[at].quantity
		}
		seen[step.variant] = true
		if step.quantity != item.Get("quantity").Int() && (step.quantity == 0 || !a.stuck[step.variant]) {
			return step, true
		}
	}
	return lineStep{}, false
}

func (a *apply) nextAddition() (lineStep, bool) {
	for _, w := range a.variants() {
		if !a.stuck[w.variant] && a.held.quantity(w.variant) == 0 {
			return lineStep{variant: w.variant, quantity: w.quantity}, true
		}
	}
	return lineStep{}, false
}

// take makes a step. If there was too little, the stock is counted again: it was
// enough a moment ago.
func (a *apply) take(ctx context.Context, step lineStep) error {
	path := []string{a.held.id(), "line-items"}
	c := call{op: changingBasket, fields: cartFields}
	key := "cart"
	switch {
	case step.item == "":
		c.body = object{"variant_id": step.variant, "quantity": step.quantity}
	case step.quantity > 0:
		path = append(path, step.item)
		c.body = object{"quantity": step.quantity}
	default:
		path, key = append(path, step.item), "parent"
		c.method = http.MethodDelete
	}
	c.path = append([]string{"carts"}, path...)
	found, err := a.shop.ask(ctx, a.visit, c, key)
	why, refused := isRefusal(err)
	switch {
	case refused && why.code == codeInventory && a.recounts < maxRecounts:
		a.recounts++
		return a.readOffers(ctx)
	case refused:
		a.stuck[step.variant] = true
		return nil
	case err != nil:
		return gone(changingBasket, err)
	}
	a.held, a.sent = cart{found}, false
	return nil
}
