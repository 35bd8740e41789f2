package basket

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxOrderID bounds what is looked up as an order's number.
const maxOrderID = 200

// reusedAfter is how much later than a basket's own order one must be placed to be
// another order of the same number. It is more than clocks and time zones are off.
const reusedAfter = 24 * time.Hour

// Order implements Operations.
func (s *Service) Order(ctx context.Context, o Owner, v upstream.Visit, orderID string) (*PlacedOrder, error) {
	if orderID == "" || len(orderID) > maxOrderID || strings.ContainsFunc(orderID, func(r rune) bool { return r < ' ' }) {
		return nil, ErrNotFound
	}
	entry, err := s.Store.Get(ctx, orderKey(o.Shop, orderID))
	if errors.Is(err, state.ErrNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("finding the order: %w", err)
	}
	var owner orderOwner
	if err := json.Unmarshal(entry.Value, &owner); err != nil {
		return nil, fmt.Errorf("finding the order: %w", err)
	}
	r, err := s.owned(ctx, o, owner.Basket)
	if err != nil {
		return nil, err
	}
	if r.Order == nil || r.Order.ID != orderID {
		return nil, ErrNotFound
	}
	placed := &PlacedOrder{BasketID: r.ID, Test: r.Order.Test, Notes: r.Wanted.Notes}
	if r.Order.Test {
		placed.Order = testOrder(r)
		placed.URL = s.page(r)
		return placed, nil
	}
	placed.Order, err = s.Shop.Order(ctx, v, upstream.OrderRef{ID: r.Order.ID, Key: secret.New(r.Order.Key)})
	if upstream.CodeOf(err) == upstream.CodeNotFound {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	if placed.PlacedAt.After(r.Order.At.Add(reusedAfter)) {
		// The shop gave the number away again, perhaps to somebody else's order.
		return nil, ErrNotFound
	}
	placed.URL = cmp.Or(placed.URL, r.Order.URL, s.page(r))
	return placed, nil
}

// testOrder is what a sandbox key's basket became: what the basket held, for
// ever in processing.
func testOrder(r *record) upstream.Order {
	o := upstream.Order{
		Ref: upstream.OrderRef{ID: r.Order.ID}, PlacedAt: r.Order.At, Currency: r.Offer.Currency,
		Totals: r.Offer.Totals, Total: r.Offer.Total, Status: "test",
	}
	for _, line := range r.Offer.Lines {
		o.Lines = append(o.Lines, upstream.OrderLine{
			ID: line.Key, Item: line.Item, Product: line.Product, Title: line.Title, Choices: line.Choices,
			Ordered: line.Quantity, Active: line.Quantity,
			Unit: line.Unit, Subtotal: line.Subtotal, Total: line.Total, Image: line.Image, URL: line.URL,
		})
	}
	if d := r.Wanted.destination(); d != nil {
		address := d.Address
		o.Address = &address
	}
	for _, option := range r.Offer.Delivery {
		if option.ID == r.Offer.Chosen {
			o.Delivery = option.Title
		}
	}
	return o
}

// View returns the basket for the page whose address Service.Page made. The
// token stands in for the owner, so the page shows nothing of the buyer.
func (s *Service) View(ctx context.Context, id, token string) (*Basket, error) {
	d, err := s.Describe()
	if err != nil {
		return nil, err
	}
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if !secret.New(token).Equal(secret.New(r.Token)) {
		return nil, ErrNotFound
	}
	b := s.answer(r, d)
	b.Wanted.Buyer, b.Wanted.Billing, b.Wanted.Destinations = upstream.Buyer{}, nil, nil
	return b, nil
}
