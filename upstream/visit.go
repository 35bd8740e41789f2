package upstream

import (
	"cmp"
	"net/netip"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Visit is what a shop should know of the request it is called for. The zero
// Visit is somebody without a wish.
type Visit struct {
	// Market is who the prices are for.
	Market Market
	// Addr is the caller's address, for shops that limit by address. It is sent
	// as X-Forwarded-For when it is valid.
	Addr netip.Addr
	// Agent is the name of the agent on whose behalf the shop is called.
	Agent string
	// RequestID ties the shop's log to ours; it may be empty.
	RequestID string
}

// Market is a country, currency and language. Empty parts are the shop's choice.
type Market struct {
	// Country is an ISO 3166-1 alpha-2 code in upper case.
	Country string
	// Region is a state or province as the shop's country knows it.
	Region string
	// PostalCode is the place within the country.
	PostalCode string
	// Currency is the currency prices are wanted in. A shop that does not sell
	// in it answers in its own; what comes back says which.
	Currency money.Currency
	// Language is a BCP 47 tag.
	Language string
}

// Or returns the market with its empty parts taken from other: a basket stays in
// the market it was made for when a later call does not repeat it.
func (m Market) Or(other Market) Market {
	if m.Country == "" {
		// A region is one of its country.
		m.Country, m.Region, m.PostalCode = other.Country, other.Region, other.PostalCode
	}
	m.Currency = cmp.Or(m.Currency, other.Currency)
	m.Language = cmp.Or(m.Language, other.Language)
	return m
}
