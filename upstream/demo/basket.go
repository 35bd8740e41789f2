package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// What is being done, in errors.
const (
	opApply = "filling the basket"
	opRead  = "reading the basket"
)

// Apply implements [upstream.Baskets].
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	body, err := json.Marshal(wishOf(v, d))
	if err != nil {
		return upstream.Applied{}, fmt.Errorf("%s: %w", opApply, err)
	}
	if h.IsZero() {
		return s.create(ctx, v, body)
	}
	applied, err := s.replace(ctx, v, h, body)
	if upstream.CodeOf(err) != upstream.CodeNotFound {
		return applied, err
	}
	if applied, err = s.create(ctx, v, body); err != nil {
		return applied, err
	}
	renewed := upstream.Notice{Code: upstream.NoticeBasketRenewed, Text: "The shop had dropped the basket; this is a new one."}
	applied.Notices = append([]upstream.Notice{renewed}, applied.Notices...)
	return applied, nil
}

// create begins a basket.
func (s *Shop) create(ctx context.Context, v upstream.Visit, body []byte) (upstream.Applied, error) {
	request := basketRequest(opApply, http.MethodPost, upstream.Handle{})
	request.Body = body
	response, err := s.client.Do(ctx, v, request)
	if err != nil {
		return upstream.Applied{}, err
	}
	return s.applied(response)
}

// replace makes a basket what the body says. The error's code is CodeNotFound for a
// basket that the shop does not have.
func (s *Shop) replace(ctx context.Context, v upstream.Visit, h upstream.Handle, body []byte) (upstream.Applied, error) {
	if !isToken(h.Reveal()) {
		return upstream.Applied{}, upstream.Errorf(upstream.CodeNotFound, opApply, "the handle is not one of this shop")
	}
	request := basketRequest(opApply, http.MethodPut, h)
	request.Body, request.Safe = body, true
	response, err := s.client.Do(ctx, v, request)
	if err != nil {
		return upstream.Applied{}, err
	}
	if placed, ok := s.ordered(response); ok {
		return upstream.Applied{Handle: h, Observed: upstream.Observed{Currency: placed.Total.Currency, Ordered: &placed}}, nil
	}
	return s.applied(response)
}

// applied reads what a basket has become.
func (s *Shop) applied(response shopclient.Response) (upstream.Applied, error) {
	if refused := s.refusal(opApply, response); refused != nil {
		return upstream.Applied{}, refused
	}
	r := response.JSON()
	observed, err := s.observed(opApply, r)
	if err != nil {
		return upstream.Applied{}, err
	}
	f := frame{observed.Currency, observed.Tax}
	return upstream.Applied{
		Observed: observed,
		Handle:   secret.New(r.Get("token").String()),
		Notices:  s.readNotices(r.Get("notices"), f),
	}, nil
}

// Read implements [upstream.Baskets].
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	gone := upstream.Errorf(upstream.CodeBasketGone, opRead, "the shop has no such basket")
	if !isToken(h.Reveal()) {
		return upstream.Observed{}, gone
	}
	request := basketRequest(opRead, http.MethodGet, h)
	request.Safe = true
	response, err := s.client.Do(ctx, v, request)
	if err != nil {
		return upstream.Observed{}, err
	}
	if placed, ok := s.ordered(response); ok {
		return upstream.Observed{Currency: placed.Total.Currency, Ordered: &placed}, nil
	}
	if refused := s.refusal(opRead, response); refused != nil {
		if refused.Code == upstream.CodeNotFound {
			return upstream.Observed{}, gone
		}
		return upstream.Observed{}, refused
	}
	return s.observed(opRead, response.JSON())
}

// Place implements [upstream.Baskets]. An order that the basket has become already
// is returned, whoever placed it.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	const op = "placing the order"
	if !isToken(h.Reveal()) {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeBasketGone, op, "the handle is not one of this shop")
	}
	request := basketRequest(op, http.MethodPost, h, "order")
	request.Order = true
	var err error
	if request.Body, err = json.Marshal(placement(v, p)); err != nil {
		return upstream.Placed{}, fmt.Errorf("%s: %w", op, err)
	}
	response, err := s.client.Do(ctx, v, request)
	if err != nil {
		return upstream.Placed{}, err
	}
	if placed, ok := s.ordered(response); ok {
		return placed, nil
	}
	if refused := s.refusal(op, response); refused != nil {
		switch refused.Code {
		case upstream.CodeNotFound:
			refused.Code = upstream.CodeBasketGone
		case upstream.CodeUnavailable:
			// It reached the shop, and this is no clear answer.
			refused.Code = upstream.CodeUnknownOutcome
		}
		return upstream.Placed{}, refused
	}
	placed, ok := s.placed(response.JSON())
	if !ok {
		return upstream.Placed{}, &upstream.Error{Code: upstream.CodeUnknownOutcome, Op: op, Err: unreadable(op, "order")}
	}
	return placed, nil
}

// Recover implements [upstream.Baskets]. It withdraws the attempt.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	const op = "asking for the order"
	notPlaced := upstream.Errorf(upstream.CodeNotPlaced, op, "the basket has not become an order")
	if !isToken(h.Reveal()) {
		return upstream.Placed{}, notPlaced
	}
	request := basketRequest(op, http.MethodPost, h, "withdraw")
	request.Safe = true
	var err error
	if request.Body, err = json.Marshal(withdrawal{p.Attempt}); err != nil {
		return upstream.Placed{}, fmt.Errorf("%s: %w", op, err)
	}
	response, err := s.client.Do(ctx, v, request)
	if err != nil {
		return upstream.Placed{}, err
	}
	if refused := s.refusal(op, response); refused != nil {
		if refused.Code == upstream.CodeNotFound {
			return upstream.Placed{}, notPlaced
		}
		return upstream.Placed{}, refused
	}
	r := response.JSON().Get("order")
	if placed, ok := s.placed(r); ok {
		return placed, nil
	}
	if r.Raw == "null" {
		return upstream.Placed{}, notPlaced
	}
	return upstream.Placed{}, unreadable(op, "order")
}
