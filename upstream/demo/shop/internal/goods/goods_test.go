package goods

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/money"
)

func builtInCatalogue(t *testing.T) *Catalogue {
	t.Helper()
	c, err := BuiltIn(Home)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func handles(c *Catalogue, found []int) []string {
	out := make([]string, len(found))
	for i, index := range found {
		out[i] = c.Products[index].Handle
	}
	return out
}

// TestAnswersPage holds the products to what the seed pages say of them.
func TestAnswersPage(t *testing.T) {
	c := builtInCatalogue(t)
	var within, beyond []string
	cheapest := int64(1 << 60)
	for i := range c.Products {
		p := &c.Products[i]
		if !slices.Contains(p.Categories, "Footwear/Walking boots") {
			continue
		}
		if p.Variants[0].Price <= 15000 && slices.Equal(p.Fact("waterproof"), []string{"true"}) {
			within = append(within, p.Handle)
			continue
		}
		beyond = append(beyond, p.Handle)
		for _, v := range p.Variants {
			cheapest = min(cheapest, v.Price)
		}
	}
	if diff := cmp.Diff([]string{"fjell-trail-gtx"}, within); diff != "" {
		t.Errorf("waterproof walking boots under £150 (-want +got):\n%s", diff)
	}
	if len(beyond) != 4 || cheapest != 18000 {
		t.Errorf("ruled out are %v from %d pence, want 4 from 18000", beyond, cheapest)
	}
	for handle, price := range map[string]int64{"fjell-trail-gtx": 12000, "alpine-summit-gtx": 18000} {
		ref, ok := c.Find(handle)
		if !ok || c.Products[ref.Product].Variants[0].Price != price {
			t.Errorf("%s: found %v, want it at %d pence", handle, ok, price)
		}
	}
	ref, _ := c.Find("tarn-wellington-boot")
	wellington := c.Products[ref.Product]
	if !strings.HasPrefix(wellington.ID, "6c1f2b9a-") || !slices.Contains(wellington.Fact("material"), "natural rubber") {
		t.Errorf("the Tarn Wellington Boot is %+v", wellington)
	}
	if wellington.Fact("waterproof") != nil || strings.Contains(strings.ToLower(wellington.Description), "waterproof") {
		t.Error("the Tarn Wellington Boot is recorded as waterproof or not; the ask page says it is not recorded")
	}
	ref, _ = c.Find("ember-fleece")
	if got := c.Products[ref.Product].Fact("colour"); !slices.Equal(got, []string{"rust"}) {
		t.Errorf("the Ember Fleece is recorded as %v, want rust", got)
	}
}

func TestBuiltInHasWhatTestsNeed(t *testing.T) {
	c := builtInCatalogue(t)
	var soldOut, partly, onSale, digital, zero, oversize, discontinued, three int
	for i := range c.Products {
		p := &c.Products[i]
		none, sale := 0, false
		for _, v := range p.Variants {
			if v.Stock == 0 {
				none++
			}
			sale = sale || v.ListPrice > v.Price
		}
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&soldOut, none == len(p.Variants) && !p.Discontinued)
		count(&partly, none > 0 && none < len(p.Variants))
		count(&onSale, sale)
		count(&digital, p.Digital)
		count(&zero, p.ZeroRated)
		count(&oversize, p.Oversize)
		count(&discontinued, p.Discontinued)
		count(&three, len(p.Options) == 3)
	}
	if len(c.Products) < 60 {
		t.Errorf("%d products, want about 60", len(c.Products))
	}
	for what, n := range map[string]int{
		"wholly sold out": soldOut, "partly sold out": partly, "on sale": onSale, "digital": digital,
		"zero-rated": zero, "oversize": oversize, "discontinued": discontinued, "with three options": three,
	} {
		if n == 0 {
			t.Errorf("no product is %s", what)
		}
	}
}

