package ucp

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
	"golang.org/x/text/language"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// How long, in bytes, a hint may be that is taken at all.
const (
	maxPlaceHint    = 64
	maxLanguageHint = 256
)

// marketOf returns who the prices of an answer are for: what the payload's context
// says, and the language of Accept-Language where it says none
// (schemas/common/types/context.json). All of it is hints: what is not understood
// is left out, and so is a currency that the shop does not sell in.
func marketOf(shop *upstream.Description, payload []byte, acceptLanguage []string) upstream.Market {
	context := gjson.GetBytes(payload, "context")
	market := upstream.Market{
		Country:    countryOf(context.Get("address_country").Str),
		Region:     placeHint(context.Get("address_region").Str),
		PostalCode: placeHint(context.Get("postal_code").Str),
		Language:   languageOf(context.Get("language").Str, acceptLanguage),
	}
	currency, err := money.ParseCurrency(context.Get("currency").Str)
	if err == nil && slices.Contains(shop.Currencies, currency) {
		market.Currency = currency
	}
	return market
}

// countryOf returns the ISO 3166-1 alpha-2 code for one of two or three letters,
// nothing for what is no country.
func countryOf(code string) string {
	if len(code) != 2 && len(code) != 3 {
		return ""
	}
	region, err := language.ParseRegion(code)
	if err != nil || !region.IsCountry() {
		return ""
	}
	return region.String()
}

// placeHint returns the name of a place if it could be one.
func placeHint(name string) string {
	if len(name) > maxPlaceHint || strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return strings.TrimSpace(name)
}

// languageOf returns the BCP 47 tag of what is preferred.
func languageOf(tag string, acceptLanguage []string) string {
	if tag != "" && len(tag) <= maxLanguageHint {
		if parsed, err := language.Parse(tag); err == nil {
			return parsed.String()
		}
	}
	header := strings.Join(acceptLanguage, ",")
	if header == "" || len(header) > maxLanguageHint {
		return ""
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return ""
	}
	// An asterisk is read as "mul", any language.
	preferred := tags[0].String()
	if preferred == "mul" || preferred == "und" {
		return ""
	}
	return preferred
}
