package acp

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/locale"
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// market is who prices are for, as far as what was said can be understood.
func market(shop *upstream.Description, country, currency, language string, acceptLanguage []string) upstream.Market {
	m := upstream.Market{Country: locale.Country(country), Language: locale.Language(language, acceptLanguage)}
	if parsed, err := money.ParseCurrency(currency); err == nil && slices.Contains(shop.Currencies, parsed) {
		m.Currency = parsed
	}
	return m
}

// lower is how the protocol writes a currency.
func lower(currency string) string { return strings.ToLower(currency) }
