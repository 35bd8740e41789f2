package woocommerce

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// cart is the shop's basket as one of its answers shows it.
type cart struct {
	gjson.Result
	// token opens it from now on.
	token string
}

// readCart reads a basket, or begins one where the token opens none. The shop
// says nothing when a token is bad or has expired: it begins another basket, and
// only the token that it returns tells.
func (s *Shop) readCart(ctx context.Context, v upstream.Visit, f *facts, op, token string) (cart, error) {
	a, err := s.ask(ctx, v, f, call{op: op, path: "cart", token: token, safe: true})
	if err != nil {
		return cart{}, err
	}
	if err := a.err(); err != nil {
		return cart{}, err
	}
	c := cart{Result: a.body, token: a.header.Get(tokenHeader)}
	if session(c.token) == "" || !c.Get("totals").IsObject() {
		return cart{}, upstream.Errorf(upstream.CodeUnavailable, op, "the shop's basket has no token or no totals")
	}
	return c, nil
}

// sameBasket reports whether two tokens open the same basket.
func sameBasket(a, b string) bool { return session(a) == session(b) }

// lines are the lines of the basket, by the shop's keys.
func (c cart) lines() []gjson.Result { return c.Get("items").Array() }

// line returns the line with that key. It does not exist if there is none.
func (c cart) line(key string) gjson.Result {
	for _, line := range c.lines() {
		if line.Get("key").String() == key {
			return line
		}
	}
	return gjson.Result{}
}

// needsDelivery reports whether anything in the basket has to be sent.
func (c cart) needsDelivery() bool { return c.Get("needs_shipping").Bool() }

// complains reports whether the shop says of the basket that something in it is
// sold out.
func (c cart) complains() bool {
	for _, one := range c.Get("errors").Array() {
		switch one.Get("code").String() {
		case "woocommerce_rest_product_out_of_stock", "woocommerce_rest_product_partially_out_of_stock":
			return true
		}
	}
	return false
}

// soldOut reports whether a line holds what was sold meanwhile. The shop names it
// in words only; but it also says how many are left, where it counts.
func soldOut(line gjson.Result) bool {
	left := line.Get("low_stock_remaining")
	return left.Type == gjson.Number && left.Int() <= 0 && !line.Get("backorders_allowed").Bool()
}

// change is a request that changes a basket.
type change struct {
	path string
	body any
}

// Bodies of changes.
type (
	addition struct {
		ID        int64            `json:"id"`
		Quantity  int64            `json:"quantity"`
		Variation []attributeValue `json:"variation,omitempty"`
	}
	quantity struct {
		Key      string `json:"key"`
		Quantity int64  `json:"quantity"`
	}
	lineKey struct {
		Key string `json:"key"`
	}
	couponCode struct {
		Code string `json:"code"`
	}
	rateChoice struct {
		Package json.RawMessage `json:"package_id"`
		Rate    string          `json:"rate_id"`
	}
)

// maxBatch is how many changes the shop takes at once.
const maxBatch = 25

// batched is a change as it stands in a batch. The token is wanted in each.
type batched struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
}

// change sends changes, in their order, and returns what came of each. They take
// one request for each twenty-five of them. Nothing is repeated: the second time,
// an added line would be twice as long.
func (s *Shop) change(ctx context.Context, v upstream.Visit, f *facts, op, token string, changes []change) ([]answer, error) {
	var answers []answer
	for some := range slices.Chunk(changes, maxBatch) {
		if len(some) == 1 {
			a, err := s.ask(ctx, v, f, call{op: op, path: some[0].path, token: token, body: some[0].body})
			if err != nil {
				return nil, err
			}
			answers = append(answers, a)
			continue
		}
		part, err := s.batch(ctx, v, f, op, token, some)
		if err != nil {
			return nil, err
		}
		answers = append(answers, part...)
	}
	return answers, nil
}

func (s *Shop) batch(ctx context.Context, v upstream.Visit, f *facts, op, token string, changes []change) ([]answer, error) {
	requests := make([]batched, len(changes))
	for i, c := range changes {
		requests[i] = batched{
			Method: http.MethodPost, Path: "/" + storeAPI + "/" + c.path, Headers: map[string]string{tokenHeader: token}, Body: c.body,
		}
	}
	a, err := s.ask(ctx, v, f, call{op: op, path: "batch", token: token, body: map[string]any{"requests": requests}})
	if err != nil {
		return nil, err
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	responses := a.body.Get("responses").Array()
	if len(responses) != len(changes) {
		return nil, upstream.Errorf(upstream.CodeUnavailable, op, "the shop answered %d of %d changes", len(responses), len(changes))
	}
	answers := make([]answer, len(responses))
	for i, one := range responses {
		answers[i] = answer{op: op, status: int(one.Get("status").Int()), body: one.Get("body")}
		if answers[i].code() == "rate_limit_exceeded" {
			return nil, answers[i].busy()
		}
	}
	return answers, nil
}
