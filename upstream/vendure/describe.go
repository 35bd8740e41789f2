package vendure

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

// Capabilities are what a shop can do at best. What it cannot, because of what is
// switched on in it, is found out by [Shop.Describe].
func (c Config) Capabilities() upstream.Capabilities {
	return upstream.Capabilities{
		Search: true, Baskets: true, Place: true, Codes: upstream.CodesMany, Delivery: true, Orders: true, ExactStock: true,
		HandOff: c.CheckoutURL != "",
	}
}

// Describe implements upstream.Shop.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	sc, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	can := s.can
	can.Search = can.Search && sc.search
	can.Place = can.Place && len(sc.payments) > 0
	can.ExactStock = can.ExactStock && sc.exactStock
	can.Payments = sc.payments
	doubts, err := s.doubts(ctx, sc)
	if err != nil {
		return upstream.Description{}, err
	}
	return upstream.Description{
		Name:         sc.name,
		Currency:     sc.currency,
		Currencies:   sc.currencies,
		Countries:    sc.countries,
		Language:     sc.language,
		Tax:          tax(sc.included),
		Capabilities: can,
		Doubts:       doubts,
	}, nil
}

func tax(included bool) upstream.Tax {
	if included {
		return upstream.TaxIncluded
	}
	return upstream.TaxExcluded
}
