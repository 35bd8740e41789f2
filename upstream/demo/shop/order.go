package shop

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// writeLine writes a line of an order down, as the product is called today.
func (s *Server) writeLine(i int, line ledger.Line, cost till.Line) ledger.OrderLine {
	o := ledger.OrderLine{
		ID: strconv.Itoa(i + 1), Variant: line.Variant, Quantity: line.Quantity,
		Unit: cost.Unit, Subtotal: cost.Subtotal, Total: cost.Total, Tax: cost.Tax,
	}
	if p, ref, ok := s.shelf.find(line.Variant); ok && ref.Variant != goods.Whole {
		v := &p.Variants[ref.Variant]
		o.Product, o.Title, o.SKU, o.Digital = p.ID, p.Title, v.SKU, p.Digital
		for _, choice := range v.Choices {
			o.Choices = append(o.Choices, ledger.Choice(choice))
		}
	}
	return o
}

// orderPath is the path of an order's page, with its key.
func orderPath(o *ledger.Order) string {
	return "/orders/" + url.PathEscape(o.Number) + "?key=" + url.QueryEscape(o.Key)
}

// trackingPath is the path of the page that follows a parcel.
func trackingPath(o *ledger.Order) string {
	if o.Delivery == nil {
		return ""
	}
	return "/track/" + url.PathEscape(o.Number) + "/" + url.PathEscape(o.Delivery.Tracking)
}

// openOrder reads an order for whoever has its key. A wrong key and a number that
// does not exist are the same to them.
func (s *Server) openOrder(number, key string) (*ledger.Order, error) {
	o, err := s.ledger.Order(number)
	if err != nil {
		return nil, err
	}
	if key == "" || !secret.New(key).Equal(secret.New(o.Key)) {
		return nil, ledger.ErrNotFound
	}
	return o, nil
}

// orderAnswer is an order as the API writes it. Amounts are in minor units.
type orderAnswer struct {
	Number      string             `json:"number"`
	Path        string             `json:"path"`
	Status      ledger.Status      `json:"status"`
	Agent       string             `json:"agent,omitempty"`
	Attempt     string             `json:"attempt"`
	PlacedAt    time.Time          `json:"placed_at"`
	Currency    money.Currency     `json:"currency"`
	TaxAdded    bool               `json:"tax_added"`
	Lines       []orderLineAnswer  `json:"lines"`
	Discounts   []discountAnswer   `json:"discounts,omitempty"`
	Subtotal    int64              `json:"subtotal"`
	Fulfillment *int64             `json:"fulfillment,omitempty"`
	Tax         int64              `json:"tax"`
	Total       int64              `json:"total"`
	Address     *ledger.Address    `json:"address,omitempty"`
	Delivery    string             `json:"delivery,omitempty"`
	Events      []eventAnswer      `json:"events"`
	Adjustments []adjustmentAnswer `json:"adjustments,omitempty"`
}

type orderLineAnswer struct {
	ID        string          `json:"id"`
	Variant   string          `json:"variant"`
	Product   string          `json:"product"`
	Title     string          `json:"title"`
	Choices   []ledger.Choice `json:"choices,omitempty"`
	Ordered   int64           `json:"ordered"`
	Active    int64           `json:"active"`
	Fulfilled int64           `json:"fulfilled"`
	Unit      int64           `json:"unit"`
	Subtotal  int64           `json:"subtotal"`
	Total     int64           `json:"total"`
	Image     string          `json:"image,omitempty"`
	Path      string          `json:"path,omitempty"`
}

type eventAnswer struct {
	ID       string                `json:"id"`
	Type     ledger.Status         `json:"type"`
	At       time.Time             `json:"at"`
	Lines    []ledger.LineQuantity `json:"lines"`
	Carrier  string                `json:"carrier,omitempty"`
	Tracking string                `json:"tracking,omitempty"`
	Path     string                `json:"path,omitempty"`
	Text     string                `json:"text"`
}

// adjustmentAnswer is money that went back: Amount is below zero. Type is refund or
// cancellation.
type adjustmentAnswer struct {
	ID     string                `json:"id"`
	Type   string                `json:"type"`
	At     time.Time             `json:"at"`
	Lines  []ledger.LineQuantity `json:"lines,omitempty"`
	Amount int64                 `json:"amount"`
	Text   string                `json:"text,omitempty"`
}

// apiOrder answers with an order as it stands now.
func (s *Server) apiOrder(w http.ResponseWriter, r *http.Request) {
	o, err := s.openOrder(r.PathValue("number"), r.Header.Get(headerOrder))
	if err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, s.showOrder(o))
}

// showOrder returns an order as it stands now.
func (s *Server) showOrder(o *ledger.Order) orderAnswer {
	now := s.now()
	a := orderAnswer{
		Number: o.Number, Path: orderPath(o), Status: o.Status(now), Agent: o.Agent, Attempt: o.Attempt, PlacedAt: o.PlacedAt,
		Currency: o.Currency, TaxAdded: o.TaxAdded, Subtotal: o.Subtotal, Tax: o.Tax, Total: o.Total, Address: o.Address,
	}
	for i := range o.Lines {
		a.Lines = append(a.Lines, s.showOrderLine(o, &o.Lines[i], now))
	}
	for _, d := range o.Discounts {
		a.Discounts = append(a.Discounts, discountAnswer{Code: d.Code, Title: d.Title, Amount: d.Amount, OnDelivery: d.OnDelivery})
	}
	if o.Delivery != nil {
		a.Fulfillment, a.Delivery = &o.Fulfillment, o.Delivery.Title
	}
	for _, e := range o.Events(now) {
		event := eventAnswer{ID: e.ID, Type: e.Type, At: e.At, Lines: e.Lines, Text: e.Text}
		if o.Delivery != nil && !e.Digital && (e.Type == ledger.StatusShipped || e.Type == ledger.StatusDelivered) {
			event.Carrier, event.Tracking, event.Path = o.Delivery.Carrier, o.Delivery.Tracking, trackingPath(o)
		}
		a.Events = append(a.Events, event)
	}
	for _, refund := range o.Refunds {
		adjustment := adjustmentAnswer{ID: refund.ID, Type: "refund", At: refund.At, Lines: refund.Lines, Amount: -refund.Amount, Text: refund.Reason}
		if refund.Canceled {
			adjustment.Type = "cancellation"
		}
		a.Adjustments = append(a.Adjustments, adjustment)
	}
	return a
}

func (s *Server) showOrderLine(o *ledger.Order, line *ledger.OrderLine, now time.Time) orderLineAnswer {
	a := orderLineAnswer{
		ID: line.ID, Variant: line.Variant, Product: line.Product, Title: line.Title, Choices: line.Choices,
		Ordered: line.Quantity, Active: line.Active(), Fulfilled: o.Fulfilled(line, now),
		Unit: line.Unit, Subtotal: line.Subtotal, Total: line.Total,
	}
	if p, ref, ok := s.shelf.find(line.Variant); ok && ref.Variant != goods.Whole {
		a.Path, a.Image = productPath(p.Handle), p.image(ref.Variant)
	}
	return a
}
