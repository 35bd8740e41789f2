package shopify

import (
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestMarket(t *testing.T) {
	f := &facts{
		currency:  "GBP",
		countries: []country{{"GB", "GBP"}, {"IE", "EUR"}, {"FR", "EUR"}, {"JP", "JPY"}},
		languages: []string{"EN", "PT_BR", "FR"},
	}
	for name, test := range map[string]struct {
		wish     upstream.Market
		want     market
		currency money.Currency
	}{
		"nobody's":                         {upstream.Market{}, market{}, "GBP"},
		"a country":                        {upstream.Market{Country: "FR"}, market{country: "FR"}, "EUR"},
		"a country without prices":         {upstream.Market{Country: "US"}, market{}, "GBP"},
		"a currency":                       {upstream.Market{Currency: "EUR"}, market{country: "IE"}, "EUR"},
		"the shop's own currency":          {upstream.Market{Currency: "GBP"}, market{}, "GBP"},
		"a currency without a country":     {upstream.Market{Currency: "USD"}, market{}, "GBP"},
		"a country with another currency":  {upstream.Market{Country: "JP", Currency: "EUR"}, market{country: "JP"}, "JPY"},
		"an unknown country, and currency": {upstream.Market{Country: "US", Currency: "EUR"}, market{country: "IE"}, "EUR"},
		"a language":                       {upstream.Market{Language: "pt-BR"}, market{language: "PT_BR"}, "GBP"},
		"a form of a language":             {upstream.Market{Language: "fr-CA"}, market{language: "FR"}, "GBP"},
		"another form":                     {upstream.Market{Language: "pt-PT"}, market{}, "GBP"},
		"a language in script":             {upstream.Market{Language: "en-Latn-GB"}, market{language: "EN"}, "GBP"},
	} {
		got := f.market(test.wish)
		if got != test.want || f.currencyIn(got) != test.currency {
			t.Errorf("%s: %+v in %s, want %+v in %s", name, got, f.currencyIn(got), test.want, test.currency)
		}
	}
}

func TestLanguageTag(t *testing.T) {
	for code, want := range map[string]string{"EN": "en", "PT_BR": "pt-BR", "ZH_CN": "zh-CN", "": ""} {
		if got := languageTag(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

func TestFactsOfAShopWithoutCurrency(t *testing.T) {
	_, err := readFacts(parsed(`{"shop":{"name":"x"},"localization":{"country":{"isoCode":"GB","currency":{"isoCode":"MARKER"}}}}`))
	if upstream.CodeOf(err) != upstream.CodeUnavailable || strings.Contains(err.Error(), "MARKER") {
		t.Errorf("got %v", err)
	}
}

func TestProvinceCode(t *testing.T) {
	for _, test := range []struct{ name, country, want string }{
		{"CA", "US", "CA"},
		{"US-CA", "US", "CA"},
		{"California", "US", ""},
		{"ENG", "GB", "ENG"},
		{"Cumbria", "GB", ""},
		{"13", "JP", "JP-13"},
		{"JP-13", "JP", "JP-13"},
		{"NSW", "AU", "NSW"},
		{"ca", "US", ""},
		{"", "US", ""},
	} {
		if got := provinceCode(test.name, test.country); got != test.want {
			t.Errorf("%q in %s: %q, want %q", test.name, test.country, got, test.want)
		}
	}
}

func TestInternationalPhone(t *testing.T) {
	for number, want := range map[string]string{
		"+44 1539 000001": "+441539000001", "+1 (555) 010-0000": "+15550100000", "01539 000001": "", "+0123456789": "", "": "", "+12": "",
	} {
		if got := internationalPhone(number); got != want {
			t.Errorf("%q: %q, want %q", number, got, want)
		}
	}
}
