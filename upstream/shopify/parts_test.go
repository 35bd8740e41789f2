package shopify

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

func parsed(text string) gjson.Result { return gjson.Parse(text) }

func TestAmounts(t *testing.T) {
	for text, test := range map[string]struct {
		want money.Amount
		err  error
	}{
		`{"amount":"18.0","currencyCode":"GBP"}`:    {money.Amount{Minor: 1800, Currency: "GBP"}, nil},
		`{"amount":"18.95","currencyCode":"GBP"}`:   {money.Amount{Minor: 1895, Currency: "GBP"}, nil},
		`{"amount":"3600.0","currencyCode":"JPY"}`:  {money.Amount{Minor: 3600, Currency: "JPY"}, nil},
		`{"amount":"7.205","currencyCode":"KWD"}`:   {money.Amount{Minor: 7205, Currency: "KWD"}, nil},
		`{"amount":"18.955","currencyCode":"GBP"}`:  {money.Amount{}, money.ErrPrecision},
		`{"amount":"MARKER","currencyCode":"GBP"}`:  {money.Amount{}, money.ErrSyntax},
		`{"amount":"1e30","currencyCode":"GBP"}`:    {money.Amount{}, money.ErrOverflow},
		`{"amount":"1.0","currencyCode":"MARKER"}`:  {money.Amount{}, money.ErrCurrency},
		`{"amount":null,"currencyCode":"GBP"}`:      {money.Amount{}, money.ErrSyntax},
		`null`:                                      {money.Amount{}, money.ErrCurrency},
		`{"amount":1895.55e0,"currencyCode":"JPY"}`: {money.Amount{}, money.ErrPrecision},
	} {
		var p purse
		got := p.read(parsed(text))
		if p.err != test.err || test.err == nil && got != test.want {
			t.Errorf("%s: %v, %v", text, got, p.err)
		}
		if err := p.failed("reading"); err != nil && strings.Contains(err.Error(), "MARKER") {
			t.Errorf("the error quotes the shop: %v", err)
		}
	}
	var p purse
	p.read(parsed(`{"amount":"1.0","currencyCode":"GBP"}`))
	if p.read(parsed(`{"amount":"1.0","currencyCode":"EUR"}`)); p.err != money.ErrMismatch {
		t.Errorf("two currencies: %v", p.err)
	}
}

func TestMetafields(t *testing.T) {
	for _, test := range []struct {
		kind, value string
		want        []string
	}{
		{"single_line_text_field", "Taped <b>seams</b> &amp; hood", []string{"Taped seams & hood"}},
		{"list.single_line_text_field", `["a","b"]`, []string{"a", "b"}},
		{"list.single_line_text_field", `["a"`, nil},
		{"list.list.number_integer", `[["1"],["2"]]`, []string{"1", "2"}},
		{"number_decimal", "4.10", []string{"4.10"}},
		{"weight", `{"value":410,"unit":"g"}`, []string{"410 g"}},
		{"list.dimension", `[{"value":1.5,"unit":"m"}]`, []string{"1.5 m"}},
		{"weight", `410 g`, nil},
		{"product_reference", "gid://shopify/Product/1", nil},
		{"rich_text_field", `{"type":"root"}`, nil},
		{"json", `{}`, nil},
		{"boolean", "", nil},
	} {
		if got := readMetafield(test.kind, test.value); !slices.Equal(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.kind, test.value, got, test.want)
		}
	}
}

