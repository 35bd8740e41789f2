package vendure

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

// Describe implements upstream.Shop.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	sc, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	return upstream.Description{
		Name:       sc.name,
		Currency:   sc.currency,
		Currencies: sc.currencies,
		Countries:  sc.countries,
		Language:   sc.language,
		Tax:        tax(sc.included),
		Capabilities: upstream.Capabilities{
			Search:     sc.search,
			Baskets:    true,
			Place:      len(sc.payments) > 0,
			Codes:      upstream.CodesMany,
			Delivery:   true,
			Orders:     true,
			ExactStock: sc.exactStock,
			Payments:   sc.payments,
		},
	}, nil
}

func tax(included bool) upstream.Tax {
	if included {
		return upstream.TaxIncluded
	}
	return upstream.TaxExcluded
}
