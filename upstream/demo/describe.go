package demo

import (
	"context"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Capabilities are what a shop can do at best.
func (Config) Capabilities() upstream.Capabilities {
	return upstream.Capabilities{
		Search: true, PriceFilter: true, Baskets: true, Place: true, Codes: upstream.CodesMany,
		HandOff: true, Delivery: true, Orders: true, ExactStock: true,
	}
}

// Describe implements [upstream.Shop].
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	const op = "asking the shop what it is"
	response, err := s.client.Do(ctx, upstream.Visit{}, shopclient.Request{Op: op, Path: []string{"api", "shop"}, Safe: true})
	if err != nil {
		return upstream.Description{}, err
	}
	r := response.JSON()
	f, err := frameOf(op, r)
	if err != nil {
		return upstream.Description{}, err
	}
	d := upstream.Description{
		Name:         r.Get("name").String(),
		Currency:     f.currency,
		Currencies:   []money.Currency{f.currency},
		Language:     r.Get("language").String(),
		Tax:          f.tax,
		Capabilities: Config{}.Capabilities(),
	}
	d.Capabilities.ExactStock = d.Capabilities.ExactStock && r.Get("stock").Bool()
	if d.Name == "" {
		return upstream.Description{}, unreadable(op, "name")
	}
	for _, country := range r.Get("countries.#.code").Array() {
		d.Countries = append(d.Countries, country.String())
	}
	for _, page := range r.Get("pages").Array() {
		d.Links = append(d.Links, upstream.Link{
			Type: page.Get("type").String(), URL: s.page(page.Get("path").String()), Title: page.Get("title").String(),
		})
	}
	for _, payment := range r.Get("payments").Array() {
		d.Capabilities.Payments = append(d.Capabilities.Payments, upstream.PaymentMethod{
			ID: payment.Get("id").String(), Title: payment.Get("title").String(),
		})
	}
	return d, nil
}