func TestSearch(t *testing.T) {
	c := builtInCatalogue(t)
	tests := []struct {
		words string
		first []string
	}{
		{"waterproof walking boots", []string{"moraine-leather-boot", "icefall-winter-boot", "fjell-trail-gtx", "alpine-summit-gtx", "cairn-light-mid"}},
		{"FJELL", []string{"fjell-trail-gtx"}},
		{"gtx", []string{"fjell-trail-gtx", "alpine-summit-gtx"}},
		{"natural rubber", []string{"tarn-wellington-boot"}},
		{"RDG-SLATE-M", []string{"ridge-3l-jacket"}},
		{"the stoneware mug", []string{"kiln-stoneware-mug"}},
		{"kids' jacket", []string{"kids-puddle-jacket"}},
	}
	for _, test := range tests {
		got := handles(c, c.Search(test.words))
		if len(got) < len(test.first) || !slices.Equal(got[:len(test.first)], test.first) {
			t.Errorf("%q finds %v, want %v first", test.words, got, test.first)
		}
	}
	if got := c.Search("  "); len(got) != len(c.Products) {
		t.Errorf("no words find %d products, want all %d", len(got), len(c.Products))
	}
	for _, words := range []string{"telescope", "!?", "%", "_"} {
		if got := c.Search(words); len(got) != 0 {
			t.Errorf("%q finds %v, want nothing", words, handles(c, got))
		}
	}
}

