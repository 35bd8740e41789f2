package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// shop is a catalogue that can change between being indexed and being read.
type shop struct {
	products []upstream.Product
	err      error
}

// Lookup implements upstream.Catalogue.
func (s *shop) Lookup(_ context.Context, _ upstream.Visit, refs []string) ([]upstream.Match, error) {
	var matches []upstream.Match
	for _, ref := range refs {
		if i := slices.IndexFunc(s.products, func(p upstream.Product) bool { return p.ID == ref }); i >= 0 {
			matches = append(matches, upstream.Match{Product: s.products[i], Inputs: []upstream.Input{{Ref: ref}}})
		}
	}
	return matches, s.err
}

// Search implements upstream.Catalogue, with one LIKE as most shops have it.
func (s *shop) Search(_ context.Context, _ upstream.Visit, q upstream.Query) (upstream.Results, error) {
	var found []upstream.Product
	for _, p := range s.products {
		if q.Match(&p) && strings.Contains(strings.ToLower(p.Title+p.Description), strings.ToLower(q.Words)) {
			found = append(found, p)
		}
	}
	return upstream.Results{Products: found, Total: len(found)}, s.err
}

// thing makes a product: "title | category | price | key=value, … | text".
func thing(id, line string) upstream.Product {
	parts := strings.Split(line, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	p := upstream.Product{ID: id, Handle: strings.ReplaceAll(strings.ToLower(parts[0]), " ", "-"), Title: parts[0], Categories: []string{parts[1]}}
	var minor int64
	if _, err := fmt.Sscan(parts[2], &minor); err != nil {
		panic(err)
	}
	for fact := range strings.SplitSeq(parts[3], ",") {
		if key, value, ok := strings.Cut(strings.TrimSpace(fact), "="); ok {
			p.Attributes = append(p.Attributes, upstream.Attribute{Key: key, Values: []string{value}})
		}
	}
	if len(parts) > 4 {
		p.Description = parts[4]
	}
	p.Variants = []upstream.Variant{{ID: id + "-1", Title: p.Title, Price: money.Amount{Minor: minor, Currency: "GBP"}, Availability: upstream.InStock}}
	return p
}

// outdoor is a small shop, with what the answers page names.
func outdoor() *shop {
	var s shop
	for i, line := range []string{
		"Fjell Trail GTX | Footwear/Walking Boots | 12000 | waterproof=true, colour=brown | Walking boots for wet weeks.",
		"Alpine Summit GTX | Footwear/Walking Boots | 18000 | waterproof=true, colour=grey | Walking boots for the high hills.",
		"Meadow Walking Boots | Footwear/Walking Boots | 9000 | waterproof=false, colour=rust | Light walking boots, not waterproof.",
		"Ridge Walking Boots | Footwear/Walking Boots | 14000 | colour=black | Walking boots of leather.",
		"Plain Walking Boots | Footwear/Walking Boots | 5000 | |",
		"Boot Wax | Care/Wax | 900 | waterproof=true | Wax for walking boots, keeps them waterproof.",
		"Sock Liner | Footwear/Socks | 1200 | colour=grey | Socks for walking boots.",
		"Storm Jacket | Clothing/Jackets | 16000 | waterproof=true, colour=navy | A waterproof jacket.",
		"Breeze Jacket | Clothing/Jackets | 8000 | waterproof=false, colour=red | A light jacket.",
		"Loft Gloves | Clothing/Gloves | 3000 | warm=true, colour=black | Warm gloves.",
		"Thin Gloves | Clothing/Gloves | 2000 | warm=false, colour=black | Thin gloves.",
		"Enamel Mug | Kitchen/Mugs | 1200 | colour=white | A mug of enamelled steel.",
	} {
		s.products = append(s.products, thing(fmt.Sprintf("p%02d", i), line))
	}
	return &s
}

// asOf is the time of all answers in tests.
var asOf = time.Date(2026, 8, 23, 14, 31, 2, 118_000_000, time.UTC)

// serviceOf answers for a shop whose catalogue was indexed as it is now.
func serviceOf(t testing.TB, s *shop) *answer.Service {
	t.Helper()
	x := index.New(index.Options{Language: "en-GB"})
	var words vocabulary.Builder
	kinds := relevance.NewLearner("en-GB")
	for i := range s.products {
		x.Put(s.products[i])
		words.Add(&s.products[i])
		kinds.Add(&s.products[i])
	}
	known := &answer.Knowledge{Vocabulary: words.Snapshot(), Lexicon: verdict.NewLexicon("en-GB"), Kinds: kinds.Kinds()}
	description := &upstream.Description{Name: "Outdoor", Currency: "GBP", Currencies: []money.Currency{"GBP"}, Language: "en-GB"}
	return &answer.Service{
		Finder:      answer.IndexFinder{Shop: s, Index: x, Ready: func() bool { return true }},
		Description: func() *upstream.Description { return description },
		Reader:      reading.NewRules(),
		Knowledge:   func() *answer.Knowledge { return known },
		Now:         func() time.Time { return asOf },
	}
}

func ask(t testing.TB, s *answer.Service, q answer.Query) *answer.Answer {
	t.Helper()
	a, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{Shop: "shop", Agent: "agent"}, q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// titles are those of items, in order.
func titles(items []answer.Item) string {
	var all []string
	for _, item := range items {
		all = append(all, item.Title)
	}
	return strings.Join(all, ", ")
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func encode(t testing.TB, a *answer.Answer) gjson.Result { return gjson.ParseBytes(mustJSON(t, a)) }

func at(r gjson.Result, path string) string { return r.Get(path).Raw }
