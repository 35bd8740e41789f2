package medusa

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

const placing = "placing the order"

// Place implements upstream.Shop. It takes four requests: one writes the attempt
// on the cart and reads it, two say how it is paid, and the last one orders. What
// fails before that is sent has certainly not placed an order.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	kept, err := begun(placing, h)
	if err != nil {
		return upstream.Placed{}, err
	}
	k, err := s.learned(ctx, v)
	if err != nil {
		return upstream.Placed{}, err
	}
	a := &placement{shop: s, known: k, visit: v, kept: kept, Placement: p}
	held, err := a.mark(ctx)
	if err != nil {
		return upstream.Placed{}, err
	}
	if held.ordered() {
		return readPlaced(placing, held.Get("order"))
	}
	if err := a.check(held); err != nil {
		return upstream.Placed{}, err
	}
	if err := a.pay(ctx, held); err != nil {
		return upstream.Placed{}, err
	}
	return a.complete(ctx)
}

// placement is one call of Place.
type placement struct {
	shop  *Shop
	known *knowledge
	visit upstream.Visit
	kept  handle
	upstream.Placement
}

// mark writes on the cart which agent orders it and by which attempt, and returns
// the cart. Medusa looks at the discounts again for that. A cart that is an order
// already cannot be written to, and is read; nothing else goes on without a mark.
func (a *placement) mark(ctx context.Context) (cart, error) {
	body := object{"metadata": object{agentField: clean(a.visit.Agent), attemptField: a.Attempt}}
	held, err := a.shop.writeCart(ctx, a.visit, placing, body, a.kept.Cart)
	if _, refused := isRefusal(err); !refused {
		return held, err
	}
	held, failed := a.shop.readCart(ctx, a.visit, placing, a.kept.Cart)
	switch {
	case failed != nil:
		return cart{}, failed
	case held.ordered():
		return held, nil
	case held.closed():
		return cart{}, upstream.Errorf(upstream.CodeBasketGone, placing, "the shop has closed the basket")
	}
	return cart{}, err
}

// check sees that the cart can be ordered, and costs what was agreed.
func (a *placement) check(held cart) error {
	r := a.known.withID(held.Get("region_id").String())
	if r == nil || !slices.Contains(r.payments, a.Method) {
		return upstream.Errorf(upstream.CodeInvalid, placing, "the shop has no such payment provider here")
	}
	// Whether the chosen option is still on offer is checked by the shop.
	if lacks := missing(held, a.kept.OtherBuyer, held.chosen()); len(lacks) > 0 {
		words := make([]string, len(lacks))
		for i, m := range lacks {
			words[i] = strings.ReplaceAll(string(m), "_", " ")
		}
		return upstream.Errorf(upstream.CodeIncomplete, placing, "the order lacks: %s", strings.Join(words, ", "))
	}
	purse := newPurse(held.Get("currency_code"))
	total := purse.read(held.Get("total"))
	if err := purse.failed(placing); err != nil {
		return err
	}
	if total != a.Expected {
		return upstream.Errorf(upstream.CodePriceChanged, placing, "the total is another one now")
	}
	return nil
}

// pay begins the payment. A cart that costs nothing needs none.
func (a *placement) pay(ctx context.Context, held cart) error {
	if a.Expected.Minor == 0 {
		return nil
	}
	collection := held.Get("payment_collection.id").String()
	if collection == "" {
		begun, err := a.shop.ask(ctx, a.visit, call{
			op: placing, path: []string{"payment-collections"}, fields: "id", body: object{"cart_id": a.kept.Cart},
		}, "payment_collection")
		if err != nil {
			return err
		}
		collection = begun.Get("id").String()
	}
	_, err := a.shop.ask(ctx, a.visit, call{
		op: placing, path: []string{"payment-collections", collection, "payment-sessions"}, fields: "id",
		body: object{"provider_id": a.Method, "data": a.data()},
	}, "payment_collection")
	if why, refused := isRefusal(err); refused {
		return &upstream.Error{
			Code: upstream.CodePaymentDeclined, Op: placing, Text: "the payment provider does not take this payment", Err: why,
		}
	}
	return err
}

// data is what the payment provider is given: the credential, as it is if it is a
// JSON object, and else as its token.
func (a *placement) data() any {
	text := a.Credential.Reveal()
	switch {
	case text == "":
		return object{}
	case gjson.Valid(text) && gjson.Parse(text).IsObject():
		return json.RawMessage(text)
	}
	return object{"token": text}
}

