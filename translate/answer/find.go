package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/upstream"
)

// ShopFinder finds by the shop's own search.
type ShopFinder struct{ Shop upstream.Catalogue }

// pageOfShop is how many products are asked for at once.
const pageOfShop = 100

// Find implements Finder.
func (f ShopFinder) Find(ctx context.Context, v upstream.Visit, w Wanted, most int) ([]upstream.Product, error) {
	q := upstream.Query{Words: w.Words, Categories: w.Categories}
	var products []upstream.Product
	for len(products) < most {
		q.Limit = min(most-len(products), pageOfShop)
		page, err := f.Shop.Search(ctx, v, q)
		if err != nil {
			return nil, err
		}
		products = append(products, page.Products...)
		if page.Next == "" || page.Next == q.Cursor {
			break
		}
		q.Cursor = page.Next
	}
	return products, nil
}

// IndexFinder finds by an index of the shop's words, and reads from the shop what
// it found. While the index has not seen the whole catalogue, and for what it does
// not find at all, the shop's own search helps out.
type IndexFinder struct {
	Shop  upstream.Catalogue
	Index *index.Index
	// Ready reports whether the index has seen the whole catalogue.
	Ready func() bool
}

// Find implements Finder.
func (f IndexFinder) Find(ctx context.Context, v upstream.Visit, w Wanted, most int) ([]upstream.Product, error) {
	if !f.Ready() || w.Words == "" {
		return ShopFinder{f.Shop}.Find(ctx, v, w, most)
	}
	found := f.Index.Search(index.Query{Text: w.Words, Head: w.Noun, Language: w.Language, Limit: most})
	if len(found.Hits) == 0 {
		return nil, nil
	}
	ids := make([]string, len(found.Hits))
	place := make(map[string]int, len(found.Hits))
	for i, hit := range found.Hits {
		ids[i], place[hit.ID] = hit.ID, i
	}
	matches, err := f.Shop.Lookup(ctx, v, ids)
	if err != nil {
		return nil, fmt.Errorf("reading what was found: %w", err)
	}
	products := make([]upstream.Product, 0, len(matches))
	narrow := upstream.Query{Categories: w.Categories}
	for i := range matches {
		p := matches[i].Product
		if _, asked := place[p.ID]; asked && narrow.Match(&p) {
			products = append(products, p)
		}
	}
	slices.SortStableFunc(products, func(a, b upstream.Product) int { return place[a.ID] - place[b.ID] })
	return products, nil
}
