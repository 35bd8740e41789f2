package woocommerce

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// Describe implements upstream.Shop. The first time, and every hour, it tries the
// shop with a basket of its own, which it leaves empty.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	f, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	can := upstream.Capabilities{
		Search:      true,
		PriceFilter: true,
		Baskets:     f.baskets,
		Delivery:    f.baskets,
		Place:       len(f.payments) > 0,
		Orders:      f.baskets,
		Payments:    f.payments,
	}
	if f.baskets && f.codes {
		can.Codes = upstream.CodesMany
	}
	return upstream.Description{
		Name:         f.name,
		Currency:     f.currency,
		Currencies:   []money.Currency{f.currency},
		Countries:    f.countries,
		Language:     f.language,
		Tax:          f.tax,
		Capabilities: can,
	}, nil
}
