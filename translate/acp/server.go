package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Server answers the operations of one shop.
type Server struct {
	// Describe returns what the shop is, nil while it has not said so yet.
	Describe func() *upstream.Description
	// Baskets keeps sessions and carts.
	Baskets basket.Operations
	// Storefront is the shop's front page, where a person goes when nothing nearer
	// is known; an absolute URL.
	Storefront string
	// Links are the shop's pages of well-known types, shown on sessions.
	Links []upstream.Link
	// Handler is the way to pay.
	Handler UpstreamHandler
}

// do carries an operation out. An error is a *Refusal, or one of the basket's, the
// shop's, the store's or of the context.
func (s *Server) do(ctx context.Context, c *call) (*reply, error) {
	switch c.op {
	case CreateSession:
		return s.createSession(ctx, c)
	case GetSession:
		b, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
		return s.sessionReply(c, http.StatusOK, b, err, nil)
	case UpdateSession:
		return s.updateSession(ctx, c)
	case CompleteSession:
		return s.complete(ctx, c)
	case CancelSession:
		return s.cancelSession(ctx, c)
	}
	return s.cart(ctx, c)
}

// sessionReply is the reply that shows a basket as a session.
func (s *Server) sessionReply(c *call, status int, b *basket.Basket, err error, extra []Message) (*reply, error) {
	if err != nil {
		return nil, failed(c, err)
	}
	session := s.sessionOf(b, c.shop, extra)
	return shown(status, session, session.Messages, session.Status == InProgress)
}

// shown is the reply that shows something.
func shown(status int, body any, messages []Message, pending bool) (*reply, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encoding a response: %w", err)
	}
	return &reply{status: status, body: encoded, outcome: outcomeOf(messages), pending: pending}, nil
}

// outcomeOf is the first error among messages, "ok" for none.
func outcomeOf(messages []Message) string {
	for _, m := range messages {
		if m.Type == isError {
			return m.Code
		}
	}
	return "ok"
}

// told is the reply that is a refusal which stands: what was asked for was looked
// at, and this is what came of it.
func told(r *Refusal) *reply {
	answer := r.answer()
	return &reply{status: answer.Status, header: answer.Header, body: answer.Body, outcome: string(r.Code)}
}

// failed says for what a protocol has words why there is no basket to show.
func failed(c *call, err error) error {
	var nothing *basket.Nothing
	switch {
	case errors.Is(err, basket.ErrNotFound):
		noun := "checkout session"
		if c.op.ofCart() {
			noun = "cart"
		}
		return refuse(http.StatusNotFound, "not_found", "", "There is no such %s, or it is none any more", noun)
	case errors.As(err, &nothing):
		return nothingRefused(c, nothing)
	}
	return err
}

// nothingRefused is the refusal of things of which none can be had: of a cart as
// rfc.cart, section 4.2, has it, and of a session as the published example has it.
func nothingRefused(c *call, nothing *basket.Nothing) *Refusal {
	status := http.StatusBadRequest
	if c.op.ofCart() {
		status = http.StatusUnprocessableEntity
	}
	text := "None of these items can be had."
	for _, issue := range nothing.Issues {
		text += " " + contentOf(issue)
	}
	first := nothing.Issues[0]
	code := Code(errorCode(first.Code))
	if first.Code == basket.NotFound {
		code = "invalid_item_id"
	}
	return refuse(status, code, fmt.Sprintf("$.line_items[%d].id", first.Index), "%s", text)
}
