package ucp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestMarketOf(t *testing.T) {
	shop := &upstream.Description{Currency: "GBP", Currencies: []money.Currency{"GBP", "JPY"}}
	for name, test := range map[string]struct {
		context string
		accept  []string
		want    upstream.Market
	}{
		"nothing": {`{}`, nil, upstream.Market{}},
		"all of it": {
			`{"address_country":"gb","address_region":" Cumbria ","postal_code":"LA22 9AA","language":"en-GB","currency":"jpy"}`, nil,
			upstream.Market{Country: "GB", Region: "Cumbria", PostalCode: "LA22 9AA", Language: "en-GB", Currency: "JPY"},
		},
		"three letters":            {`{"address_country":"DEU"}`, nil, upstream.Market{Country: "DE"}},
		"a name":                   {`{"address_country":"Germany"}`, nil, upstream.Market{}},
		"a country of nobody":      {`{"address_country":"ZZ"}`, nil, upstream.Market{}},
		"a continent":              {`{"address_country":"150"}`, nil, upstream.Market{}},
		"a currency not sold in":   {`{"currency":"CHF"}`, nil, upstream.Market{}},
		"a currency of nobody":     {`{"currency":"dollars"}`, nil, upstream.Market{}},
		"the language of a header": {`{}`, []string{"fr-CH, fr;q=0.9", "en;q=0.8"}, upstream.Market{Language: "fr-CH"}},
		"the preferred language":   {`{}`, []string{"en;q=0.5, de"}, upstream.Market{Language: "de"}},
		"the context goes first":   {`{"language":"zh-hans"}`, []string{"en"}, upstream.Market{Language: "zh-Hans"}},
		"a language of nobody":     {`{"language":"!"}`, []string{"en"}, upstream.Market{Language: "en"}},
		"any language":             {`{}`, []string{"*"}, upstream.Market{}},
		"a header of no languages": {`{}`, []string{";;;"}, upstream.Market{}},
		"too long":                 {`{"address_region":"` + strings.Repeat("x", 65) + `","language":"` + strings.Repeat("x", 300) + `"}`, []string{strings.Repeat("en,", 100)}, upstream.Market{}},
		"characters of no place":   {`{"address_region":"a\nb","postal_code":"\u0000"}`, nil, upstream.Market{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := marketOf(shop, []byte(`{"context":`+test.context+`}`), test.accept)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := marketOf(shop, nil, []string{"de"}); got != (upstream.Market{Language: "de"}) {
		t.Errorf("without a payload: %+v", got)
	}
}

func FuzzMarketOf(f *testing.F) {
	f.Add("GB", "en-GB", "GBP", "en;q=0.5, *;q=0.1")
	f.Add("", "x-y-z", "gbp", "und")
	shop := &upstream.Description{Currencies: []money.Currency{"GBP"}}
	f.Fuzz(func(t *testing.T, country, language, currency, accept string) {
		payload := appendText([]byte(`{"context":{`), "address_country", country)
		payload = appendText(payload, "language", language)
		payload = appendText(payload, "currency", currency)
		m := marketOf(shop, append(payload, '}', '}'), []string{accept})
		if len(m.Country) != 0 && len(m.Country) != 2 || m.Currency != "" && m.Currency != "GBP" || len(m.Language) > 300 {
			t.Errorf("%+v", m)
		}
	})
}
