package answer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// TestTheAnswersPage replays the example of the page.
func TestTheAnswersPage(t *testing.T) {
	a := ask(t, serviceOf(t, outdoor()), answer.Query{Words: "waterproof walking boots under £150, for a wet week in Iceland"})
	got := encode(t, a)
	for path, want := range map[string]string{
		"understood.query":               `"waterproof walking boots"`,
		"understood.max_price_minor":     "15000",
		"understood.min_price_minor":     "null",
		"understood.required_attributes": `[{"key":"waterproof","value":"true"}]`,
		"degraded":                       "false",
		"as_of":                          `"2026-08-23T14:31:02.118Z"`,
		"currency":                       `"GBP"`,
		"cheapest_ruled_out_minor":       "5000",
		"ruled_out_count":                "4",
		"relevance_judged":               "true",
		"passes":                         "1",
	} {
		if value := at(got, path); value != want {
			t.Errorf("%s is %s, want %s", path, value, want)
		}
	}
	if titles(a.Results) != "Fjell Trail GTX" || a.UnrelatedCount == 0 {
		t.Errorf("results %s, %d unrelated", titles(a.Results), a.UnrelatedCount)
	}
	if diff := cmp.Diff(`[{"constraint":"max_price","outcome":"satisfied","wanted":15000,"found":12000,"source":"live_price"},`+
		`{"constraint":"attribute","outcome":"satisfied","key":"waterproof","wanted":"true","found":["true"],"source":"enrichment"}]`,
		string(mustJSON(t, a.Results[0].Verdict))); diff != "" {
		t.Errorf("the verdicts (-want +got):\n%s", diff)
	}
	// The nearest of what was ruled out is the one nobody knows about.
	if got := titles(a.RuledOut); got != "Ridge Walking Boots, Alpine Summit GTX, Meadow Walking Boots, Plain Walking Boots" &&
		!strings.HasPrefix(got, "Ridge Walking Boots") && !strings.HasPrefix(got, "Plain Walking Boots") {
		t.Errorf("ruled out: %s", got)
	}
	source := map[string]verdict.Source{}
	for _, item := range a.RuledOut {
		source[item.Title] = item.Verdict[1].Source
	}
	if source["Plain Walking Boots"] != verdict.Unenriched || source["Ridge Walking Boots"] != verdict.NotRecorded {
		t.Errorf("sources: %v", source)
	}
	messages := a.Messages()
	if messages[0].Content != `Read as "waterproof walking boots", filtered by at most £150.00, waterproof=true.` ||
		messages[1].Content != "4 further products matched the description but failed a stated constraint. The cheapest of them is £50.00." {
		t.Errorf("messages: %v", messages)
	}
}

// TestOutcomes are the stories that counts tell.
func TestOutcomes(t *testing.T) {
	s := serviceOf(t, outdoor())
	for _, test := range []struct {
		words          string
		results        string
		ruledOut       int
		unrelated      bool
		messages       string
		degraded, know bool
	}{
		{words: "walking boots", results: "5", unrelated: true, messages: "understood", know: true},
		{words: "waterproof walking boots under £100", results: "0", ruledOut: 5, unrelated: true, messages: "understood ruled_out", know: true},
		{words: "enamel kettle", results: "0", unrelated: true, messages: "understood not_stocked", know: true},
		{words: "xylophone", results: "0", messages: "understood", know: true},
		{words: "something navy", results: "1", messages: "understood"},
		{words: "a waterproof jacket and warm gloves", results: "2", ruledOut: 2, unrelated: true, messages: "understood ruled_out", know: true},
		{words: "boots not in black", results: "3", ruledOut: 2, unrelated: true, messages: "understood ruled_out", know: true},
	} {
		a := ask(t, s, answer.Query{Words: test.words})
		var codes []string
		for _, m := range a.Messages() {
			codes = append(codes, strings.TrimPrefix(m.Code, "ai.storeware."))
		}
		if fmt.Sprint(a.ResultsCount) != test.results || a.RuledOutCount != test.ruledOut || (a.UnrelatedCount > 0) != test.unrelated ||
			strings.Join(codes, " ") != test.messages || a.RelevanceJudged != test.know {
			t.Errorf("%s: results %s; ruled out %s (%d); unrelated %d; judged %v; %v", test.words,
				titles(a.Results), titles(a.RuledOut), a.RuledOutCount, a.UnrelatedCount, a.RelevanceJudged, codes)
		}
	}
}

