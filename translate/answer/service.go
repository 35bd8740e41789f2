package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/translate/answer/relevance"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
	"github.com/storeware/caddy-storeware/upstream"
)

// Limits of an answer.
const (
	// DefaultCandidates is how many products are read for a question.
	DefaultCandidates = 200
	// maxRuledOut is how many of what was ruled out are shown.
	maxRuledOut = 10
	// maxPasses is how many things one question may ask for.
	maxPasses = 5
)

// Service answers the questions put to one shop. It is safe for concurrent use.
type Service struct {
	// Finder finds the candidates.
	Finder Finder
	// Description says what the shop is now.
	Description func() *upstream.Description
	// Reader reads the question. An answer is degraded if it fails.
	Reader reading.Reader
	// Knowledge is what is known of the shop's words.
	Knowledge func() *Knowledge
	// Photo returns the colours of a product's photograph; it may be nil.
	Photo func(*upstream.Product) []string
	// Enrich adds to a product what is recorded of it elsewhere than in the shop, and
	// Note hears every verdict; both may be nil.
	Enrich func(*upstream.Product)
	Note   func([]verdict.Verdict)
	// Memory keeps conversations; it may be nil.
	Memory *Memory
	// Wishes keeps what shoppers told the shop for good. It is nil unless the operator
	// wants such a memory.
	Wishes *Wishes
	// Candidates is how many products are read for a question, DefaultCandidates if
	// zero.
	Candidates int
	// Now is the clock.
	Now func() time.Time
}

// Knowledge is what is known of a shop's words. It is not changed once it is given.
type Knowledge struct {
	Vocabulary *vocabulary.Vocabulary
	Lexicon    *verdict.Lexicon
	Kinds      *relevance.Kinds
}

// Finder finds candidates for one thing that is asked for.
type Finder interface {
	// Find returns at most so many products, the best first, read from the shop
	// just now.
	Find(ctx context.Context, v upstream.Visit, w Wanted, most int) ([]upstream.Product, error)
}

// Wanted is what candidates are looked for by.
type Wanted struct {
	// Words are what was asked for, Noun is the thing among them, where it is known.
	Words, Noun string
	// Categories narrow to products in any of them.
	Categories []string
	// Language is what the words are in.
	Language string
}

// Query is a question as it comes in.
type Query struct {
	// Words are the shopper's, or the agent's for one.
	Words string
	// Intent is why they ask.
	Intent string
	// MinPrice and MaxPrice are in minor units of the visit's currency.
	MinPrice, MaxPrice *int64
	Required, Excluded []reading.Attribute
	InStock            bool
	Context            []string
	Categories         []string
	// Limit is how many results are wanted, Cursor an earlier answer's Next.
	Limit  int
	Cursor string
	// Conversation is an id of the caller's, empty for a question by itself.
	Conversation string
}

// Search answers a question. The errors are the shop's, the context's, and
// ErrCursor.
func (s *Service) Search(ctx context.Context, v upstream.Visit, asker Asker, q Query) (*Answer, error) {
	offset, err := openCursor(q)
	if err != nil {
		return nil, err
	}
	shop, known := s.Description(), s.Knowledge()
	if v.Market.Currency == "" {
		v.Market.Currency = shop.Currency
	}
	read := s.read(ctx, shop, known, v, q)
	remembered, err := s.recall(ctx, asker, q, v.Market.Currency, &read)
	if err != nil {
		return nil, err
	}
	// A conversation is what was said in it; wishes are read anew each time.
	said := read
	standing, err := s.stand(ctx, asker, v.Market.Currency, &read)
	if err != nil {
		return nil, err
	}
	remembered = append(remembered, standing...)
	a := &Answer{
		Understood: understood(read, q, remembered), Degraded: read.Degraded, Currency: v.Market.Currency,
		RelevanceJudged: true, Passes: len(read.Passes),
	}
	var found []judged
	for i, pass := range read.Passes {
		more, err := s.pass(ctx, v, known, read, i, pass, q)
		if err != nil {
			return nil, err
		}
		a.RelevanceJudged = a.RelevanceJudged && more.judged
		found = append(found, more.products...)
	}
	a.AsOf = Moment{s.Now().UTC()}
	a.fill(found, offset, q)
	if a.Conversation, err = s.remember(ctx, asker, q, v.Market.Currency, said); err != nil {
		return nil, err
	}
	return a, nil
}

// read reads the question. What it says of another currency than the answer's is
// not applied: nobody here knows the rate.
func (s *Service) read(ctx context.Context, shop *upstream.Description, known *Knowledge, v upstream.Visit, q Query) reading.Reading {
	question := reading.Question{
		Words: q.Words, Intent: q.Intent, Min: q.MinPrice, Max: q.MaxPrice, Required: q.Required, Excluded: q.Excluded,
		InStock: q.InStock, Language: languageOf(v, shop), Currency: v.Market.Currency, Vocabulary: known.Vocabulary,
	}
	read, err := s.Reader.Read(ctx, question)
	if err != nil {
		return reading.Degrade(question, reading.Unreadable)
	}
	for _, pass := range read.Passes {
		if pass.Price.Set() && pass.Price.Currency != "" && pass.Price.Currency != v.Market.Currency {
			return reading.Degrade(question, reading.UnreadAmount)
		}
	}
	read.Passes = read.Passes[:min(len(read.Passes), maxPasses)]
	return read
}

