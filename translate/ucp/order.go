package ucp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Order is an order as it stands (schemas/shopping/order.json).
type Order struct {
	UCP          Envelope          `json:"ucp"`
	ID           string            `json:"id"`
	Label        string            `json:"label,omitempty"`
	CheckoutID   string            `json:"checkout_id"`
	PermalinkURL string            `json:"permalink_url"`
	LineItems    []OrderLineItem   `json:"line_items"`
	Fulfillment  OrderFulfillment  `json:"fulfillment"`
	Adjustments  []OrderAdjustment `json:"adjustments,omitempty"`
	Currency     string            `json:"currency"`
	Totals       []Total           `json:"totals"`
	Messages     []Message         `json:"messages,omitempty"`
	Attribution  json.RawMessage   `json:"attribution,omitempty"`
}

// OrderLineItem is a line of an order
// (schemas/shopping/types/order_line_item.json).
type OrderLineItem struct {
	ID       string        `json:"id"`
	Item     Item          `json:"item"`
	Quantity OrderQuantity `json:"quantity"`
	Totals   []Total       `json:"totals"`
	// Status follows from Quantity.
	Status string `json:"status"`
}

// OrderQuantity counts a line's pieces.
type OrderQuantity struct {
	Original  int64 `json:"original"`
	Total     int64 `json:"total"`
	Fulfilled int64 `json:"fulfilled"`
}

// OrderFulfillment is what was promised of the goods and what happened to them.
type OrderFulfillment struct {
	Expectations []Expectation      `json:"expectations,omitempty"`
	Events       []FulfillmentEvent `json:"events,omitempty"`
}

// Expectation is what a buyer can expect
// (schemas/shopping/types/expectation.json).
type Expectation struct {
	ID          string         `json:"id"`
	LineItems   []LineQuantity `json:"line_items"`
	MethodType  string         `json:"method_type"`
	Destination PostalAddress  `json:"destination"`
	Description string         `json:"description,omitempty"`
}

// FulfillmentEvent is something that happened to goods
// (schemas/shopping/types/fulfillment_event.json).
type FulfillmentEvent struct {
	ID             string         `json:"id"`
	OccurredAt     time.Time      `json:"occurred_at"`
	Type           string         `json:"type"`
	LineItems      []LineQuantity `json:"line_items"`
	TrackingNumber string         `json:"tracking_number,omitempty"`
	TrackingURL    string         `json:"tracking_url,omitempty"`
	Carrier        string         `json:"carrier,omitempty"`
	Description    string         `json:"description,omitempty"`
}

// OrderAdjustment is something that happened to the money
// (schemas/shopping/types/adjustment.json).
type OrderAdjustment struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	OccurredAt  time.Time      `json:"occurred_at"`
	Status      string         `json:"status"`
	LineItems   []LineQuantity `json:"line_items,omitempty"`
	Totals      []Total        `json:"totals,omitempty"`
	Description string         `json:"description,omitempty"`
}

// LineQuantity is a number of pieces of a line.
type LineQuantity struct {
	ID       string `json:"id"`
	Quantity int64  `json:"quantity"`
}

// order answers get_order.
func (s *Server) order(ctx context.Context, c *Call) (*Reply, error) {
	o, err := s.Baskets.Order(ctx, c.Owner, c.Visit, c.ID)
	if errors.Is(err, basket.ErrNotFound) {
		return failed(c.Active, s.Storefront, errorMessage("not_found", "", "There is no such order.", Unrecoverable))
	}
	if err != nil {
		return nil, err
	}
	order := s.orderOf(o, c.Active)
	return resource(http.StatusOK, order, order.Messages)
}

func (s *Server) orderOf(o *basket.PlacedOrder, active Active) *Order {
	order := &Order{
		UCP: envelope(active), ID: o.Ref.ID, Label: o.Ref.ID, CheckoutID: o.BasketID,
		PermalinkURL: cmp.Or(o.URL, s.Storefront), LineItems: make([]OrderLineItem, len(o.Lines)),
		Currency: string(o.Currency), Totals: totalsOf(o.Totals, o.Total.Minor),
	}
	for i := range o.Lines {
		order.LineItems[i] = orderLineOf(&o.Lines[i])
	}
	order.Fulfillment.Expectations = expectationsOf(o)
	for _, e := range o.Events {
		order.Fulfillment.Events = append(order.Fulfillment.Events, FulfillmentEvent{
			ID: e.ID, OccurredAt: e.At.UTC(), Type: e.Type, LineItems: quantitiesOf(e.Lines),
			TrackingNumber: e.Tracking, TrackingURL: e.TrackingURL, Carrier: e.Carrier, Description: e.Text,
		})
	}
	for _, a := range o.Adjustments {
		order.Adjustments = append(order.Adjustments, OrderAdjustment{
			ID: a.ID, Type: a.Type, OccurredAt: a.At.UTC(), Status: a.Status, LineItems: quantitiesOf(a.Lines),
			Totals: []Total{{Type: "total", Amount: a.Amount.Minor}}, Description: a.Text,
		})
	}
	_, order.Attribution = notesOf(o.Notes)
	if o.Test {
		order.Messages = append(order.Messages, info("test_order", "", "This is a test order of a sandbox key; the shop knows nothing of it."))
	}
	return order
}

func orderLineOf(l *upstream.OrderLine) OrderLineItem {
	return OrderLineItem{
		ID:       l.ID,
		Item:     Item{ID: l.Item, Title: titleWith(l.Title, l.Choices), Price: l.Unit.Minor, ImageURL: l.Image},
		Quantity: OrderQuantity{Original: l.Ordered, Total: l.Active, Fulfilled: l.Fulfilled},
		Totals:   lineTotals(l.Subtotal.Minor, l.Total.Minor),
		Status:   lineStatus(l),
	}
}

// lineStatus derives the status of a line as its schema has it.
func lineStatus(l *upstream.OrderLine) string {
	switch {
	case l.Active == 0:
		return "removed"
	case l.Fulfilled >= l.Active:
		return "fulfilled"
	case l.Fulfilled > 0:
		return "partial"
	}
	return "processing"
}

// expectationsOf says what the buyer of an order can expect: all that is left of
// it, at the address it goes to.
func expectationsOf(o *basket.PlacedOrder) []Expectation {
	if o.Address == nil {
		return nil
	}
	e := Expectation{ID: "expectation_1", MethodType: shipping, Destination: addressOf(*o.Address), Description: o.Delivery}
	for _, line := range o.Lines {
		if line.Active > 0 {
			e.LineItems = append(e.LineItems, LineQuantity{line.ID, line.Active})
		}
	}
	if len(e.LineItems) == 0 {
		return nil
	}
	return []Expectation{e}
}

// quantitiesOf leaves out lines of which there is nothing: an event of no pieces
// is none.
func quantitiesOf(lines []upstream.LineQuantity) []LineQuantity {
	out := make([]LineQuantity, 0, len(lines))
	for _, l := range lines {
		if l.Quantity != 0 {
			out = append(out, LineQuantity{l.Line, l.Quantity})
		}
	}
	return out
}
