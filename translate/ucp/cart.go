package ucp

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// Cart is a basket as a cart (schemas/shopping/cart.json with discount.json). Its
// totals are estimates: delivery and tax need an address, which carts have not.
type Cart struct {
	UCP         Envelope        `json:"ucp"`
	ID          string          `json:"id"`
	LineItems   []LineItem      `json:"line_items"`
	Currency    string          `json:"currency"`
	Totals      []Total         `json:"totals"`
	Buyer       *Buyer          `json:"buyer,omitempty"`
	Context     json.RawMessage `json:"context,omitempty"`
	Attribution json.RawMessage `json:"attribution,omitempty"`
	Discounts   *Discounts      `json:"discounts,omitempty"`
	Messages    []Message       `json:"messages,omitempty"`
	Links       []Link          `json:"links,omitempty"`
	ContinueURL string          `json:"continue_url,omitempty"`
	ExpiresAt   *time.Time      `json:"expires_at,omitempty"`
}

// cart answers the cart operations.
func (s *Server) cart(ctx context.Context, c *Call) (*Reply, error) {
	payload := gjson.ParseBytes(c.Payload)
	switch c.Op {
	case CreateCart:
		wanted, messages := readWanted(payload, c.Active)
		b, err := s.Baskets.Create(ctx, c.Owner, c.Visit, wanted)
		return s.cartReply(c, http.StatusCreated, b, err, messages)
	case UpdateCart:
		return s.updateCart(ctx, c, payload)
	case CancelCart:
		return s.cancelCart(ctx, c)
	}
	b, err := s.Baskets.Get(ctx, c.Owner, c.Visit, c.ID)
	return s.cartReply(c, http.StatusOK, b, err, nil)
}

// updateCart replaces what a cart holds. What only a checkout of the same basket
// can say, its address and the way of delivery, stays.
func (s *Server) updateCart(ctx context.Context, c *Call, payload gjson.Result) (*Reply, error) {
	b, err := s.Baskets.Get(ctx, c.Owner, c.Visit, c.ID)
	if err != nil || b.State != basket.Open {
		return s.cartReply(c, http.StatusOK, b, err, nil)
	}
	wanted, messages := readWanted(payload, c.Active)
	wanted.Destinations, wanted.Destination = b.Wanted.Destinations, b.Wanted.Destination
	wanted.Delivery, wanted.Billing = b.Wanted.Delivery, b.Wanted.Billing
	b, err = s.Baskets.Replace(ctx, c.Owner, c.Visit, c.ID, wanted)
	return s.cartReply(c, http.StatusOK, b, err, messages)
}

// cancelCart gives a cart up and shows it as it was.
func (s *Server) cancelCart(ctx context.Context, c *Call) (*Reply, error) {
	before, err := s.Baskets.Get(ctx, c.Owner, c.Visit, c.ID)
	if err != nil || before.State != basket.Open {
		return s.cartReply(c, http.StatusOK, before, err, nil)
	}
	if _, err := s.Baskets.Cancel(ctx, c.Owner, c.Visit, c.ID); err != nil {
		return s.basketFailed(c, err)
	}
	return s.cartReply(c, http.StatusOK, before, nil, nil)
}

// cartReply is the reply to a cart operation. A basket that is no longer open is
// no cart any more.
func (s *Server) cartReply(c *Call, status int, b *basket.Basket, err error, extra []Message) (*Reply, error) {
	if err == nil && b.State != basket.Open {
		err = basket.ErrNotFound
	}
	if err != nil {
		return s.basketFailed(c, err)
	}
	cart := s.cartOf(b, c.Active, extra)
	return resource(status, cart, cart.Messages)
}

// cartOf returns a basket as a cart. Of its blockers it names those about what it
// holds: the rest is a checkout's business, but for the one that there is no checkout
// to come.
func (s *Server) cartOf(b *basket.Basket, active Active, extra []Message) *Cart {
	shown := *b
	shown.Blockers = nil
	for _, issue := range b.Blockers {
		switch {
		case issue.Field == basket.FieldLine, issue.Field == basket.FieldQuantity:
			shown.Blockers = append(shown.Blockers, issue)
		case issue.Code == basket.NotOrderable:
			shown.Warnings = append(slices.Clip(shown.Warnings), issue)
		}
	}
	expires := b.Expires.UTC().Truncate(time.Second)
	cart := &Cart{
		UCP: envelope(active), ID: b.ID, LineItems: linesOf(b), Currency: string(b.Observed.Currency),
		Totals: totalsOf(b.Observed.Totals, b.Observed.Total.Minor), Buyer: buyerOf(b.Wanted.Buyer),
		Messages: append(messagesOf(&shown, active), extra...), Links: linksOf(s.Links),
		ContinueURL: b.HandOff, ExpiresAt: &expires,
	}
	cart.Context, cart.Attribution = notesOf(b.Wanted.Notes)
	if active.Has(CapabilityDiscount) {
		cart.Discounts = discountsOf(b)
	}
	return cart
}
