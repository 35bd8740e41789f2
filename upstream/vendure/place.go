package vendure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const placing = "placing the order"

// Place implements upstream.Shop. It takes two requests: one locks the basket,
// the other pays for it. What fails before the latter is sent has certainly not
// placed an order.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Placed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if len(sc.payments) == 0 {
		return upstream.Placed{}, s.handOff(kept)
	}
	if !slices.ContainsFunc(sc.payments, func(m upstream.PaymentMethod) bool { return m.ID == p.Method }) {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeInvalid, placing, "the shop has no such payment method")
	}
	if kept.Order == "" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeIncomplete, placing, "the basket is empty")
	}
	a := &placement{shop: s, schema: sc, visit: v, handle: kept, Placement: p}
	if err := a.lock(ctx); err != nil {
		return a.ordered(ctx, err)
	}
	return a.pay(ctx)
}

// handOff is the refusal of a shop that takes no payment through its API: a
// person goes on at its own page, if it has one.
func (s *Shop) handOff(h handle) *upstream.Error {
	e := upstream.Errorf(upstream.CodeUnsupported, placing, "the shop takes no payment through its API")
	if e.URL = s.checkoutURL(h); e.URL != "" {
		e.Code = upstream.CodeEscalate
	}
	return e
}

// checkoutURL is where a person goes on with a basket.
func (s *Shop) checkoutURL(h handle) string {
	return s.checkout.Fill("order", h.Order, "session", h.Session.Token)
}

// placement is one call of Place.
type placement struct {
	shop   *Shop
	schema *schema
	visit  upstream.Visit
	handle handle
	upstream.Placement
}

// errOrdered says that the basket is an order already, so that there is nothing
// to lock.
var errOrdered = errors.New("the basket is an order already")

// ordered answers with the order that the basket is already, if that is why it
// could not be locked.
func (a *placement) ordered(ctx context.Context, why error) (upstream.Placed, error) {
	if !errors.Is(why, errOrdered) {
		return upstream.Placed{}, why
	}
	o, err := a.shop.outcome(ctx, a.visit, placing, a.handle.Order)
	switch {
	case err != nil:
		return upstream.Placed{}, err
	case !o.placed:
		return upstream.Placed{}, upstream.Errorf(upstream.CodeBasketGone, placing, "the shop has dropped the basket")
	}
	return placed(a.handle.Order, o.total), nil
}

// pay pays the locked order. Whatever comes back, an order that is not placed is
// open to changes again afterwards, unless nobody knows.
func (a *placement) pay(ctx context.Context) (upstream.Placed, error) {
	c := a.schema.inBasket(a.visit, a.handle, placing, "Pay")
	c.document, c.variables = payDocument, variables{"input": variables{"method": a.Method, "metadata": a.metadata()}}
	c.order = true
	data, err := a.shop.run(ctx, a.visit, c)
	var thrown shopclient.GraphQLErrors
	switch {
	case errors.As(err, &thrown):
		return a.thrown(ctx, err)
	case err != nil:
		return upstream.Placed{}, err
	}
	result := data.Get("addPaymentToOrder")
	switch name := result.Get("__typename").String(); name {
	case "Order":
		return a.paid(result)
	case "NoActiveOrderError":
		return a.ordered(ctx, errOrdered)
	case "PaymentDeclinedError", "PaymentFailedError":
		return a.refused(ctx, upstream.CodePaymentDeclined, "the payment was declined")
	case "IneligiblePaymentMethodError":
		return a.refused(ctx, upstream.CodePaymentDeclined, "the shop does not take this way of payment for this basket")
	case "CouponRemovedDuringCheckoutError":
		return a.refused(ctx, upstream.CodePriceChanged, "a discount code is used up")
	}
	return a.refused(ctx, upstream.CodeNotPlaced, "the shop did not take the payment")
}

// paid reads an order that took a payment. One that is still active waits for
// more than we were told of.
func (a *placement) paid(order gjson.Result) (upstream.Placed, error) {
	if order.Get("active").Bool() {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeUnknownOutcome, placing, "the payment is not settled yet")
	}
	purse := a.shop.newPurse(order.Get("currencyCode"))
	total := purse.read(order.Get("totalWithTax"))
	if purse.err != nil {
		total = a.Expected // It was compared when the order was locked.
	}
	return placed(order.Get("code").String(), total), nil
}

// thrown deals with a payment that threw. Vendure has taken back what it did,
// unless the throw came from reading the answer together: the shop knows.
func (a *placement) thrown(ctx context.Context, why error) (upstream.Placed, error) {
	o, err := a.shop.outcome(ctx, a.visit, placing, a.handle.Order)
	if err != nil {
		return upstream.Placed{}, why
	}
	if o.placed {
		return placed(a.handle.Order, o.total), nil
	}
	return a.refused(ctx, upstream.CodePaymentDeclined, "the payment failed")
}

// refused answers with a refusal after unlocking the order.
func (a *placement) refused(ctx context.Context, code upstream.Code, text string) (upstream.Placed, error) {
	return upstream.Placed{}, a.reopen(ctx, upstream.Errorf(code, placing, "%s", text))
}

// reopen unlocks the order and returns why it was not placed. An order that
// stays locked is unlocked by the next change.
func (a *placement) reopen(ctx context.Context, why error) error {
	if err := a.shop.unlock(ctx, a.schema, a.visit, placing, a.handle); err != nil {
		return fmt.Errorf("%w (the basket stays locked: %w)", why, err)
	}
	return why
}

// metadata is what the payment's handler is given: the members of the credential
// where it is a JSON object, else the credential as token; and which agent pays,
// by which attempt.
func (a *placement) metadata() variables {
	given := make(variables)
	var members map[string]json.RawMessage
	if text := a.Credential.Reveal(); json.Unmarshal([]byte(text), &members) == nil {
		for name, value := range members {
			given[name] = value
		}
	} else if text != "" {
		given["token"] = text
	}
	given["storeware"] = variables{"agent": a.agent(), "attempt": a.Attempt}
	return given
}

// agent is the agent's name in the length that Vendure's databases take.
func (a *placement) agent() string {
	const most = 200
	if name := []rune(a.visit.Agent); len(name) > most {
		return string(name[:most])
	}
	return a.visit.Agent
}
