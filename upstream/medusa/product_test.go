package medusa

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// TestVariants: what makes a variant buyable, and what it costs.
func TestVariants(t *testing.T) {
	products, err := aShop(t).readProducts(searching, &knowledge{}, gjson.Parse(`[{
		"id":"prod_1","title":"Hat &amp; cap","description":"<p>Warm.</p>","thumbnail":"https://shop.example/a.png",
		"images":[{"url":"https://shop.example/a.png"},{"url":"https://shop.example/b.png"}],
		"options":[{"title":"Size","values":[{"value":"S"},{"value":"M"},{"value":"L"},{"value":"XL"}]}],
		"variants":[
			{"id":"v_sale","upc":"12","manage_inventory":true,"inventory_quantity":2,"options":[{"value":"S","option":{"title":"Size"}}],
				"calculated_price":{"calculated_amount":8,"original_amount":10.5,"currency_code":"gbp","is_calculated_price_tax_inclusive":true}},
			{"id":"v_later","manage_inventory":true,"allow_backorder":true,"inventory_quantity":-3,"options":[{"value":"M","option":{"title":"Size"}}],
				"calculated_price":{"calculated_amount":10.5,"original_amount":10.5,"currency_code":"gbp"}},
			{"id":"v_always","manage_inventory":false,"options":[{"value":"L","option":{"title":"Size"}}],
				"calculated_price":{"calculated_amount":10.5,"original_amount":9,"currency_code":"gbp"}},
			{"id":"v_unpriced","options":[{"value":"XL","option":{"title":"Size"}}],"calculated_price":null}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	g := products[0]
	two, none, before := int64(2), int64(0), gbp(1050)
	size := func(s string) []upstream.Choice { return []upstream.Choice{{Name: "Size", Value: s}} }
	want := []upstream.Variant{
		{ID: "v_sale", Barcode: "12", Options: size("S"), Price: gbp(800), ListPrice: &before, Tax: upstream.TaxIncluded, Availability: upstream.InStock, Stock: &two},
		{ID: "v_later", Options: size("M"), Price: gbp(1050), Tax: upstream.TaxExcluded, Availability: upstream.Backorder, Stock: &none},
		{ID: "v_always", Options: size("L"), Price: gbp(1050), Tax: upstream.TaxExcluded, Availability: upstream.InStock},
	}
	if diff := cmp.Diff(want, g.Variants); diff != "" {
		t.Errorf("variants (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]upstream.Option{{Name: "Size", Values: []string{"S", "M", "L"}}}, g.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"v_sale": 2}, g.limits); diff != "" || g.Title != "Hat & cap" || g.Description != "Warm." || len(g.Media) != 2 {
		t.Errorf("%+v; limits (-want +got):\n%s", g.Product, diff)
	}
	if diff := cmp.Diff([]string{"v_unpriced"}, g.unpriced); diff != "" {
		t.Errorf("unpriced (-want +got):\n%s", diff)
	}
}

// TestOneVariant: with one variant there is nothing to choose.
func TestOneVariant(t *testing.T) {
	products, err := aShop(t).readProducts(searching, &knowledge{}, gjson.Parse(`[{
		"id":"prod_1","title":"Hat","options":[{"title":"Default option","values":[{"value":"Default option value"}]},{"title":"Colour","values":[{"value":"Red"}]}],
		"variants":[{"id":"v_1","title":"Default variant","options":[
			{"value":"Default option value","option":{"title":"Default option"}},{"value":"Red","option":{"title":"Colour"}}],
			"calculated_price":{"calculated_amount":10,"currency_code":"gbp"}}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	p := products[0].Product
	if len(p.Options) > 0 || len(p.Variants[0].Options) > 0 || p.Variants[0].Title != "Hat" {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([]upstream.Attribute{{Key: "Colour", Values: []string{"Red"}}}, p.Attributes); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}

func TestBatches(t *testing.T) {
	long := strings.Repeat("x", maxRef+1)
	if got := batches([]string{"", "a", long, "b\x00", "a", "b"}); !cmp.Equal(got, [][]string{{"a", "b"}}) {
		t.Errorf("got %v", got)
	}
	var many []string
	for i := range 100 {
		many = append(many, strings.Repeat("ü", 10)+fmt.Sprint(i))
	}
	got := batches(many)
	n := 0
	for _, some := range got {
		n += len(some)
		if size := len(strings.Join(some, "")) * 3; size > 2*maxRefBytes {
			t.Errorf("a batch has %d bytes", size)
		}
	}
	if n != len(many) || len(got) != 3 {
		t.Errorf("%d references in %d batches", n, len(got))
	}
}

func TestSearchQuery(t *testing.T) {
	k := markets()
	k.categories = categories{"pcat_1": {name: "Jackets"}}
	for words, want := range map[string]upstream.Code{
		"":                          "",
		"  warm\x00  hat \n":        "",
		strings.Repeat("a ", 64):    "",
		strings.Repeat("a ", 65):    upstream.CodeInvalid,
		strings.Repeat("a", 1000):   "",
		strings.Repeat("a", 1001):   upstream.CodeInvalid,
		strings.Repeat("über ", 60): "",
	} {
		query, _, err := k.searchQuery(upstream.Visit{}, upstream.Query{Words: words})
		if upstream.CodeOf(err) != want {
			t.Errorf("%.20q: %v, want %q", words, err, want)
		}
		if q := query.Get("q"); strings.ContainsAny(q, "\x00\n") || strings.TrimSpace(q) != q {
			t.Errorf("%.20q is sent as %q", words, q)
		}
	}
	for name, test := range map[string]struct {
		query upstream.Query
		ids   int
		exact bool
	}{
		"a category":            {upstream.Query{Categories: []string{"jackets"}}, 1, true},
		"a category and stock":  {upstream.Query{Categories: []string{"jackets"}, Available: true}, 1, false},
		"more than can be sent": {upstream.Query{Categories: []string{"jackets", "Many"}}, 0, false},
	} {
		for i := range maxFiltered {
			k.categories[fmt.Sprint("pcat_many_", i)] = category{name: "Many"}
		}
		query, exact, err := k.searchQuery(upstream.Visit{}, test.query)
		if ids := query["category_id[]"]; err != nil || len(ids) != test.ids || exact != test.exact {
			t.Errorf("%s: %d categories are sent, exact: %v, %v", name, len(ids), exact, err)
		}
	}
}
