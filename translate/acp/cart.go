package acp

import (
	"context"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/translate/basket"
)

// Cart is a basket as a cart (schema.cart.json). Its totals are estimates.
type Cart struct {
	ID          string     `json:"id"`
	LineItems   []LineItem `json:"line_items"`
	Buyer       *Buyer     `json:"buyer,omitempty"`
	Currency    string     `json:"currency"`
	Totals      []Total    `json:"totals"`
	Messages    []Message  `json:"messages,omitempty"`
	ContinueURL string     `json:"continue_url,omitempty"`
	ExpiresAt   *time.Time `json:"expires_at,omitempty"`
}

// cart answers the cart operations.
func (s *Server) cart(ctx context.Context, c *call) (*reply, error) {
	switch c.op {
	case CreateCart:
		var wanted basket.Wanted
		messages := readWanted(c.payload, &wanted)
		b, err := s.Baskets.Create(ctx, c.owner, c.visit, wanted)
		return cartReply(c, http.StatusCreated, b, err, messages)
	case ReplaceCart:
		return s.replaceCart(ctx, c)
	case CancelCart:
		return s.cancelCart(ctx, c)
	}
	b, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
	return cartReply(c, http.StatusOK, b, err, nil)
}

// replaceCart replaces what a cart holds. What only a session of the same basket
// can say stays: its address, the way of delivery, codes.
func (s *Server) replaceCart(ctx context.Context, c *call) (*reply, error) {
	b, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
	if err != nil || b.State != basket.Open {
		return cartReply(c, http.StatusOK, b, err, nil)
	}
	wanted := b.Wanted
	wanted.Buyer = buyerIn(c.payload.Get("buyer"))
	messages := readWanted(c.payload, &wanted)
	b, err = s.Baskets.Replace(ctx, c.owner, c.visit, c.id, wanted)
	return cartReply(c, http.StatusOK, b, err, messages)
}

// cancelCart gives a cart up and shows it as it was.
func (s *Server) cancelCart(ctx context.Context, c *call) (*reply, error) {
	before, err := s.Baskets.Get(ctx, c.owner, c.visit, c.id)
	if err != nil || before.State != basket.Open {
		return cartReply(c, http.StatusOK, before, err, nil)
	}
	if _, err := s.Baskets.Cancel(ctx, c.owner, c.visit, c.id); err != nil {
		return nil, failed(c, err)
	}
	return cartReply(c, http.StatusOK, before, nil, nil)
}

// cartReply is the reply that shows a basket as a cart, which it is as long as it
// is open.
func cartReply(c *call, status int, b *basket.Basket, err error, extra []Message) (*reply, error) {
	if err == nil && b.State != basket.Open {
		err = basket.ErrNotFound
	}
	if err != nil {
		return nil, failed(c, err)
	}
	cart := cartOf(b, extra)
	return shown(status, cart, cart.Messages, false)
}

// cartOf returns a basket as a cart. Of what stands between it and an order a cart
// names what is about its items; the rest is a session's business.
func cartOf(b *basket.Basket, extra []Message) *Cart {
	held := *b
	held.Blockers = nil
	for _, issue := range b.Blockers {
		if issue.Field == basket.FieldLine || issue.Field == basket.FieldQuantity || issue.Code == basket.NotOrderable {
			held.Blockers = append(held.Blockers, issue)
		}
	}
	return &Cart{
		ID: b.ID, LineItems: linesOf(b), Buyer: buyerOf(b.Wanted.Buyer), Currency: lower(string(b.Observed.Currency)),
		Totals: totalsOf(b.Observed.Totals, b.Observed.Total.Minor), Messages: append(messagesOf(&held), extra...),
		ContinueURL: pageurl.Clean(b.HandOff), ExpiresAt: momentOf(b.Expires),
	}
}
