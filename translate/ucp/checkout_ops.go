package ucp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// checkout answers the checkout operations.
func (s *Server) checkout(ctx context.Context, c *Call) (*Reply, error) {
	payload := gjson.ParseBytes(c.Payload)
	switch c.Op {
	case CreateCheckout:
		if id := payload.Get("cart_id").String(); id != "" && c.Negotiated.Has(CapabilityCart) {
			return s.convert(ctx, c, id, payload)
		}
		wanted, messages := readWanted(payload, c.Active)
		b, err := s.create(ctx, c, wanted, &messages)
		return s.checkoutReply(c, http.StatusCreated, b, err, messages)
	case GetCheckout:
		b, err := s.Baskets.Get(ctx, c.Owner, c.Visit, c.ID)
		return s.checkoutReply(c, http.StatusOK, b, err, nil)
	case UpdateCheckout:
		wanted, messages := readWanted(payload, c.Active)
		b, err := s.replace(ctx, c, c.ID, wanted, &messages)
		return s.checkoutReply(c, http.StatusOK, b, err, messages)
	case CancelCheckout:
		b, err := s.Baskets.Cancel(ctx, c.Owner, c.Visit, c.ID)
		return s.checkoutReply(c, http.StatusOK, b, err, nil)
	}
	return s.complete(ctx, c, payload)
}

// complete pays and orders a checkout.
func (s *Server) complete(ctx context.Context, c *Call, payload gjson.Result) (*Reply, error) {
	payment, refusal := s.Handlers.payment(payload.Get("payment"))
	if refusal != nil {
		b, err := s.Baskets.Get(ctx, c.Owner, c.Visit, c.ID)
		if err == nil && b.State != basket.Open {
			refusal = nil // an order that is there matters more than how it was asked for
		}
		return s.checkoutReply(c, http.StatusOK, b, err, list(refusal))
	}
	b, err := s.Baskets.Complete(ctx, c.Owner, c.Visit, c.ID, payment)
	return s.checkoutReply(c, http.StatusOK, b, err, nil)
}

func list(m *Message) []Message {
	if m == nil {
		return nil
	}
	return []Message{*m}
}

// convert makes a checkout of a cart, which is the same basket: what the cart
// holds stands, and what only a checkout has is added
// (cart, "Cart-to-Checkout Conversion").
func (s *Server) convert(ctx context.Context, c *Call, id string, payload gjson.Result) (*Reply, error) {
	b, err := s.Baskets.Get(ctx, c.Owner, c.Visit, id)
	switch {
	case err == nil && b.State == basket.Completing:
		// The one checkout of this cart, which is not complete yet.
		return s.checkoutReply(c, http.StatusCreated, b, nil, nil)
	case errors.Is(err, basket.ErrNotFound), err == nil && b.State != basket.Open:
		// What is ordered, cancelled or expired is no cart any more.
		return failed(c.Active, s.Storefront, errorMessage("not_found", "$.cart_id", "There is no such cart; create a checkout with line items.", Unrecoverable))
	case err != nil:
		return s.basketFailed(c, err)
	}
	given, messages := readWanted(payload, c.Active)
	wanted, changed := b.Wanted, false
	if wanted.Buyer.Email == "" && given.Buyer.Email != "" {
		wanted.Buyer, changed = given.Buyer, true
	}
	if len(wanted.Destinations) == 0 && len(given.Destinations) > 0 {
		wanted.Destinations, wanted.Destination, wanted.Delivery = given.Destinations, given.Destination, given.Delivery
		changed = true
	}
	if len(wanted.Codes) == 0 && len(given.Codes) > 0 {
		wanted.Codes, changed = given.Codes, true
	}
	if changed {
		b, err = s.replace(ctx, c, id, wanted, &messages)
	}
	return s.checkoutReply(c, http.StatusCreated, b, err, messages)
}

// create and replace do what a basket does, and turn a destination that nobody
// knows into a message, as the specification wants it (fulfillment, "Selection
// and Location Identity").
func (s *Server) create(ctx context.Context, c *Call, w basket.Wanted, messages *[]Message) (*basket.Basket, error) {
	b, err := s.Baskets.Create(ctx, c.Owner, c.Visit, w)
	if unknownDestination(err) {
		*messages = append(*messages, destinationRefused())
		w.Destination = ""
		return s.Baskets.Create(ctx, c.Owner, c.Visit, w)
	}
	return b, err
}

func (s *Server) replace(ctx context.Context, c *Call, id string, w basket.Wanted, messages *[]Message) (*basket.Basket, error) {
	b, err := s.Baskets.Replace(ctx, c.Owner, c.Visit, id, w)
	if unknownDestination(err) {
		*messages = append(*messages, destinationRefused())
		return s.Baskets.Get(ctx, c.Owner, c.Visit, id)
	}
	return b, err
}

func unknownDestination(err error) bool {
	var invalid *basket.Invalid
	return errors.As(err, &invalid) && invalid.Field == basket.FieldDestination && invalid.Index == 0
}

func destinationRefused() Message {
	return errorMessage("destination_unknown", "$.fulfillment.methods[0].selected_destination_id",
		"This checkout has no destination with this id; nothing was changed. Send the address in destinations.", Recoverable)
}

// checkoutReply is the reply to a checkout operation.
func (s *Server) checkoutReply(c *Call, status int, b *basket.Basket, err error, extra []Message) (*Reply, error) {
	if err != nil {
		return s.basketFailed(c, err)
	}
	checkout := s.checkoutOf(b, c.Active, extra)
	reply, err := resource(status, checkout, checkout.Messages)
	if err != nil {
		return nil, err
	}
	reply.Pending = checkout.Status == CompleteInProgress
	return reply, nil
}

// basketFailed turns what keeps a basket operation from having a resource into
// the words the protocol has for it.
func (s *Server) basketFailed(c *Call, err error) (*Reply, error) {
	var nothing *basket.Nothing
	var bad *basket.Invalid
	switch {
	case errors.Is(err, basket.ErrNotFound):
		return failed(c.Active, s.Storefront, errorMessage("not_found", "", "There is no such "+noun(c.Op)+".", Unrecoverable))
	case errors.As(err, &nothing):
		messages := make([]Message, 0, len(nothing.Issues))
		for _, issue := range nothing.Issues {
			messages = append(messages, errorMessage(blockerCode(issue.Code), refusedLine(issue), contentOf(issue), Unrecoverable))
		}
		return failed(c.Active, s.Storefront, messages...)
	case errors.As(err, &bad):
		return nil, invalid(requestPath(bad), "%s", bad.Text)
	}
	return nil, err
}

// noun is what an operation is about.
func noun(op Operation) string {
	switch op.Root() {
	case CapabilityCart:
		return "cart"
	case CapabilityOrder:
		return "order"
	}
	return "checkout"
}

// requestPath is where in a request a field of a basket stands.
func requestPath(bad *basket.Invalid) string {
	switch bad.Field {
	case basket.FieldQuantity:
		return fmt.Sprintf("$.line_items[%d].quantity", bad.Index)
	case basket.FieldLine:
		return "$.line_items"
	case basket.FieldCode:
		return "$.discounts.codes"
	case basket.FieldDestination:
		return "$.fulfillment.methods[0].destinations"
	}
	return "$"
}

// resource is the reply that shows a resource.
func resource(status int, body any, messages []Message) (*Reply, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encoding a response: %w", err)
	}
	reply := &Reply{Status: status, Body: encoded, Outcome: "ok"}
	for _, m := range messages {
		if m.Type == "error" {
			reply.Outcome = m.Code
			break
		}
	}
	return reply, nil
}
