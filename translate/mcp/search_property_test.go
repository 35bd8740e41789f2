package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/upstream"
)

// witness is a finder that says afterwards what was found.
type witness struct {
	answer.Finder
	mu    sync.Mutex
	found map[string]upstream.Product
}

// Find implements answer.Finder.
func (w *witness) Find(ctx context.Context, v upstream.Visit, wanted answer.Wanted, most int) ([]upstream.Product, error) {
	products, err := w.Finder.Find(ctx, v, wanted, most)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range products {
		w.found[products[i].ID] = products[i]
	}
	return products, err
}

// searches is a desk whose every search is held against what was found.
type searches struct {
	*desk
	witness   *witness
	published *jsonschema.Schema
	catalogue []upstream.Product
}

func newSearches(t testing.TB) *searches {
	t.Helper()
	s := &searches{desk: newDesk(t)}
	s.witness = &witness{Finder: s.door.Server.Answers.Finder}
	s.door.Server.Answers.Finder = s.witness
	var document map[string]any
	if err := json.Unmarshal(schema.Document(), &document); err != nil {
		t.Fatal(err)
	}
	document["$ref"] = "#/$defs/answer"
	s.published = compiled(t, encode(t, document))
	for place, more := upstream.Place(""), true; more; {
		page, err := s.adapter.(upstream.Walker).Walk(t.Context(), upstream.Visit{}, place)
		if err != nil {
			t.Fatal(err)
		}
		s.catalogue = append(s.catalogue, page.Products...)
		place, more = page.Next, page.More
	}
	return s
}

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// search asks, and checks the answer by itself: it names nothing but what was found,
// at its price, and what was found is in it once. It returns nothing where the
// arguments are refused.
func (s *searches) search(t failer, ctx context.Context, arguments map[string]any) gjson.Result {
	t.Helper()
	s.witness.found = map[string]upstream.Product{}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(toolMessage(1, "search_products", string(encoded))))
	r.Header.Set("Authorization", "Bearer "+s.keys["scout"].Reveal())
	w := httptest.NewRecorder()
	s.door.ServeHTTP(w, r)
	body := w.Body.String()
	got := gjson.Get(body, "result.structuredContent")
	if w.Code != http.StatusOK || got.Exists() == gjson.Get(body, "result.isError").Bool() {
		t.Fatalf("%s: %d %s", encoded, w.Code, body)
	}
	if !got.Exists() {
		return got
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.Raw))
	if err == nil {
		err = s.published.Validate(value)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", encoded, err, got.Raw)
	}
	named := map[string]bool{}
	for _, item := range slices.Concat(got.Get("results").Array(), got.Get("ruled_out").Array()) {
		id := item.Get("id").Str
		p, found := s.witness.found[id]
		v := p.Variant(item.Get("variant_id").Str)
		if !found || named[id] || v == nil || v.Price.Minor != item.Get("price_minor").Int() {
			t.Fatalf("%s names %s; found %v, named before %v, the variant is %+v", encoded, item.Raw, found, named[id], v)
		}
		named[id] = true
	}
	for _, item := range got.Get("results").Array() {
		if outcomes := item.Get(`verdicts.#(outcome!="satisfied")`); outcomes.Exists() {
			t.Fatalf("%s: a result with %s", encoded, outcomes.Raw)
		}
	}
	for _, item := range got.Get("ruled_out").Array() {
		if !item.Get(`verdicts.#(outcome!="satisfied")`).Exists() {
			t.Fatalf("%s: ruled out for nothing: %s", encoded, item.Raw)
		}
	}
	for i := range s.catalogue {
		if p := &s.catalogue[i]; !named[p.ID] && strings.Contains(body, p.ID) {
			t.Fatalf("%s: %s is named and neither a result nor ruled out: %s", encoded, p.Title, body)
		}
	}
	if n := got.Get("results_count").Int() + got.Get("ruled_out_count").Int() + got.Get("unrelated_count").Int(); n != int64(len(s.witness.found)) {
		t.Fatalf("%s: %d are results, ruled out or unrelated, %d were found: %s", encoded, n, len(s.witness.found), got.Raw)
	}
	if n := got.Get("ruled_out_count").Int(); got.Get("ruled_out.#").Int() != min(n, 10) {
		t.Fatalf("%s: %d of %d that were ruled out are shown", encoded, got.Get("ruled_out.#").Int(), n)
	}
	if (got.Get("ruled_out_count").Int() > 0) != (got.Get("cheapest_ruled_out_minor").Type == gjson.Number) {
		t.Fatalf("%s: the cheapest of %d is %s", encoded, got.Get("ruled_out_count").Int(), got.Get("cheapest_ruled_out_minor").Raw)
	}
	return got
}

