package mapped

import (
	"context"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

const recovering = "asking for an order"

// Recover implements upstream.Shop. The basket is asked first, which may know its
// order, and the mapping's recover request after that. That there is no order is
// certain once the client's time-out and the mapping's settles have passed, in
// which the shop may still be at work on one.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	if s.m.Place == nil {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeUnsupported, recovering, "the shop's mapping cannot place orders")
	}
	kept, err := begunHandle(recovering, h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if !kept.begun() {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the basket was empty")
	}
	b := &basket{shop: s, visit: v, op: recovering, kept: kept}
	err = b.readHeld(ctx)
	open := err == nil
	if err != nil && upstream.CodeOf(err) != upstream.CodeBasketGone {
		return upstream.Placed{}, err
	}
	if open {
		if placed, is, err := b.ordered(); err != nil || is {
			return placed, err
		}
	}
	if placed, is, err := b.recovered(ctx, p); err != nil || is {
		return placed, err
	}
	if wait := p.Started.Add(s.settles).Sub(s.now()); wait > 0 {
		e := upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "the shop may still be at work on the order")
		e.RetryAfter = wait
		return upstream.Placed{}, e
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the shop did not take the order")
}

// recovered asks for the basket's order.
func (b *basket) recovered(ctx context.Context, p upstream.Placement) (placed upstream.Placed, is bool, err error) {
	m := b.shop.m.Recover
	if m == nil {
		return placed, false, nil
	}
	n := names{texts: map[string]any{"attempt": p.Attempt, "email": b.kept.Buyer.Email}}
	answer, err := b.send(ctx, call{request: &m.Request, names: n, reads: true})
	if upstream.CodeOf(err) == upstream.CodeNotFound {
		return placed, false, nil
	}
	if err != nil {
		return placed, false, err
	}
	r := b.shop.reader
	for _, order := range r.items(scope{Result: answer}, m.In) {
		// What a person wrote may stand around the name of the attempt.
		if m.Attempt.mapped() && (p.Attempt == "" || !strings.Contains(r.word(order, m.Attempt), p.Attempt)) {
			continue
		}
		if m.Basket.mapped() && r.word(order, m.Basket) != b.kept.Basket {
			continue
		}
		if r.word(order, m.ID) == "" {
			continue
		}
		placed, err = b.shop.readPlaced(recovering, order, &m.Placed, &p.Expected)
		return placed, err == nil, err
	}
	return placed, false, nil
}