func TestRating(t *testing.T) {
	field := func(key, value string) string {
		return `{"namespace":"reviews","key":"` + key + `","value":` + value + `}`
	}
	for name, test := range map[string]struct {
		fields string
		want   *upstream.Rating
	}{
		"none":            {`[]`, nil},
		"a mean":          {`[` + field("rating", `"{\"value\":\"4.456\",\"scale_max\":\"5.0\"}"`) + `]`, &upstream.Rating{Hundredths: 446, Scale: 5}},
		"and a count":     {`[null,` + field("rating_count", `"7"`) + `,` + field("rating", `"{\"value\":4,\"scale_max\":10}"`) + `]`, &upstream.Rating{Hundredths: 400, Scale: 10, Count: 7}},
		"a count alone":   {`[` + field("rating_count", `"7"`) + `]`, nil},
		"above its scale": {`[` + field("rating", `"{\"value\":\"6\",\"scale_max\":\"5.0\"}"`) + `]`, nil},
		"no JSON":         {`[` + field("rating", `"four"`) + `]`, nil},
		"a count below 0": {`[` + field("rating_count", `"-7"`) + `,` + field("rating", `"{\"value\":4,\"scale_max\":5}"`) + `]`, nil},
	} {
		if diff := cmp.Diff(test.want, readRating(parsed(test.fields))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHandles(t *testing.T) {
	h := handle{Cart: cartPrefix + "hWN7?key=secret", Mark: "mark"}
	for range 5 {
		next := h.renewed()
		if next.Mark != h.Mark || next.Cart != "" || len(next.Past) > maxPast {
			t.Fatalf("renewed: %+v", next)
		}
		h, next.Cart = next, cartPrefix+"c1-"+strings.Repeat("x", len(next.Past))+"?key=k"
		h = next
	}
	if got := h.tokens(); !slices.Equal(got, []string{"c1-xx", "c1-xxx", "c1-xxx", "c1-xxx"}) {
		t.Errorf("tokens: %v", got)
	}
	for cart, want := range map[string]string{
		"gid://shopify/Cart/c1-7a2?key=82": "c1-7a2", "gid://shopify/Cart/Z2NwLXVz": "Z2NwLXVz",
		`gid://shopify/Cart/a OR id:>0?key=1`: "", "gid://shopify/Cart/?key=1": "", "": "",
	} {
		if got := cartToken(cart); got != want {
			t.Errorf("%q: %q, want %q", cart, got, want)
		}
	}
	for _, text := range []string{"{}", "1", `{"cart":"x","mark":"y"}`, `{"cart":"gid://shopify/Cart/1"}`, "\x00"} {
		if _, err := readHandle(secret.New(text)); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReferences(t *testing.T) {
	for ref, want := range map[string][2]bool{ // can it be a reference, and a handle?
		"merino-hiking-socks": {true, true}, "größe-防水": {true, true}, "SOK-M": {true, false}, "a b": {true, false}, "1": {true, true},
		"": {false, true}, "--": {false, true}, "a\x00": {false, false}, strings.Repeat("a", 256): {false, true}, "%": {false, false},
	} {
		if got := [2]bool{isRef(ref), isHandle(ref)}; got != want {
			t.Errorf("%.20q: %v, want %v", ref, got, want)
		}
	}
	for id, want := range map[string]bool{
		productPrefix + "1": true, variantPrefix + "1234567890123": true, productPrefix: false, productPrefix + "1x": false,
		productPrefix + "12345678901234567890": false, cartPrefix + "1": false, "1": false,
	} {
		if isItem(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}

func TestSearchSyntax(t *testing.T) {
	q := upstream.Query{Available: true}
	want := `available_for_sale:true AND variants.price:>=10.00 AND variants.price:<=25.00 AND (product_type:"a\"b" OR product_type:"c\\d")`
	if got := searchSyntax(q, bounds{"10.00", "25.00"}, []string{`a"b`, `c\d`}); got != want {
		t.Errorf("got %s", got)
	}
	if got := searchSyntax(upstream.Query{}, bounds{}, nil); got != "" {
		t.Errorf("nothing: %q", got)
	}
}

func TestCleanWords(t *testing.T) {
	long := cleanWords(strings.Repeat("größe ", 200))
	for words, want := range map[string]string{
		"  waterproof\njacket\x00 ": "waterproof jacket", "": "", " \t": "", strings.Repeat("größe ", 200): long,
	} {
		if got := cleanWords(words); got != want || len(got) > maxWords {
			t.Errorf("%.20q: %.20q", words, got)
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, test := range []struct {
		offer   offer
		n, want int64
	}{
		{offer{min: 1, step: 1}, 7, 7},
		{offer{min: 6, step: 6, max: 48}, 13, 12},
		{offer{min: 6, step: 6, max: 48}, 5, 0},
		{offer{min: 6, step: 6, max: 48}, 100, 48},
		{offer{min: 2, step: 1}, 1, 0},
	} {
		if got := test.offer.allowed(test.n); got != test.want {
			t.Errorf("%+v of %d: %d", test.offer, test.n, got)
		}
	}
}

func TestMoments(t *testing.T) {
	for name, test := range map[string]struct {
		parcel string
		want   []string
	}{
		"on its way":     {`{"status":"SUCCESS","createdAt":"2026-11-30T20:00:00Z","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"FULFILLED"}`, []string{"shipped"}},
		"being packed":   {`{"status":"OPEN","createdAt":"2026-11-30T20:00:00Z","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"LABEL_PRINTED"}`, []string{"processing"}},
		"not at home":    {`{"status":"SUCCESS","createdAt":"2026-11-30T20:00:00Z","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"ATTEMPTED_DELIVERY"}`, []string{"shipped", "failed_attempt"}},
		"cancelled":      {`{"status":"CANCELLED","createdAt":"2026-11-30T20:00:00Z","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"CANCELED"}`, []string{"canceled"}},
		"gone astray":    {`{"status":"SUCCESS","createdAt":"2026-11-30T20:00:00Z","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"NOT_DELIVERED"}`, []string{"shipped", "undeliverable"}},
		"there":          {`{"status":"SUCCESS","createdAt":"2026-11-30T20:00:00Z","deliveredAt":"2026-11-30T22:00:00Z","updatedAt":"2026-11-30T23:00:00Z","displayStatus":"DELIVERED"}`, []string{"shipped", "delivered"}},
		"nobody knows":   {`{"status":"SUCCESS","updatedAt":"2026-11-30T21:00:00Z"}`, nil},
		"a word unknown": {`{"status":"SUCCESS","updatedAt":"2026-11-30T21:00:00Z","displayStatus":"AT_THE_MOON"}`, []string{"at_the_moon"}},
	} {
		var got []string
		for _, event := range readEvents(parsed(`[` + test.parcel + `]`)) {
			got = append(got, event.Type)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestSums: what a cart's totals are when its total holds the delivery, the
// delivery less its discount already, neither, or something else besides.
func TestSums(t *testing.T) {
	for name, test := range map[string]struct {
		total, offDelivery, want string
	}{
		"with the delivery":            {"21.95", "", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95"},
		"the goods alone":              {"17.0", "", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95"},
		"with the delivery discounted": {"17.95", "4.0", "subtotal £18.00, items_discount -£1.00, fulfillment £0.95"},
		"discounted before":            {"21.95", "4.0", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95"},
		"delivered free":               {"17.0", "4.95", "subtotal £18.00, items_discount -£1.00, fulfillment £0.00"},
		"with a tax":                   {"26.35", "", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95, fee £4.40"},
		"rounded":                      {"21.96", "", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95, rounding £0.01"},
		"less than its parts":          {"20.0", "", "subtotal £18.00, items_discount -£1.00, fulfillment £4.95, rounding -£1.95"},
	} {
		text := strings.Replace(aCart, `"totalAmount":{"amount":"21.95"`, `"totalAmount":{"amount":"`+test.total+`"`, 1)
		if test.offDelivery != "" {
			text = strings.Replace(text, `"discountAllocations":[]`,
				`"discountAllocations":[{"discountedAmount":{"amount":"`+test.offDelivery+`","currencyCode":"GBP"},"code":"B"}]`, 1)
		}
		o, err := (&Shop{}).observe(cart{parsed(text)}, handle{Lines: []keptLine{{"one", variantPrefix + "1", 2}}})
		if err != nil {
			t.Fatal(err)
		}
		shoptest.CheckObserved(t, o)
		var got []string
		for _, total := range o.Totals {
			got = append(got, string(total.Kind)+" "+total.Amount.Display())
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: %s, want %s", name, text, test.want)
		}
	}
}

// TestShareOut: lines of the cart are divided among the caller's, whatever a
// person has made of them on the shop's page.
func TestShareOut(t *testing.T) {
	kept := []keptLine{{"one", "a", 2}, {"two", "b", 1}, {"three", "a", 1}}
	for name, test := range map[string]struct {
		cart string
		want map[string][]keptLine
	}{
		"as wanted": {`{"id":"x","quantity":3,"merchandise":{"id":"a"}},{"id":"y","quantity":1,"merchandise":{"id":"b"}}`, map[string][]keptLine{
			"x": {{"one", "a", 2}, {"three", "a", 1}}, "y": {{"two", "b", 1}},
		}},
		"fewer":     {`{"id":"x","quantity":1,"merchandise":{"id":"a"}}`, map[string][]keptLine{"x": {{"one", "a", 1}}}},
		"more":      {`{"id":"x","quantity":5,"merchandise":{"id":"a"}}`, map[string][]keptLine{"x": {{"one", "a", 2}, {"three", "a", 3}}}},
		"none":      {`{"id":"x","quantity":0,"merchandise":{"id":"a"}}`, map[string][]keptLine{"x": nil}},
		"unwanted":  {`{"id":"x","quantity":2,"merchandise":{"id":"c"}}`, map[string][]keptLine{"x": {{"shop-x", "c", 2}}}},
		"in two":    {`{"id":"x","quantity":2,"merchandise":{"id":"a"}},{"id":"y","quantity":1,"merchandise":{"id":"a"}}`, map[string][]keptLine{"x": {{"one", "a", 2}}, "y": {{"three", "a", 1}}}},
		"cut apart": {`{"id":"x","quantity":1,"merchandise":{"id":"a"}},{"id":"y","quantity":2,"merchandise":{"id":"a"}}`, map[string][]keptLine{"x": {{"one", "a", 1}}, "y": {{"one", "a", 1}, {"three", "a", 1}}}},
	} {
		got := shareOut(cart{parsed(`{"lines":{"nodes":[` + test.cart + `]}}`)}, kept)
		if diff := cmp.Diff(test.want, got.of); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
