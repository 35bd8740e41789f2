package ucp

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/locale"
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// marketOf returns who the prices of an answer are for: what the payload's context
// says, and the language of Accept-Language where it says none
// (schemas/common/types/context.json). All of it is hints: what is not understood
// is left out, and so is a currency that the shop does not sell in.
func marketOf(shop *upstream.Description, payload []byte, acceptLanguage []string) upstream.Market {
	context := gjson.GetBytes(payload, "context")
	market := upstream.Market{
		Country:    locale.Country(context.Get("address_country").Str),
		Region:     locale.Place(context.Get("address_region").Str),
		PostalCode: locale.Place(context.Get("postal_code").Str),
		Language:   locale.Language(context.Get("language").Str, acceptLanguage),
	}
	currency, err := money.ParseCurrency(context.Get("currency").Str)
	if err == nil && slices.Contains(shop.Currencies, currency) {
		market.Currency = currency
	}
	return market
}
