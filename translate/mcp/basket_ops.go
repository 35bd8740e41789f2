package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/locale"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxID bounds, in bytes, the id of anything that can be asked for.
const maxID = 512

// createBasket answers create_basket.
func createBasket(ctx context.Context, s *Server, r *request) (*reply, error) {
	b, err := s.Baskets.Create(ctx, r.owner, r.shipped(), wantedIn(r.arguments))
	return s.basketReply(b, err)
}

// getBasket answers get_basket.
func getBasket(ctx context.Context, s *Server, r *request) (*reply, error) {
	b, err := s.Baskets.Get(ctx, r.owner, r.visit, r.arguments.Get("basket_id").Str)
	return s.basketReply(b, err)
}

// updateBasket answers update_basket.
func updateBasket(ctx context.Context, s *Server, r *request) (*reply, error) {
	b, err := s.Baskets.Replace(ctx, r.owner, r.shipped(), r.arguments.Get("basket_id").Str, wantedIn(r.arguments))
	return s.basketReply(b, err)
}

// cancelBasket answers cancel_basket.
func cancelBasket(ctx context.Context, s *Server, r *request) (*reply, error) {
	b, err := s.Baskets.Cancel(ctx, r.owner, r.visit, r.arguments.Get("basket_id").Str)
	return s.basketReply(b, err)
}

// completeCheckout answers complete_checkout.
func completeCheckout(ctx context.Context, s *Server, r *request) (*reply, error) {
	payment := r.arguments.Get("payment")
	p := basket.Payment{
		Method:     payment.Get("method").Str,
		Credential: secret.New(payment.Get("credential").Raw),
	}
	if billing := payment.Get("billing_address"); billing.IsObject() {
		address := addressIn(billing)
		p.Billing = &address
	}
	b, err := s.Baskets.Complete(ctx, r.owner, r.visit, r.arguments.Get("basket_id").Str, p)
	return s.basketReply(b, err)
}

// basketReply is the reply to a basket tool.
func (s *Server) basketReply(b *basket.Basket, err error) (*reply, error) {
	var nothing *basket.Nothing
	var bad *basket.Invalid
	var shop *upstream.Error
	switch {
	case errors.Is(err, basket.ErrNotFound):
		return nil, mistaken(NotFound, "You have no such basket here: make one with create_basket")
	case errors.As(err, &nothing):
		return nil, mistaken("nothing_to_buy", "No basket was made, since the shop can sell nothing of this. %s", nothingText(nothing))
	case errors.As(err, &bad):
		return nil, mistaken(InvalidArguments, "%s %s", argumentOf(basket.Issue{Field: bad.Field, Index: bad.Index}), bad.Text)
	case errors.As(err, &shop) && shop.Code == upstream.CodeInvalid:
		return nil, mistaken("refused", "The shop does not take this as it stands: %s", shop.Text)
	case err != nil:
		return nil, fmt.Errorf("the basket: %w", err)
	}
	shown := s.basketOf(b)
	outcome := "ok"
	for _, m := range shown.Messages {
		if m.Type == isError {
			outcome = m.Code
			break
		}
	}
	reply, err := replied(shown, shown.words(), outcome)
	if err == nil {
		reply.pending = shown.Status == CompleteInProgress
	}
	return reply, err
}

// nothingText says why nothing can be had, and what can be had instead.
func nothingText(nothing *basket.Nothing) string {
	var all []string
	for _, issue := range nothing.Issues {
		text := argumentOf(issue) + ": " + issue.Text
		for i, v := range issue.Variants[:min(len(issue.Variants), maxChoices)] {
			if i == 0 {
				text += " Send one of these as variant_id:"
			}
			text += fmt.Sprintf(" %s (%s);", v.ID, choicesText(choicesOf(v.Options)))
		}
		all = append(all, strings.TrimSuffix(text, ";"))
	}
	return strings.Join(all, " ")
}

// shipped is the visit of a call that may say where the goods go: prices are for
// there.
func (r *request) shipped() upstream.Visit {
	v := r.visit
	if v.Market.Country == "" {
		v.Market.Country = locale.Country(r.arguments.Get("address.country").Str)
	}
	return v
}

// wantedIn reads what a basket shall hold.
func wantedIn(arguments gjson.Result) basket.Wanted {
	buyer := arguments.Get("buyer")
	w := basket.Wanted{
		Codes: texts(arguments.Get("discount_codes")), Delivery: arguments.Get("delivery_option_id").Str,
		Buyer: upstream.Buyer{
			Email: trimmed(buyer, "email"), FirstName: trimmed(buyer, "first_name"),
			LastName: trimmed(buyer, "last_name"), Phone: trimmed(buyer, "phone"),
		},
	}
	for _, item := range arguments.Get("items").Array() {
		quantity := int64(1)
		if q := item.Get("quantity"); q.Exists() {
			quantity = q.Int()
		}
		w.Lines = append(w.Lines, basket.Line{ID: item.Get("item_id").Str, Item: item.Get("variant_id").Str, Quantity: quantity})
	}
	if address := arguments.Get("address"); address.IsObject() {
		w.Destinations = []basket.Destination{{Address: addressIn(address)}}
		w.Destination = basket.FirstDestination
	}
	if billing := arguments.Get("billing_address"); billing.IsObject() {
		address := addressIn(billing)
		w.Billing = &address
	}
	return w
}

func addressIn(a gjson.Result) upstream.Address {
	return upstream.Address{
		FirstName: trimmed(a, "first_name"), LastName: trimmed(a, "last_name"), Company: trimmed(a, "company"),
		Street: trimmed(a, "street"), Extended: trimmed(a, "street2"), City: trimmed(a, "city"), Region: trimmed(a, "region"),
		PostalCode: trimmed(a, "postal_code"), Country: strings.ToUpper(trimmed(a, "country")), Phone: trimmed(a, "phone"),
	}
}

func trimmed(r gjson.Result, name string) string { return strings.TrimSpace(r.Get(name).Str) }
