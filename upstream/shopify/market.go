package shopify

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// market is what Shopify's directive @inContext takes. An empty part is the
// shop's choice.
type market struct {
	country  string
	language string // as Shopify's LanguageCode
}

// variables are those of every document in a market.
func (m market) variables() variables {
	return variables{"country": orNull(m.country), "language": orNull(m.language)}
}

// orNull is GraphQL's null for an empty text.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// country is a country that the shop sells to, and in which currency.
type country struct {
	code     string
	currency money.Currency
}

// market returns the market that comes closest to a wish. With Shopify the
// country decides on the currency; where only a currency is wanted, it is a
// country with that.
func (f *facts) market(wish upstream.Market) market {
	m := market{language: f.languageCode(wish.Language)}
	switch {
	case f.sellsTo(wish.Country):
		m.country = wish.Country
	case wish.Currency != "" && wish.Currency != f.currency:
		at := slices.IndexFunc(f.countries, func(c country) bool { return c.currency == wish.Currency })
		if at >= 0 {
			m.country = f.countries[at].code
		}
	}
	return m
}

// sellsTo reports whether the shop has prices for a country.
func (f *facts) sellsTo(code string) bool {
	return slices.ContainsFunc(f.countries, func(c country) bool { return c.code == code })
}

// currencyIn is the currency that the shop sells in.
func (f *facts) currencyIn(m market) money.Currency {
	for _, c := range f.countries {
		if c.code == m.country {
			return c.currency
		}
	}
	return f.currency
}

// languageCode returns Shopify's code of a language that the shop speaks: the
// wanted one, or the one it is a form of.
func (f *facts) languageCode(tag string) string {
	code := strings.ReplaceAll(strings.ToUpper(tag), "-", "_")
	base, _, _ := strings.Cut(code, "_")
	for _, wanted := range []string{code, base} {
		if slices.Contains(f.languages, wanted) {
			return wanted
		}
	}
	return ""
}

// languageTag returns the BCP 47 tag of one of Shopify's codes: "PT_BR" is pt-BR.
func languageTag(code string) string {
	base, region, _ := strings.Cut(code, "_")
	if region == "" {
		return strings.ToLower(base)
	}
	return strings.ToLower(base) + "-" + region
}
