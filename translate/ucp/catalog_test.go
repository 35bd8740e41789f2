package ucp

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/spectest"
	"github.com/storeware/caddy-storeware/upstream"
)

// ask runs an operation of the catalogue on a shelf and validates request and
// answer.
func ask(t *testing.T, s *shelf, op Operation, payload string, market upstream.Market) gjson.Result {
	t.Helper()
	active := activeFrom(op.Root())
	if err := Validate(op, active, []byte(payload)); err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	server := &Server{Catalogue: s, Storefront: "https://shop.example/"}
	reply, err := server.Do(t.Context(), &Call{Op: op, Payload: []byte(payload), Active: active, Negotiated: active, Visit: upstream.Visit{Market: market}})
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	if err := spectest.Open(t, Release).Response(string(op), nil, reply.Status, reply.Body); err != nil {
		t.Errorf("%s: %v\n%s", payload, err, reply.Body)
	}
	if reply.Status != http.StatusOK || reply.Failed != (gjson.GetBytes(reply.Body, "ucp.status").Str == "error") {
		t.Errorf("%s: status %d, failed %v", payload, reply.Status, reply.Failed)
	}
	return gjson.ParseBytes(reply.Body)
}

// texts joins what a path of an answer leads to.
func texts(answer gjson.Result, path string) string {
	var out []string
	for _, value := range answer.Get(path).Array() {
		out = append(out, value.String())
	}
	return strings.Join(out, " ")
}