// TestSeveralThings: a budget holds for each, a requirement for what it was said of.
func TestSeveralThings(t *testing.T) {
	a := ask(t, serviceOf(t, outdoor()), answer.Query{Words: "a waterproof jacket and warm gloves"})
	if a.Passes != 2 || len(a.Understood.Passes) != 2 || len(a.Understood.Required) != 0 {
		t.Fatalf("%+v", a.Understood)
	}
	for _, item := range slices.Concat(a.Results, a.RuledOut) {
		wants := item.Verdict[0].Key
		if item.Pass == nil || (*item.Pass == 0) != (wants == "waterproof") {
			t.Errorf("%s was held to %s", item.Title, wants)
		}
	}
}

func TestDegraded(t *testing.T) {
	most := int64(10000)
	s := serviceOf(t, outdoor())
	s.Reader = failing{}
	a := ask(t, s, answer.Query{Words: "walking boots", MaxPrice: &most})
	if !a.Degraded || *a.Understood.MaxPrice != most || a.RuledOutCount == 0 {
		t.Errorf("%+v", a)
	}
	if text := a.Messages()[0].Content; !strings.Contains(text, "could not be read") || !strings.Contains(text, "£100.00") {
		t.Error(text)
	}
	s.Reader = reading.Fallback{Reader: failing{}, Instead: reading.NewRules()}
	if a := ask(t, s, answer.Query{Words: "walking boots under £100"}); a.Degraded || *a.Understood.MaxPrice != 10000 {
		t.Errorf("with a second reader: %+v", a)
	}
	// Nobody here knows the rate.
	if a := ask(t, s, answer.Query{Words: "walking boots under $100"}); !a.Degraded || a.Understood.MaxPrice != nil {
		t.Errorf("another currency: %+v", a.Understood)
	}
}

func TestConversations(t *testing.T) {
	store, err := bolt.Open(t.TempDir()+"/state.db", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := serviceOf(t, outdoor())
	s.Memory = &answer.Memory{Store: store, Now: s.Now}
	first := ask(t, s, answer.Query{Words: "waterproof walking boots under £150", Conversation: "c1"})
	if first.Conversation == nil || first.Conversation.ID != "c1" || first.Understood.Remembered != nil {
		t.Fatalf("%+v", first.Conversation)
	}
	then := ask(t, s, answer.Query{Words: "in brown", Conversation: "c1"})
	if titles(then.Results) != "Fjell Trail GTX" {
		t.Errorf("in brown: %s, %+v", titles(then.Results), then.Understood)
	}
	var remembered []string
	for _, r := range then.Understood.Remembered {
		remembered = append(remembered, string(r.Scope)+" "+r.Constraint+" "+r.Key)
	}
	if got := strings.Join(remembered, "; "); got != "conversation query ; conversation max_price ; conversation attribute waterproof" {
		t.Errorf("remembered: %s", got)
	}
	// What is said now comes first.
	if a := ask(t, s, answer.Query{Words: "walking boots up to £200", Conversation: "c1"}); *a.Understood.MaxPrice != 20000 {
		t.Errorf("now: %+v", a.Understood)
	}
	for name, q := range map[string]answer.Query{
		"another thing": {Words: "gloves", Conversation: "c1"}, "another conversation": {Words: "walking boots", Conversation: "c2"}, "none": {Words: "walking boots"},
	} {
		if a := ask(t, s, q); a.Understood.MaxPrice != nil || a.Understood.Remembered != nil {
			t.Errorf("%s: %+v", name, a.Understood)
		}
	}
	other, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{Shop: "shop", Agent: "another"}, answer.Query{Words: "walking boots", Conversation: "c1"})
	if err != nil || other.Understood.MaxPrice != nil {
		t.Errorf("another agent's: %+v, %v", other.Understood, err)
	}
	for item, err := range store.Scan(t.Context(), "", "") {
		if err != nil || strings.Contains(item.Key, "c1") {
			t.Errorf("%q, %v: what a caller chose stands in a key", item.Key, err)
		}
	}
}

