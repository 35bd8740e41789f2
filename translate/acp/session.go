package acp

import (
	"cmp"
	"time"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Status is how far a session has come.
type Status string

// The statuses that sessions have here.
const (
	NotReady   Status = "not_ready_for_payment"
	Escalated  Status = "requires_escalation"
	Ready      Status = "ready_for_payment"
	InProgress Status = "complete_in_progress"
	Completed  Status = "completed"
	Canceled   Status = "canceled"
	Expired    Status = "expired"
)

// Session is a basket as a checkout session (CheckoutSession).
type Session struct {
	ID                  string              `json:"id"`
	Protocol            Protocol            `json:"protocol"`
	Capabilities        Capabilities        `json:"capabilities"`
	Buyer               *Buyer              `json:"buyer,omitempty"`
	Status              Status              `json:"status"`
	Currency            string              `json:"currency"`
	LineItems           []LineItem          `json:"line_items"`
	FulfillmentDetails  *FulfillmentDetails `json:"fulfillment_details,omitempty"`
	FulfillmentOptions  []FulfillmentOption `json:"fulfillment_options"`
	SelectedFulfillment []SelectedOption    `json:"selected_fulfillment_options,omitempty"`
	Totals              []Total             `json:"totals"`
	Messages            []Message           `json:"messages"`
	Links               []Link              `json:"links"`
	Discounts           *Discounts          `json:"discounts,omitempty"`
	CreatedAt           *time.Time          `json:"created_at,omitempty"`
	UpdatedAt           *time.Time          `json:"updated_at,omitempty"`
	ExpiresAt           *time.Time          `json:"expires_at,omitempty"`
	ContinueURL         string              `json:"continue_url,omitempty"`
	Order               *Order              `json:"order,omitempty"`
}

// Protocol says which version a session is of.
type Protocol struct {
	Version string `json:"version"`
}

// Buyer is who buys.
type Buyer struct {
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Email       string `json:"email"`
	PhoneNumber string `json:"phone_number,omitempty"`
}

// Link is a page of the shop.
type Link struct {
	Type  string `json:"type"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url"`
}

// Order is the order that a session became.
type Order struct {
	Type              string       `json:"type"`
	ID                string       `json:"id"`
	CheckoutSessionID string       `json:"checkout_session_id"`
	OrderNumber       string       `json:"order_number"`
	PermalinkURL      string       `json:"permalink_url"`
	Confirmation      Confirmation `json:"confirmation"`
	Totals            []Total      `json:"totals"`
}

// Confirmation is what a buyer can refer to.
type Confirmation struct {
	Number string `json:"confirmation_number"`
}

// sessionOf returns a basket as a session.
func (s *Server) sessionOf(b *basket.Basket, shop *upstream.Description, extra []Message) *Session {
	messages := append(append([]Message{}, messagesOf(b)...), extra...)
	session := &Session{
		ID: b.ID, Protocol: Protocol{Version}, Capabilities: s.capabilitiesOf(b, shop), Buyer: buyerOf(b.Wanted.Buyer),
		Status: statusOf(b, messages), Currency: lower(string(b.Observed.Currency)), LineItems: linesOf(b),
		FulfillmentDetails: detailsOf(b), FulfillmentOptions: optionsOf(b.Observed.Delivery),
		Totals: totalsOf(b.Observed.Totals, b.Observed.Total.Minor), Messages: messages, Links: linksOf(s.Links),
		CreatedAt: momentOf(b.Created), UpdatedAt: momentOf(b.Updated), ExpiresAt: momentOf(b.Expires),
	}
	session.SelectedFulfillment = selectedOf(b, session.LineItems)
	if session.Capabilities.has(discountExtension) {
		session.Discounts = discountsOf(b)
	}
	switch b.State {
	case basket.Open, basket.Completing:
		session.ContinueURL = pageurl.Clean(cmp.Or(b.HandOff, s.Storefront))
	case basket.Completed:
		session.ExpiresAt, session.Order = nil, s.orderOf(b)
	case basket.Canceled:
	}
	return session
}

// statusOf derives the status from how far the basket has come and from who can
// mend what stands in its way: the agent first, then the buyer. A payment that did
// not go through leaves a session ready for another one, as the published example
// has it.
func statusOf(b *basket.Basket, messages []Message) Status {
	switch {
	case b.State == basket.Completed:
		return Completed
	case b.Expired:
		return Expired
	case b.State == basket.Canceled:
		return Canceled
	case b.State == basket.Completing:
		return InProgress
	}
	status := Ready
	for _, m := range messages {
		switch {
		case m.Type != isError || m.Param == paymentParam:
		case m.Resolution == ByBuyerInput:
			status = Escalated
		default:
			return NotReady
		}
	}
	return status
}

func (s *Server) orderOf(b *basket.Basket) *Order {
	return &Order{
		Type: "order", ID: b.Order.ID, CheckoutSessionID: b.ID, OrderNumber: b.Order.ID,
		PermalinkURL: cmp.Or(pageurl.Clean(b.Order.URL), s.Storefront), Confirmation: Confirmation{b.Order.ID},
		Totals: []Total{{Type: "total", DisplayText: textOf("total"), Amount: b.Order.Total.Minor}},
	}
}

// buyerOf returns who buys, nil without the address that the protocol wants.
func buyerOf(b upstream.Buyer) *Buyer {
	if b.Email == "" {
		return nil
	}
	return &Buyer{FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, PhoneNumber: b.Phone}
}

// linksOf returns the pages that the protocol has a type for.
func linksOf(links []upstream.Link) []Link {
	out := []Link{}
	for _, l := range links {
		kind := l.Type
		switch kind {
		case "terms_of_service":
			kind = "terms_of_use"
		case "refund_policy":
			kind = "return_policy"
		case "contact":
			kind = "contact_us"
		case "about":
			kind = "about_us"
		case "privacy_policy", "shipping_policy", "faq", "support":
		default:
			continue
		}
		if address := pageurl.Clean(l.URL); address != "" {
			out = append(out, Link{kind, l.Title, address})
		}
	}
	return out
}
