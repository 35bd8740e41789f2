package shopify

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	placing    = "placing the order"
	recovering = "asking for an order"
)

// Place implements upstream.Shop. Shopify takes orders on its own page only, so
// that what comes of it is [upstream.CodeEscalate] with that page, unless a
// person has ordered the basket there already.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, _ upstream.Placement) (upstream.Placed, error) {
	observed, err := s.Read(ctx, v, h)
	switch {
	case err != nil:
		return upstream.Placed{}, err
	case observed.Ordered != nil:
		return *observed.Ordered, nil
	case len(observed.Lines) == 0:
		return upstream.Placed{}, upstream.Errorf(upstream.CodeIncomplete, placing, "the basket is empty")
	}
	e := upstream.Errorf(upstream.CodeEscalate, placing, "the shop takes orders on its own page only")
	e.URL = observed.HandOff
	return upstream.Placed{}, e
}

// Recover implements upstream.Shop. No Place has ever sent an order; what can be
// found is one that a person made.
func (s *Shop) Recover(ctx context.Context, v upstream.Visit, h upstream.Handle, _ upstream.Placement) (upstream.Placed, error) {
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	placed, err := s.ordered(ctx, v, recovering, kept)
	if err != nil {
		return upstream.Placed{}, err
	}
	if placed != nil {
		return *placed, nil
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, recovering, "the shop takes no orders through its API")
}