func TestPages(t *testing.T) {
	s := serviceOf(t, outdoor())
	whole := ask(t, s, answer.Query{Words: "walking boots", Limit: 50})
	var seen []answer.Item
	q := answer.Query{Words: "walking boots", Limit: 2}
	for {
		a := ask(t, s, q)
		seen = append(seen, a.Results...)
		if a.Next == "" {
			break
		}
		q.Cursor = a.Next
	}
	if titles(seen) != titles(whole.Results) {
		t.Errorf("pages: %s; whole: %s", titles(seen), titles(whole.Results))
	}
	q.Words = "gloves"
	if _, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{}, q); !errors.Is(err, answer.ErrCursor) {
		t.Errorf("another question's cursor: %v", err)
	}
	if _, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{}, answer.Query{Words: "a", Cursor: "AAAA"}); !errors.Is(err, answer.ErrCursor) {
		t.Errorf("no cursor: %v", err)
	}
}

// TestNothingInvented: results, what was ruled out and what is unrelated are all
// that was found, and prices are those of the moment, whatever the index holds.
func TestNothingInvented(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sh := outdoor()
		s := serviceOf(t, sh)
		// The shop changes after it was indexed.
		for i := range sh.products {
			p := &sh.products[i]
			p.Variants = slices.Clone(p.Variants)
			p.Variants[0].Price.Minor = rapid.Int64Range(1, 30000).Draw(rt, "price")
		}
		gone := rapid.IntRange(0, len(sh.products)).Draw(rt, "gone")
		sh.products = slices.Delete(sh.products, 0, gone)
		words := rapid.SampledFrom([]string{"walking boots", "waterproof walking boots under £150", "jacket", "gloves under £25 and a mug", "boots not black", "grey socks"}).Draw(rt, "words")
		a := ask(t, s, answer.Query{Words: words, Limit: 50})
		if got := a.ResultsCount + a.RuledOutCount + a.UnrelatedCount; got > len(sh.products) {
			rt.Fatalf("%d of %d products", got, len(sh.products))
		}
		live := map[string]int64{}
		for _, p := range sh.products {
			live[p.ID] = p.Variants[0].Price.Minor
		}
		seen := map[string]bool{}
		for _, item := range slices.Concat(a.Results, a.RuledOut) {
			price, there := live[item.ID]
			if !there || seen[item.ID] || price != item.Price {
				rt.Fatalf("%s at %d: there %v, seen %v, costs %d", item.Title, item.Price, there, seen[item.ID], price)
			}
			seen[item.ID] = true
			for _, v := range item.Verdict {
				if v.Source == verdict.LivePrice && (v.Found.Minor() != price || (v.Outcome == verdict.Satisfied) != (v.Constraint == verdict.MaxPrice && price <= v.Wanted.Minor() || v.Constraint == verdict.MinPrice && price >= v.Wanted.Minor())) {
					rt.Fatalf("%s costs %d: %+v", item.Title, price, v)
				}
			}
		}
		conforms(rt, a)
	})
}

