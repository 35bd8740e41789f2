package mcp

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/locale"
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// marketOf returns who the prices of an answer are for: what the arguments say, and
// the language of Accept-Language where they say none. All of it is hints: what is
// not understood is left out, and so is a currency that the shop does not sell in.
func marketOf(shop *upstream.Description, arguments gjson.Result, acceptLanguage []string) upstream.Market {
	market := upstream.Market{
		Country:  locale.Country(arguments.Get("country").Str),
		Language: locale.Language(arguments.Get("language").Str, acceptLanguage),
	}
	currency, err := money.ParseCurrency(arguments.Get("currency").Str)
	if err == nil && slices.Contains(shop.Currencies, currency) {
		market.Currency = currency
	}
	return market
}

// foreign reports whether the arguments are in a currency that the shop does not
// sell in, so that their amounts mean nothing to it.
func foreign(r *request) bool {
	named := r.arguments.Get("currency").Str
	if named == "" {
		return false
	}
	currency, err := money.ParseCurrency(named)
	return err != nil || currency != r.visit.Market.Currency
}
