package vendure

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	searching = "searching"
	// listLimit is how many of a list Vendure gives at most.
	listLimit = 100
	// defaultLimit is for a query that does not say how many it wants.
	defaultLimit = 10
	// maxPages bounds how many pages of the shop's are read for one of ours, and
	// widePage is how long they are when most of it may be filtered out.
	maxPages = 3
	widePage = 40
)

// Search implements upstream.Shop. Without words and filters it takes one
// request, otherwise two for a page, and up to six where a filter that Vendure
// does not have leaves little of what it found.
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	limit := min(q.Limit, listLimit)
	if limit < 1 {
		limit = defaultLimit
	}
	at, err := readCursor(q, v.Market)
	if err != nil {
		return upstream.Results{}, err
	}
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Results{}, err
	}
	l, err := s.newListing(ctx, sc, v, q)
	if err != nil {
		return upstream.Results{}, err
	}
	take := limit
	if !l.exact {
		take = max(limit, widePage)
	}
	if l.empty {
		return upstream.Results{}, nil
	}
	results := upstream.Results{Total: -1}
	more := true
	for page := 0; page < maxPages && more && len(results.Products) < limit; page++ {
		places, total, err := l.page(ctx, at, take)
		if err != nil {
			return upstream.Results{}, err
		}
		if l.exact {
			results.Total = total
		}
		for _, product := range places {
			if len(results.Products) == limit {
				break
			}
			at++
			if product != nil && q.Match(product) {
				results.Products = append(results.Products, *product)
			}
		}
		more = at < total && len(places) > 0
	}
	if more {
		results.Next = writeCursor(at, q, v.Market)
	} else if q.Cursor == "" {
		results.Total = len(results.Products)
	}
	return results, nil
}
