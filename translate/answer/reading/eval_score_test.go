package reading_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// labelled is a row of ../shared/eval/queries.jsonl.
type labelled struct {
	ID     string         `json:"id"`
	Query  string         `json:"query"`
	Lang   string         `json:"lang"`
	Split  string         `json:"split"`
	Passes []labelledPass `json:"passes"`
	N      int            `json:"n_passes"`
}

type labelledPass struct {
	Noun         string          `json:"noun"`
	NounOK       []string        `json:"noun_ok"`
	NounOptional bool            `json:"noun_optional"`
	Required     []labelledValue `json:"required"`
	Excluded     []labelledValue `json:"excluded"`
	Price        *labelledPrice  `json:"price"`
}

type labelledValue struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	English string `json:"value_en"`
}

type labelledPrice struct {
	Kind           string   `json:"kind"`
	Max            int64    `json:"max_minor"`
	Min            int64    `json:"min_minor"`
	Value          int64    `json:"value_minor"`
	Currency       string   `json:"currency"`
	Currencies     []string `json:"currency_any_of"`
	CurrencyStated bool     `json:"currency_stated"`
}

// tally is what ../shared/eval/score.py counts, of which it makes its figures.
type tally struct {
	rows, passes                    int
	priced, pricedRight             int
	unpriced, falsePrice            int
	nouns, nounsRight               int
	required, requiredFound, wished int
	excluded, excludedFound, denied int
	turned                          int
}

func (t *tally) add(row labelled, got reading.Reading) {
	t.rows++
	if len(got.Passes) == row.N {
		t.passes++
	}
	want, pass := row.Passes[0], got.Passes[0]
	if want.Price == nil {
		t.unpriced++
		if pass.Price.Set() {
			t.falsePrice++
		}
	} else {
		t.priced++
		if priceRight(*want.Price, pass.Price) {
			t.pricedRight++
		}
	}
	if !want.NounOptional {
		t.nouns++
		if nounRight(want, pass.Noun) {
			t.nounsRight++
		}
	}
	var wantRequired, wantExcluded []labelledValue
	for _, p := range row.Passes {
		wantRequired, wantExcluded = append(wantRequired, p.Required...), append(wantExcluded, p.Excluded...)
	}
	var required, excluded []reading.Attribute
	for _, p := range got.Passes {
		required, excluded = append(required, p.Required...), append(excluded, p.Excluded...)
	}
	t.required += len(wantRequired)
	t.requiredFound += matches(required, wantRequired)
	t.wished += len(required)
	t.excluded += len(wantExcluded)
	t.excludedFound += matches(excluded, wantExcluded)
	t.denied += len(excluded)
	t.turned += matches(required, slices.DeleteFunc(wantExcluded, func(v labelledValue) bool { return v.Value == "true" }))
}

func priceRight(want labelledPrice, got reading.Bounds) bool {
	near := func(p *int64, v int64) bool { return p != nil && *p-v <= 1 && v-*p <= 1 }
	none := func(p *int64) bool { return p == nil || *p == 0 }
	if want.Kind == "free" {
		return none(got.Min) && none(got.Max)
	}
	right := false
	switch v := want.Value; want.Kind {
	case "max":
		right = near(got.Max, want.Max) && none(got.Min)
	case "min":
		right = near(got.Min, want.Min) && got.Max == nil
	case "range":
		right = near(got.Max, want.Max) && near(got.Min, want.Min)
	case "stated":
		right = near(got.Max, v) && (got.Min == nil || *got.Min <= v)
	default: // around
		right = got.Max != nil && *got.Max >= v && 10**got.Max <= 13*v && (got.Min == nil || 10**got.Min >= 6*v && *got.Min <= v)
	}
	if right && want.CurrencyStated && got.Currency != "" {
		any := want.Currencies
		if any == nil {
			any = []string{want.Currency}
		}
		return slices.Contains(any, string(got.Currency))
	}
	return right
}

func nounRight(want labelledPass, got string) bool {
	n := singular(normal(got))
	return n != "" && slices.ContainsFunc(append([]string{want.Noun}, want.NounOK...), func(ok string) bool {
		x := singular(normal(ok))
		return n == x || strings.HasSuffix(n, " "+x) || strings.HasSuffix(x, " "+n)
	})
}

// matches counts the wanted values that were found, each by one that was read:
// equal, or one with the other in it as whole words. Booleans match by key.
func matches(got []reading.Attribute, want []labelledValue) int {
	used, found := map[int]bool{}, 0
	for _, w := range want {
		for i, g := range got {
			if !used[i] && same(g, w) {
				used[i] = true
				found++
				break
			}
		}
	}
	return found
}

func same(got reading.Attribute, want labelledValue) bool {
	key, value := normal(got.Key), normal(got.Value)
	wantKey, wantValue := normal(want.Key), normal(want.Value)
	spaced := func(s string) string { return strings.ReplaceAll(s, "_", " ") }
	if wantValue == "true" || wantValue == "false" {
		yes := value == "true" || value == "yes" || value == wantValue
		return yes && strings.Contains(spaced(key), spaced(wantKey)) || spaced(wantKey) == value
	}
	for _, x := range []string{wantValue, normal(want.English)} {
		if x != "" && (x == value || wholeWords(value, x) || value != "" && wholeWords(x, value)) {
			return true
		}
	}
	return false
}

func wholeWords(s, part string) bool {
	return regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(part) + `($|[^\pL\pN_])`).MatchString(s)
}

var (
	notNormal = regexp.MustCompile(`[^\pL\pN_%./"+-]+`)
	plural    = regexp.MustCompile(`(es|s)\b`)
)

func normal(s string) string {
	return strings.TrimSpace(notNormal.ReplaceAllString(strings.ToLower(s), " "))
}
func singular(s string) string { return plural.ReplaceAllString(s, "") }
