package vocabulary_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/upstream"
)

func tokens(s string) []text.Token { return text.Tokens(text.Plain(s), nil) }

func shop() *vocabulary.Builder {
	b := new(vocabulary.Builder)
	for range 2 {
		b.Add(&upstream.Product{Attributes: []upstream.Attribute{{Key: "Colour", Values: []string{"Cream"}}}})
	}
	b.Add(&upstream.Product{
		Title: "Merino scarves, long", Brand: "Fjord & Fell", Tags: []string{"Winter hats"}, Categories: []string{"Clothing/Gloves"},
		Attributes: []upstream.Attribute{
			{Key: "Aroma", Values: []string{"Cream"}},
			{Key: "Water_Proof", Values: []string{"yes"}},
			{Key: "Lined", Values: []string{"no"}},
			{Key: "Length", Values: []string{"15"}},
			{Key: "Story", Values: []string{strings.Repeat("long ", 20)}},
		},
		Options:  []upstream.Option{{Name: "Colour", Values: []string{"Rust Orange"}}},
		Variants: []upstream.Variant{{Attributes: []upstream.Attribute{{Key: "Fabric", Values: []string{"Wolle"}}}}},
	})
	return b
}

func TestMatch(t *testing.T) {
	v := shop().Snapshot()
	for _, test := range []struct {
		language, words string
		want            vocabulary.Term
		covers          int
	}{
		{"en", "rust orange hat", vocabulary.Term{Key: "Colour", Value: "Rust Orange"}, 2},
		{"en", "RUST oranges", vocabulary.Term{Key: "Colour", Value: "Rust Orange"}, 2},
		{"en", "fjord & fell hat", vocabulary.Term{Key: "brand", Value: "Fjord & Fell"}, 3},
		// Most products have it as a colour.
		{"en", "cream", vocabulary.Term{Key: "Colour", Value: "Cream"}, 1},
		{"en", "water proof", vocabulary.Term{Key: "Water_Proof", Value: "true"}, 2},
		{"de", "wollen", vocabulary.Term{Key: "Fabric", Value: "Wolle"}, 1},
		{"en", "orange", vocabulary.Term{}, 0},
		{"en", "lined", vocabulary.Term{}, 0},
		{"en", "15", vocabulary.Term{}, 0},
		{"en", "rust, orange", vocabulary.Term{}, 0},
	} {
		terms, n := v.Match(tokens(test.words), test.language)
		if n != test.covers || n > 0 && terms[0] != test.want {
			t.Errorf("%q: %v over %d words, want %v over %d", test.words, terms, n, test.want, test.covers)
		}
	}
}

func TestNounAndValue(t *testing.T) {
	v := shop().Snapshot()
	for word, want := range map[string]bool{"scarves": true, "hats": true, "hat": true, "gloves": true, "glove": true, "merino": false, "long": false} {
		if got := v.Noun(word, "en"); got != want {
			t.Errorf("Noun(%q) = %v", word, got)
		}
	}
	if terms := v.Value("Rust  ORANGE"); len(terms) != 1 || terms[0].Value != "Rust Orange" {
		t.Errorf("terms %v", terms)
	}
	if terms := v.Value("Cream"); len(terms) != 2 {
		t.Errorf("terms %v, want one of each key", terms)
	}
}

func TestNoVocabulary(t *testing.T) {
	var v *vocabulary.Vocabulary
	if terms, n := v.Match(tokens("red"), "en"); n != 0 || terms != nil || v.Noun("hat", "en") || v.Value("red") != nil {
		t.Error("a vocabulary that is none knows something")
	}
}

// TestKind: the names of categories and product types are kinds where they have more
// than one word, and those of a wider category are not.
func TestKind(t *testing.T) {
	var b vocabulary.Builder
	b.Add(&upstream.Product{Title: "Fjell", Categories: []string{"Winter sports/Walking boots", "Gloves"}, Attributes: []upstream.Attribute{{Key: "Product type", Values: []string{"Dry bag"}}}})
	v := b.Snapshot()
	for _, test := range []struct {
		words string
		want  bool
	}{{"walking boot", true}, {"walking boots", true}, {"dry bags", true}, {"winter sports", false}, {"gloves", false}, {"fjell", false}, {"boots walking", false}} {
		if got := v.Kind(strings.Fields(test.words), "en"); got != test.want {
			t.Errorf("Kind(%q) = %v", test.words, got)
		}
	}
	if v = nil; v.Kind([]string{"walking", "boots"}, "en") {
		t.Error("a vocabulary that is none knows a kind")
	}
}

// A snapshot does not see what is added after it.
func TestSnapshotStays(t *testing.T) {
	b := shop()
	v := b.Snapshot()
	b.Add(&upstream.Product{Title: "Tent", Brand: "Later"})
	if v.Noun("tent", "en") || v.Value("Later") != nil {
		t.Error("the snapshot changed")
	}
	if v := b.Snapshot(); !v.Noun("tent", "en") || v.Value("Later") == nil {
		t.Error("what was added is missing")
	}
}

func TestBounds(t *testing.T) {
	var b vocabulary.Builder
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for i := range 6000 {
				b.Add(&upstream.Product{Brand: fmt.Sprintf("brand%dx%d", n, i)})
			}
		})
	}
	group.Wait()
	v, known := b.Snapshot(), 0
	for n := range 4 {
		for i := range 6000 {
			known += len(v.Value(fmt.Sprintf("brand%dx%d", n, i)))
		}
	}
	if known != 20_000 {
		t.Errorf("%d values are kept, want 20,000", known)
	}
}

// A value whose word stands in titles of products that do not have it is no name
// of the value; neither is what a product is. A brand comes before what has its
// name.
func TestWordsThatNameNothing(t *testing.T) {
	var b vocabulary.Builder
	for range 3 {
		b.Add(&upstream.Product{Title: "Desk lights, warm"})
		b.Add(&upstream.Product{Title: "Celadon vase", Attributes: []upstream.Attribute{{Key: "Glaze", Values: []string{"Celadon"}}}})
		b.Add(&upstream.Product{Title: "Phone", Attributes: []upstream.Attribute{{Key: "Works with", Values: []string{"Acme"}}}})
	}
	b.Add(&upstream.Product{Title: "Lens", Brand: "Acme", Attributes: []upstream.Attribute{
		{Key: "Filter colour", Values: []string{"Light"}}, {Key: "Product type", Values: []string{"Macro lens"}}, {Key: "Grade", Values: []string{"Prime"}},
	}})
	v := b.Snapshot()
	for word, want := range map[string]string{
		"light": "", "lights": "", "celadon": "Glaze", "prime": "Grade", "macro lens": "", "acme": "brand",
	} {
		key := ""
		if terms, _ := v.Match(tokens(word), "en"); len(terms) > 0 {
			key = terms[0].Key
		}
		if key != want {
			t.Errorf("%q names a value of %q, want %q", word, key, want)
		}
	}
	if len(v.Value("Light")) != 1 || !v.Noun("lens", "en") {
		t.Error("what it means leads to no value, or what a product is to no noun")
	}
}
