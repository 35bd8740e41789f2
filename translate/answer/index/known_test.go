package index_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/translate/answer/index/indextest"
)

// A product that is known to be there is found by its title, as a person may write
// that. Titles that several products have are not asked for.
func TestKnownProducts(t *testing.T) {
	products := indextest.Products(t)
	x := index.New(index.Options{Language: "en"})
	times := map[string]int{}
	for _, p := range products {
		x.Put(p)
		times[p.Title]++
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, way := range []struct {
		name  string
		write func(title string) string
		least float64
	}{
		{"as it is", func(title string) string { return title }, 0.97},
		{"in capitals", strings.ToUpper, 0.97},
		{"one typing error", func(title string) string { return indextest.Mistyped(r, title) }, 0.95},
		{"in another number", inAnotherNumber, 0.95},
		{"shuffled", func(title string) string { return shuffled(r, title) }, 0.95},
		{"half of the words", func(title string) string {
			words := strings.Fields(shuffled(r, title))
			return strings.Join(words[:(len(words)+1)/2], " ")
		}, 0.70},
	} {
		asked, first, ten, all := 0, 0, 0, 0
		for i := 0; i < len(products); i += 7 {
			p := products[i]
			if times[p.Title] > 1 || p.Title == "" {
				continue
			}
			asked++
			at := slices.IndexFunc(x.Search(index.Query{Text: way.write(p.Title)}).Hits, func(h index.Hit) bool { return h.ID == p.ID })
			if at == 0 {
				first++
			}
			if at >= 0 && at < 10 {
				ten++
			}
			if at >= 0 {
				all++
			}
		}
		rate := func(n int) float64 { return float64(n) / float64(asked) }
		t.Logf("%-18s first %.3f, of the first ten %.3f, of 200 %.3f (%d asked)", way.name, rate(first), rate(ten), rate(all), asked)
		if rate(ten) < way.least {
			t.Errorf("%s: %.3f are among the first ten, fewer than %v", way.name, rate(ten), way.least)
		}
	}
}

// inAnotherNumber makes a plural of every word of letters, or takes it back.
func inAnotherNumber(title string) string {
	words := strings.Fields(title)
	for i, w := range words {
		switch {
		case len(w) < 4 || strings.ContainsFunc(w, func(r rune) bool { return r < 'A' || r > 'z' }):
		case strings.HasSuffix(w, "s"):
			words[i] = strings.TrimSuffix(w, "s")
		case strings.HasSuffix(w, "y"):
			words[i] = strings.TrimSuffix(w, "y") + "ies"
		default:
			words[i] = w + "s"
		}
	}
	return strings.Join(words, " ")
}

func shuffled(r *rand.Rand, title string) string {
	words := strings.Fields(title)
	r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return strings.Join(words, " ")
}
