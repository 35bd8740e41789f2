package mapped

import (
	"context"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

const searching = "searching"

const (
	// maxLimit is how many products are returned at once, and defaultLimit how
	// many for a query that does not say.
	maxLimit     = 100
	defaultLimit = 10
	// maxPages bounds how many pages of the shop's are read for one of ours, and
	// scanPages how many where every product has to be looked at.
	maxPages  = 4
	scanPages = 20
)

// Bounds for the words of a search.
const (
	maxWords     = 64
	maxWordBytes = 1000
)

// Search implements upstream.Shop. Filters that the shop does not have are applied
// to what it returns, and up to four of its pages are read for one of ours.
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	q.Words = spoken(q.Words)
	at, err := readCursor(q, v.Market)
	if err != nil {
		return upstream.Results{}, err
	}
	words := strings.Fields(strings.ToLower(q.Words))
	if len(words) > maxWords || len(q.Words) > maxWordBytes {
		return upstream.Results{}, upstream.Errorf(upstream.CodeInvalid, searching, "there are too many words")
	}
	listing, scan, pages := s.m.List, []string(nil), maxPages
	switch {
	case len(words) == 0:
	case s.m.Search != nil:
		listing = s.m.Search
	case s.m.Scan:
		scan, pages = words, scanPages
	default:
		return upstream.Results{}, upstream.Errorf(upstream.CodeUnsupported, searching, "the shop cannot look for words")
	}
	limit := min(q.Limit, maxLimit)
	if limit < 1 {
		limit = defaultLimit
	}
	// The shop itself applies every filter of the query.
	exact := !q.Available && q.MinPrice == nil && q.MaxPrice == nil && len(q.Categories) == 0 && scan == nil
	results := upstream.Results{Total: -1}
	for n, more := 0, true; more; n++ {
		p, err := s.readPage(ctx, v, searching, listing, q, at.Page)
		if err != nil {
			return upstream.Results{}, err
		}
		if exact {
			results.Total = p.total
		}
		for at.Skip < len(p.goods) && len(results.Products) < limit {
			product := p.goods[at.Skip].Product
			at.Skip++
			if q.Match(&product) && holds(&product, scan) {
				results.Products = append(results.Products, product)
			}
		}
		if at.Skip >= len(p.goods) {
			at, more = searchPlace{Page: p.next}, p.more
		}
		if more && (len(results.Products) == limit || n+1 == pages) {
			results.Next = writeCursor(at, q, v.Market)
			return results, nil
		}
	}
	if q.Cursor == "" {
		results.Total = len(results.Products)
	}
	return results, nil
}

// holds reports whether each of the words stands somewhere in a product.
func holds(p *upstream.Product, words []string) bool {
	if len(words) == 0 {
		return true
	}
	texts := slices.Concat([]string{p.Title, p.Description, p.Brand, p.Handle}, p.Categories, p.Tags)
	for _, v := range p.Variants {
		texts = append(texts, v.SKU, v.Title)
	}
	for _, a := range p.Attributes {
		texts = append(texts, a.Values...)
	}
	for _, o := range p.Options {
		texts = append(texts, o.Values...)
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) })
}
