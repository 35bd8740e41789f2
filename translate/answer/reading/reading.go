package reading

import (
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Reading is what was understood of a question.
type Reading struct {
	// Pass holds what applies to every pass, and the words of the whole question
	// to search for. Its noun is that of the first pass.
	Pass
	// Context is why and for whom, in the shopper's words. It filters nothing.
	Context []string
	// Passes has one entry for each thing that is asked for, at least one. Each
	// is complete: what applies to all is in it too.
	Passes []Pass
	// Language is the BCP 47 primary language that the words were read as.
	Language string
	// Degraded says that constraints could not be read from the words, so that
	// only those given in a structured form are here. Reason says why.
	Degraded bool
	Reason   Reason
}

// Pass is one thing that is asked for.
type Pass struct {
	// Query is what to search for: the words without prices, denials and context.
	Query string
	// Noun is the kind of thing, such as "jacket" or "phone case", in the words
	// of the question; empty where none was named.
	Noun  string
	Price Bounds
	// Required attributes must be met, Excluded ones must not.
	//
	// The key is the shop's own where its vocabulary has one. A property that a
	// product has or has not is "true". A measure with a bound has a key that
	// ends in "_min" or "_max": weight_max "2kg".
	Required []Attribute
	Excluded []Attribute
	// InStock asks for what can be had now.
	InStock bool
}

// Bounds are the lowest and highest price that is wanted of one item.
type Bounds struct {
	// Min and Max are in minor units, nil without a bound.
	Min, Max *int64
	// Currency is what was said; empty where it was not, and then the bounds are
	// in the shop's currency.
	Currency money.Currency
}

// Set reports whether there is a bound.
func (b Bounds) Set() bool { return b.Min != nil || b.Max != nil }

// Equal reports whether both bounds are the same.
func (b Bounds) Equal(c Bounds) bool {
	same := func(p, q *int64) bool { return p == q || p != nil && q != nil && *p == *q }
	return same(b.Min, c.Min) && same(b.Max, c.Max) && b.Currency == c.Currency
}

// Attribute is a key and the value that it should, or should not, have.
type Attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Reason says why a reading is degraded.
type Reason string

// The reasons.
const (
	// UnknownLanguage: the words are of none of the languages that are known.
	UnknownLanguage Reason = "unknown_language"
	// Contradiction: bounds exclude each other, or there are several of a kind.
	Contradiction Reason = "contradiction"
	// UnreadAmount: an amount of money is there that no rule made sense of.
	UnreadAmount Reason = "unread_amount"
	// Unreadable: the words could not be read at all.
	Unreadable Reason = "unreadable"
)

// Degrade returns the reading of a question whose words were not understood:
// they are searched for as they stand, and only what was given in a structured
// form filters.
func Degrade(question Question, reason Reason) Reading {
	words := clip(question.Words)
	r := Reading{Passes: []Pass{{Query: words}}, Degraded: true, Reason: reason}
	return r.complete(question)
}

// complete adds what the question holds in a structured form and gathers what
// applies to every pass. Every reader ends with it; see [Complete].
func (r Reading) complete(question Question) Reading {
	if question.Intent != "" {
		r.Context = append(r.Context, clip(question.Intent))
	}
	for i := range r.Passes {
		r.Passes[i] = r.Passes[i].with(question)
	}
	first := r.Passes[0]
	all := Pass{Query: r.Query, Noun: first.Noun, InStock: first.InStock, Price: first.Price}
	all.Required, all.Excluded = slices.Clone(first.Required), slices.Clone(first.Excluded)
	for _, pass := range r.Passes[1:] {
		all.InStock = all.InStock && pass.InStock
		if !all.Price.Equal(pass.Price) {
			all.Price = Bounds{}
		}
		all.Required = common(all.Required, pass.Required)
		all.Excluded = common(all.Excluded, pass.Excluded)
	}
	if all.Query == "" {
		all.Query = first.Query
	}
	r.Pass = all
	return r
}

// Complete finishes the reading of a reader outside this package: the passes
// alone are given. Without a pass the words as they stand are one.
func Complete(question Question, passes []Pass, context []string, language string) Reading {
	if len(passes) == 0 {
		passes = []Pass{{Query: clip(question.Words)}}
	}
	r := Reading{Passes: passes, Context: context, Language: language}
	if len(passes) > 1 {
		r.Query = clip(question.Words)
	}
	return r.complete(question)
}

// with returns the pass with what was given in a structured form, which beats
// what was read from words.
func (p Pass) with(question Question) Pass {
	if question.Min != nil || question.Max != nil {
		p.Price = Bounds{Min: question.Min, Max: question.Max, Currency: question.Currency}
	}
	p.Required = slices.DeleteFunc(p.Required, func(read Attribute) bool {
		return slices.ContainsFunc(question.Required, func(given Attribute) bool { return given.Key == read.Key })
	})
	p.Required = append(p.Required, question.Required...)
	for _, excluded := range question.Excluded {
		if !slices.Contains(p.Excluded, excluded) {
			p.Excluded = append(p.Excluded, excluded)
		}
	}
	p.InStock = p.InStock || question.InStock
	return p
}

func common(a, b []Attribute) []Attribute {
	return slices.DeleteFunc(a, func(attribute Attribute) bool { return !slices.Contains(b, attribute) })
}
