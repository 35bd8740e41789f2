package ucp

import (
	"encoding/json"
	"time"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Status is how far a checkout has come (checkout, "Checkout Status Lifecycle").
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

// Checkout is a basket as a checkout session
// (schemas/shopping/checkout.json with discount.json and fulfillment.json).
type Checkout struct {
	UCP       Envelope   `json:"ucp"`
	ID        string     `json:"id"`
	LineItems []LineItem `json:"line_items"`
	Status    Status     `json:"status"`
	Currency  string     `json:"currency"`
	Totals    []Total    `json:"totals"`
	Buyer     *Buyer     `json:"buyer,omitempty"`
	// Context and Attribution are as the platform sent them.
	Context     json.RawMessage    `json:"context,omitempty"`
	Attribution json.RawMessage    `json:"attribution,omitempty"`
	Fulfillment *Fulfillment       `json:"fulfillment,omitempty"`
	Discounts   *Discounts         `json:"discounts,omitempty"`
	Messages    []Message          `json:"messages,omitempty"`
	Links       []Link             `json:"links"`
	ContinueURL string             `json:"continue_url,omitempty"`
	ExpiresAt   *time.Time         `json:"expires_at,omitempty"`
	Order       *OrderConfirmation `json:"order,omitempty"`
}

// Link is a page of the shop (schemas/common/types/link.json).
type Link struct {
	Type  string `json:"type"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// OrderConfirmation is the order that a checkout became
// (schemas/shopping/types/order_confirmation.json).
type OrderConfirmation struct {
	ID           string `json:"id"`
	Label        string `json:"label,omitempty"`
	PermalinkURL string `json:"permalink_url"`
}

// checkoutOf returns a basket as a checkout session.
func (s *Server) checkoutOf(b *basket.Basket, active Active, extra []Message) *Checkout {
	messages := append(messagesOf(b, active), extra...)
	handlers := s.Handlers.Declared(b.Methods)
	if !b.CanPlace {
		handlers = map[string][]PaymentHandler{}
	}
	c := &Checkout{
		UCP: envelope(active), ID: b.ID, LineItems: linesOf(b), Status: statusOf(b, messages),
		Currency: string(b.Observed.Currency), Totals: totalsOf(b.Observed.Totals, b.Observed.Total.Minor),
		Buyer: buyerOf(b.Wanted.Buyer), Messages: messages, Links: linksOf(s.Links),
	}
	c.UCP.PaymentHandlers = &handlers
	c.Context, c.Attribution = notesOf(b.Wanted.Notes)
	if active.Has(CapabilityFulfillment) {
		c.Fulfillment = fulfillmentOf(b)
	}
	if active.Has(CapabilityDiscount) {
		c.Discounts = discountsOf(b)
	}
	switch b.State {
	case basket.Open, basket.Completing:
		c.ContinueURL = b.HandOff
		if c.ContinueURL == "" {
			c.ContinueURL = s.Storefront
		}
		expires := b.Expires.UTC().Truncate(time.Second)
		c.ExpiresAt = &expires
	case basket.Completed:
		c.Order = s.confirmationOf(b.Order)
	}
	return c
}

// statusOf derives the status from how far the basket has come and from who can
// mend what stands in its way: the agent first, then the buyer. What nobody can mend
// is no reason to send the buyer anywhere: only requires_* errors escalate
// (checkout, "Error Handling").
func statusOf(b *basket.Basket, messages []Message) Status {
	switch b.State {
	case basket.Completed:
		return Completed
	case basket.Canceled:
		return Canceled
	case basket.Completing:
		return CompleteInProgress
	}
	status := ReadyForComplete
	for _, m := range messages {
		switch m.Severity {
		case Recoverable:
			return Incomplete
		case RequiresBuyerInput, RequiresBuyerReview:
			status = RequiresEscalation
		case Unrecoverable:
			if status == ReadyForComplete {
				status = Incomplete
			}
		}
	}
	return status
}

func (s *Server) confirmationOf(o *basket.Order) *OrderConfirmation {
	c := &OrderConfirmation{ID: o.ID, Label: o.ID, PermalinkURL: o.URL}
	if c.PermalinkURL == "" {
		c.PermalinkURL = s.Storefront
	}
	return c
}

func linksOf(links []upstream.Link) []Link {
	out := make([]Link, len(links))
	for i, l := range links {
		out[i] = Link(l)
	}
	return out
}
