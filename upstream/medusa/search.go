package medusa

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	searching = "searching"
	// maxLimit is how many products are asked for at once.
	maxLimit = 100
	// defaultLimit is for a query that does not say how many it wants.
	defaultLimit = 10
	// maxPages bounds how many pages of the shop's are read for one of ours, and
	// widePage is how long they are when most of it may be filtered out.
	maxPages = 3
	widePage = 50
)

// Bounds for the words of a search: the shop's database looks for each of them
// in every product.
const (
	maxWords     = 64
	maxWordBytes = 1000
)

// maxFiltered is how many categories the shop is asked to narrow a search to.
// More would not fit into the head of a request.
const maxFiltered = 100

// Search implements upstream.Shop. It takes one request, and up to three where a
// filter that Medusa does not have, on price or stock, leaves little of what it
// found. Medusa looks for every word somewhere in a product, as it stands, and
// does not rank what it finds; the oldest product comes first.
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	at, err := readCursor(q, v.Market)
	if err != nil {
		return upstream.Results{}, err
	}
	k, err := s.learned(ctx, v)
	if err != nil {
		return upstream.Results{}, err
	}
	query, exact, err := k.searchQuery(v, q)
	if err != nil || query == nil {
		return upstream.Results{}, err
	}
	limit := min(q.Limit, maxLimit)
	if limit < 1 {
		limit = defaultLimit
	}
	take := limit
	if !exact {
		take = max(limit, widePage)
	}
	results := upstream.Results{Total: -1}
	more := true
	for page := 0; page < maxPages && more && len(results.Products) < limit; page++ {
		products, total, err := s.page(ctx, v, k, query, at, take)
		if err != nil {
			return upstream.Results{}, err
		}
		if exact {
			results.Total = total
		}
		for i := range products {
			if len(results.Products) == limit {
				break
			}
			at++
			if p := &products[i]; p.forSale() && q.Match(&p.Product) {
				results.Products = append(results.Products, p.Product)
			}
		}
		more = at < total && len(products) > 0
	}
	if more {
		results.Next = writeCursor(at, q, v.Market)
	} else if q.Cursor == "" {
		results.Total = len(results.Products)
	}
	return results, nil
}

// searchQuery returns the parameters of a search, nil if it cannot find anything,
// and whether the shop itself applies every filter of it.
func (k *knowledge) searchQuery(v upstream.Visit, q upstream.Query) (query url.Values, exact bool, err error) {
	query = k.place(v.Market).query(nil)
	query.Set("order", "id")
	exact = !q.Available && q.MinPrice == nil && q.MaxPrice == nil
	if words := strings.Fields(clean(q.Words)); len(words) > 0 {
		text := strings.Join(words, " ")
		if len(words) > maxWords || len(text) > maxWordBytes {
			return nil, false, upstream.Errorf(upstream.CodeInvalid, searching, "there are too many words")
		}
		query.Set("q", text)
	}
	if len(q.Categories) == 0 {
		return query, exact, nil
	}
	ids := k.categories.ids(q.Categories)
	switch {
	case len(ids) == 0:
		return nil, true, nil
	case len(ids) > maxFiltered:
		return query, false, nil
	}
	query["category_id[]"] = ids
	return query, exact, nil
}

// page reads at most take products after the first skip ones, and how many there
// are in all.
func (s *Shop) page(ctx context.Context, v upstream.Visit, k *knowledge, query url.Values, skip, take int) ([]goods, int, error) {
	query.Set("offset", strconv.Itoa(skip))
	query.Set("limit", strconv.Itoa(take))
	c := call{op: searching, path: []string{"products"}, fields: s.productFields(), query: query}
	answer, err := s.send(ctx, v, c)
	if err != nil {
		return nil, 0, err
	}
	if !answer.Get("products").IsArray() {
		return nil, 0, s.senseless(c)
	}
	products, err := s.readProducts(searching, k, answer.Get("products"))
	return products, int(answer.Get("count").Int()), err
}

// productFields are what is asked for of a product.
func (s *Shop) productFields() string {
	if len(s.facts) == 0 {
		return productFields
	}
	return productFields + ",metadata"
}
