package openai

import (
	"errors"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// FuzzClaims: whatever a model writes, it is an error or every amount of it was
// said, and nothing panics.
func FuzzClaims(f *testing.F) {
	f.Add(`{"language":"en","context":[],"passes":[{"noun":"boots","query":"boots","price":{"kind":"range","amounts":["50","80"],"currency":"EUR"},"required":[{"key":"waterproof","value":"true"}],"excluded":[],"in_stock":true}]}`)
	f.Add(`{"language":"ja","context":["boots"],"passes":[{"price":{"kind":"around","amounts":["-9e99"]}}]}`)
	f.Add(`{"passes":[{}]}`)
	f.Add(`[]`)
	f.Add("\x00")
	rules := reading.NewRules()
	words := "waterproof boots between 50 and 80 euros"
	f.Fuzz(func(t *testing.T, content string) {
		claim, err := parse([]byte(content))
		if err != nil {
			if !errors.Is(err, ErrAnswer) {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		check := checker{rules: rules, question: reading.Question{Words: words, Currency: money.Currency("EUR")}, words: words, language: claim.Language}
		passes, err := check.passes(claim.Passes)
		if err != nil {
			if !errors.Is(err, ErrAnswer) && !errors.Is(err, ErrInvented) {
				t.Fatalf("%v is of no kind", err)
			}
			return
		}
		said := map[int64]bool{5000: true, 8000: true, 4000: true, 6000: true, 6400: true, 9600: true}
		for _, p := range passes {
			for _, bound := range []*int64{p.Price.Min, p.Price.Max} {
				if bound != nil && !said[*bound] {
					t.Fatalf("%d was not said", *bound)
				}
			}
		}
	})
}

// Only one call tries an endpoint after a pause.
func TestOneTrial(t *testing.T) {
	b := breaker{failures: 1, pause: time.Second}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b.failed(start)
	later := start.Add(time.Second)
	if !b.allow(later) || b.allow(later) {
		t.Error("not exactly one call was let through")
	}
	b.abandoned()
	if !b.allow(later) {
		t.Error("no other call was let through after one that was given up")
	}
}