func TestSearchInScriptsWithoutSpaces(t *testing.T) {
	c, err := Read(strings.NewReader(`{"id":"1","handle":"a","title":"防水の登山靴","price_minor":15000,"currency":"JPY"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Search("登山靴"); len(got) != 1 {
		t.Errorf("found %d products, want 1", len(got))
	}
}

func TestConvert(t *testing.T) {
	for _, test := range []struct {
		pence    int64
		currency money.Currency
		want     int64
	}{
		{12000, "GBP", 12000},
		{12000, "JPY", 22800},
		{495, "JPY", 941},
		{10000, "EUR", 11700},
		{10000, "USD", 13400},
		{495, "CHF", 495},
		{495, "KWD", 4950},
	} {
		got, err := Convert(test.pence, test.currency)
		if err != nil || got != test.want {
			t.Errorf("Convert(%d, %s) = %d, %v, want %d", test.pence, test.currency, got, err, test.want)
		}
	}
	if _, err := BuiltIn("XXX"); !errors.Is(err, money.ErrCurrency) {
		t.Errorf("a currency that is none: %v, want ErrCurrency", err)
	}
	yen, err := BuiltIn("JPY")
	if err != nil {
		t.Fatal(err)
	}
	ref, _ := yen.Find("fjell-trail-gtx")
	if got := yen.Products[ref.Product].Variants[0].Price; yen.Currency != "JPY" || got != 22800 {
		t.Errorf("a Fjell costs %d %s, want 22800 JPY", got, yen.Currency)
	}
}

const row = `{"id":"p1","handle":"mug","title":"Mug","price_minor":1600,"currency":"GBP"`

func TestReadRow(t *testing.T) {
	got, err := Read(strings.NewReader("\ufeff" + row + `,"category":"Home / Tableware","brand":"Kiln","description":"A <b>fine</b> mug,<br />5 &lt; 6 &amp; 3 < 4",` +
		`"attributes":{"dishwasher safe":true,"ml":320,"colour":["Rust"," Oat "],"none":null,"empty":""},"tags":["a"],` +
		`"rating":{"hundredths":450,"count":3},"tax":"zero","source":"elsewhere","variants":[` +
		`{"sku":"M-R","size":2,"colour":"Rust","stock":3},` +
		`{"colour":"Oat","size":2,"sku":"M-O","price_minor":1700,"list_price_minor":2000,"in_stock":false,"stock":9}]}` + "\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Product{{
		ID: "p1", Handle: "mug", Title: "Mug", Brand: "Kiln",
		Description: "A fine mug, 5 < 6 & 3 < 4",
		Categories:  []string{"Home", "Home/Tableware"},
		Tags:        []string{"a"},
		Facts:       []Fact{{"dishwasher safe", []string{"true"}}, {"ml", []string{"320"}}, {"colour", []string{"Rust", "Oat"}}},
		Options:     []Option{{"size", []string{"2"}}, {"colour", []string{"Rust", "Oat"}}},
		Variants: []Variant{
			{ID: "v-M-R", SKU: "M-R", Title: "2 / Rust", Choices: []Choice{{"size", "2"}, {"colour", "Rust"}}, Price: 1600, Stock: 3},
			{ID: "v-M-O", SKU: "M-O", Title: "2 / Oat", Choices: []Choice{{"size", "2"}, {"colour", "Oat"}}, Price: 1700, ListPrice: 2000},
		},
		Rating: &Rating{450, 3}, ZeroRated: true,
	}}
	if diff := cmp.Diff(want, got.Products, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadWithoutVariants(t *testing.T) {
	c, err := Read(strings.NewReader(row + `,"in_stock":true}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Variant{{ID: "v-MUG", SKU: "MUG", Title: "Mug", Price: 1600, Stock: Uncounted}}
	if diff := cmp.Diff(want, c.Products[0].Variants); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Counted() {
		t.Error("nobody counts the mug, and the catalogue says it is counted")
	}
}

// TestRowErrors also says that the row is named, not only that there is an error.
func TestRowErrors(t *testing.T) {
	good := row + "}\n"
	second := func(fields string) string {
		return good + "\n" + `{"id":"p2","handle":"jug","title":"Jug","price_minor":1,"currency":"GBP"` + fields + "}"
	}
	tests := []struct{ name, rows, want string }{
		{"empty", "", "the catalogue has no products"},
		{"not JSON", "{", "row 1 of the catalogue: not JSON"},
		{"not an object", good + "[1]", "row 2 of the catalogue: not a JSON object"},
		{"not UTF-8", "{\"id\":\"\xff\"}", "row 1 of the catalogue: not UTF-8"},
		{"no id", `{"handle":"a","title":"A","price_minor":1,"currency":"GBP"}`, "row 1 of the catalogue: id is missing or empty"},
		{"price with a fraction", `{"id":"1","handle":"a","title":"A","price_minor":12.5,"currency":"GBP"}`, `row 1 of the catalogue: price_minor is "12.5", want a whole number from 0 to 1000000000000`},
		{"price as text", `{"id":"1","handle":"a","title":"A","price_minor":"12","currency":"GBP"}`, `price_minor is "\"12\"", want a whole number`},
		{"price with an exponent", `{"id":"1","handle":"a","title":"A","price_minor":1e3,"currency":"GBP"}`, `price_minor is "1e3"`},
		{"price below zero", `{"id":"1","handle":"a","title":"A","price_minor":-1,"currency":"GBP"}`, `price_minor is "-1"`},
		{"unknown currency", `{"id":"1","handle":"a","title":"A","price_minor":1,"currency":"XXX"}`, "currency: \"XXX\": not an ISO 4217 currency code"},
		{"handle with a slash", `{"id":"1","handle":"a/b","title":"A","price_minor":1,"currency":"GBP"}`, `handle is "a/b", want letters`},
		{"other currency", good + `{"id":"2","handle":"b","title":"B","price_minor":1,"currency":"EUR"}`, "row 2 of the catalogue: currency is EUR, and GBP in the rows before"},
		{"second id", good + "\n" + row + "}", `row 3 of the catalogue: "p1" is the id, handle or SKU of row 1 already`},
		{"SKU of another", second(`,"sku":"mug"`), `row 3 of the catalogue: "mug" is the id, handle or SKU of row 1 already`},
		{"stock as text", second(`,"stock":"many"`), `stock is "\"many\"", want a whole number`},
		{"flag as text", second(`,"in_stock":"yes"`), `in_stock is "\"yes\"", want true or false`},
		{"attributes as list", second(`,"attributes":[]`), "attributes are not an object"},
		{"nested attribute", second(`,"attributes":{"a":{"b":1}}`), `attribute a is "{\"b\":1}", want a text or a list of texts`},
		{"tax", second(`,"tax":"reduced"`), `tax is "reduced", want standard or zero`},
		{"no variants", second(`,"variants":[]`), "want a list of variants"},
		{"variant without SKU", second(`,"variants":[{"size":"S"}]`), "sku is missing or empty"},
		{"variant that is none", second(`,"variants":["S"]`), "variant 1 is"},
		{"nested option", second(`,"variants":[{"sku":"J","size":{"a":1}}]`), `option "size" of a variant is`},
		{"equal variants", second(`,"variants":[{"sku":"J","size":"S"},{"sku":"K","size":"S"}]`), `variant "K" is like another one`},
		{"equal SKUs", second(`,"variants":[{"sku":"J","size":"S"},{"sku":"J","size":"M"}]`), `two variants have the SKU "J"`},
		{"id of a variant", second(`,"variants":[{"sku":"J","size":"S"},{"sku":"v-J","size":"M"}]`), `two variants have`},
		{"other options", second(`,"variants":[{"sku":"J","size":"S"},{"sku":"K","colour":"Red"}]`), `variant "K" does not have the options of variant "J"`},
		{"too long", good + `{"id":"` + strings.Repeat("x", maxRow), "row 2 of the catalogue: longer than 1048576 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(test.rows))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			if rowError := (*RowError)(nil); test.rows != "" && !errors.As(err, &rowError) {
				t.Errorf("%T does not say which row it is", err)
			}
		})
	}
}

