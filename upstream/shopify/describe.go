package shopify

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// Capabilities are what a shop can do at best. Stock is a number only where the
// shop counts an item, so that it is not promised.
func (c Config) Capabilities() upstream.Capabilities {
	return upstream.Capabilities{
		Search: true, PriceFilter: true, Baskets: true, Codes: upstream.CodesMany, Delivery: true,
		Orders: !c.AdminToken.IsZero(), HandOff: true,
	}
}

// Describe implements upstream.Shop. Whether a price contains tax depends on the
// market, and Shopify tells it nowhere.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	f, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	can := s.can
	can.Orders = can.Orders && f.orders
	return upstream.Description{
		Name:         f.name,
		Currency:     f.currency,
		Currencies:   f.currencies(),
		Countries:    f.shipsTo,
		Language:     f.language,
		Links:        f.links,
		Capabilities: can,
	}, nil
}

// currencies are those that a visit can ask for, the shop's own first.
func (f *facts) currencies() []money.Currency {
	all := []money.Currency{f.currency}
	for _, c := range f.countries {
		all = append(all, c.currency)
	}
	return unique(all)
}
