package ucp

import (
	"context"

	answers "github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Server answers the operations of one shop.
type Server struct {
	// Catalogue finds and reads products.
	Catalogue upstream.Catalogue
	// Answers explains searches; nil where they are only passed on.
	Answers *answers.Service
	// Baskets keeps carts, checkouts and orders.
	Baskets basket.Operations
	// Storefront is the shop's front page, where a person goes when nothing
	// nearer is known; an absolute URL.
	Storefront string
	// Links are the shop's pages of well-known types, shown on checkouts.
	Links []upstream.Link
	// Handlers are the ways to pay.
	Handlers Handlers
}

// Do answers a call. An error is a *Failure, or one of the shop's, of the store's
// or of the context, for the binding to put in its transport's form; every outcome
// that the protocol has words for is a Reply.
func (s *Server) Do(ctx context.Context, c *Call) (*Reply, error) {
	switch c.Op {
	case SearchCatalog:
		return s.searchCatalog(ctx, c)
	case LookupCatalog:
		return s.lookupCatalog(ctx, c)
	case GetProduct:
		return s.getProduct(ctx, c)
	case CreateCart, GetCart, UpdateCart, CancelCart:
		return s.cart(ctx, c)
	case GetOrder:
		return s.order(ctx, c)
	}
	return s.checkout(ctx, c)
}
