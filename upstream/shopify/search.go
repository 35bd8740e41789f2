package shopify

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	searching = "searching"
	// defaultLimit is for a query that does not say how many it wants, and
	// maxLimit for one that wants more than it may.
	defaultLimit = 10
	maxLimit     = 100
	// pageLimit is how many products are read at once. maxPages bounds how many
	// pages are read for one of ours, and widePage is how long they are at least
	// when some of it may be filtered out.
	pageLimit = 50
	maxPages  = 4
	widePage  = 40
)

// Search implements upstream.Shop. A page of up to fifty products takes one
// request, and up to four where filters leave little of what Shopify found.
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	limit := min(q.Limit, maxLimit)
	if limit < 1 {
		limit = defaultLimit
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return upstream.Results{}, err
	}
	m := f.market(v.Market)
	after, err := readCursor(q, m)
	if err != nil {
		return upstream.Results{}, err
	}
	l, err := s.newListing(ctx, f, v, q)
	if err != nil || l.empty {
		return upstream.Results{}, err
	}
	filtered := q.Available || len(q.Categories) > 0 || q.MinPrice != nil || q.MaxPrice != nil
	results := upstream.Results{Total: -1}
	more := true
	for page := 0; page < maxPages && more && len(results.Products) < limit; page++ {
		take := limit - len(results.Products)
		if filtered {
			take = max(take, widePage)
		}
		places, total, open, err := l.page(ctx, after, min(take, pageLimit))
		if err != nil {
			return upstream.Results{}, err
		}
		if l.path == searchPath && !filtered {
			results.Total = total
		}
		more = open && len(places) > 0
		for _, is := range places {
			if len(results.Products) == limit {
				more = true
				break
			}
			after = is.cursor
			if q.Match(&is.product) {
				results.Products = append(results.Products, is.product)
			}
		}
	}
	switch {
	case more:
		results.Next = writeCursor(after, q, m)
	case q.Cursor == "":
		results.Total = len(results.Products)
	}
	return results, nil
}
