package vendure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestExtras(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		want   schema
	}{
		"a shop that keeps its schema to itself": {``, schema{
			facts: "fragment ProductFacts on Product { id }\nfragment VariantFacts on ProductVariant { id }\n",
		}},
		"custom fields": {`{
			"search": {"inputFields": [{"name": "term"}, {"name": "inStock"}]},
			"order": {"inputFields": [{"name": "storewareAgent"}, {"name": "gift"}]},
			"product": {"fields": [
				{"name": "weight", "type": {"kind": "SCALAR", "name": "Int"}},
				{"name": "tags", "type": {"kind": "LIST", "ofType": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "String"}}}},
				{"name": "maker", "type": {"kind": "OBJECT", "name": "Maker"}},
				{"name": "spec", "type": {"kind": "SCALAR", "name": "JSON"}},
				{"name": "a } evil", "type": {"kind": "SCALAR", "name": "Int"}}
			]},
			"variant": {"fields": [{"name": "gtin", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "String"}}}]}
		}`, schema{
			inStock: true, agent: true,
			facts: "fragment ProductFacts on Product { customFields { weight tags } }\n" +
				"fragment VariantFacts on ProductVariant { customFields { gtin } }\n",
		}},
		"no custom fields": {`{"search": {"inputFields": []}, "product": null, "variant": null, "order": null}`, schema{
			facts: "fragment ProductFacts on Product { id }\nfragment VariantFacts on ProductVariant { id }\n",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var got schema
			got.readExtras(gjson.Parse(test.answer))
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(schema{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPaymentsThatAreAllowed(t *testing.T) {
	named := gjson.Parse(`[{"code": "card", "name": "Card"}, {"code": "invoice", "name": "<b>Invoice</b>"}]`)
	card, invoice := upstream.PaymentMethod{ID: "card", Title: "Card"}, upstream.PaymentMethod{ID: "invoice", Title: "Invoice"}
	for name, test := range map[string]struct {
		configured []string
		named      gjson.Result
		want       []upstream.PaymentMethod
	}{
		"all":                        {nil, named, []upstream.PaymentMethod{card, invoice}},
		"one":                        {[]string{"invoice"}, named, []upstream.PaymentMethod{invoice}},
		"one that is not there":      {[]string{"cash"}, named, nil},
		"a shop that does not say":   {[]string{"cash"}, gjson.Result{}, []upstream.PaymentMethod{{ID: "cash", Title: "cash"}}},
		"nobody says":                {nil, gjson.Result{}, nil},
		"a shop that has none":       {nil, gjson.Parse(`[]`), nil},
		"configured, and there none": {[]string{"cash"}, gjson.Parse(`[]`), nil},
	} {
		if diff := cmp.Diff(test.want, (&Shop{payments: test.configured}).allowed(test.named)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMarket(t *testing.T) {
	sc := &schema{currencies: []money.Currency{"GBP", "EUR"}, languages: []string{"en", "pt", "pt_BR"}}
	for _, test := range []struct {
		market upstream.Market
		basket money.Currency
		want   string
	}{
		{upstream.Market{}, "", ""},
		{upstream.Market{Currency: "EUR", Language: "pt-BR"}, "", "currencyCode=EUR&languageCode=pt_BR"},
		{upstream.Market{Currency: "USD", Language: "pt-PT"}, "", "languageCode=pt"},
		{upstream.Market{Currency: "EUR", Language: "de"}, "GBP", "currencyCode=GBP"},
		{upstream.Market{Language: "EN-gb"}, "", "languageCode=en"},
	} {
		if got := sc.market(test.market, test.basket).Encode(); got != test.want {
			t.Errorf("%+v in a basket of %q: got %q, want %q", test.market, test.basket, got, test.want)
		}
	}
}