func TestCatalogGolden(t *testing.T) {
	s := &shelf{products: []upstream.Product{tarnShoe(), mug()}}
	for name, test := range map[string]struct {
		op      Operation
		payload string
	}{
		"search.json":  {SearchCatalog, `{"query":" TARN "}`},
		"lookup.json":  {LookupCatalog, `{"ids":["mug","shoe","SHOE-BLUE-8","tarn-shoe","nothing"]}`},
		"product.json": {GetProduct, `{"id":"shoe","selected":[{"name":"colour","label":"blue"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, []byte(ask(t, s, test.op, test.payload, upstream.Market{}).Raw))
		})
	}
}

func TestSearch(t *testing.T) {
	gbp := upstream.Market{Currency: "GBP"}
	for name, test := range map[string]struct {
		payload string
		market  upstream.Market
		want    string // ids of variants
	}{
		"nothing found":              {`{"query":"hat"}`, gbp, ""},
		"everything":                 {`{"query":""}`, gbp, "shoe-red-9 shoe-red-8 shoe-red-10 shoe-blue-8 shoe-blue-9 shoe-green-9 mug-1"},
		"a category":                 {`{"filters":{"categories":["kitchen","Garden"]}}`, gbp, "mug-1"},
		"the whole path of one":      {`{"filters":{"categories":["Footwear/Shoes"]},"query":"mug"}`, gbp, ""},
		"a price narrows variants":   {`{"filters":{"price":{"max":9000}},"context":{"currency":"GBP"}}`, gbp, "shoe-blue-8 shoe-green-9 mug-1"},
		"both bounds":                {`{"filters":{"price":{"min":10000,"max":10500}},"context":{"currency":"gbp"}}`, gbp, "shoe-red-9"},
		"without a currency":         {`{"filters":{"price":{"max":950}}}`, upstream.Market{}, "mug-1"},
		"filters all hold":           {`{"query":"tarn","filters":{"price":{"max":9000},"categories":["shoes"]}}`, gbp, "shoe-blue-8 shoe-green-9"},
		"unknown filters are no bar": {`{"query":"mug","filters":{"colour":["red"]}}`, gbp, "mug-1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{products: []upstream.Product{tarnShoe(), mug()}}
			answer := ask(t, s, SearchCatalog, test.payload, test.market)
			var got []string
			for _, p := range answer.Get("products").Array() {
				got = append(got, texts(p, "variants.#.id"))
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if test.want == "" && answer.Get("messages").Exists() {
				t.Errorf("an empty search with messages: %s", answer.Raw)
			}
		})
	}
}

// A price filter in a currency that the shop is not visited for is left out, and
// the answer says so.
func TestSearchInAnotherCurrency(t *testing.T) {
	s := &shelf{products: []upstream.Product{mug()}}
	answer := ask(t, s, SearchCatalog, `{"filters":{"price":{"max":1}},"context":{"currency":"CHF"}}`, upstream.Market{})
	if q := s.queries[0]; q.MaxPrice != nil || texts(answer, "products.#.id") != "mug" {
		t.Errorf("query %+v, answer %s", q, answer.Raw)
	}
	if got := texts(answer, "messages.#.code"); got != "price_filter_ignored" {
		t.Errorf("messages %s", got)
	}
}

func TestSearchPages(t *testing.T) {
	s := &shelf{}
	for i := range 23 {
		s.products = append(s.products, priced(fmt.Sprint(i), 100))
	}
	payload, pages, seen := `{"query":"sock"}`, 0, 0
	for {
		answer := ask(t, s, SearchCatalog, payload, upstream.Market{})
		pages++
		seen += len(answer.Get("products").Array())
		if got := answer.Get("pagination.total_count").Int(); got != 23 {
			t.Fatalf("%d in all", got)
		}
		if !answer.Get("pagination.has_next_page").Bool() {
			break
		}
		payload = fmt.Sprintf(`{"query":"sock","pagination":{"cursor":%q}}`, answer.Get("pagination.cursor").Str)
	}
	if pages != 3 || seen != 23 {
		t.Errorf("%d pages with %d products", pages, seen)
	}
	ask(t, s, SearchCatalog, `{"query":"sock","pagination":{"limit":9007199254740991}}`, upstream.Market{})
	if got := s.queries[len(s.queries)-1].Limit; got != maxLimit {
		t.Errorf("limit %d", got)
	}
}

func TestSearchRefusesCursors(t *testing.T) {
	s := &shelf{products: []upstream.Product{mug()}}
	server := &Server{Catalogue: s}
	mugs := upstream.Query{Words: "mug"}
	for name, cursor := range map[string]string{
		"rubbish":               "%%%",
		"of another search":     sealCursor(upstream.Query{Words: "sock"}, "1"),
		"of another filter":     sealCursor(upstream.Query{Words: "mug", Categories: []string{"Kitchen"}}, "1"),
		"that the shop forgot":  sealCursor(mugs, "99"),
		"longer than any of us": strings.Repeat("A", 5000),
	} {
		_, err := server.Do(t.Context(), &Call{Op: SearchCatalog, Payload: fmt.Appendf(nil, `{"query":"mug","pagination":{"cursor":%q}}`, cursor)})
		var f *Failure
		if !errors.As(err, &f) || f.Status != http.StatusBadRequest || !strings.HasPrefix(f.Content, "$.pagination.cursor: must be") {
			t.Errorf("a cursor %s: %v", name, err)
		}
	}
}

// The errors of a shop reach the binding as they are.
func TestCatalogErrors(t *testing.T) {
	down := upstream.Errorf(upstream.CodeUnavailable, "asking", "no answer")
	server := &Server{Catalogue: &shelf{err: down}}
	for op, payload := range map[Operation]string{
		SearchCatalog: `{"query":"x"}`, LookupCatalog: `{"ids":["x"]}`, GetProduct: `{"id":"x"}`,
	} {
		if _, err := server.Do(t.Context(), &Call{Op: op, Payload: []byte(payload)}); !errors.Is(err, down) {
			t.Errorf("%s: %v", op, err)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, test := range map[string]struct {
		payload string
		want    string // each variant's id with its inputs
		missing string
	}{
		"a product":              {`{"ids":["shoe"]}`, `shoe-red-9[{"id":"shoe","match":"featured"}]`, ""},
		"a variant":              {`{"ids":["shoe-red-8"]}`, `shoe-red-8[{"id":"shoe-red-8","match":"exact"}]`, ""},
		"a handle and a SKU":     {`{"ids":["tarn-shoe","SHOE-RED-9"]}`, `shoe-red-9[{"id":"tarn-shoe","match":"featured"},{"id":"SHOE-RED-9","match":"exact"}]`, ""},
		"two of one product":     {`{"ids":["shoe-red-8","shoe"]}`, `shoe-red-8[{"id":"shoe-red-8","match":"exact"}] shoe-red-9[{"id":"shoe","match":"featured"}]`, ""},
		"twice the same":         {`{"ids":["mug","mug"]}`, `mug-1[{"id":"mug","match":"featured"}]`, ""},
		"some that are not":      {`{"ids":["hat","mug",""]}`, `mug-1[{"id":"mug","match":"featured"}]`, "hat "},
		"none that is":           {`{"ids":["hat","` + strings.Repeat("x", 600) + `"]}`, "", "hat " + strings.Repeat("x", 600)},
		"filtered, a product":    {`{"ids":["shoe"],"filters":{"price":{"max":9000}}}`, `shoe-blue-8[{"id":"shoe","match":"featured"}]`, ""},
		"filtered, a variant":    {`{"ids":["shoe-red-8","mug"],"filters":{"price":{"max":9000}}}`, `mug-1[{"id":"mug","match":"featured"}]`, ""},
		"filtered by category":   {`{"ids":["shoe","mug"],"filters":{"categories":["kitchen"]}}`, `mug-1[{"id":"mug","match":"featured"}]`, ""},
		"filtered, all of it":    {`{"ids":["mug"],"filters":{"price":{"min":951}}}`, "", ""},
		"the filter, in no coin": {`{"ids":["mug"],"filters":{"price":{"min":951}},"context":{"currency":"XXQ"}}`, `mug-1[{"id":"mug","match":"featured"}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{products: []upstream.Product{tarnShoe(), mug()}}
			answer := ask(t, s, LookupCatalog, test.payload, upstream.Market{})
			var got []string
			for _, v := range answer.Get("products.#.variants|@flatten").Array() {
				got = append(got, v.Get("id").Str+v.Get("inputs").Raw)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := texts(answer, `messages.#(code=="not_found")#.content`); got != test.missing {
				t.Errorf("not found: %q, want %q", got, test.missing)
			}
		})
	}
	ids := strings.Repeat(`"x",`, 101)
	_, err := (&Server{Catalogue: &shelf{}}).Do(t.Context(), &Call{Op: LookupCatalog, Payload: []byte(`{"ids":[` + ids[:len(ids)-1] + `]}`)})
	var f *Failure
	if !errors.As(err, &f) || f.Status != http.StatusBadRequest || f.Code != RequestTooLarge {
		t.Errorf("101 ids: %v", err)
	}
}

func TestGetProduct(t *testing.T) {
	const colour, size = `{"name":"Colour","label":"%s"}`, `{"name":"Size","label":"%s"}`
	pick := func(c, s string) string { return fmt.Sprintf(colour+","+size, c, s) }
	for name, test := range map[string]struct {
		payload  string
		selected string
		variants string
		// available and exists are the labels for which this is so.
		available, exists string
	}{
		"no selection": {
			`{"id":"shoe"}`, "Red 9", "shoe-red-9", "Red Blue 9 10", "Red Blue Green 8 9 10",
		},
		"one option": {
			`{"id":"shoe","selected":[` + fmt.Sprintf(colour, "Red") + `]}`, "Red", "shoe-red-9 shoe-red-8 shoe-red-10", "Red Blue 9 10", "Red Blue Green 8 9 10",
		},
		"one option in other words": {
			`{"id":"shoe","selected":[{"name":"colour","label":"BLUE"}]}`, "Blue", "shoe-blue-8 shoe-blue-9", "Red Blue 8 9", "Red Blue Green 8 9",
		},
		"all options": {
			`{"id":"shoe","selected":[` + pick("Blue", "9") + `]}`, "Blue 9", "shoe-blue-9", "Red Blue 8 9", "Red Blue Green 8 9",
		},
		"sold out is still there": {
			`{"id":"shoe","selected":[` + pick("Green", "9") + `]}`, "Green 9", "shoe-green-9", "Red Blue", "Red Blue Green 9",
		},
		"relaxed by preference": {
			`{"id":"shoe","selected":[` + pick("Blue", "10") + `],"preferences":["Size","Colour"]}`, "10", "shoe-red-10", "Red 9 10 8", "Red 8 9 10",
		},
		"relaxed the other way": {
			`{"id":"shoe","selected":[` + pick("Blue", "10") + `],"preferences":["colour","size"]}`, "Blue", "shoe-blue-8 shoe-blue-9", "Red Blue 8 9", "Red Blue Green 8 9",
		},
		"the preferred one stays": {
			`{"id":"shoe","selected":[` + pick("Blue", "10") + `],"preferences":["Size"]}`, "10", "shoe-red-10", "Red 9 10 8", "Red 8 9 10",
		},
		"relaxed without preference": {
			`{"id":"shoe","selected":[` + pick("Blue", "10") + `]}`, "Blue", "shoe-blue-8 shoe-blue-9", "Red Blue 8 9", "Red Blue Green 8 9",
		},
		"a value that nobody has": {
			`{"id":"shoe","selected":[` + pick("Blue", "44") + `],"preferences":["Size","Colour"]}`, "Blue", "shoe-blue-8 shoe-blue-9", "Red Blue 8 9", "Red Blue Green 8 9",
		},
		"an option that nobody has": {
			`{"id":"shoe","selected":[{"name":"Width","label":"wide"}]}`, "", "shoe-red-9 shoe-red-8 shoe-red-10 shoe-blue-8 shoe-blue-9 shoe-green-9", "Red Blue 8 9 10", "Red Blue Green 8 9 10",
		},
		"a variant": {
			`{"id":"shoe-red-8"}`, "Red 8", "shoe-red-8", "Blue 9 10", "Red Blue 8 9 10",
		},
		"a variant against its selection": {
			`{"id":"SHOE-RED-8","selected":[` + fmt.Sprintf(colour, "Blue") + `]}`, "Red 8", "shoe-red-8", "Blue 9 10", "Red Blue 8 9 10",
		},
		"a price": {
			`{"id":"shoe","filters":{"price":{"max":9500}}}`, "Blue 8", "shoe-blue-8", "Blue 8 9", "Red Blue 8 9",
		},
		"no options": {
			`{"id":"mug"}`, "", "mug-1", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{products: []upstream.Product{tarnShoe(), mug()}}
			product := ask(t, s, GetProduct, test.payload, upstream.Market{}).Get("product")
			if got := texts(product, "selected.#.label"); got != test.selected {
				t.Errorf("selected %q, want %q", got, test.selected)
			}
			if product.Get("selected").Exists() != product.Get("options").Exists() {
				t.Errorf("selected %s, options %s", product.Get("selected"), product.Get("options"))
			}
			if got := texts(product, "variants.#.id"); got != test.variants {
				t.Errorf("variants %q, want %q", got, test.variants)
			}
			for signal, want := range map[string]string{"available": test.available, "exists": test.exists} {
				have := map[string]bool{}
				for _, label := range strings.Fields(want) {
					have[label] = true
				}
				for _, value := range product.Get("options.#.values|@flatten").Array() {
					if got := value.Get(signal); !got.Exists() || got.Bool() != have[value.Get("label").Str] {
						t.Errorf("%s %s: %q", value.Get("label"), signal, got.Raw)
					}
				}
			}
		})
	}
}

func TestGetProductNotFound(t *testing.T) {
	s := &shelf{products: []upstream.Product{tarnShoe()}}
	for _, payload := range []string{
		`{"id":"hat"}`, `{"id":""}`,
		`{"id":"shoe","filters":{"price":{"max":1}}}`,
		`{"id":"shoe-red-8","filters":{"price":{"max":10000}}}`,
		`{"id":"shoe","selected":[{"name":"Colour","label":"Red"}],"filters":{"price":{"max":9500}}}`,
	} {
		answer := ask(t, s, GetProduct, payload, upstream.Market{})
		for path, want := range map[string]string{
			"ucp.status": "error", "messages.0.code": "not_found", "messages.0.severity": "unrecoverable", "continue_url": "https://shop.example/",
			`ucp.capabilities.dev\.ucp\.shopping\.catalog\.lookup.0.version`: Release,
		} {
			if got := answer.Get(path).String(); got != want {
				t.Errorf("%s: %s is %q, want %q", payload, path, got, want)
			}
		}
	}
}