// TestPagesAddUp: whatever the limit, all pages of results, what was ruled out and
// what is unrelated are together what was found, each product once, and every page
// counts the same.
func TestPagesAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sh := outdoor()
		for i := range sh.products {
			p := &sh.products[i]
			p.Variants = slices.Clone(p.Variants)
			p.Variants[0].Price.Minor = rapid.Int64Range(1, 30000).Draw(rt, "price")
			p.Variants[0].Availability = rapid.SampledFrom([]upstream.Availability{upstream.InStock, upstream.OutOfStock}).Draw(rt, "availability")
		}
		s := serviceOf(t, sh)
		finder := &noting{Finder: s.Finder, found: map[string]bool{}}
		s.Finder = finder
		q := answer.Query{
			Words: rapid.SampledFrom([]string{"walking boots", "waterproof walking boots under £150", "jacket", "a jacket, gloves under £25 and a mug", "boots not black", "something grey", "boots in stock"}).Draw(rt, "words"),
			Limit: rapid.IntRange(1, 6).Draw(rt, "limit"),
		}
		seen := map[string]bool{}
		for page := 0; ; page++ {
			a := ask(t, s, q)
			if page > len(sh.products) || len(a.Results) > q.Limit || len(a.Results) == 0 && page > 0 {
				rt.Fatalf("page %d has %d results", page, len(a.Results))
			}
			if sum := a.ResultsCount + a.RuledOutCount + a.UnrelatedCount; sum != len(finder.found) {
				rt.Fatalf("page %d counts %d results, %d ruled out and %d unrelated; %d were found", page, a.ResultsCount, a.RuledOutCount, a.UnrelatedCount, len(finder.found))
			}
			for _, item := range a.Results {
				if seen[item.ID] || !finder.found[item.ID] {
					rt.Fatalf("page %d has %s again, or it was not found", page, item.Title)
				}
				seen[item.ID] = true
			}
			for _, item := range a.RuledOut {
				if seen[item.ID] || !finder.found[item.ID] {
					rt.Fatalf("%s is a result and ruled out, or was not found", item.Title)
				}
			}
			if a.Next == "" {
				if len(seen) != a.ResultsCount {
					rt.Fatalf("%d results on all pages, not %d", len(seen), a.ResultsCount)
				}
				return
			}
			q.Cursor = a.Next
		}
	})
}

// noting notes what was found.
type noting struct {
	answer.Finder
	found map[string]bool
}

func (f *noting) Find(ctx context.Context, v upstream.Visit, w answer.Wanted, most int) ([]upstream.Product, error) {
	products, err := f.Finder.Find(ctx, v, w, most)
	for _, p := range products {
		f.found[p.ID] = true
	}
	return products, err
}

func TestErrorsOfTheShop(t *testing.T) {
	sh := outdoor()
	s := serviceOf(t, sh)
	sh.err = errors.New("the shop is away")
	if _, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{}, answer.Query{Words: "boots"}); !errors.Is(err, sh.err) {
		t.Errorf("got %v", err)
	}
}

func FuzzCursor(f *testing.F) {
	s := serviceOf(f, outdoor())
	f.Add("walking boots", ask(f, s, answer.Query{Words: "walking boots", Limit: 1}).Next)
	f.Fuzz(func(t *testing.T, words, cursor string) {
		a, err := s.Search(t.Context(), upstream.Visit{}, answer.Asker{}, answer.Query{Words: words, Cursor: cursor})
		if err != nil && !errors.Is(err, answer.ErrCursor) {
			t.Fatal(err)
		}
		if err == nil {
			conforms(t, a)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	s := serviceOf(b, outdoor())
	for b.Loop() {
		ask(b, s, answer.Query{Words: "waterproof walking boots under £150"})
	}
}

type failing struct{}

func (failing) Read(_ context.Context, _ reading.Question) (reading.Reading, error) {
	return reading.Reading{}, errors.New("the model is away")
}

// conforms checks an answer against the published schema.
func conforms(t interface{ Fatalf(string, ...any) }, a *answer.Answer) {
	compiler := jsonschema.NewCompiler()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema.Document())))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := compiler.AddResource("https://storeware.ai/answer.json", document); err != nil {
		t.Fatalf("%v", err)
	}
	compiled, err := compiler.Compile("https://storeware.ai/answer.json#/$defs/answer")
	if err != nil {
		t.Fatalf("%v", err)
	}
	encoded, err := json.Marshal(a)
	if err != nil {
		t.Fatalf("%v", err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(encoded)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Fatalf("%s: %v", encoded, err)
	}
}
