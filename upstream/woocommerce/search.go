package woocommerce

import (
	"context"
	"net/url"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	searching = "searching"
	// listLimit is how long a list of the shop's is at most.
	listLimit = 100
	// defaultLimit is for a query that does not say how many it wants.
	defaultLimit = 10
	// maxPages bounds how many pages of the shop's are read for one of ours, and
	// widePage is how long they are when most of it may be filtered out.
	maxPages = 4
	widePage = 50
)

// Search implements upstream.Shop. It takes two requests, and up to eight where
// the filters leave little of what the shop finds.
//
// The shop looks for one piece of text in titles and in the SKUs of products. So
// the longest word is looked for there, and the other words in what it found.
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	limit := min(q.Limit, listLimit)
	if limit < 1 {
		limit = defaultLimit
	}
	at, err := readCursor(q)
	if err != nil {
		return upstream.Results{}, err
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return upstream.Results{}, err
	}
	query, words, ok := f.listing(q)
	if !ok {
		return upstream.Results{}, ctx.Err()
	}
	take := limit
	if filtered(q) || len(words) > 0 {
		take = max(limit, widePage)
	}
	results := upstream.Results{Total: -1}
	more := true
	for page := 0; page < maxPages && more && len(results.Products) < limit; page++ {
		query.Set("offset", strconv.Itoa(at))
		query.Set("per_page", strconv.Itoa(take))
		places, total, err := s.places(ctx, v, f, query, words)
		if err != nil {
			return upstream.Results{}, err
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
		results.Next = writeCursor(at, q)
	} else if q.Cursor == "" {
		results.Total = len(results.Products)
	}
	return results, nil
}

// places returns what stands in the places that a query asks for, and how many
// places there are in all. A place whose product is not for sale, or does not
// hold the words, is nil.
func (s *Shop) places(ctx context.Context, v upstream.Visit, f *facts, query url.Values, words []string) ([]*upstream.Product, int, error) {
	a, err := s.ask(ctx, v, f, call{op: searching, path: "products", query: query, safe: true})
	if err != nil {
		return nil, 0, err
	}
	if err := a.err(); err != nil {
		return nil, 0, err
	}
	list := a.body.Array()
	wanted := make([]gjson.Result, 0, len(list))
	for _, one := range list {
		if holds(one, words) {
			wanted = append(wanted, one)
		}
	}
	products, err := s.complete(ctx, v, f, searching, wanted)
	if err != nil {
		return nil, 0, err
	}
	places := make([]*upstream.Product, len(list))
	for i, one := range list {
		if product, ok := products[one.Get("id").Int()]; ok {
			places[i] = &product
		}
	}
	return places, a.total(), nil
}
