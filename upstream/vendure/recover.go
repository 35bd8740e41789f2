package vendure

import (
	"context"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

const recovering = "asking for an order"

const (
	// defaultTimeout is the client's own, and paymentEnds how long after we gave
	// up a shop may still be working on a payment.
	defaultTimeout = 10 * time.Second
	paymentEnds    = time.Minute
	// shown is how long a shop shows an order to anybody with its code, less a
	// margin for its clock.
	shown = 2*time.Hour - 10*time.Minute
)

// Recover implements upstream.Shop.
//
// An order that the shop shows as placed was placed. One that is still open may
// become an order as long as a request to pay may be under way, which is for the
// client's time-out and a minute more after the attempt began; before that the
// outcome is unknown. Afterwards the order is unlocked, so that no payment can
// be added to it, and was not placed.
//
// An order that does not bear the attempt, in a shop with a field for it, was
// never locked for it, since both are written in one request before any payment.
//
// Where the session has lost the order and no administration can be asked, it was
// not placed if the shop would still show it.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Placed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if kept.Order == "" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the basket was empty")
	}
	o, err := s.outcome(ctx, v, recovering, kept.Order)
	if err != nil {
		return upstream.Placed{}, err
	}
	if o.placed {
		return placed(kept.Order, o.total), nil
	}
	open, err := s.lastAttempt(ctx, sc, v, kept)
	if err != nil {
		return upstream.Placed{}, err
	}
	age := s.now().Sub(p.Started)
	wait := s.patience - age
	switch {
	case open.code != kept.Order && (o.certain || wait <= 0 && age < shown):
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the shop has dropped the basket")
	case open.code != kept.Order:
		return upstream.Placed{}, upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "the shop does not show the order, or not any more")
	case open.marked && open.attempt != p.Attempt:
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the order did not get as far as its payment")
	case wait > 0:
		e := upstream.Errorf(upstream.CodeUnknownOutcome, recovering, "a payment may still be under way")
		e.RetryAfter = wait
		return upstream.Placed{}, e
	}
	if err := s.unlock(ctx, sc, v, recovering, kept); err != nil {
		return upstream.Placed{}, err
	}
	if o, err = s.outcome(ctx, v, recovering, kept.Order); err != nil {
		return upstream.Placed{}, err
	}
	if o.placed {
		return placed(kept.Order, o.total), nil
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the payment did not reach the shop")
}

// lastAttempt is what an open order says of the attempts to place it.
type lastAttempt struct {
	code string
	// marked: the shop has a field for the attempt, which holds attempt.
	marked  bool
	attempt string
}

// lastAttempt reads the open order of a handle's session.
func (s *Shop) lastAttempt(ctx context.Context, sc *schema, v upstream.Visit, h handle) (lastAttempt, error) {
	selection := "{ code }"
	if sc.attempt {
		selection = "{ code customFields { " + attemptField + " } }"
	}
	o := operation{kind: "query", name: "LastAttempt", fields: []field{{alias: "activeOrder", name: "activeOrder", selection: selection}}}
	c := sc.inBasket(v, h, recovering, o.name)
	c.document, c.variables = o.render()
	c.safe = true
	data, err := s.run(ctx, v, c)
	if err != nil {
		return lastAttempt{}, err
	}
	order := data.Get("activeOrder")
	return lastAttempt{
		code:    order.Get("code").String(),
		marked:  sc.attempt,
		attempt: order.Get("customFields." + attemptField).String(),
	}, nil
}
