package shopify

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// aboutLines is what a refusal is about that names none of a step's variants.
const aboutLines = "lines"

// step is one change to a cart.
type step struct {
	// id names the step within one Apply: it is not taken twice. A step that puts
	// lines into the cart may have none.
	id    string
	field field
	// puts are what its lines put into the cart, in their order.
	puts []put
	// about is what a refusal of the step is about where Shopify does not say.
	about string
	// done notes that it was taken.
	done func()
}

// put gives a variant a quantity.
type put struct {
	variant  string
	quantity int64
}

// id names it within one Apply.
func (p put) id() string { return "put " + p.variant + " " + strconv.FormatInt(p.quantity, 10) }

// warning is something that Shopify did otherwise than asked.
type warning struct{ code, target, message string }

// note takes down what came of a step.
func (a *apply) note(s step, payload gjson.Result) error {
	if s.id != "" {
		a.tried[s.id] = true
	}
	if c := (cart{payload.Get("cart")}); !c.none() {
		a.cart = c
		a.handle.Cart = c.Get("id").String()
	}
	for _, is := range payload.Get("warnings").Array() {
		a.warnings = append(a.warnings, warning{is.Get("code").String(), is.Get("target").String(), is.Get("message").String()})
	}
	refused := payload.Get("userErrors").Array()
	for _, is := range refused {
		if err := a.refuse(s, is.Get("code").String(), texts(is.Get("field"))); err != nil {
			return err
		}
	}
	if len(refused) > 0 {
		return nil // Shopify takes a step as a whole or not at all.
	}
	for _, p := range s.puts {
		a.tried[p.id()] = true
	}
	if s.done != nil {
		s.done()
	}
	return nil
}

// refuse takes down that Shopify refused a part of a step, named by the path of
// the input it is about.
func (a *apply) refuse(s step, code string, path []string) error {
	if code == "" {
		code = "INVALID"
	}
	if len(path) > 0 && path[0] == "input" {
		path = path[1:]
	}
	at := func(i int) string {
		if i < len(path) {
			return path[i]
		}
		return ""
	}
	switch {
	case code == "SERVICE_UNAVAILABLE":
		return upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop could not save the basket")
	case code == "CART_TOO_LARGE":
		return upstream.Errorf(upstream.CodeInvalid, changingBasket, "the basket is too large for the shop")
	case at(0) == "cartId":
		return a.vanished()
	case at(0) == "buyerIdentity" && at(1) == aboutPhone:
		a.refusals[aboutPhone] = code
	case at(0) == "buyerIdentity":
		a.refusals[aboutEmail] = code
	case at(0) == "delivery", at(0) == "addresses":
		a.refusals[aboutAddress] = code
	case at(0) == "discountCodes":
		a.refusals[aboutCodes] = code
	case at(0) == "selectedDeliveryOptions":
		a.refusals[aboutDelivery] = code
	case s.about == aboutLines:
		a.refuseLines(s, code, at(1))
	case s.about != "":
		a.refusals[s.about] = code
	}
	return nil
}

// refuseLines takes down that Shopify refused a line, by its index; without one
// it means all lines of the step.
func (a *apply) refuseLines(s step, code, index string) {
	for i, p := range s.puts {
		if index == strconv.Itoa(i) || index == "" {
			a.refusals[p.variant] = code
		}
	}
}

// vanished goes on with a new cart when this one was dropped, or ordered, between
// two requests. That does not happen twice.
func (a *apply) vanished() error {
	if a.renewed {
		return upstream.Errorf(upstream.CodeBasketGone, changingBasket, "the shop has dropped the basket")
	}
	a.renew()
	return nil
}

// isAboutNumber reports whether a refusal leaves the item for sale in another
// number.
func isAboutNumber(code string) bool {
	switch code {
	case "MAXIMUM_EXCEEDED", "MINIMUM_NOT_MET", "INVALID_INCREMENT", "LESS_THAN":
		return true
	}
	return false
}

// applies reports whether a discount code is on the cart and lowers its price.
func (c cart) applies(code string) bool {
	for _, is := range c.Get("discountCodes").Array() {
		if strings.EqualFold(is.Get("code").String(), code) {
			return is.Get("applicable").Bool()
		}
	}
	return false
}
