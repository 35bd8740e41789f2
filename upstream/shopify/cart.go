package shopify

import (
	"slices"

	"github.com/tidwall/gjson"
)

// cart is a cart as Shopify tells it, with the fields of cart_parts.graphql.
type cart struct{ gjson.Result }

// none reports whether there is no such cart.
func (c cart) none() bool { return c.Get("id").String() == "" }

// line is a line of a cart.
type line struct{ gjson.Result }

func (l line) id() string      { return l.Get("id").String() }
func (l line) variant() string { return l.Get("merchandise.id").String() }
func (l line) quantity() int64 { return l.Get("quantity").Int() }
func (l line) isShipped() bool { return l.Get("merchandise.requiresShipping").Bool() }

// lines are all lines. Shopify leaves a line of nothing for an item that was sold
// meanwhile.
func (c cart) lines() []line {
	var all []line
	for _, is := range c.Get("lines.nodes").Array() {
		all = append(all, line{is})
	}
	return all
}

// held says how many of a variant the cart holds.
func (c cart) held(variant string) int64 {
	var n int64
	for _, line := range c.lines() {
		if line.variant() == variant {
			n += line.quantity()
		}
	}
	return n
}

// isShipped reports whether anything in the cart has to travel.
func (c cart) isShipped() bool { return slices.ContainsFunc(c.lines(), line.isShipped) }

// hasAddress reports whether the cart has somewhere to go.
func (c cart) hasAddress() bool { return len(c.Get("delivery.addresses").Array()) > 0 }

// onDelivery are the discounts that its delivery has.
func (c cart) onDelivery() []gjson.Result {
	var all []gjson.Result
	for _, group := range c.Get("deliveryGroups.nodes").Array() {
		all = append(all, group.Get("discountAllocations").Array()...)
	}
	return all
}
