package shopify

import (
	"context"
	"strconv"

	"github.com/storeware/caddy-storeware/upstream"
)

const changingBasket = "changing the basket"

const (
	// maxRounds bounds how often a basket is changed in one call.
	maxRounds = 10
	// maxLines is how many different items Shopify takes in one request.
	maxLines = 250
)

// Apply implements upstream.Shop. It takes one request to read and one to change,
// one where nothing changes, and another one to choose the way of delivery: that
// is on offer only after the address is known.
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Applied{}, err
	}
	if len(d.Lines) > maxLines {
		return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "more than %d lines", maxLines)
	}
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "a line wants less than one")
		}
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return upstream.Applied{}, err
	}
	a := &apply{shop: s, facts: f, visit: v, market: f.market(v.Market), handle: kept, desired: d}
	a.market.country = a.country()
	a.forget()
	placed, err := a.begin(ctx)
	if err != nil {
		return upstream.Applied{}, err
	}
	if placed != nil {
		return upstream.Applied{Handle: h, Observed: upstream.Observed{Currency: placed.Total.Currency, Ordered: placed}}, nil
	}
	if err := a.settle(ctx); err != nil {
		return upstream.Applied{}, err
	}
	return a.applied()
}

// apply is one call of Apply.
type apply struct {
	shop    *Shop
	facts   *facts
	visit   upstream.Visit
	market  market
	handle  handle
	desired upstream.Desired

	cart    cart
	renewed bool
	offers  map[string]offer // what lines name, by variant
	lines   []wantedLine
	notices []upstream.Notice // of lines that cannot be in any basket
	// What came of the steps that were taken.
	tried    map[string]bool
	refusals map[string]string // Shopify's code, by what it is about
	warnings []warning
	reread   bool
}

// forget makes a basket a new one, of which nothing was tried yet.
func (a *apply) forget() {
	a.cart, a.warnings = cart{}, nil
	a.tried, a.refusals = make(map[string]bool), make(map[string]string)
}

// begin reads the cart and what the lines name. It returns the order that the
// basket has become, if it has.
func (a *apply) begin(ctx context.Context) (*upstream.Placed, error) {
	if err := a.read(ctx); err != nil {
		return nil, err
	}
	if a.handle.Cart == "" || !a.handle.mayBeOrdered(a.cart) {
		return nil, nil
	}
	placed, err := a.shop.ordered(ctx, a.visit, changingBasket, a.handle)
	if placed == nil && err == nil && a.cart.none() {
		a.renew()
	}
	return placed, err
}

// renew goes on with a new cart.
func (a *apply) renew() {
	a.handle, a.renewed = a.handle.renewed(), true
	a.forget()
}

// read reads the cart and what the lines name.
func (a *apply) read(ctx context.Context) error {
	items := a.items()
	if a.handle.Cart == "" && len(items) == 0 {
		return a.resolve(ctx, nil)
	}
	values := variables{
		"cart": a.handle.Cart, "withCart": a.handle.Cart != "",
		"items": items, "withItems": len(items) > 0,
	}
	data, err := a.shop.run(ctx, a.visit, a.shop.catalogueCall(
		a.facts, a.market, changingBasket, "Basket", basketDocument, values, cartParts, productParts, variantParts))
	if err != nil {
		return err
	}
	a.cart = cart{data.Get("cart")}
	return a.resolve(ctx, data.Get("nodes").Array())
}

// settle changes the cart until nothing is left to try.
func (a *apply) settle(ctx context.Context) error {
	for range maxRounds {
		steps := a.plan()
		switch {
		case len(steps) > 0:
			if err := a.change(ctx, steps); err != nil {
				return err
			}
		case a.cart.none():
			return upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop begins no basket")
		case a.waits():
			a.reread = true
			if err := a.read(ctx); err != nil {
				return err
			}
			if a.cart.none() {
				if err := a.vanished(); err != nil {
					return err
				}
			}
		default:
			return nil
		}
	}
	return upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop's basket does not come to rest")
}

// waits reports whether Shopify may still be finding out how the goods can travel:
// it answers a new address before it has.
func (a *apply) waits() bool {
	return !a.reread && len(a.tried) > 0 && a.cart.hasAddress() && a.cart.isShipped() && len(a.cart.Get("deliveryGroups.nodes").Array()) == 0
}

// change takes steps in one document, one after the other, and notes what came of
// each.
func (a *apply) change(ctx context.Context, steps []step) error {
	o := operation{kind: "mutation", name: "Change", market: a.market}
	for i, step := range steps {
		step.field.alias = stepAlias(i)
		step.field.selection = "{ cart { ...CartParts } userErrors { code field } warnings { code target message } }"
		o.fields = append(o.fields, step.field)
	}
	data, err := a.shop.run(ctx, a.visit, o.call(changingBasket, cartParts))
	if err != nil {
		return err
	}
	before := a.handle.Cart
	for i, step := range steps {
		if err := a.note(step, data.Get(stepAlias(i))); err != nil {
			return err
		}
		if before != "" && a.handle.Cart != before {
			return nil // The cart is gone, and with it what the others came to.
		}
	}
	return nil
}

func stepAlias(i int) string { return "m" + strconv.Itoa(i) }

// applied is what came of it all.
func (a *apply) applied() (upstream.Applied, error) {
	a.handle.Country, a.handle.Lines = a.market.country, nil
	for _, line := range a.lines {
		a.handle.Lines = append(a.handle.Lines, keptLine{line.key, line.variant, line.quantity})
	}
	observed, err := a.shop.observe(a.cart, a.handle)
	if err != nil {
		return upstream.Applied{}, err
	}
	written, err := a.handle.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	return upstream.Applied{Observed: observed, Handle: written, Notices: a.explain(observed)}, nil
}