// complete orders the cart. Medusa answers the same order however often it is
// asked to.
func (a *placement) complete(ctx context.Context) (upstream.Placed, error) {
	c := call{
		op: placing, path: []string{"carts", a.kept.Cart, "complete"}, fields: placedFields,
		body: object{}, order: true,
	}
	answer, err := a.shop.send(ctx, a.visit, c)
	switch why, refused := isRefusal(err); {
	case refused:
		return a.refused(ctx, why)
	case err != nil:
		return upstream.Placed{}, gone(placing, err)
	}
	switch answer.Get("type").String() {
	case "order":
		return a.placed(answer.Get("order"))
	case "cart":
		return a.refused(ctx, &refusal{kind: answer.Get("error.type").String()})
	}
	return upstream.Placed{}, a.shop.senseless(c)
}

// placed reads the order that the shop has taken.
func (a *placement) placed(order gjson.Result) (upstream.Placed, error) {
	placed, err := readPlaced(placing, order)
	if err != nil {
		return upstream.Placed{}, &upstream.Error{
			Code: upstream.CodeUnknownOutcome, Op: placing, Text: "the shop's answer about the order cannot be read", Err: err,
		}
	}
	return placed, nil
}

// refused says why the shop did not take the order. Medusa says it in words only,
// but for a lack of stock; what became of the payment is told by its session.
func (a *placement) refused(ctx context.Context, why *refusal) (upstream.Placed, error) {
	if why.code == codeInventory {
		return upstream.Placed{}, refusedAs(upstream.CodeOutOfStock, why, "something in the basket was sold meanwhile")
	}
	held, err := a.shop.readCart(ctx, a.visit, placing, a.kept.Cart)
	if err != nil {
		return upstream.Placed{}, refusedAs(upstream.CodeNotPlaced, why, "the shop did not take the order")
	}
	if held.ordered() {
		return a.placed(held.Get("order"))
	}
	session := held.Get("payment_collection.payment_sessions.0.status").String()
	switch {
	case session == "requires_more", why.kind == "payment_requires_more_error":
		e := refusedAs(upstream.CodePaymentDeclined, why, "the payment wants the buyer's own confirmation")
		if url := a.shop.checkout.Fill("cart", a.kept.Cart); url != "" {
			e.Code, e.URL = upstream.CodeEscalate, url
		}
		return upstream.Placed{}, e
	case session == "error", session == "canceled", why.kind == "payment_authorization_error":
		return upstream.Placed{}, refusedAs(upstream.CodePaymentDeclined, why, "the payment was declined")
	case why.kind == kindInvalid:
		return upstream.Placed{}, refusedAs(upstream.CodeIncomplete, why, "the shop does not take the order as it stands")
	case a.sold(ctx, held):
		return upstream.Placed{}, refusedAs(upstream.CodeOutOfStock, why, "something in the basket was sold meanwhile")
	}
	return upstream.Placed{}, refusedAs(upstream.CodeNotPlaced, why, "the shop did not take the order")
}

// sold reports whether the shop has less of something than the cart holds. If it
// cannot be asked, nobody knows.
func (a *placement) sold(ctx context.Context, held cart) bool {
	var variants []string
	for _, item := range held.items() {
		variants = append(variants, item.Get("variant_id").String())
	}
	products, err := a.shop.products(ctx, a.visit, placing, a.known, a.known.place(a.visit.Market), variants)
	return err == nil && slices.ContainsFunc(products, func(g goods) bool {
		return slices.ContainsFunc(g.Variants, func(v upstream.Variant) bool {
			limit, limited := g.limits[v.ID]
			return limited && limit < held.quantity(v.ID)
		})
	})
}

func refusedAs(code upstream.Code, why *refusal, text string) *upstream.Error {
	return &upstream.Error{Code: code, Op: placing, Text: text, Err: why}
}

// readPlaced reads an order with placedFields.
func readPlaced(op string, order gjson.Result) (upstream.Placed, error) {
	purse := newPurse(order.Get("currency_code"))
	total := purse.read(order.Get("total"))
	return upstream.Placed{Ref: readRef(order), Total: total}, purse.failed(op)
}

// readRef returns how an order is read again. Its number is what people call it;
// the shop shows it to whoever knows its id, so that is a secret.
func readRef(order gjson.Result) upstream.OrderRef {
	number := order.Get("custom_display_id").String()
	if number == "" {
		number = order.Get("display_id").String()
	}
	return upstream.OrderRef{ID: number, Key: secret.New(order.Get("id").String())}
}
