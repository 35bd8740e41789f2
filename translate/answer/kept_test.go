package answer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// rated is a product with what human raters said of it, as an answer to a query.
type rated struct {
	ID, Query, Title, Description, Brand, Label, Split string

	Attributes map[string]any
}

func (r *rated) product() upstream.Product {
	p := upstream.Product{ID: r.ID, Title: r.Title, Description: r.Description, Brand: r.Brand}
	for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
		p.Attributes = append(p.Attributes, upstream.Attribute{Key: key, Values: []string{fmt.Sprint(r.Attributes[key])}})
	}
	p.Variants = []upstream.Variant{{ID: r.ID, Price: money.Amount{Minor: 100, Currency: "GBP"}, Availability: upstream.InStock}}
	return p
}

func ratedRows(t *testing.T) []rated {
	t.Helper()
	f, err := os.Open("../../../shared/eval/relevance.jsonl")
	if err != nil {
		t.Skipf("LABELLED ROWS MISSING, NOTHING IS PROVEN: %v", err)
	}
	defer f.Close()
	var rows []rated
	for decoder := json.NewDecoder(bufio.NewReader(f)); ; {
		var row rated
		err := decoder.Decode(&row)
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

// only finds one product, whatever is asked for.
type only struct{ upstream.Product }

func (o only) Find(context.Context, upstream.Visit, answer.Wanted, int) ([]upstream.Product, error) {
	return []upstream.Product{o.Product}, nil
}

// TestSensibleProductsAreKept reads the questions of human raters with the words of
// a large shop, and counts the products that they took for exactly what was asked
// for and that what was read of the question rules out.
func TestSensibleProductsAreKept(t *testing.T) {
	var words vocabulary.Builder
	for _, p := range indextest.Products(t) {
		words.Add(&p)
	}
	known := &answer.Knowledge{Vocabulary: words.Snapshot(), Lexicon: verdict.NewLexicon("en-GB"), Kinds: relevance.NewKinds("en-GB")}
	s := &answer.Service{
		Description: func() *upstream.Description { return &upstream.Description{Currency: "GBP", Language: "en-GB"} },
		Knowledge:   func() *answer.Knowledge { return known },
		Reader:      reading.NewRules(), Now: time.Now,
	}
	exact, ruledOut := 0, 0
	for _, row := range ratedRows(t) {
		if row.Label != "exact" || row.Split != "dev" {
			continue
		}
		exact++
		s.Finder = only{row.product()}
		a := ask(t, s, answer.Query{Words: row.Query})
		for _, item := range a.RuledOut {
			ruledOut++
			t.Logf("%q rules out %s: %s", row.Query, item.Title, mustJSON(t, item.Verdict))
		}
	}
	t.Logf("%d of %d are ruled out", ruledOut, exact)
	if ruledOut*50 > exact {
		t.Errorf("%d of %d are ruled out, more than 2 %%", ruledOut, exact)
	}
}
