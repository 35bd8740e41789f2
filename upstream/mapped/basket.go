package mapped

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

const readingBasket = "reading the basket"

// basket is a basket of the shop during one call.
type basket struct {
	shop  *Shop
	visit upstream.Visit
	op    string
	kept  handle
	held  held
	// options are the ways of delivery, once they were read.
	options []deliveryOption
	asked   bool
}

// held is what the shop says of a basket.
type held struct {
	// whole is the answer, tree the basket in it.
	whole, tree scope
	lines       []heldLine
}

// heldLine is a line of the shop's.
type heldLine struct {
	id, item string
	quantity int64
	scope
}

// send makes a call for the basket.
func (b *basket) send(ctx context.Context, c call) (gjson.Result, error) {
	c.op, c.session = b.op, b.kept.Cookies
	c.names = c.names.with(map[string]any{"basket": b.kept.Basket})
	return b.shop.send(ctx, b.visit, c)
}

// readHeld reads what the basket holds. One that the shop has dropped is
// [upstream.CodeBasketGone].
func (b *basket) readHeld(ctx context.Context) error {
	b.held, b.options, b.asked = held{}, nil, false
	if !b.kept.begun() {
		return nil
	}
	m, r := b.shop.m.Basket, b.shop.reader
	answer, err := b.send(ctx, call{request: &m.Request, reads: true})
	if _, refused := asRefusal(err); refused || upstream.CodeOf(err) == upstream.CodeNotFound {
		return &upstream.Error{Code: upstream.CodeBasketGone, Op: b.op, Text: "the shop has dropped the basket", Err: err}
	}
	if err != nil {
		return err
	}
	h := held{whole: scope{Result: answer}}
	var is bool
	if h.tree, is = r.object(h.whole, m.In); !is {
		return upstream.Errorf(upstream.CodeBasketGone, b.op, "the shop has dropped the basket")
	}
	for _, item := range r.items(h.tree, m.Lines.In) {
		quantity, known := r.number(item, m.Lines.Quantity)
		if !known || quantity < 0 {
			return unreadable(b.op, faultf(m.Lines.Quantity.At, "there is no whole number of pieces there"))
		}
		if quantity > 0 {
			h.lines = append(h.lines, heldLine{r.word(item, m.Lines.ID), r.word(item, m.Lines.Item), quantity, item})
		}
	}
	b.held = h
	if len(h.lines) == 0 && len(b.kept.Lines) > 0 && b.shop.m.Session == SessionCookie {
		// A session that has ended is answered with a new one.
		return upstream.Errorf(upstream.CodeBasketGone, b.op, "the shop has dropped the basket")
	}
	return nil
}

// ordered returns the order that the basket has become, if it has.
func (b *basket) ordered() (placed upstream.Placed, is bool, err error) {
	m := &b.shop.m.Basket.Ordered
	if !m.ID.mapped() || b.held.tree.Raw == "" {
		return placed, false, nil
	}
	order, is := b.shop.reader.object(b.held.tree, m.In)
	if !is || b.shop.reader.word(order, m.ID) == "" {
		return placed, false, nil
	}
	placed, err = b.shop.readPlaced(b.op, order, m, nil)
	return placed, err == nil, err
}

// orderedNow is what is told of a basket that has become an order.
func orderedNow(placed upstream.Placed) upstream.Observed {
	currency := placed.Total.Currency
	return upstream.Observed{Currency: currency, Total: money.Amount{Currency: currency}, Ordered: &placed}
}

// Read implements upstream.Shop.
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	if s.m.Basket == nil && !s.m.local() {
		return upstream.Observed{}, s.noBaskets(readingBasket)
	}
	kept, err := begunHandle(readingBasket, h)
	if err != nil {
		return upstream.Observed{}, err
	}
	b := &basket{shop: s, visit: v, op: readingBasket, kept: kept}
	if s.m.local() {
		return b.readLocal(ctx)
	}
	if err := ctx.Err(); err != nil {
		return upstream.Observed{}, err
	}
	if err := b.readHeld(ctx); err != nil {
		return upstream.Observed{}, err
	}
	if placed, is, err := b.ordered(); err != nil || is {
		return orderedNow(placed), err
	}
	if err := b.readOptions(ctx); err != nil {
		return upstream.Observed{}, err
	}
	return b.observe()
}
