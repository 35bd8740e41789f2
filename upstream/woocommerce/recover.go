package woocommerce

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const recovering = "asking for an order"

// Recover implements upstream.Shop.
//
// An order that the shop shows as placed was placed: the one that it had opened
// for the basket, or, with a key, the one whose note names the attempt. While a
// request may still be at work in the shop, nothing else is certain. Afterwards
// the attempt has failed
//
//   - if the order that was opened for the basket is a draft still, since the
//     request would have taken that one;
//   - if the basket still holds something, since an order empties it.
//
// Otherwise nobody can tell.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	f, err := s.forBaskets(ctx, v, recovering)
	if err != nil {
		return upstream.Placed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if kept.Token == "" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "there was no basket to order")
	}
	now, err := s.standing(ctx, v, f, recovering, kept, true)
	if err != nil {
		return upstream.Placed{}, err
	}
	if now.placed != nil {
		return *now.placed, nil
	}
	if s.key.given() {
		placed, err := s.marked(ctx, v, f, recovering, attemptMark(p.Attempt), p.Started, true)
		if err != nil {
			return upstream.Placed{}, err
		}
		if placed != nil {
			return *placed, nil
		}
	}
	if wait := p.Started.Add(s.patience).Sub(s.now()); wait > 0 {
		e := upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "the order may still be under way")
		e.RetryAfter = wait
		return upstream.Placed{}, e
	}
	if now.status == statusDraft {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the request did not get as far as an order")
	}
	return upstream.Placed{}, s.emptied(ctx, v, f, kept)
}

// emptied says what the basket itself tells of an attempt: one that still holds
// something was not ordered.
func (s *Shop) emptied(ctx context.Context, v upstream.Visit, f *facts, h handle) error {
	c, err := s.readCart(ctx, v, f, recovering, h.Token)
	if err != nil {
		return err
	}
	if sameBasket(c.token, h.Token) && len(c.lines()) > 0 {
		return upstream.Errorf(upstream.CodeNotPlaced, recovering, "the basket was not ordered")
	}
	return upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "the basket is empty, and the shop shows no order of it")
}
