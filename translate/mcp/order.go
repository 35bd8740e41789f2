package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Order is what get_order answers: an order as it stands.
type Order struct {
	ID       string         `json:"order_id"`
	BasketID string         `json:"basket_id"`
	Status   string         `json:"status,omitempty" doc:"The shop's own word."`
	Placed   *time.Time     `json:"placed_at,omitempty"`
	URL      string         `json:"url,omitempty" doc:"The order's page at the shop."`
	Currency money.Currency `json:"currency"`
	Items    []OrderItem    `json:"items"`
	Totals   []Total        `json:"totals"`
	Total    int64          `json:"total_minor"`
	Address  *Address       `json:"address,omitempty"`
	Delivery string         `json:"delivery,omitempty" doc:"How the goods travel."`
	Canceled bool           `json:"canceled" doc:"The shop will not send what is left of it."`
	// Events happened to the goods, Adjustments to the money, oldest first.
	Events      []OrderEvent    `json:"events" doc:"What happened to the goods, oldest first."`
	Adjustments []Adjustment    `json:"adjustments" doc:"What happened to the money, oldest first."`
	Test        bool            `json:"test" doc:"Placed with a sandbox key: the shop knows nothing of it."`
	Messages    []BasketMessage `json:"messages,omitempty"`
}

// OrderItem is a line of an order.
type OrderItem struct {
	BasketItem
	Remaining int64 `json:"remaining" doc:"How many are left after returns and cancellations."`
	Sent      int64 `json:"sent" doc:"How many of these were sent."`
}

// OrderEvent is something that happened to goods.
type OrderEvent struct {
	Type        string    `json:"type"`
	At          time.Time `json:"at"`
	Items       []Pieces  `json:"items"`
	Carrier     string    `json:"carrier,omitempty"`
	Tracking    string    `json:"tracking_number,omitempty"`
	TrackingURL string    `json:"tracking_url,omitempty"`
	Description string    `json:"description,omitempty"`
}

// Adjustment is something that happened to the money.
type Adjustment struct {
	Type        string    `json:"type"`
	At          time.Time `json:"at"`
	Status      string    `json:"status"`
	Amount      int64     `json:"amount_minor" doc:"Negative when money goes back to the buyer."`
	Items       []Pieces  `json:"items"`
	Description string    `json:"description,omitempty"`
}

// Pieces are some of a line.
type Pieces struct {
	Line     string `json:"item_id"`
	Quantity int64  `json:"quantity"`
}

// getOrder answers get_order.
func getOrder(ctx context.Context, s *Server, r *request) (*reply, error) {
	o, err := s.Baskets.Order(ctx, r.owner, r.visit, r.arguments.Get("order_id").Str)
	switch {
	case errors.Is(err, basket.ErrNotFound):
		return nil, mistaken(NotFound, "You have placed no such order here")
	case err != nil:
		return nil, fmt.Errorf("reading an order: %w", err)
	}
	shown := orderOf(o)
	return replied(shown, shown.words(), "ok")
}

// orderOf returns an order as this server shows it.
func orderOf(o *basket.PlacedOrder) *Order {
	out := &Order{
		ID: o.Ref.ID, BasketID: o.BasketID, Status: o.Status, Placed: momentOf(o.PlacedAt), URL: pageurl.Clean(o.URL), Currency: o.Currency,
		Items: make([]OrderItem, len(o.Lines)), Totals: totalsOf(o.Totals), Total: o.Total.Minor,
		Address: addressOf(o.Address), Delivery: o.Delivery, Canceled: o.Canceled,
		Events: make([]OrderEvent, len(o.Events)), Adjustments: make([]Adjustment, len(o.Adjustments)), Test: o.Test,
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		out.Items[i] = OrderItem{BasketItem{
			ID: l.ID, Variant: l.Item, Product: l.Product, Title: l.Title, Options: choicesOf(l.Choices), Quantity: l.Ordered,
			Unit: l.Unit.Minor, Subtotal: l.Subtotal.Minor, Total: l.Total.Minor,
			ImageURL: pageurl.Clean(l.Image), URL: pageurl.Clean(l.URL),
		}, l.Active, l.Fulfilled}
	}
	for i, e := range o.Events {
		out.Events[i] = OrderEvent{
			Type: e.Type, At: e.At.UTC(), Items: piecesOf(e.Lines), Carrier: e.Carrier,
			Tracking: e.Tracking, TrackingURL: pageurl.Clean(e.TrackingURL), Description: e.Text,
		}
	}
	for i, a := range o.Adjustments {
		out.Adjustments[i] = Adjustment{
			Type: a.Type, At: a.At.UTC(), Status: a.Status, Amount: a.Amount.Minor, Items: piecesOf(a.Lines), Description: a.Text,
		}
	}
	if o.Test {
		out.Messages = []BasketMessage{testMessage()}
	}
	return out
}

func piecesOf(lines []upstream.LineQuantity) []Pieces {
	out := make([]Pieces, len(lines))
	for i, l := range lines {
		out[i] = Pieces(l)
	}
	return out
}
