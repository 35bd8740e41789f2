package mapped

import (
	"cmp"
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

// Capabilities are what a shop of this mapping can do.
func (m *Mapping) Capabilities() upstream.Capabilities {
	can := upstream.Capabilities{
		Search:     m.Search != nil || m.Scan,
		Baskets:    m.Basket != nil || m.local(),
		Place:      m.Place != nil,
		HandOff:    m.handsOff(),
		Codes:      m.codesOf(),
		Delivery:   m.Delivery != nil,
		Orders:     m.Order != nil,
		ExactStock: m.Product.Variants.Stock.mapped(),
	}
	if m.Search != nil {
		can.PriceFilter = m.asks(&m.Search.Request, "min_price") && m.asks(&m.Search.Request, "max_price")
	}
	if m.Place != nil {
		can.Payments = m.Payments
	}
	return can
}

const describing = "asking the shop what it is"

// Describe implements upstream.Shop. Everything in the description is the
// mapping's; the first page of the products is read to see that the shop is there
// and answers as it is mapped.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	if _, err := s.readPage(ctx, upstream.Visit{}, describing, s.m.List, upstream.Query{}, pagePlace{}); err != nil {
		return upstream.Description{}, err
	}
	m := s.m
	return upstream.Description{
		Name:         s.name,
		Currency:     m.Currencies[0],
		Currencies:   m.Currencies,
		Countries:    m.Countries,
		Language:     cmp.Or(m.Language, defaultLanguage),
		Tax:          m.Tax.model(),
		Links:        m.Links,
		Capabilities: m.Capabilities(),
	}, nil
}
