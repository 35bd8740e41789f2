package woocommerce

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// Capabilities are what a shop can do at best. What it cannot, because of what is
// switched on in it, is found out by [Shop.Describe].
func (c Config) Capabilities() upstream.Capabilities {
	return upstream.Capabilities{
		Search: true, PriceFilter: true, Baskets: true, Codes: upstream.CodesMany, Delivery: true, Orders: true,
		Place: c.Payments == nil || len(c.Payments) > 0, HandOff: true,
	}
}

// Describe implements upstream.Shop. The first time, and every hour, it tries the
// shop with a basket of its own, which it leaves empty.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	f, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	can := s.can
	can.Place = can.Place && len(f.payments) > 0
	can.Payments = f.payments
	if !f.baskets {
		can.Baskets, can.Delivery, can.Orders = false, false, false
	}
	if !f.baskets || !f.codes {
		can.Codes = upstream.CodesNone
	}
	return upstream.Description{
		Name:         f.name,
		Currency:     f.currency,
		Currencies:   []money.Currency{f.currency},
		Countries:    f.countries,
		Language:     f.language,
		Tax:          f.tax,
		Capabilities: can,
		Doubts:       s.doubts(f),
	}, nil
}

// doubts are what of the configuration does not fit the shop.
func (s *Shop) doubts(f *facts) []string {
	if !f.baskets {
		return nil // It does not tell how to pay.
	}
	var named []string
	for _, payment := range s.payments {
		named = append(named, payment.ID)
	}
	return upstream.DoubtPayments(named, f.enabled)
}
