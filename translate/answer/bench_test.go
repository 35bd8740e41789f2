package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// atOnce is a shop that answers at once, by id.
type atOnce map[string]upstream.Product

// Lookup implements upstream.Catalogue.
func (s atOnce) Lookup(_ context.Context, _ upstream.Visit, refs []string) ([]upstream.Match, error) {
	matches := make([]upstream.Match, 0, len(refs))
	for _, ref := range refs {
		if p, ok := s[ref]; ok {
			matches = append(matches, upstream.Match{Product: p})
		}
	}
	return matches, nil
}

// Search implements upstream.Catalogue.
func (s atOnce) Search(context.Context, upstream.Visit, upstream.Query) (upstream.Results, error) {
	return upstream.Results{}, nil
}

// questions are as shoppers of electronics ask.
var questions = []string{
	"wireless keyboard under $80", "black laser printer with wifi", "bluetooth speaker not black", "27 inch monitor between 150 and 300 dollars",
	"usb c cable and a laptop bag", "gaming laptop with 16gb ram for a student", "hdmi cable", "toner for an hp laserjet", "waterproof camera", "kopfhörer bis 50 €",
}

// The bars of an answer, at any size of the catalogue: what it takes beyond the
// shop's own time, and reading the question, which is a part of it.
const (
	mostAnswer  = 5 * time.Millisecond
	mostReading = time.Millisecond
)

// TestBars measures whole answers and their readings. It is for make bench-index.
func TestBars(t *testing.T) {
	slack := indextest.Slack(t)
	catalogue := indextest.Products(t)
	for _, size := range []int{1_000, 10_000, 100_000} {
		s := bigShop(t, indextest.Grown(catalogue, size))
		first := indextest.Timed(len(questions), func(n int) { answered(t, s, n) })
		answers := indextest.Timed(500, func(n int) { answered(t, s, n) })
		known := s.Knowledge()
		readings := indextest.Timed(2000, func(n int) {
			question := reading.Question{Words: questions[n%len(questions)], Language: "en", Currency: "USD", Vocabulary: known.Vocabulary}
			if _, err := s.Reader.Read(t.Context(), question); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%6d products: answers p50 %v, p99 %v, when first asked p50 %v; reading p50 %v, p99 %v", size, answers.At(50), answers.At(99), first.At(50), readings.At(50), readings.At(99))
		if took := answers.At(50); took > time.Duration(slack*float64(mostAnswer)) {
			t.Errorf("%d products: an answer takes %v, more than %v", size, took, mostAnswer)
		}
		if took := readings.At(50); took > time.Duration(slack*float64(mostReading)) {
			t.Errorf("%d products: reading a question takes %v, more than %v", size, took, mostReading)
		}
	}
}

// BenchmarkAnswer is a whole answer, but for the shop's own time: 200 candidates are
// read, judged and explained, and the answer is written out.
func BenchmarkAnswer(b *testing.B) {
	catalogue := indextest.Products(b)
	for _, size := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d products", size), func(b *testing.B) {
			s := bigShop(b, indextest.Grown(catalogue, size))
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				answered(b, s, n)
			}
		})
	}
}

// answered answers a question, in words and in JSON.
func answered(tb testing.TB, s *answer.Service, n int) {
	a, err := s.Search(tb.Context(), upstream.Visit{}, answer.Asker{}, answer.Query{Words: questions[n%len(questions)]})
	if err != nil {
		tb.Fatal(err)
	}
	if encoded, err := json.Marshal(a); err != nil || len(encoded) == 0 || len(a.Messages()) == 0 {
		tb.Fatal(err)
	}
}

func bigShop(b testing.TB, products []upstream.Product) *answer.Service {
	x := index.New(index.Options{Language: "en"})
	var words vocabulary.Builder
	kinds := relevance.NewLearner("en")
	s := make(atOnce, len(products))
	for i := range products {
		p := &products[i]
		if len(p.Variants) == 0 {
			p.Variants = []upstream.Variant{{ID: p.ID, Price: money.Amount{Minor: 5000, Currency: "USD"}}}
		}
		x.Put(*p)
		words.Add(p)
		kinds.Add(p)
		s[p.ID] = *p
	}
	known := &answer.Knowledge{Vocabulary: words.Snapshot(), Lexicon: verdict.NewLexicon("en"), Kinds: kinds.Kinds()}
	description := &upstream.Description{Currency: "USD", Currencies: []money.Currency{"USD"}, Language: "en"}
	return &answer.Service{
		Finder:      answer.IndexFinder{Shop: s, Index: x, Ready: func() bool { return true }},
		Description: func() *upstream.Description { return description },
		Reader:      reading.NewRules(),
		Knowledge:   func() *answer.Knowledge { return known },
		Now:         time.Now,
	}
}
