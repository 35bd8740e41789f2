package mcp

import (
	"cmp"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Status says how far a basket has come, in the words of UCP's checkouts.
type Status string

// The statuses.
const (
	Incomplete         Status = "incomplete"
	RequiresEscalation Status = "requires_escalation"
	ReadyForComplete   Status = "ready_for_complete"
	CompleteInProgress Status = "complete_in_progress"
	Completed          Status = "completed"
	Canceled           Status = "canceled"
)

// Basket is what the basket tools answer.
type Basket struct {
	ID       string         `json:"basket_id"`
	Status   Status         `json:"status" doc:"ready_for_complete: it can be ordered. incomplete: messages say what to send. requires_escalation: a person goes on at continue_url."`
	Currency money.Currency `json:"currency"`
	Items    []BasketItem   `json:"items"`
	// Totals are the rows of the sum, which add up to Total.
	Totals    []Total `json:"totals" doc:"The rows of the sum; they add up to total_minor. Discounts are negative."`
	Total     int64   `json:"total_minor"`
	Estimated bool    `json:"estimated" doc:"The figures may still change, for want of an address or a way of delivery."`

	Buyer           *Buyer           `json:"buyer,omitempty"`
	Address         *Address         `json:"address,omitempty" doc:"Where the goods go."`
	BillingAddress  *Address         `json:"billing_address,omitempty"`
	DeliveryOptions []DeliveryOption `json:"delivery_options" doc:"The ways the goods can travel there."`
	Delivery        string           `json:"delivery_option_id,omitempty" doc:"The way in force."`
	Codes           []string         `json:"discount_codes" doc:"As they were sent, those that were refused too."`
	Discounts       []Discount       `json:"discounts" doc:"What lowered the price."`
	PaymentMethods  []PaymentMethod  `json:"payment_methods" doc:"The ways to pay that complete_checkout takes; none where a person pays at continue_url."`

	Messages    []BasketMessage `json:"messages" doc:"All that stands in the way of an order, and what else there is to know."`
	Links       []Link          `json:"links" doc:"Pages of the shop, such as its terms."`
	ContinueURL string          `json:"continue_url,omitempty" doc:"Where a person goes on with this basket."`
	Expires     *time.Time      `json:"expires_at,omitempty" doc:"When an open basket is given up."`
	Order       *OrderRef       `json:"order,omitempty" doc:"What the basket became."`
}

// BasketItem is a line of a basket or an order.
type BasketItem struct {
	ID       string   `json:"item_id" doc:"The line's own name."`
	Variant  string   `json:"variant_id,omitempty"`
	Product  string   `json:"product_id,omitempty"`
	Title    string   `json:"title"`
	Options  []Choice `json:"options,omitempty"`
	Quantity int64    `json:"quantity"`
	Unit     int64    `json:"unit_price_minor"`
	Subtotal int64    `json:"subtotal_minor" doc:"Before discounts."`
	Total    int64    `json:"total_minor" doc:"After the discounts that are spread over items."`
	ImageURL string   `json:"image_url,omitempty"`
	URL      string   `json:"url,omitempty"`
}

// Total is a row of a sum.
type Total struct {
	Type   string `json:"type"`
	Label  string `json:"label,omitempty" doc:"The shop's own word for it."`
	Amount int64  `json:"amount_minor"`
}

// Buyer is who buys.
type Buyer struct {
	Email     string `json:"email,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	Phone     string `json:"phone,omitempty"`
}

// Address is a postal address.
type Address struct {
	FirstName  string `json:"first_name,omitempty"`
	LastName   string `json:"last_name,omitempty"`
	Company    string `json:"company,omitempty"`
	Street     string `json:"street,omitempty"`
	Extended   string `json:"street2,omitempty"`
	City       string `json:"city,omitempty"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

// DeliveryOption is a way the goods can travel.
type DeliveryOption struct {
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	Description string     `json:"description,omitempty"`
	Carrier     string     `json:"carrier,omitempty"`
	Price       int64      `json:"price_minor"`
	Earliest    *time.Time `json:"earliest,omitempty"`
	Latest      *time.Time `json:"latest,omitempty"`
}

// Discount is something that lowered the price, by a positive amount.
type Discount struct {
	Code   string `json:"code,omitempty" doc:"None for a rule of the shop."`
	Title  string `json:"title"`
	Amount int64  `json:"amount_minor"`
}

// PaymentMethod is a way to pay.
type PaymentMethod struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Link is a page of the shop.
type Link struct {
	Type  string `json:"type"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// OrderRef is what a basket became.
type OrderRef struct {
	ID    string `json:"order_id"`
	URL   string `json:"url,omitempty" doc:"The order's page at the shop."`
	Total int64  `json:"total_minor"`
	Test  bool   `json:"test" doc:"Placed with a sandbox key: the shop knows nothing of it."`
}

// basketOf returns a basket as this server shows it.
func (s *Server) basketOf(b *basket.Basket) *Basket {
	o := &b.Observed
	out := &Basket{
		ID: b.ID, Currency: o.Currency, Items: itemsOf(b), Totals: totalsOf(o.Totals), Total: o.Total.Minor,
		Estimated: estimated(b), Buyer: buyerOf(b.Wanted.Buyer), Address: destinationOf(b), BillingAddress: addressOf(b.Wanted.Billing),
		DeliveryOptions: deliveryOf(o.Delivery), Delivery: o.Chosen, Codes: append([]string{}, b.Wanted.Codes...),
		Discounts: discountsOf(o.Discounts), PaymentMethods: []PaymentMethod{}, Messages: messagesOf(b), Links: []Link{},
	}
	out.Status = statusOf(b, out.Messages)
	if b.CanPlace {
		for _, m := range b.Methods {
			out.PaymentMethods = append(out.PaymentMethods, PaymentMethod(m))
		}
	}
	for _, l := range s.Links {
		out.Links = append(out.Links, Link(l))
	}
	switch b.State {
	case basket.Open, basket.Completing:
		out.ContinueURL = b.HandOff
		expires := b.Expires.UTC().Truncate(time.Second)
		out.Expires = &expires
	case basket.Completed:
		out.Order = &OrderRef{b.Order.ID, pageurl.Clean(b.Order.URL), b.Order.Total.Minor, b.Order.Test}
	case basket.Canceled:
	}
	return out
}

// statusOf derives the status from how far the basket has come and from who can
// mend what stands in its way: the agent first, then the buyer.
func statusOf(b *basket.Basket, messages []BasketMessage) Status {
	switch b.State {
	case basket.Completed:
		return Completed
	case basket.Canceled:
		return Canceled
	case basket.Completing:
		return CompleteInProgress
	case basket.Open:
	}
	status := ReadyForComplete
	for _, m := range messages {
		switch {
		case m.Type != isError:
		case m.MendedBy == byAgent:
			return Incomplete
		default:
			status = RequiresEscalation
		}
	}
	return status
}

// itemsOf returns the lines of a basket in the order they were asked for. Lines that
// the shop did not take are not among them.
func itemsOf(b *basket.Basket) []BasketItem {
	items := make([]BasketItem, 0, len(b.Observed.Lines))
	for _, wanted := range b.Wanted.Lines {
		for i := range b.Observed.Lines {
			l := &b.Observed.Lines[i]
			if l.Key != wanted.ID {
				continue
			}
			items = append(items, BasketItem{
				ID: l.Key, Variant: l.Item, Product: l.Product, Title: l.Title, Options: choicesOf(l.Choices), Quantity: l.Quantity,
				Unit: l.Unit.Minor, Subtotal: l.Subtotal.Minor, Total: l.Total.Minor,
				ImageURL: pageurl.Clean(l.Image), URL: pageurl.Clean(l.URL),
			})
		}
	}
	return items
}

// totalsOf returns the rows of a sum. A row of nothing is left out, unless that is
// what it says: that the delivery is free.
func totalsOf(rows []upstream.Total) []Total {
	out := make([]Total, 0, len(rows))
	for _, row := range rows {
		if row.Amount.Minor != 0 || row.Kind == upstream.TotalSubtotal || row.Kind == upstream.TotalFulfillment {
			out = append(out, Total{string(row.Kind), row.Label, row.Amount.Minor})
		}
	}
	return out
}

func buyerOf(b upstream.Buyer) *Buyer {
	if b == (upstream.Buyer{}) {
		return nil
	}
	buyer := Buyer(b)
	return &buyer
}

func addressOf(a *upstream.Address) *Address {
	if a == nil {
		return nil
	}
	address := Address(*a)
	return &address
}

func destinationOf(b *basket.Basket) *Address {
	for i := range b.Wanted.Destinations {
		if d := &b.Wanted.Destinations[i]; d.ID == b.Wanted.Destination {
			return addressOf(&d.Address)
		}
	}
	return nil
}

func deliveryOf(options []upstream.DeliveryOption) []DeliveryOption {
	out := make([]DeliveryOption, len(options))
	for i, o := range options {
		out[i] = DeliveryOption{ID: o.ID, Title: o.Title, Carrier: o.Carrier, Price: o.Price.Minor, Earliest: momentOf(o.Earliest), Latest: momentOf(o.Latest)}
		if o.Description != o.Title {
			out[i].Description = o.Description
		}
	}
	return out
}

// momentOf returns a time in UTC, nil for none.
func momentOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func discountsOf(discounts []upstream.Discount) []Discount {
	out := make([]Discount, len(discounts))
	for i, d := range discounts {
		out[i] = Discount{d.Code, cmp.Or(d.Title, d.Code, "Discount"), d.Amount.Minor}
	}
	return out
}
