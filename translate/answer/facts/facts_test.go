package facts_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer/facts"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestReadCSV(t *testing.T) {
	got, err := facts.ReadCSV(strings.NewReader("\ufeffvalue, Product ,note,key\ntrue,fjell,x,waterproof\n\"4,5 kg\",SKU-1,,weight\n"))
	want := []facts.Fact{{Product: "fjell", Key: "waterproof", Value: "true"}, {Product: "SKU-1", Key: "weight", Value: "4,5 kg"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for name, text := range map[string]string{
		"nothing": "", "no header": "a,b,c\n1,2,3\n", "empty": "product,key,value\nfjell,,true\n", "ragged": "product,key,value\na,b\n",
		"long": "product,key,value\n" + strings.Repeat("x", 300) + ",k,v\n", "no UTF-8": "product,key,value\na,k,\xff\n",
	} {
		if got, err := facts.ReadCSV(strings.NewReader(text)); !errors.Is(err, facts.ErrFacts) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := facts.ReadCSV(strings.NewReader("product,key,value\na,k,v\nb,,v\n")); !strings.Contains(err.Error(), "line 3") {
		t.Errorf("the line is not told: %v", err)
	}
}

func store(t *testing.T) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(t.TempDir()+"/state.db", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestBook(t *testing.T) {
	s := store(t)
	book, other := facts.NewBook(s, "shop"), facts.NewBook(s, "another")
	product := func() *upstream.Product {
		return &upstream.Product{
			ID: "1", Handle: "fjell", Attributes: []upstream.Attribute{{Key: "weight", Values: []string{"1 kg"}}},
			Variants: []upstream.Variant{{ID: "1-1", SKU: "FJ-9"}, {ID: "1-2", SKU: "FJ-10"}},
		}
	}
	err := book.Replace(t.Context(), []facts.Fact{{"1", "vegan", "true"}, {"fjell", "season", "winter"}, {"fjell", "season", "autumn"}, {"FJ-9", "colour", "rust"}})
	if err != nil {
		t.Fatal(err)
	}
	p := product()
	book.Enrich(p)
	if diff := cmp.Diff([]upstream.Attribute{
		{Key: "weight", Values: []string{"1 kg"}}, {Key: "vegan", Values: []string{"true"}}, {Key: "season", Values: []string{"winter", "autumn"}},
	}, p.Attributes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(p.Variants[0].Attributes) != 1 || len(p.Variants[1].Attributes) != 0 {
		t.Errorf("variants: %+v", p.Variants)
	}
	// Another node reads the same, another shop does not.
	node := facts.NewBook(s, "shop")
	for _, b := range []*facts.Book{node, other} {
		if err := b.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p, q := product(), product()
	node.Enrich(p)
	other.Enrich(q)
	if len(p.Attributes) != 3 || len(q.Attributes) != 1 {
		t.Errorf("another node has %v, another shop %v", p.Attributes, q.Attributes)
	}
	if err := book.Replace(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := node.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	p = product()
	node.Enrich(p)
	if len(p.Attributes) != 1 {
		t.Errorf("facts that were removed: %v", p.Attributes)
	}
}

func TestGaps(t *testing.T) {
	s := store(t)
	gaps := facts.NewGaps(s, "shop")
	verdicts := []verdict.Verdict{
		{Constraint: verdict.MaxPrice, Source: verdict.LivePrice},
		{Constraint: verdict.Attribute, Key: "Waterproof", Source: verdict.Enrichment},
		{Constraint: verdict.Attribute, Key: "vegan", Source: verdict.NotRecorded},
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			node := facts.NewGaps(s, "shop")
			node.Note(verdicts)
			if err := node.Save(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	gaps.Note(verdicts)
	got, err := gaps.Report(t.Context())
	want := []facts.Gap{{Key: "vegan", Asked: 11, Unknown: 11}, {Key: "waterproof", Asked: 11}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("product,key,value\nfjell,waterproof,true\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := facts.ReadCSV(strings.NewReader(text))
		if err != nil && (!errors.Is(err, facts.ErrFacts) || all != nil) {
			t.Errorf("%v, %v", all, err)
		}
		for _, fact := range all {
			if fact.Product == "" || fact.Key == "" || fact.Value == "" {
				t.Errorf("%+v", fact)
			}
		}
	})
}
