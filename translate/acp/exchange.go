package acp

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/cardnumber"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// exchange is a request for an operation on its way.
type exchange struct {
	*REST
	request *http.Request
	op      Operation
	id      string // of the session or cart, if the operation is about one
	event   *httpdoor.Event
	agent   agents.Agent
	body    []byte
	// signed is what a signature of the request covers, nil without one.
	signed []byte
}

// call is an operation after it was found out who asks, and after its payload was
// checked.
type call struct {
	op      Operation
	id      string
	payload gjson.Result
	owner   basket.Owner
	visit   upstream.Visit
	shop    *upstream.Description
}

// reply is the answer to a call.
type reply struct {
	status int
	header http.Header // what belongs to the answer, not to its delivery
	body   []byte
	// outcome says in a word what came of it, for logs and metrics.
	outcome string
	// pending: this is how things stand, and not how they end.
	pending bool
}

// check finds what is wrong with the payload and with the headers.
func (x *exchange) check() error {
	for _, name := range []string{requestIDHeader, keyHeader} {
		if cardnumber.In(x.request.Header.Get(name)) {
			return cardRefused(name)
		}
	}
	if len(x.request.Header.Values(keyHeader)) > 1 {
		return refuse(http.StatusBadRequest, Malformed, keyHeader, "Idempotency-Key must be sent once")
	}
	if x.request.Method == http.MethodPost && x.request.Header.Get(keyHeader) == "" {
		return refuse(http.StatusBadRequest, KeyRequired, "", "Idempotency-Key is required on every POST")
	}
	if !x.op.writes() {
		x.body = nil // where a body means nothing
		return nil
	}
	return checkPayload(x.op, x.body)
}

// cardRefused is the refusal of a card number, which it does not repeat.
func cardRefused(param string) *Refusal {
	return refuse(http.StatusBadRequest, CardNumber, param, "This looks like a payment card number, which is accepted nowhere here and was not kept. Send a token of a payment provider")
}

// checkPayload finds what is wrong with the payload of a write.
func checkPayload(op Operation, body []byte) error {
	s := payloadOf(op)
	if len(body) == 0 && (op == CancelSession || op == CancelCart) {
		return nil
	}
	if err := shape.Strict(body); err != nil {
		return err
	}
	if at, found := cardnumber.Find(gjson.ParseBytes(body), cardRule); found {
		return cardRefused(at)
	}
	if err := s.Check(body, shape.Other, nil); err != nil {
		return err
	}
	return checkAttribution(gjson.GetBytes(body, "affiliate_attribution"))
}

// cardRule looks for card numbers everywhere, with an eye for what ids and
// telephone numbers look like.
func cardRule(name string) func(string) bool {
	switch name {
	case "id", "item_ids", "option_id", "handler_id":
		return cardnumber.InID
	case "phone_number":
		return cardnumber.InPhone
	}
	return cardnumber.In
}

// run carries the operation out.
func (x *exchange) run(ctx context.Context) (*reply, error) {
	shop := x.Describe()
	if shop == nil {
		return nil, httpdoor.NotNow(httpdoor.DefaultRetry, nil)
	}
	payload := gjson.ParseBytes(x.body)
	return x.Server.do(ctx, &call{
		op: x.op, id: x.id, payload: payload, shop: shop,
		owner: basket.Owner{Shop: x.Shop, Agent: x.agent.ID, Name: x.agent.Name, Sandbox: x.agent.Sandbox},
		visit: upstream.Visit{
			Market:    marketOf(shop, payload, x.request.Header.Values("Accept-Language")),
			Addr:      x.PeerOf(x.request).Addr,
			Agent:     x.agent.Name,
			RequestID: x.event.RequestID,
		},
	})
}

// once carries a write out, or finds the answer it had before.
func (x *exchange) once(ctx context.Context) (*reply, error) {
	if !x.op.writes() {
		return x.run(ctx)
	}
	payload, err := canonical(x.body)
	if err != nil {
		return nil, err
	}
	var scopes []idempotency.Scope
	scope := idempotency.Scope{Agent: x.agent.ID, Operation: "acp/" + string(x.op), Resource: x.id}
	if x.signed != nil {
		// The signature covers no idempotency key, so that what was signed once
		// must be done once, whatever key it comes with.
		signed := scope
		signed.Operation, signed.Key = "acp/signed", signedKey(x.signed)
		scopes = append(scopes, signed)
	}
	if key := x.request.Header.Get(keyHeader); key != "" {
		scope.Key = key
		scopes = append(scopes, scope)
	}
	return x.within(ctx, scopes, idempotency.Sum(payload))
}

// within runs the operation unless it was answered within one of the scopes.
func (x *exchange) within(ctx context.Context, scopes []idempotency.Scope, payload idempotency.Fingerprint) (*reply, error) {
	if len(scopes) == 0 {
		return x.run(ctx)
	}
	ticket, first, err := x.Records.Begin(ctx, scopes[0], payload)
	if err != nil {
		return nil, fmt.Errorf("looking for an earlier answer: %w", err)
	}
	if first != nil {
		x.event.Replayed, x.event.Outcome = true, "replayed"
		return &reply{status: first.Status, header: first.Header, body: first.Body}, nil
	}
	// A key that cannot be freed is freed when its lease ends.
	defer func() { _ = ticket.Abandon(ctx) }()

	running, cancel := ticket.Context(ctx)
	defer cancel()
	made, err := x.within(running, scopes[1:], payload)
	if err != nil || made.pending {
		return made, err
	}
	// What was done is done, and its answer true, whether it can be kept or not.
	if err := ticket.Finish(ctx, idempotency.Response{Status: made.status, Header: made.header, Body: made.body}); err != nil {
		x.event.Err = err
	}
	return made, nil
}