func languageOf(v upstream.Visit, shop *upstream.Description) string {
	if v.Market.Language != "" {
		return v.Market.Language
	}
	return shop.Language
}

// passFound is what came of looking for one thing.
type passFound struct {
	products []judged
	judged   bool // whether relevance was
}

// judged is a candidate with what came of judging it.
type judged struct {
	pass      int
	place     int // among the candidates
	product   *upstream.Product
	related   bool
	judgement verdict.Judgement
}

// pass looks for one thing and judges what it finds.
func (s *Service) pass(ctx context.Context, v upstream.Visit, known *Knowledge, read reading.Reading, n int, pass reading.Pass, q Query) (passFound, error) {
	most := s.Candidates
	if most == 0 {
		most = DefaultCandidates
	}
	products, err := s.Finder.Find(ctx, v, Wanted{Words: pass.Query, Noun: pass.Noun, Categories: q.Categories, Language: read.Language}, most/len(read.Passes))
	if err != nil {
		return passFound{}, fmt.Errorf("finding products: %w", err)
	}
	judgeable := !kindless(pass)
	kind := relevance.For(relevance.Question{Words: pass.Query, Noun: pass.Noun, Language: read.Language}, known.Kinds)
	judge := verdict.NewJudge(constraintsOf(pass), known.Lexicon, s.Photo)
	found := passFound{judged: true}
	for i := range products {
		p := &products[i]
		if len(p.Variants) == 0 {
			continue
		}
		if s.Enrich != nil {
			s.Enrich(p)
		}
		one := judged{pass: n, place: i, product: p, related: true}
		switch kind.Of(p) {
		case relevance.Unrelated:
			one.related = false
		case relevance.NotJudged:
			found.judged = false
		}
		found.judged = found.judged && judgeable
		one.judgement = judge.Of(p)
		if s.Note != nil && one.related {
			s.Note(one.judgement.Verdicts)
		}
		found.products = append(found.products, one)
	}
	if !found.judged { // then nothing was
		for i := range found.products {
			found.products[i].related = true
		}
	}
	return found, nil
}

// kindless reports whether nothing is asked for but properties: "something rust
// orange". Then no product is of another kind.
func kindless(pass reading.Pass) bool {
	if pass.Noun != "" {
		return false
	}
	said := map[string]bool{}
	for _, a := range slices.Concat(pass.Required, pass.Excluded) {
		for _, word := range strings.Fields(strings.ToLower(a.Key + " " + a.Value)) {
			said[word] = true
		}
	}
	for _, word := range strings.Fields(strings.ToLower(pass.Query)) {
		if !said[word] {
			return false
		}
	}
	return true
}

// constraintsOf are what a product has to meet, the price first.
func constraintsOf(pass reading.Pass) []verdict.Constraint {
	var all []verdict.Constraint
	if pass.Price.Max != nil {
		all = append(all, verdict.Constraint{Kind: verdict.MaxPrice, Minor: *pass.Price.Max})
	}
	if pass.Price.Min != nil {
		all = append(all, verdict.Constraint{Kind: verdict.MinPrice, Minor: *pass.Price.Min})
	}
	if pass.InStock {
		all = append(all, verdict.Constraint{Kind: verdict.InStock})
	}
	for _, a := range pass.Required {
		all = append(all, verdict.Constraint{Kind: verdict.Attribute, Key: a.Key, Value: a.Value})
	}
	for _, a := range pass.Excluded {
		all = append(all, verdict.Constraint{Kind: verdict.ExcludedAttribute, Key: a.Key, Value: a.Value})
	}
	return all
}

// understood says how the question was read.
func understood(read reading.Reading, q Query, remembered []Remembered) Understood {
	u := Understood{
		Query: read.Query, MaxPrice: read.Price.Max, MinPrice: read.Price.Min,
		Required: nonNil(read.Required), Excluded: read.Excluded, InStock: read.InStock,
		Context: nonNil(append(append([]string{}, q.Context...), read.Context...)), Remembered: remembered,
	}
	if len(read.Passes) < 2 {
		return u
	}
	for _, pass := range read.Passes {
		u.Passes = append(u.Passes, UnderstoodPass{
			Query: pass.Query, MaxPrice: pass.Price.Max, MinPrice: pass.Price.Min,
			Required: nonNil(pass.Required), Excluded: pass.Excluded, InStock: pass.InStock,
		})
	}
	return u
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// amount returns an amount as people read it.
func amount(minor int64, currency money.Currency) string {
	return money.Amount{Minor: minor, Currency: currency}.Display()
}

// quoted returns words between quotation marks, in one line.
func quoted(words string) string {
	return `"` + strings.ReplaceAll(strings.Join(strings.Fields(words), " "), `"`, "'") + `"`
}
