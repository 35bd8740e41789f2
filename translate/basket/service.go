package basket

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/storeware/caddy-storeware/upstream"
)

// ErrNotFound says that the owner has no such basket or order.
var ErrNotFound = errors.New("no such basket")

// Nothing is the error of a Create that put nothing into a basket: none of the
// things wanted can be had. No basket was made.
type Nothing struct {
	Issues []Issue
}

// Error implements error.
func (*Nothing) Error() string { return "nothing of what is wanted can be had" }

// Operations are what a protocol may do with baskets. [Service] implements it;
// protocols take the interface so that they can be tested alone.
//
// Besides ErrNotFound and *Nothing, errors are those of the shop
// (*upstream.Error with CodeUnavailable, CodeBusy, CodeDenied or
// CodeUnsupported), of the store (state.ErrUnavailable) and of the context. What
// else keeps a basket from going on is one of its Blockers and no error.
type Operations interface {
	// Create makes a basket that holds what is wanted.
	Create(ctx context.Context, o Owner, v upstream.Visit, w Wanted) (*Basket, error)
	// Get reads a basket, live from the shop while it is open.
	Get(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error)
	// Replace makes a basket hold what is wanted and nothing else. A basket that
	// is no longer open stays as it is and says so in its Warnings.
	Replace(ctx context.Context, o Owner, v upstream.Visit, id string, w Wanted) (*Basket, error)
	// Cancel gives an open basket up. One that is completed stays completed and
	// says so in its Warnings.
	Cancel(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error)
	// Complete pays and orders a basket, once. Completing a completed basket
	// again answers with its order.
	Complete(ctx context.Context, o Owner, v upstream.Visit, id string, p Payment) (*Basket, error)
	// Order reads an order that one of the owner's baskets became.
	Order(ctx context.Context, o Owner, v upstream.Visit, orderID string) (*PlacedOrder, error)
}

// PlacedOrder is an order together with the basket it came from.
type PlacedOrder struct {
	upstream.Order
	BasketID string
	Test     bool
	// Notes are the basket's, as the protocols left them.
	Notes map[string]json.RawMessage
}
