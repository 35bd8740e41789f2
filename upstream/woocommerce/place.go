package woocommerce

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

const placing = "placing the order"

// Place implements upstream.Shop.
//
// The shop has neither a lock nor a price guard nor idempotency: three requests
// for one basket place three orders. So one request is sent, and what could be
// found out before is found out before: that the basket has not become an order
// yet, that it is still there, at the expected total, and that nothing is
// missing.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	f, err := s.forBaskets(ctx, v, placing)
	if err != nil {
		return upstream.Placed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if kept.Token == "" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeIncomplete, placing, "the basket is empty")
	}
	now, err := s.standing(ctx, v, f, placing, kept, true)
	if err != nil {
		return upstream.Placed{}, err
	}
	if now.placed != nil {
		return *now.placed, nil
	}
	c, err := s.basket(ctx, v, f, placing, kept)
	if err != nil {
		return upstream.Placed{}, err
	}
	o := &ordering{shop: s, facts: f, visit: v, handle: kept, cart: c}
	switch {
	case len(f.payments) == 0:
		return upstream.Placed{}, o.escalate("", "This shop takes orders on its own page only.")
	case !slices.ContainsFunc(f.payments, func(m upstream.PaymentMethod) bool { return m.ID == p.Method }):
		return upstream.Placed{}, upstream.Errorf(upstream.CodeUnsupported, placing, "the shop does not take this way of payment from agents")
	}
	if err := o.ready(p); err != nil {
		return upstream.Placed{}, err
	}
	return o.send(ctx, p)
}

// ready returns why the basket cannot be ordered as it is.
func (o *ordering) ready(p upstream.Placement) error {
	purse := newPurse(o.cart.Get("totals"))
	total := purse.read(o.cart.Get("totals.total_price"))
	if err := purse.failed(placing); err != nil {
		return err
	}
	switch missing := o.cart.missing(o.handle); {
	case o.cart.complains():
		return upstream.Errorf(upstream.CodeOutOfStock, placing, "something in the basket is sold out")
	case len(missing) > 0:
		return upstream.Errorf(upstream.CodeIncomplete, placing, "the shop still wants: %s", list(missing))
	case total != p.Expected:
		return upstream.Errorf(upstream.CodePriceChanged, placing, "the basket costs another total than was agreed")
	}
	return nil
}

func list(missing []upstream.Missing) string {
	names := make([]string, len(missing))
	for i, m := range missing {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}

// ordering is one request to order.
type ordering struct {
	shop   *Shop
	facts  *facts
	visit  upstream.Visit
	handle handle
	cart   cart
}

// order is the body of the request to order.
type order struct {
	Billing  json.RawMessage `json:"billing_address"`
	Shipping json.RawMessage `json:"shipping_address,omitempty"`
	Note     string          `json:"customer_note"`
	Method   string          `json:"payment_method"`
	Data     []paymentField  `json:"payment_data"`
}

// paymentField is what a gateway is given.
type paymentField struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
}

// send orders the basket.
func (o *ordering) send(ctx context.Context, p upstream.Placement) (upstream.Placed, error) {
	data, err := o.shop.paymentData(p.Method, p.Credential)
	if err != nil {
		return upstream.Placed{}, err
	}
	body := order{
		Billing: json.RawMessage(o.cart.Get("billing_address").Raw),
		Note:    note(o.visit.Agent, p.Attempt),
		Method:  p.Method,
		Data:    data,
	}
	if o.cart.needsDelivery() {
		body.Shipping = json.RawMessage(o.cart.Get("shipping_address").Raw)
	}
	request := call{op: placing, path: "checkout", token: o.cart.token, body: body, order: true}
	a, err := o.shop.ask(ctx, o.visit, o.facts, request)
	if err == nil && a.code() == notEnoughStock && nextSecond(ctx) {
		if err := o.stillThere(ctx, p); err != nil {
			return upstream.Placed{}, err
		}
		a, err = o.shop.ask(ctx, o.visit, o.facts, request)
	}
	if err != nil {
		return upstream.Placed{}, err
	}
	return o.outcome(ctx, a)
}

// stillThere looks at the basket again before it is ordered again. If stock was
// short in truth, it has lowered a quantity meanwhile and would be ordered so.
func (o *ordering) stillThere(ctx context.Context, p upstream.Placement) (err error) {
	if o.cart, err = o.shop.basket(ctx, o.visit, o.facts, placing, o.handle); err != nil {
		return err
	}
	err = o.ready(p)
	if upstream.CodeOf(err) == upstream.CodePriceChanged {
		return upstream.Errorf(upstream.CodeOutOfStock, placing, "something in the basket is sold out")
	}
	return err
}

// noteMark begins the part of an order's note that names the attempt.
const noteMark = "storeware "

// note tells the merchant who ordered. It stands on the order as its customer's
// note, which is the one thing that the shop lets anybody write there.
func note(agent, attempt string) string {
	agent = title(agent)
	if agent == "" {
		agent = "an agent"
	}
	return fmt.Sprintf("Ordered by %s (%s%s)", cut(agent, 100), noteMark, attempt)
}

// attemptMark is the mark of an attempt.
func attemptMark(attempt string) string { return noteMark + attempt }

// attemptOf returns the mark of the attempt that an order's note names, empty if
// it names none.
func attemptOf(order gjson.Result) string {
	note := order.Get("customer_note").String()
	at := strings.LastIndex(note, "("+noteMark)
	if at < 0 || !strings.HasSuffix(note, ")") {
		return ""
	}
	return note[at+1 : len(note)-1]
}

// paymentData is what the gateway is given: the fields of a JSON object, or the
// credential as it is in the field that the configuration names.
func (s *Shop) paymentData(method string, credential secret.String) ([]paymentField, error) {
	data := []paymentField{} // The shop wants a list, even an empty one.
	if credential.IsZero() {
		return data, nil
	}
	at := slices.IndexFunc(s.payments, func(p Payment) bool { return p.ID == method })
	given := credential.Reveal()
	switch {
	case gjson.Valid(given) && gjson.Parse(given).IsObject():
		for key, value := range gjson.Parse(given).Map() {
			switch value.Type {
			case gjson.String, gjson.True, gjson.False:
				data = append(data, paymentField{key, value.Value()})
			default:
				return nil, upstream.Errorf(upstream.CodeInvalid, placing, "a field for the payment gateway is neither text nor true nor false")
			}
		}
		slices.SortFunc(data, func(a, b paymentField) int { return strings.Compare(a.Key, b.Key) })
	case at >= 0 && s.payments[at].Field != "":
		data = append(data, paymentField{s.payments[at].Field, given})
	}
	return data, nil
}
