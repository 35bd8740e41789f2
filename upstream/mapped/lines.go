package mapped

import (
	"context"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// wantedLine is a line of the caller whose variant is known.
type wantedLine struct {
	key, item string
	quantity  int64
	product   *goods
}

// resolve finds the variant that each line means. A line that means none, or
// leaves a choice, gets a notice.
func (a *apply) resolve() error {
	for _, line := range a.desired.Lines {
		product, item, notice := a.variantOf(line.Item)
		if notice != nil {
			notice.Line = line.Key
			a.notices = append(a.notices, *notice)
			continue
		}
		wanted := wantedLine{line.Key, item, line.Quantity, product}
		if wanted.limit() == math.MaxInt64 && line.Quantity > maxQuantity {
			return upstream.Errorf(upstream.CodeInvalid, a.op, "a line wants more than anybody sells")
		}
		a.lines = append(a.lines, wanted)
	}
	return nil
}

func (a *apply) variantOf(item string) (product *goods, variant string, notice *upstream.Notice) {
	product, variant = find(item, a.offers)
	switch {
	case product == nil || product.ID != item && variant != item:
		// A handle or an SKU is no id.
		return nil, "", &upstream.Notice{Code: upstream.NoticeNotFound, Text: "The shop sells no such item."}
	case product.Variant(item) != nil:
		return product, item, nil
	case len(product.Variants) > 1:
		return nil, "", &upstream.Notice{
			Code: upstream.NoticeOptionNeeded, Text: "This product comes in several variants; choose one.",
			Options: product.Options, Variants: product.Variants,
		}
	}
	return product, product.Variants[0].ID, nil
}

// limit is how many of it can be bought, as far as the shop's catalogue says.
func (w wantedLine) limit() int64 {
	v := w.product.Variant(w.item)
	switch {
	case !v.Availability.Buyable():
		return 0
	case v.Stock == nil, v.Availability == upstream.Backorder, v.Availability == upstream.Preorder:
		return math.MaxInt64
	}
	return *v.Stock
}

// variants returns how many of each variant the basket shall hold: one line of
// each, whatever the number of the caller's. Of what is not to be had there is
// none.
func (a *apply) variants() []wantedLine {
	var wanted []wantedLine
	for _, line := range a.lines {
		limit := line.limit()
		at := slices.IndexFunc(wanted, func(w wantedLine) bool { return w.item == line.item })
		if at < 0 {
			line.quantity = min(line.quantity, limit, maxQuantity)
			wanted = append(wanted, line)
		} else {
			wanted[at].quantity = min(wanted[at].quantity+min(line.quantity, limit, maxQuantity), limit, maxQuantity)
		}
	}
	return slices.DeleteFunc(wanted, func(w wantedLine) bool { return w.quantity == 0 })
}

// kept is what is kept of a line of which the basket holds so many.
func (w wantedLine) kept(quantity int64) keptLine {
	return keptLine{
		Key: w.key, Item: w.item, Product: w.product.ID, SKU: w.product.Variant(w.item).SKU, Handle: w.product.Handle, Quantity: quantity,
	}
}

// names are what templates know of a line.
func (w wantedLine) names() names {
	v := w.product.Variant(w.item)
	n := names{texts: map[string]any{
		"item": w.item, "sku": v.SKU, "product": w.product.ID, "handle": w.product.Handle, "quantity": w.quantity,
	}}
	return n.withTree("variant", w.product.raw[w.item])
}

// begin begins a basket, if the shop has none. One that begins with a line is
// begun with the first that the shop takes.
func (a *apply) begin(ctx context.Context) error {
	if a.kept.begun() || a.shop.m.CreateBasket == nil {
		return nil
	}
	wanted := a.variants()
	switch {
	case !a.shop.m.beginsWithLine():
		_, err := a.create(ctx, nil)
		return err
	case len(wanted) == 0:
		return nil
	}
	if taken, err := a.create(ctx, wanted); err != nil || taken || len(wanted) == 1 {
		return err
	}
	for _, line := range wanted {
		if taken, err := a.create(ctx, []wantedLine{line}); err != nil || taken {
			return err
		}
	}
	return nil
}

// create begins a basket with some lines and reports whether the shop took them.
func (a *apply) create(ctx context.Context, wanted []wantedLine) (taken bool, err error) {
	m := a.shop.m.CreateBasket
	c := call{request: &m.Request}
	for _, line := range wanted {
		c.lines = append(c.lines, line.names())
	}
	if len(wanted) > 0 {
		c.names = c.lines[0]
	}
	answer, err := a.send(ctx, c)
	if said, refused := declined(err); refused && len(wanted) > 0 {
		if len(wanted) == 1 {
			a.refused[wanted[0].item] = said
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if m.Basket.mapped() {
		a.kept.Basket = a.shop.reader.secret(scope{Result: answer}, m.Basket)
		if a.kept.Basket == "" {
			return false, unreadable(a.op, faultf(m.Basket.At, "there is no id of the new basket there"))
		}
	}
	return true, a.readHeld(ctx)
}

// changeLines makes the lines what is wanted. What is taken out comes first: it
// may be what the rest would be refused for.
func (a *apply) changeLines(ctx context.Context) error {
	if a.shop.m.CreateBasket != nil && !a.kept.begun() {
		return nil
	}
	if a.shop.m.SetLines != nil {
		return a.setLines(ctx)
	}
	wanted := a.variants()
	emptied, err := a.lessen(ctx, wanted)
	if err != nil {
		return err
	}
	if emptied {
		if err := a.afterEmptying(ctx); err != nil {
			return err
		}
	}
	return a.increase(ctx, wanted)
}

// lessen takes out what is not wanted, and of the rest what is too much. It
// reports whether nothing was left.
func (a *apply) lessen(ctx context.Context, wanted []wantedLine) (emptied bool, err error) {
	var left []heldLine
	for _, line := range a.held.lines {
		quantity := int64(0)
		seen := slices.ContainsFunc(left, func(other heldLine) bool { return other.item == line.item })
		if at := indexOf(wanted, line.item); at >= 0 && !seen {
			quantity = min(wanted[at].quantity, line.quantity)
		}
		if quantity < line.quantity {
			if err := a.change(ctx, line, quantity); err != nil {
				return false, err
			}
		}
		if line.quantity = quantity; quantity > 0 {
			left = append(left, line)
		}
	}
	emptied = len(a.held.lines) > 0 && len(left) == 0
	a.held.lines = left
	return emptied, nil
}

func indexOf(lines []wantedLine, item string) int {
	return slices.IndexFunc(lines, func(w wantedLine) bool { return w.item == item })
}

// afterEmptying looks whether the basket is still there: some shops drop one that
// nothing is left in. Then there is none until there is a line again.
func (a *apply) afterEmptying(ctx context.Context) error {
	err := a.readHeld(ctx)
	if upstream.CodeOf(err) != upstream.CodeBasketGone {
		return err
	}
	a.drop()
	return a.begin(ctx)
}

// increase puts in what the basket lacks.
func (a *apply) increase(ctx context.Context, wanted []wantedLine) error {
	if a.shop.m.CreateBasket != nil && !a.kept.begun() {
		return nil
	}
	for _, line := range wanted {
		at := slices.IndexFunc(a.held.lines, func(h heldLine) bool { return h.item == line.item })
		var err error
		switch {
		case a.refused[line.item] != "":
		case at < 0:
			err = a.add(ctx, line)
		case a.held.lines[at].quantity < line.quantity:
			err = a.more(ctx, a.held.lines[at], line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add puts a line in.
func (a *apply) add(ctx context.Context, line wantedLine) error {
	said, refused, err := a.write(ctx, a.shop.m.AddLine, line.names(), nil)
	if refused {
		a.refuse(line.item, said)
	}
	return err
}

// refuse notes what the shop said of an item that it did not take.
func (a *apply) refuse(item string, said upstream.NoticeCode) {
	if said == "" {
		said = upstream.NoticeNotBuyable
	}
	a.refused[item] = said
}

// change gives a line of the shop's less than it has, or takes it out.
func (a *apply) change(ctx context.Context, line heldLine, quantity int64) error {
	r := a.shop.m.ChangeLine
	switch {
	case quantity == 0 && a.shop.m.RemoveLine != nil:
		r = a.shop.m.RemoveLine
	case r == nil: // Quantities cannot be changed: out, and in again.
		if err := a.change(ctx, line, 0); err != nil {
			return err
		}
		again := a.lines[indexOf(a.lines, line.item)]
		again.quantity = quantity
		return a.add(ctx, again)
	}
	said, refused, err := a.write(ctx, r, changeNamesOf(line, quantity), nil)
	if refused {
		a.refuse(line.item, said)
	}
	return err
}

// more gives a line of the shop's more than it has.
func (a *apply) more(ctx context.Context, line heldLine, want wantedLine) error {
	if a.shop.m.ChangeLine == nil {
		return a.change(ctx, line, want.quantity)
	}
	n := changeNamesOf(line, want.quantity).with(want.names().texts).withTree("variant", want.product.raw[want.item])
	said, refused, err := a.write(ctx, a.shop.m.ChangeLine, n, nil)
	if refused {
		a.refuse(line.item, said)
	}
	return err
}

// changeNamesOf are what templates know of a change to a line.
func changeNamesOf(line heldLine, quantity int64) names {
	step, direction := quantity-line.quantity, "increase"
	if step < 0 {
		step, direction = -step, "decrease"
	}
	return names{
		texts: map[string]any{"item": line.item, "quantity": quantity, "step": step, "direction": direction},
		trees: map[string]gjson.Result{"line": line.Result},
	}
}

// setLines replaces all lines at once. If the shop refuses that, they are tried one
// by one.
func (a *apply) setLines(ctx context.Context) error {
	wanted := a.variants()
	same := len(wanted) == len(a.held.lines)
	for _, line := range a.held.lines {
		same = same && slices.ContainsFunc(wanted, func(w wantedLine) bool { return w.item == line.item && w.quantity == line.quantity })
	}
	if same {
		return nil
	}
	_, refused, err := a.replace(ctx, wanted)
	if err != nil || !refused {
		return err
	}
	var taken []wantedLine
	for _, line := range wanted {
		said, refused, err := a.replace(ctx, append(taken[:len(taken):len(taken)], line))
		switch {
		case err != nil:
			return err
		case refused:
			a.refuse(line.item, said)
		default:
			taken = append(taken, line)
		}
	}
	return nil
}

func (a *apply) replace(ctx context.Context, lines []wantedLine) (said upstream.NoticeCode, refused bool, err error) {
	var all []names
	for _, line := range lines {
		all = append(all, line.names())
	}
	return a.write(ctx, a.shop.m.SetLines, names{}, all)
}