func TestCategories(t *testing.T) {
	var rows strings.Builder
	for i, category := range []string{"Men/Tops", "Gear", "Men", "Men/Shoes", "Gear/Bags", "Men/Tops/Tees"} {
		fmt.Fprintf(&rows, `{"id":"p%d","handle":"h%d","title":"T","price_minor":1,"currency":"USD","category":%q}`+"\n", i, i, category)
	}
	c, err := Read(strings.NewReader(rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	want := []Category{{"Men", 4}, {"Men/Tops", 2}, {"Men/Tops/Tees", 1}, {"Men/Shoes", 1}, {"Gear", 2}, {"Gear/Bags", 1}}
	if diff := cmp.Diff(want, c.Categories); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(row + `,"variants":[{"sku":"A","size":"S","price_minor":1,"in_stock":true}],"attributes":{"a":["b"]}}`)
	f.Add(row + `,"description":"<b>5 < 6</b> &amp;","category":"A / B//","tags":"one","rating":{"hundredths":1,"count":2}}`)
	f.Add("{}\n[]\n\n{\"id\":1}")
	f.Fuzz(func(t *testing.T, rows string) {
		c, err := Read(strings.NewReader(rows))
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for i := range c.Products {
			p := &c.Products[i]
			if len(p.Variants) == 0 {
				t.Fatalf("%q has no variant", p.ID)
			}
			for _, id := range append([]string{p.ID}, variantIDs(p)...) {
				if ids[id] {
					t.Fatalf("two things have the id %q", id)
				}
				ids[id] = true
				if ref, ok := c.Find(id); !ok || ref.Product != i {
					t.Fatalf("%q is not found", id)
				}
			}
			for _, v := range p.Variants {
				if len(v.Choices) != len(p.Options) || v.Price < 0 || v.Stock < Uncounted || v.Title == "" {
					t.Fatalf("bad variant %+v", v)
				}
			}
		}
		c.Search(rows)
	})
}

func variantIDs(p *Product) []string {
	var out []string
	for _, v := range p.Variants {
		out = append(out, v.ID)
	}
	return out
}
