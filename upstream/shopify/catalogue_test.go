package shopify_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

func TestDescribe(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	d, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := upstream.Description{
		Name: "Fell & Ford Outfitters", Currency: "GBP", Currencies: []money.Currency{"GBP", "EUR", "JPY", "KWD"},
		Countries: []string{"GB", "IE", "JP", "KW"}, Language: "en",
		Links: []upstream.Link{
			{Type: "privacy_policy", URL: "https://fell.example/policies/privacy-policy", Title: "Privacy policy"},
			{Type: "refund_policy", URL: "https://fell.example/policies/refund-policy", Title: "Refund policy"},
			{Type: "shipping_policy", URL: "https://fell.example/policies/shipping-policy", Title: "Shipping policy"},
		},
		Capabilities: upstream.Capabilities{Search: true, PriceFilter: true, Baskets: true, HandOff: true, Codes: upstream.CodesMany, Delivery: true},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOrdersAreOfferedWhereTheyCanBeRead: a token without the right is as good as
// none.
func TestOrdersAreOfferedWhereTheyCanBeRead(t *testing.T) {
	for hidden, want := range map[bool]bool{false: true, true: false} {
		shop := newHouse(t, fakeshop.Options{HideOrders: hidden}).adapter(t, withOrders)
		d, err := shop.Describe(t.Context())
		if err != nil || d.Capabilities.Orders != want {
			t.Errorf("hidden %v: orders %v, %v", hidden, d.Capabilities.Orders, err)
		}
	}
}

func pence(t *testing.T, currency money.Currency, decimal string) money.Amount {
	t.Helper()
	amount, err := money.ParseDecimal(decimal, currency)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

// TestProduct: all that is told of a product, in a language and a currency of its
// own.
func TestProduct(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t, func(c *shopify.Config) {
		c.ProductURL = "https://fell.example/p/{handle}?from=agent"
		c.Metafields = []string{"facts.waterproof", "facts.features", "facts.weight", "facts.guide", "facts.none", "reviews.rating", "reviews.rating_count"}
	})
	v := agent
	v.Market = upstream.Market{Country: "KW", Language: "fr-CA"}
	matches, err := shop.Lookup(t.Context(), v, []string{"ridge-3l-waterproof-jacket"})
	if err != nil || len(matches) != 1 {
		t.Fatal(matches, err)
	}
	got := matches[0].Product
	want := upstream.Product{
		ID: "gid://shopify/Product/100", Handle: "ridge-3l-waterproof-jacket", Title: "Veste imperméable Ridge 3L femme",
		Description: "Three layers for long wet days.\nTaped seams\nHood", URL: "https://fell.example/p/ridge-3l-waterproof-jacket?from=agent",
		Brand: "Fellgate", Categories: []string{"Jackets", "Outerwear", "New in"}, Tags: []string{"waterproof", "women"},
		Attributes: []upstream.Attribute{
			{Key: "category", Values: []string{"Coats & Jackets"}},
			{Key: "waterproof", Values: []string{"true"}},
			{Key: "features", Values: []string{"Taped seams", "Hood & peak"}},
			{Key: "weight", Values: []string{"410 g"}},
			{Key: "rating_count", Values: []string{"12"}},
		},
		Options: []upstream.Option{{Name: "Colour", Values: []string{"Slate", "Moss"}}, {Name: "Size", Values: []string{"S", "M", "L"}}},
		Media:   []upstream.Media{{URL: "https://cdn.example/ridge-3l-waterproof-jacket.jpg", Alt: "Women's Ridge 3L Waterproof Jacket"}},
		Rating:  &upstream.Rating{Hundredths: 450, Scale: 5, Count: 12},
		Updated: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, func() upstream.Product { p := got; p.Variants = nil; return p }()); diff != "" {
		t.Errorf("the product (-want +got):\n%s", diff)
	}
	list, stock := pence(t, "KWD", "75.6"), int64(1)
	moss := upstream.Variant{
		ID: "gid://shopify/ProductVariant/1004", SKU: "RDG-MOSS-S", Title: "Moss / S",
		Options: []upstream.Choice{{Name: "Colour", Value: "Moss"}, {Name: "Size", Value: "S"}},
		Price:   pence(t, "KWD", "67.6"), ListPrice: &list, Availability: upstream.InStock, Stock: &stock,
		Media: []upstream.Media{{URL: "https://cdn.example/ridge-3l-waterproof-jacket-RDG-MOSS-S.jpg"}},
	}
	if diff := cmp.Diff(moss, *got.Variant(moss.ID)); diff != "" {
		t.Errorf("a variant (-want +got):\n%s", diff)
	}
}

// TestStock: what a shop does not count, or sells beyond its stock, has no number.
func TestStock(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	none, some := int64(0), int64(17)
	for sku, want := range map[string]struct {
		availability upstream.Availability
		stock        *int64
	}{
		"RDG-SLATE-M": {upstream.InStock, &some},
		"RDG-SLATE-L": {upstream.OutOfStock, &none},
		"GFT":         {upstream.InStock, nil},
		"CRG":         {upstream.Backorder, nil},
	} {
		matches, err := shop.Lookup(t.Context(), agent, []string{sku})
		if err != nil || len(matches) != 1 {
			t.Fatal(sku, matches, err)
		}
		v := matches[0].Product.Variant(matches[0].Inputs[0].Variant)
		if v.Availability != want.availability || !cmp.Equal(v.Stock, want.stock) {
			t.Errorf("%s: availability %d, stock %v", sku, v.Availability, v.Stock)
		}
	}
}

// TestRights: what the token may read is told, and the shop is as good without.
func TestRights(t *testing.T) {
	for _, hidden := range []fakeshop.Options{{}, {HideStock: true}, {HideTags: true}, {HideStock: true, HideTags: true}} {
		shop := newHouse(t, hidden).adapter(t)
		matches, err := shop.Lookup(t.Context(), agent, []string{"RDG-MOSS-M"})
		if err != nil || len(matches) != 1 {
			t.Fatal(matches, err)
		}
		p := matches[0].Product
		if stock := p.Variant(matches[0].Inputs[0].Variant).Stock; (stock == nil) != hidden.HideStock || (p.Tags == nil) != hidden.HideTags {
			t.Errorf("%+v: stock %v, tags %v", hidden, stock, p.Tags)
		}
	}
}

// TestManyVariants: a product has all its variants, however it was found.
func TestManyVariants(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	matches, err := shop.Lookup(t.Context(), agent, []string{"sky-hooks", "SKY-130"})
	if err != nil || len(matches) != 1 {
		t.Fatal(matches, err)
	}
	p := matches[0].Product
	if len(p.Variants) != 130 || len(p.Options[0].Values) != 130 || len(matches[0].Inputs) != 2 {
		t.Errorf("%d variants, %d values, inputs %v", len(p.Variants), len(p.Options[0].Values), matches[0].Inputs)
	}
	results, err := shop.Search(t.Context(), agent, upstream.Query{Words: "sky hooks", Limit: 3})
	if err != nil || len(results.Products) != 1 || len(results.Products[0].Variants) != 130 {
		t.Errorf("Search found %+v, %v", results, err)
	}
	applied := apply(t, shop, upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: p.ID, Quantity: 1}}})
	if len(applied.Notices) != 1 || len(applied.Notices[0].Variants) != 130 {
		t.Errorf("the choice that is open: %+v", applied.Notices)
	}
}

