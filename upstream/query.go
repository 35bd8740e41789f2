package upstream

import (
	"slices"
	"strings"
)

// Query is a search. The zero Query lists everything.
type Query struct {
	// Words are free text.
	Words string
	// Categories narrow to products in any of them: a category's whole path or
	// the last part of one, in any case.
	Categories []string
	// MinPrice and MaxPrice bound the price of at least one variant, in minor
	// units of the visit's currency, both included.
	MinPrice *int64
	MaxPrice *int64
	// Available keeps only what can be bought.
	Available bool
	// Cursor is Results.Next of the page before, empty for the first.
	Cursor string
	// Limit is the most products wanted, 1 to 100.
	Limit int
}

// Results is a page of products.
type Results struct {
	Products []Product
	// Next asks for the page after this one; empty on the last.
	Next string
	// Total counts all pages, negative where the shop does not say.
	Total int
}

// Match reports whether a product meets the filters of the query. Words are not
// filters: whether they match is the shop's judgement.
func (q Query) Match(p *Product) bool {
	if q.Available && !p.Available() {
		return false
	}
	if len(q.Categories) > 0 && !q.inCategory(p) {
		return false
	}
	if q.MinPrice == nil && q.MaxPrice == nil {
		return true
	}
	return slices.ContainsFunc(p.Variants, func(v Variant) bool {
		return (q.MinPrice == nil || v.Price.Minor >= *q.MinPrice) &&
			(q.MaxPrice == nil || v.Price.Minor <= *q.MaxPrice)
	})
}

func (q Query) inCategory(p *Product) bool {
	for _, have := range p.Categories {
		last := have[strings.LastIndexByte(have, '/')+1:]
		for _, want := range q.Categories {
			if strings.EqualFold(have, want) || strings.EqualFold(last, want) {
				return true
			}
		}
	}
	return false
}
