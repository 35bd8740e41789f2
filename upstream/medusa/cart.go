package medusa

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingBasket = "reading the basket"

// cart is a cart as the shop shows it, with cartFields.
type cart struct{ gjson.Result }

func (c cart) id() string { return c.Get("id").String() }

// ordered reports whether the cart has become an order.
func (c cart) ordered() bool { return c.Get("order.id").Exists() }

// closed reports whether the shop lets nobody change the cart any more.
func (c cart) closed() bool { return c.Get("completed_at").String() != "" }

// empty reports whether nothing is in the cart.
func (c cart) empty() bool { return len(c.items()) == 0 }

func (c cart) items() []gjson.Result { return c.Get("items").Array() }

// country is where the goods go, in small letters, empty while unknown.
func (c cart) country() string { return c.Get("shipping_address.country_code").String() }

// ships reports whether anything in the cart has to be sent.
func (c cart) ships() bool {
	for _, item := range c.items() {
		if item.Get("requires_shipping").Bool() {
			return true
		}
	}
	return false
}

// hasCode reports whether a discount code is in force.
func (c cart) hasCode(code string) bool {
	for _, promotion := range c.Get("promotions").Array() {
		if promotion.Get("code").String() == code && !promotion.Get("is_automatic").Bool() {
			return true
		}
	}
	return false
}

// readCart reads a cart. One that the shop has dropped is CodeBasketGone.
func (s *Shop) readCart(ctx context.Context, v upstream.Visit, op, id string) (cart, error) {
	found, err := s.ask(ctx, v, call{op: op, path: []string{"carts", id}, fields: cartFields}, "cart")
	return cart{found}, gone(op, err)
}

// writeCart makes a change to a cart, or a new one, and returns what it is then.
func (s *Shop) writeCart(ctx context.Context, v upstream.Visit, op string, body any, path ...string) (cart, error) {
	c := call{op: op, path: append([]string{"carts"}, path...), fields: cartFields, body: body}
	found, err := s.ask(ctx, v, c, "cart")
	return cart{found}, gone(op, err)
}

// gone says that what was not found is the basket. Its items and options are never
// asked for by their own names.
func gone(op string, err error) error {
	if upstream.CodeOf(err) != upstream.CodeNotFound {
		return err
	}
	return &upstream.Error{Code: upstream.CodeBasketGone, Op: op, Text: "the shop has dropped the basket", Err: err}
}

// Read implements upstream.Shop. It takes two requests, made at the same time.
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	kept, err := begun(readingBasket, h)
	if err != nil {
		return upstream.Observed{}, err
	}
	k, err := s.learned(ctx, v)
	if err != nil {
		return upstream.Observed{}, err
	}
	var held cart
	var options []gjson.Result
	err = together(
		func() (err error) { held, err = s.readCart(ctx, v, readingBasket, kept.Cart); return err },
		func() (err error) { options, err = s.readOptions(ctx, v, readingBasket, kept.Cart); return err },
	)
	if err != nil {
		return upstream.Observed{}, err
	}
	return s.observe(k, held, options, kept)
}