// TestRequests: how many requests a search and a look-up take.
func TestRequests(t *testing.T) {
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	if _, err := shop.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	low, high := int64(9500), int64(9500)
	search := func(q upstream.Query) func() error {
		return func() error { _, err := shop.Search(t.Context(), agent, q); return err }
	}
	lookup := func(refs ...string) func() error {
		return func() error { _, err := shop.Lookup(t.Context(), agent, refs); return err }
	}
	many := []string{"gid://shopify/Product/100", "gid://shopify/Product/101"}
	for n := range 15 {
		many = append(many, "gid://shopify/ProductVariant/"+strconv.Itoa(1001+n))
	}
	h.Asked()
	for _, test := range []struct {
		name string
		call func() error
		want []string
	}{
		{"everything", search(upstream.Query{Limit: 3}), []string{"Products"}},
		{"words", search(upstream.Query{Words: "waterproof", Limit: 3}), []string{"Search"}},
		{"a price", search(upstream.Query{MinPrice: &low, MaxPrice: &high, Limit: 3}), []string{"Products"}},
		{"prices the wrong way round", search(upstream.Query{MinPrice: &low, MaxPrice: new(int64)}), nil},
		{"a collection, first", search(upstream.Query{Categories: []string{"outerwear"}, Limit: 3}), []string{"Categories", "Collection"}},
		{"a collection", search(upstream.Query{Categories: []string{"OUTERWEAR"}, Available: true, Limit: 3}), []string{"Collection"}},
		{"a type", search(upstream.Query{Categories: []string{"Jackets"}, Limit: 3}), []string{"Products"}},
		{"two of a kind", search(upstream.Query{Categories: []string{"Jackets", "Food"}, Limit: 3}), []string{"Products"}},
		{"one of each kind", search(upstream.Query{Categories: []string{"Jackets", "Warm things"}, Limit: 9}), []string{"Products", "MoreVariants"}},
		{"words in a type", search(upstream.Query{Words: "rain", Categories: []string{"Jackets"}, Limit: 3}), []string{"Search"}},
		{"no such category", search(upstream.Query{Categories: []string{"Boats"}, Limit: 3}), []string{"Categories"}},
		{"an id", lookup("gid://shopify/Product/100"), []string{"ByID"}},
		{"a handle", lookup("ember-gas-stove"), []string{"Resolve"}},
		{"an SKU", lookup("EMB"), []string{"Resolve"}},
		{"one of each", lookup("EMB", "gid://shopify/Product/100", "gid://shopify/ProductVariant/1002", "oat-bars"), []string{"Resolve"}},
		{"many", lookup(many...), []string{"Resolve", "ByID"}},
		{"nothing that could be", lookup("", " ", "\x00", "%"), nil},
	} {
		if err := test.call(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := h.Asked(); !slices.Equal(got, test.want) {
			t.Errorf("%s: asked %v, want %v", test.name, got, test.want)
		}
	}
}

// TestCategories: a category that is a collection and a product type holds the
// products of both, and one of a product's twenty-first collection too.
func TestCategories(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	for category, want := range map[string][]string{
		"warm things": {"merino-hiking-socks", "merino-neck-gaiter"},
		"Camping":     {"sky-hooks", "drift-insulated-mat", "ember-gas-stove"},
		"New in":      {"ridge-3l-waterproof-jacket"},
	} {
		results, err := shop.Search(t.Context(), agent, upstream.Query{Categories: []string{category}, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range results.Products {
			got = append(got, p.Handle)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", category, diff)
		}
	}
}

// TestForeignPrices: bounds in another currency than the shop's are not sent.
func TestForeignPrices(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	v := agent
	v.Market.Currency = "JPY"
	low, high := int64(7800), int64(7800)
	results, err := shop.Search(t.Context(), v, upstream.Query{MinPrice: &low, MaxPrice: &high, Limit: 10})
	if err != nil || len(results.Products) != 1 || results.Products[0].Handle != "kids-puddle-rain-jacket" {
		t.Errorf("got %+v, %v", results, err)
	}
}

// TestTotal: Shopify counts what its search finds, and not what filters leave.
func TestTotal(t *testing.T) {
	shop := newHouse(t, fakeshop.Options{}).adapter(t)
	for name, test := range map[string]struct {
		query upstream.Query
		want  int
	}{
		"words":                {upstream.Query{Words: "jacket", Limit: 1}, 2},
		"words and a filter":   {upstream.Query{Words: "jacket", Available: true, Limit: 1}, -1},
		"no words":             {upstream.Query{Limit: 1}, -1},
		"all on the last page": {upstream.Query{Words: "jacket", Available: true, Limit: 10}, 2},
	} {
		results, err := shop.Search(t.Context(), agent, test.query)
		if err != nil || results.Total != test.want {
			t.Errorf("%s: total %d, %v; want %d", name, results.Total, err, test.want)
		}
	}
}

// TestLongPage: a page of ours may be several of Shopify's, and a page of theirs
// several of ours.
func TestLongPage(t *testing.T) {
	h := newHouse(t, fakeshop.Options{Extra: 150})
	shop := h.adapter(t)
	for _, limit := range []int{100, 7} {
		seen := map[string]bool{}
		q := upstream.Query{Categories: []string{"Hardware"}, Limit: limit}
		for {
			results, err := shop.Search(t.Context(), agent, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range results.Products {
				if seen[p.ID] {
					t.Errorf("%s is on two pages", p.Handle)
				}
				seen[p.ID] = true
			}
			if results.Next == "" {
				break
			}
			if len(results.Products) != limit {
				t.Errorf("a page in the middle holds %d of %d", len(results.Products), limit)
			}
			q.Cursor = results.Next
		}
		if len(seen) != 150 {
			t.Errorf("pages of %d hold %d products, want 150", limit, len(seen))
		}
	}
}
