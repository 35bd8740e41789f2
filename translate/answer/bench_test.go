package answer_test

import (
	"context"
	"fmt"
	"slices"
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

// BenchmarkAnswer is a whole answer, but for the shop's own time: 200 candidates are
// read, judged and explained.
func BenchmarkAnswer(b *testing.B) {
	catalogue := indextest.Products(b)
	for _, size := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d products", size), func(b *testing.B) {
			s := bigShop(b, indextest.Grown(catalogue, size))
			took := make([]time.Duration, 0, 1024)
			for n := 0; b.Loop(); n++ {
				began := time.Now()
				if _, err := s.Search(b.Context(), upstream.Visit{}, answer.Asker{}, answer.Query{Words: questions[n%len(questions)]}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
		})
	}
}

func bigShop(b *testing.B, products []upstream.Product) *answer.Service {
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
