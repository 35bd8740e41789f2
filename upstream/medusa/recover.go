package medusa

import (
	"context"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

const recovering = "asking for an order"

// defaultTimeout is the client's own, and completionEnds how long after we gave
// up a shop may still be at work on an order: it holds a cart's lock for two
// minutes at most, after waiting half a minute for it.
const (
	defaultTimeout = 10 * time.Second
	completionEnds = 3 * time.Minute
)

// Recover implements upstream.Shop. It takes one request, which only reads.
//
// The cart knows its order, and which attempt was the last to get as far as its
// payment. An attempt that did not has ordered nothing, since a Place sends no
// step before the one before was answered. Otherwise the outcome is open for the
// client's time-out and three minutes more: until then Medusa may still be at work
// on the order, or take one back whose payment failed.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	kept, err := begun(recovering, h)
	if err != nil {
		return upstream.Placed{}, err
	}
	held, err := s.readCart(ctx, v, recovering, kept.Cart)
	if upstream.CodeOf(err) == upstream.CodeBasketGone {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the shop has dropped the basket")
	}
	if err != nil {
		return upstream.Placed{}, err
	}
	wait := p.Started.Add(s.patience).Sub(s.now())
	switch {
	case held.ordered() && (held.paid() || wait <= 0):
		return readPlaced(recovering, held.Get("order"))
	case !held.ordered() && held.Get("metadata."+attemptField).String() != p.Attempt:
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the order did not get as far as its payment")
	case wait > 0:
		e := upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "the shop may still be at work on the order")
		e.RetryAfter = wait
		return upstream.Placed{}, e
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the shop did not take the order")
}

// paid reports whether an order's payment was taken, or none is wanted. After that
// nothing takes the order back.
func (c cart) paid() bool {
	switch c.Get("payment_collection.status").String() {
	case "authorized", "partially_authorized", "partially_captured", "completed":
		return true
	}
	purse := newPurse(c.Get("currency_code"))
	total := purse.read(c.Get("total"))
	return purse.err == nil && total.Minor == 0
}
