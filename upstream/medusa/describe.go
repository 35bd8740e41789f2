package medusa

import (
	"context"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
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

// Describe implements upstream.Shop. It takes three requests.
func (s *Shop) Describe(ctx context.Context) (upstream.Description, error) {
	k, err := s.learn(ctx, upstream.Visit{})
	if err != nil {
		return upstream.Description{}, err
	}
	d := upstream.Description{
		Name:     s.name,
		Currency: k.regions[0].currency,
		Language: s.language,
		Tax:      k.tax,
	}
	var payments, enabled []string
	for _, r := range k.regions {
		d.Currencies = append(d.Currencies, r.currency)
		d.Countries = append(d.Countries, r.countries...)
		payments = append(payments, r.payments...)
		enabled = append(enabled, r.enabled...)
	}
	d.Currencies = unique[money.Currency](d.Currencies)
	slices.Sort(d.Countries)
	d.Doubts = upstream.DoubtPayments(s.payments, unique(enabled))
	d.Capabilities = s.can
	d.Capabilities.Place = s.can.Place && len(payments) > 0
	for _, id := range unique(payments) {
		d.Capabilities.Payments = append(d.Capabilities.Payments, upstream.PaymentMethod{ID: id, Title: paymentTitle(id)})
	}
	return d, nil
}

// paymentTitle makes a title of a payment provider's id, which is all that Medusa
// tells of one: pp_<the provider's name>_<its id in the configuration>.
func paymentTitle(id string) string {
	if id == "pp_system_default" {
		return "As agreed with the shop"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(id, "pp_"), "_")
	words := strings.Fields(strings.ReplaceAll(name, "-", " "))
	if len(words) == 0 {
		return id
	}
	words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
	return strings.Join(words, " ")
}

// unique returns the values without repetition, in their order.
func unique[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	var once []T
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			once = append(once, value)
		}
	}
	return once
}
