package shopify

import (
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// decodes runs a decoder over whatever JSON there is. shopclient lets nothing else
// through.
func decodes(f *testing.F, decode func(*testing.T, gjson.Result), seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if gjson.Valid(text) && utf8.ValidString(text) {
			decode(t, gjson.Parse(text))
		}
	})
}

const aProduct = `{"id":"gid://shopify/Product/1","handle":"a","title":"A","descriptionHtml":"<p>a</p>","vendor":"v","productType":"k",` +
	`"updatedAt":"2026-11-01T12:00:00Z","tags":["t"],"category":{"name":"c"},"collections":{"nodes":[{"title":"x/y"}]},` +
	`"options":[{"name":"Size","optionValues":[{"name":"S"}]}],"images":{"nodes":[{"url":"https://a.example/a.jpg"}]},` +
	`"metafields":[null,{"namespace":"reviews","key":"rating","type":"rating","value":"{\"value\":\"4\",\"scale_max\":\"5\"}"}],` +
	`"variants":{"pageInfo":{"hasNextPage":true,"endCursor":"c"},"nodes":[{"id":"gid://shopify/ProductVariant/1","availableForSale":true,"quantityAvailable":3,` +
	`"price":{"amount":"1.0","currencyCode":"GBP"},"compareAtPrice":{"amount":"2.0","currencyCode":"GBP"},"selectedOptions":[{"name":"Size","value":"S"}]}]}}`

func FuzzProduct(f *testing.F) {
	s := &Shop{}
	decodes(f, func(t *testing.T, is gjson.Result) {
		p, err := s.readListed("reading", is)
		if err != nil {
			return
		}
		for _, v := range p.Variants {
			if _, err := v.Price.Currency.Digits(); err != nil {
				t.Errorf("a price of %v: %v", v.Price, err)
			}
			if v.Stock != nil && *v.Stock < 0 {
				t.Errorf("a stock of %d", *v.Stock)
			}
		}
		for _, category := range p.Categories {
			if strings.Contains(category, "/") || category == "" {
				t.Errorf("category %q", category)
			}
		}
	}, aProduct, `{}`, `null`, `[]`, `{"variants":{"nodes":[{}]}}`)
}

const aCart = `{"id":"gid://shopify/Cart/1?key=2","checkoutUrl":"https://a.example/c","discountCodes":[{"code":"A","applicable":true}],` +
	`"cost":{"totalAmount":{"amount":"21.95","currencyCode":"GBP"}},"delivery":{"addresses":[{"id":"1"}]},` +
	`"deliveryGroups":{"nodes":[{"id":"g","deliveryOptions":[{"handle":"h","title":"T","estimatedCost":{"amount":"4.95","currencyCode":"GBP"}}],` +
	`"selectedDeliveryOption":{"handle":"h"},"discountAllocations":[]}]},` +
	`"lines":{"nodes":[{"id":"l","quantity":2,"cost":{"amountPerQuantity":{"amount":"9.0","currencyCode":"GBP"},"subtotalAmount":{"amount":"18.0","currencyCode":"GBP"}},` +
	`"discountAllocations":[{"discountedAmount":{"amount":"1.0","currencyCode":"GBP"},"code":"A"}],` +
	`"merchandise":{"id":"gid://shopify/ProductVariant/1","requiresShipping":true,"selectedOptions":[],"product":{"id":"gid://shopify/Product/1","title":"A"}}}]}}`

// FuzzCart: whatever a cart is, its totals add up or it cannot be used.
func FuzzCart(f *testing.F) {
	s := &Shop{}
	kept := handle{Lines: []keptLine{{"one", variantPrefix + "1", 1}, {"two", variantPrefix + "1", 1}}}
	decodes(f, func(t *testing.T, is gjson.Result) {
		o, err := s.observe(cart{is}, kept)
		if err != nil {
			return
		}
		sum := o.Total.Minor
		for _, total := range o.Totals {
			sum -= total.Amount.Minor
		}
		if sum != 0 {
			t.Errorf("totals %+v do not add up to %v", o.Totals, o.Total)
		}
		keys := map[string]bool{}
		for _, line := range o.Lines {
			if keys[line.Key] {
				t.Errorf("two lines are called %q", line.Key)
			}
			keys[line.Key] = true
		}
	}, aCart, `{}`, `{"id":"x","cost":{"totalAmount":{"amount":"-1","currencyCode":"JPY"}},"lines":{"nodes":[{},{}]}}`)
}

// TestSeedCart: the seed of FuzzCart is a basket as it should be.
func TestSeedCart(t *testing.T) {
	kept := handle{Lines: []keptLine{{"one", variantPrefix + "1", 1}, {"two", variantPrefix + "1", 1}}}
	o, err := (&Shop{}).observe(cart{parsed(aCart)}, kept)
	if err != nil || len(o.Lines) != 2 {
		t.Fatal(o, err)
	}
	shoptest.CheckObserved(t, o)
}