// Whatever is asked for, nothing is invented and nothing lost (promise 4), over all
// pages.
func TestSearchInventsNothing(t *testing.T) {
	s := newSearches(t)
	things := []string{"waterproof walking boots", "a rust fleece", "a waterproof jacket and warm gloves", "enamel mug", "coffee machine", "something warm", "xylophone", ""}
	pairs := [][2]string{{"waterproof", "true"}, {"colour", "rust orange"}, {"material", "leather"}, {"nothing", "known"}}
	draw := func(t *rapid.T, name string, set func(any)) {
		if rapid.Bool().Draw(t, name) {
			pair := rapid.SampledFrom(pairs).Draw(t, name+" pair")
			set([]map[string]string{{"key": pair[0], "value": pair[1]}})
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		arguments := map[string]any{"query": rapid.SampledFrom(things).Draw(t, "thing"), "limit": rapid.IntRange(1, 50).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "priced") {
			arguments["query"] = arguments["query"].(string) + rapid.SampledFrom([]string{" under £150", " from £20", " around 100 quid", " for $5"}).Draw(t, "price")
		}
		if rapid.Bool().Draw(t, "bound") {
			arguments["max_price_minor"] = rapid.Int64Range(0, 40000).Draw(t, "most")
		}
		draw(t, "required", func(v any) { arguments["required_attributes"] = v })
		draw(t, "excluded", func(v any) { arguments["excluded_attributes"] = v })
		if rapid.Bool().Draw(t, "in stock") {
			arguments["in_stock"] = true
		}
		seen := map[string]bool{}
		for pages := 0; ; pages++ {
			got := s.search(t, s.t.Context(), arguments)
			for _, id := range got.Get("results.#.id").Array() {
				if seen[id.Str] {
					t.Fatalf("%s is on two pages", id.Str)
				}
				seen[id.Str] = true
			}
			next := got.Get("next").Str
			if next == "" {
				if n := got.Get("results_count").Int(); n != int64(len(seen)) {
					t.Fatalf("%v: %d results on %d pages, and %d in all", arguments, len(seen), pages+1, n)
				}
				return
			}
			arguments["cursor"] = next
		}
	})
}

// The same, for whatever words and constraints there may be.
func FuzzSearch(f *testing.F) {
	f.Add("waterproof walking boots under £150, not leather", "waterproof", "true", int64(0), int64(15000), "")
	f.Add("a waterproof jacket and warm gloves", "colour", "rust orange", int64(1), int64(-1), "GBP")
	f.Add("Stiefel bis 1.299,00 €", "größe", "42", int64(-1), int64(1<<53-1), "EUR")
	f.Add("¥3,000以下の靴", " ", "\x00", int64(5), int64(4), "jpy")
	f.Add("", "a\"b", "\n", int64(0), int64(0), "pounds")
	s := newSearches(f)
	f.Fuzz(func(t *testing.T, query, key, value string, least, most int64, currency string) {
		s.search(t, t.Context(), map[string]any{
			"query": query, "required_attributes": []map[string]string{{"key": key, "value": value}},
			"min_price_minor": least, "max_price_minor": most, "currency": currency,
		})
		s.search(t, t.Context(), map[string]any{
			"query": query, "excluded_attributes": []map[string]string{{"key": key, "value": value}}, "limit": 1,
		})
	})
}
