package acp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// createSession answers create_checkout_session.
func (s *Server) createSession(ctx context.Context, c *call) (*reply, error) {
	wanted := basket.Wanted{Notes: notesIn(c.payload)}
	messages := readWanted(c.payload, &wanted)
	b, err := s.Baskets.Create(ctx, c.owner, c.visit, wanted)
	if err == nil {
		messages = append(messages, currencyMessage(c, b)...)
	}
	return s.sessionReply(c, http.StatusCreated, b, err, messages)
}

// currencyMessage says that a session is in another currency than was asked for.
func currencyMessage(c *call, b *basket.Basket) []Message {
	asked, got := lower(c.payload.Get("currency").Str), lower(string(b.Observed.Currency))
	if asked == "" || asked == got {
		return nil
	}
	return []Message{info("$.currency", "This shop does not sell in the currency that was asked for; amounts are in "+got+".")}
}

// updateSession answers update_checkout_session: what is not named stays.
func (s *Server) updateSession(ctx context.Context, c *call) (*reply, error) {
	b, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
	if err != nil {
		return nil, failed(c, err)
	}
	wanted := b.Wanted
	messages := readWanted(c.payload, &wanted)
	b, err = s.Baskets.Replace(ctx, c.owner, c.visit, c.id, wanted)
	return s.sessionReply(c, http.StatusOK, b, err, messages)
}

// complete answers complete_checkout_session. A session that was not completed by
// it is no answer of the protocol's: its answers have an order. So that is an
// error, which says what stood in the way, and the session can be read.
func (s *Server) complete(ctx context.Context, c *call) (*reply, error) {
	b, err := s.pay(ctx, c)
	if err != nil {
		return nil, failed(c, err)
	}
	switch b.State {
	case basket.Completed:
		return s.sessionReply(c, http.StatusOK, b, nil, nil)
	case basket.Completing:
		return inProgress(), nil
	case basket.Canceled:
		return told(refuse(http.StatusConflict, "conflict", "", "The session was canceled or has expired; create a new one")), nil
	case basket.Open:
	}
	return told(notCompleted(messagesOf(b))), nil
}

// pay completes a basket with what the payload says of the payment.
func (s *Server) pay(ctx context.Context, c *call) (*basket.Basket, error) {
	payment, refusal := s.Handler.payment(c.payload.Get("payment_data"))
	if refusal != nil {
		b, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
		if err == nil && b.State == basket.Open {
			err = refusal // an order that is there matters more than how it was asked for
		}
		return b, err
	}
	if buyer := c.payload.Get("buyer"); buyer.IsObject() {
		read := buyerIn(buyer)
		payment.Buyer = &read
	}
	if last := rawOf(c.payload.Get("affiliate_attribution")); last != nil {
		payment.Notes = map[string]json.RawMessage{lastTouch: last}
	}
	return s.Baskets.Complete(ctx, c.owner, c.visit, c.id, payment)
}

// inProgressRetry is when to ask again about an order that the shop has not
// confirmed.
const inProgressRetry = 2 * time.Second

// inProgress is the reply while nobody knows what became of an order.
func inProgress() *reply {
	r := refuse(http.StatusConflict, StillInProgress, "", "The order was sent to the shop, which has not confirmed it yet; ask again in a moment")
	r.Type, r.RetryAfter = ProcessingError, inProgressRetry
	made := told(r)
	made.pending = true
	return made
}

// notCompleted is the refusal that says why a session was not completed: all of
// it, and the code of what comes first.
func notCompleted(messages []Message) *Refusal {
	var blockers []Message
	for _, m := range messages {
		if m.Type == isError {
			blockers = append(blockers, m)
		}
	}
	if len(blockers) == 0 { // which the basket does not answer
		return refuse(http.StatusConflict, "conflict", "", "The session was not completed; read it and complete it again")
	}
	first := blockers[0]
	text := first.Content
	for _, m := range blockers[1:] {
		text += " " + m.Content
	}
	if slices.ContainsFunc(blockers, func(m Message) bool { return m.Resolution == ByBuyerInput }) {
		text += " The buyer goes on at the session's continue_url."
	}
	r := refuse(http.StatusConflict, Code(first.Code), first.Param, "%s", text)
	if first.Code == paymentDeclined {
		r.Status, r.Type = http.StatusPaymentRequired, ProcessingError
	}
	return r
}

// cancelSession answers cancel_checkout_session.
func (s *Server) cancelSession(ctx context.Context, c *call) (*reply, error) {
	b, err := s.Baskets.Cancel(ctx, c.owner, c.visit, c.id)
	if err != nil {
		return nil, failed(c, err)
	}
	for _, remark := range b.Warnings {
		switch remark.Code {
		case basket.AlreadyCompleted, basket.AlreadyCanceled:
			made := told(refuse(http.StatusMethodNotAllowed, NotCancelable, "", "%s", remark.Text))
			made.header.Set("Allow", methods{http.MethodGet: GetSession}.allowed())
			return made, nil
		case basket.StillCompleting:
			return inProgress(), nil
		}
	}
	return s.sessionReply(c, http.StatusOK, b, nil, []Message{info("", "The checkout session has been canceled.")})
}

// marketOf returns who the prices of an answer are for. All of it is hints: what
// is not understood is left out, and so is a currency that the shop does not sell
// in.
func marketOf(shop *upstream.Description, payload gjson.Result, acceptLanguage []string) upstream.Market {
	return market(shop, payload.Get("fulfillment_details.address.country").Str,
		payload.Get("currency").Str, payload.Get("locale").Str, acceptLanguage)
}
