package mapped

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// A shop that has a page to hand a basket off to and no API for baskets gets
// baskets that are kept in their handles. Their prices are the catalogue's, read
// at every call, and what they come to is an estimate: the page has the last word.

// local is Apply for such a basket.
func (a *apply) local(ctx context.Context) (upstream.Applied, error) {
	var items []string
	for _, line := range a.desired.Lines {
		items = append(items, line.Item)
	}
	if err := ctx.Err(); err != nil {
		return upstream.Applied{}, err
	}
	var err error
	if a.offers, err = a.shop.products(ctx, a.visit, a.op, items); err != nil {
		return upstream.Applied{}, err
	}
	if err := a.resolve(); err != nil {
		return upstream.Applied{}, err
	}
	a.kept = handle{Buyer: a.desired.Buyer}
	room := make(map[string]int64)
	for _, line := range a.lines {
		if _, known := room[line.item]; !known {
			room[line.item] = min(line.limit(), maxQuantity)
		}
		quantity := min(line.quantity, room[line.item])
		room[line.item] -= quantity
		if quantity > 0 {
			a.kept.Lines = append(a.kept.Lines, line.kept(quantity))
		}
	}
	observed, err := a.observeLocal(a.offers)
	if err != nil {
		return upstream.Applied{}, err
	}
	written, err := a.kept.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	if address := a.desired.Address; address != nil && a.abroad(address) {
		a.note(upstream.NoticeNoDelivery, upstream.NoticeNoDelivery, "")
	}
	return upstream.Applied{Observed: observed, Handle: written, Notices: a.explain(observed)}, nil
}

// readLocal is Read for such a basket. What is no longer sold has left it.
func (b *basket) readLocal(ctx context.Context) (upstream.Observed, error) {
	if err := ctx.Err(); err != nil {
		return upstream.Observed{}, err
	}
	var items []string
	for _, line := range b.kept.Lines {
		items = append(items, line.Item)
	}
	offers, err := b.shop.products(ctx, b.visit, b.op, items)
	if err != nil {
		return upstream.Observed{}, err
	}
	return b.observeLocal(offers)
}

func (b *basket) observeLocal(offers []goods) (upstream.Observed, error) {
	o := upstream.Observed{
		Currency: b.shop.currencyOf(b.visit), Tax: b.shop.m.Tax.model(), Estimated: true, HandOff: b.handOff(),
	}
	total := money.Amount{}
	for _, line := range b.kept.Lines {
		product, _ := find(line.Item, offers)
		if product == nil || product.Variant(line.Item) == nil {
			continue
		}
		v := product.Variant(line.Item)
		subtotal, err := v.Price.Mul(line.Quantity)
		if err == nil {
			total, err = total.Add(subtotal)
		}
		if err != nil {
			return upstream.Observed{}, unreadable(b.op, err)
		}
		read := upstream.Line{
			Key: line.Key, Item: v.ID, Product: product.ID, Title: product.Title, Choices: v.Options, Quantity: line.Quantity,
			Unit: v.Price, Subtotal: subtotal, Total: subtotal, URL: product.URL,
		}
		if len(product.Media) > 0 {
			read.Image = product.Media[0].URL
		}
		o.Lines = append(o.Lines, read)
	}
	if total.Currency != "" {
		o.Currency = total.Currency
	}
	total.Currency = o.Currency
	o.Total, o.Totals = total, []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: total}}
	o.Missing = b.missing(o)
	return o, nil
}