const anOrder = `{"id":"gid://shopify/Order/1","name":"#1","processedAt":"2026-11-30T20:00:00Z","taxesIncluded":false,` +
	`"totalPriceSet":{"presentmentMoney":{"amount":"12.0","currencyCode":"GBP"}},"totalTaxSet":{"presentmentMoney":{"amount":"2.0","currencyCode":"GBP"}},` +
	`"totalShippingPriceSet":{"presentmentMoney":{"amount":"1.0","currencyCode":"GBP"}},"totalDiscountsSet":{"presentmentMoney":{"amount":"0.5","currencyCode":"GBP"}},` +
	`"shippingAddress":{"countryCodeV2":"GB"},"lineItems":{"nodes":[{"id":"l","title":"A","quantity":1,"currentQuantity":1,"unfulfilledQuantity":1,` +
	`"originalUnitPriceSet":{"presentmentMoney":{"amount":"9.0","currencyCode":"GBP"}},"originalTotalSet":{"presentmentMoney":{"amount":"9.0","currencyCode":"GBP"}},"discountAllocations":[]}]},` +
	`"fulfillments":[{"id":"f/1","status":"SUCCESS","createdAt":"2026-11-30T20:00:00Z","fulfillmentLineItems":{"nodes":[{"quantity":1,"lineItem":{"id":"l"}}]}}],` +
	`"refunds":[{"id":"r/1","createdAt":"2026-11-30T20:00:00Z","totalRefundedSet":{"presentmentMoney":{"amount":"1.0","currencyCode":"GBP"}},"transactions":{"nodes":[{"status":"PENDING"}]}}]}`

// FuzzOrder: whatever an order is, its totals add up or it cannot be used.
func FuzzOrder(f *testing.F) {
	s := &Shop{}
	decodes(f, func(t *testing.T, is gjson.Result) {
		o, err := s.readOrder(is, is.Get("lineItems.nodes").Array(), is)
		if err != nil {
			return
		}
		sum := o.Total.Minor
		for _, total := range o.Totals {
			sum -= total.Amount.Minor
		}
		if sum != 0 {
			t.Errorf("totals %+v do not add up to %v", o.Totals, o.Total)
		}
	}, anOrder, `{}`)
}

// TestTaxOnTop: an order whose prices are without tax has it in its totals, and
// what is not told apart as a fee.
func TestTaxOnTop(t *testing.T) {
	is := parsed(anOrder)
	o, err := (&Shop{}).readOrder(is, is.Get("lineItems.nodes").Array(), is)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, total := range o.Totals {
		got = append(got, string(total.Kind)+" "+total.Amount.Display())
	}
	if text := strings.Join(got, ", "); text != "subtotal £9.00, discount -£0.50, fulfillment £1.00, tax £2.00, fee £0.50" {
		t.Error(text)
	}
}

func FuzzFacts(f *testing.F) {
	s := &Shop{version: defaultVersion, log: slog.New(slog.DiscardHandler)}
	decodes(f, func(t *testing.T, is gjson.Result) {
		read, err := readFacts(is)
		if err != nil {
			return
		}
		for _, m := range []upstream.Market{{}, {Country: "GB"}, {Currency: "EUR", Language: "pt-BR"}} {
			s.productVariables(read)
			if got := read.market(m); read.currencyIn(got) == "" {
				t.Errorf("%+v is a market without a currency", got)
			}
		}
	}, `{"shop":{"name":"A","shipsToCountries":["GB"],"refundPolicy":{"url":"https://a.example/r","title":"R"}},"localization":{"country":{"isoCode":"GB","currency":{"isoCode":"GBP"}},`+
		`"language":{"isoCode":"EN"},"availableCountries":[{"isoCode":"IE","currency":{"isoCode":"EUR"}}],"availableLanguages":[{"isoCode":"PT_BR"}]}}`, `{}`)
}

func FuzzHandle(f *testing.F) {
	f.Add(`{"cart":"gid://shopify/Cart/1?key=2","mark":"m","past":["a"],"lines":[{"key":"k","variant":"v","quantity":1}]}`)
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, text string) {
		h, err := readHandle(secret.New(text))
		if err != nil || text == "" {
			return
		}
		for _, token := range append(h.tokens(), h.renewed().tokens()...) {
			if strings.ContainsAny(token, ` :"'()`) && !strings.Contains(strings.Join(h.Past, ""), token) {
				t.Errorf("the token %q would be more than one word of a search", token)
			}
		}
		if _, err := h.write(); err != nil {
			t.Error(err)
		}
	})
}

func FuzzCursor(f *testing.F) {
	q := upstream.Query{Words: "merino", Limit: 3}
	m := market{country: "GB"}
	f.Add(writeCursor("MTA=", q, m))
	f.Add("e30")
	f.Fuzz(func(t *testing.T, cursor string) {
		q.Cursor = cursor
		after, err := readCursor(q, m)
		if err != nil || cursor == "" {
			return
		}
		if again := writeCursor(after, q, m); again != cursor {
			// Base64 has several forms of the same bytes.
			q.Cursor = again
			if same, err := readCursor(q, m); err != nil || same != after {
				t.Errorf("%q leads to %q, %q to %q", cursor, after, again, same)
			}
		}
	})
}
