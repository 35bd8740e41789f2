package vendure

import (
	"context"
	"errors"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingBasket = "reading the basket"

// contents are what the shop says of a basket.
type contents struct {
	// order is the session's active order, null while there is none.
	order gjson.Result
	// methods are the ways of delivery on offer.
	methods gjson.Result
	// included: prices of the channel contain tax.
	included bool
	// answer is the whole, for what else was asked.
	answer gjson.Result
}

// none reports whether the shop has not begun an order.
func (c contents) none() bool { return !c.order.IsObject() }

func (c contents) code() string { return c.order.Get("code").String() }

// chosen is the id of the way of delivery in force, empty while none is.
func (c contents) chosen() string { return c.order.Get("shippingLines.0.shippingMethod.id").String() }

// questions are what is asked along with a basket.
type questions struct {
	// known are the products of variants, whole those that lines name.
	known, whole []string
	countries    bool
}

// contents reads the basket of a handle's session, and returns the session to go
// on with.
func (s *Shop) contents(ctx context.Context, sc *schema, v upstream.Visit, h handle, ask questions) (contents, session, error) {
	c := sc.inBasket(v, h, readingBasket, "Basket")
	c.document = document(basketDocument, orderParts, productParts, sc.facts)
	c.variables = variables{
		"known": byIDs(ask.known), "withKnown": len(ask.known) > 0,
		"whole": byIDs(ask.whole), "withWhole": len(ask.whole) > 0,
		"withCountries": ask.countries,
	}
	c.safe = true
	data, err := s.run(ctx, v, c)
	if err != nil {
		return contents{}, session{}, err
	}
	return contents{
		order:    data.Get("activeOrder"),
		methods:  data.Get("eligibleShippingMethods"),
		included: data.Get("activeChannel.pricesIncludeTax").Bool(),
		answer:   data.Result,
	}, h.Session.follow(data.Header), nil
}

// gone says why a session holds another order than the one of the handle: it was
// ordered, or else the shop dropped it.
func (s *Shop) gone(ctx context.Context, v upstream.Visit, op string, h handle) error {
	o, err := s.outcome(ctx, v, op, h.Order)
	switch {
	case err != nil:
		return err
	case o.placed:
		return &ordered{placed(h.Order, o.total)}
	}
	return upstream.Errorf(upstream.CodeBasketGone, op, "the shop has dropped the basket")
}

// ordered is the error of working on a basket that is an order already: a person
// finished it on the shop's own page.
type ordered struct{ upstream.Placed }

// Error implements error.
func (*ordered) Error() string { return "the basket is an order already" }

// orderedIn returns what to observe of a basket that is an order already, and
// whether err says that it is one.
func orderedIn(err error) (upstream.Observed, bool) {
	var o *ordered
	if !errors.As(err, &o) {
		return upstream.Observed{}, false
	}
	return upstream.Observed{Currency: o.Total.Currency, Ordered: &o.Placed}, true
}

// Read implements upstream.Shop. It takes one request.
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Observed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Observed{}, err
	}
	if kept.Session == (session{}) {
		return upstream.Observed{}, upstream.Errorf(upstream.CodeBasketGone, readingBasket, "no basket was begun")
	}
	held, _, err := s.contents(ctx, sc, v, kept, questions{})
	if err != nil {
		return upstream.Observed{}, err
	}
	if held.code() != kept.Order {
		err := s.gone(ctx, v, readingBasket, kept)
		if observed, ok := orderedIn(err); ok {
			return observed, nil
		}
		return upstream.Observed{}, err
	}
	return s.observe(sc, v, held, kept)
}
