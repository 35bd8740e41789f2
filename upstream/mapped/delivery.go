package mapped

import (
	"context"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// deliveryOption is a way of delivery with the JSON it was read from.
type deliveryOption struct {
	upstream.DeliveryOption
	raw gjson.Result
}

// readOptions reads the ways of delivery to the address, once for each state of
// the basket. Without an address, or with nothing to send, there are none.
func (b *basket) readOptions(ctx context.Context) error {
	m := b.shop.m.Delivery
	if m == nil || b.asked || b.kept.Address == nil || len(b.held.lines) == 0 {
		return nil
	}
	b.asked = true
	within := b.held.tree
	if m.Method != "" {
		n := bothNames(b.kept.Buyer, b.kept.Address, b.kept.Billing)
		answer, err := b.send(ctx, call{request: &m.Request, names: n, reads: true})
		if _, refused := declined(err); refused {
			return nil // There is none to this address.
		}
		if err != nil {
			return err
		}
		within = scope{Result: answer}
	}
	currency, err := b.currency()
	if err != nil {
		return unreadable(b.op, err)
	}
	r := b.shop.reader
	for _, item := range r.items(within, m.In) {
		option := deliveryOption{raw: item.Result, DeliveryOption: upstream.DeliveryOption{
			ID:          r.word(item, m.ID),
			Title:       r.text(item, m.Title),
			Description: r.text(item, m.Description),
			Carrier:     r.text(item, m.Carrier),
			Earliest:    r.time(item, m.Earliest),
			Latest:      r.time(item, m.Latest),
		}}
		price, is, err := r.amount(item, m.Price, currency)
		if err != nil {
			return unreadable(b.op, err)
		}
		known := slices.ContainsFunc(b.options, func(have deliveryOption) bool { return have.ID == option.ID })
		if option.Price = price; is && option.ID != "" && option.Title != "" && !known {
			b.options = append(b.options, option)
		}
	}
	return nil
}

// chosen is the id of the way of delivery in force, if it is on offer.
func (b *basket) chosen() string {
	id := b.shop.reader.word(b.held.tree, b.shop.m.Basket.Chosen)
	if b.option(id) == nil {
		return ""
	}
	return id
}

// option returns the way of delivery with that id, nil if it is not on offer.
func (b *basket) option(id string) *deliveryOption {
	at := slices.IndexFunc(b.options, func(o deliveryOption) bool { return o.ID == id })
	if at < 0 || id == "" {
		return nil
	}
	return &b.options[at]
}

// choose puts the desired way of delivery on the basket.
func (a *apply) choose(ctx context.Context) error {
	if err := a.fresh(ctx); err != nil {
		return err
	}
	if err := a.readOptions(ctx); err != nil {
		return err
	}
	option := a.option(a.desired.Delivery)
	if option == nil || a.chosen() == option.ID {
		return nil
	}
	n := names{texts: map[string]any{"option": option.ID}}
	// What the shop says to it shows in what the basket has chosen then.
	_, _, err := a.steps(ctx, a.shop.m.ChooseDelivery, n.withTree("option", option.raw))
	return err
}
