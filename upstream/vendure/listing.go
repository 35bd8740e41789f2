package vendure

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// shortWords is how many letters Vendure's own search passes over: for a term of
// at most that many it returns everything.
const shortWords = 2

// listing is where a search finds its products, page by page.
type listing struct {
	shop   *Shop
	schema *schema
	visit  upstream.Visit
	// input is for the search plugin, filter for the list of products. Only one
	// is used.
	input  variables
	filter variables
	// empty: no product can meet the query.
	empty bool
	// exact: the shop itself applies every filter of the query.
	exact bool
}

// newListing says where the products of a query are found. Words of two letters
// or less, and all words in a shop without a search plugin, are looked for in
// names and descriptions as they stand.
func (s *Shop) newListing(ctx context.Context, sc *schema, v upstream.Visit, q upstream.Query) (listing, error) {
	l := listing{shop: s, schema: sc, visit: v}
	open := filters(q)
	words := strings.TrimSpace(q.Words)
	if words != "" && (!sc.search || len([]rune(words)) <= shortWords) {
		contains := variables{"contains": words}
		l.filter = variables{"_or": []variables{{"name": contains}, {"description": contains}}}
		l.exact = open == 0
		return l, nil
	}
	input := variables{"groupByProduct": true}
	if words != "" {
		input["term"] = words
	}
	if sc.search && len(q.Categories) > 0 {
		ids, err := s.collections(ctx, sc, v, q.Categories)
		if err != nil {
			return listing{}, err
		}
		l.empty = len(ids) == 0
		input["collectionIds"] = ids
		open--
	}
	if q.Available && sc.inStock {
		input["inStock"] = true
		open--
	}
	if len(input) > 1 {
		l.input = input
	}
	l.exact = open == 0
	return l, nil
}

// filters counts the filters of a query.
func filters(q upstream.Query) int {
	n := 0
	for _, set := range []bool{len(q.Categories) > 0, q.Available, q.MinPrice != nil || q.MaxPrice != nil} {
		if set {
			n++
		}
	}
	return n
}

// page returns what stands in at most take places after the first skip ones, and
// how many places there are in all. A place without a product is nil: the search
// plugin's index may name one that is not for sale any more.
func (l listing) page(ctx context.Context, skip, take int) ([]*upstream.Product, int, error) {
	if l.input == nil {
		return l.list(ctx, skip, take)
	}
	input := variables{"skip": skip, "take": take}
	maps.Copy(input, l.input)
	data, err := l.shop.run(ctx, l.visit, call{
		op: searching, name: "Search", document: searchDocument, variables: variables{"input": input},
		query: l.schema.market(l.visit.Market, ""), safe: true,
	})
	if err != nil {
		return nil, 0, err
	}
	var ids []string
	for _, id := range data.Get("search.items.#.productId").Array() {
		ids = append(ids, id.String())
	}
	products, err := l.shop.productsByID(ctx, l.schema, l.visit, searching, ids)
	if err != nil {
		return nil, 0, err
	}
	places := make([]*upstream.Product, len(ids))
	for i, id := range ids {
		at := slices.IndexFunc(products, func(p upstream.Product) bool { return p.ID == productID(id) })
		if at >= 0 && forSale(&products[at]) {
			places[i] = &products[at]
		}
	}
	return places, int(data.Get("search.totalItems").Int()), nil
}

// list is page for a shop's plain list of products.
func (l listing) list(ctx context.Context, skip, take int) ([]*upstream.Product, int, error) {
	options := variables{"skip": skip, "take": take, "sort": variables{"id": "ASC"}}
	if l.filter != nil {
		options["filter"] = l.filter
	}
	data, err := l.shop.run(ctx, l.visit, l.shop.productsCall(l.schema, l.visit, searching, options))
	if err != nil {
		return nil, 0, err
	}
	products, err := l.shop.readProducts(searching, data.Get("products.items"), data.Get("activeChannel.pricesIncludeTax").Bool())
	if err != nil {
		return nil, 0, err
	}
	places := make([]*upstream.Product, len(products))
	for i := range products {
		if forSale(&products[i]) {
			places[i] = &products[i]
		}
	}
	return places, int(data.Get("products.totalItems").Int()), nil
}

func forSale(p *upstream.Product) bool { return len(p.Variants) > 0 }

// productsCall is the operation that reads products by options of Vendure's.
func (s *Shop) productsCall(sc *schema, v upstream.Visit, op string, options variables) call {
	return call{
		op: op, name: "Products", document: document(productsDocument, productParts, sc.facts),
		variables: variables{"options": options}, query: sc.market(v.Market, ""), safe: true,
	}
}

// productsByID reads at most listLimit products in one request, none if there
// are no ids.
func (s *Shop) productsByID(ctx context.Context, sc *schema, v upstream.Visit, op string, ids []string) ([]upstream.Product, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	data, err := s.run(ctx, v, s.productsCall(sc, v, op, byIDs(ids)))
	if err != nil {
		return nil, err
	}
	return s.readProducts(op, data.Get("products.items"), data.Get("activeChannel.pricesIncludeTax").Bool())
}

// byIDs are the options for the products with those ids.
func byIDs(ids []string) variables {
	return variables{"take": listLimit, "filter": variables{"id": variables{"in": ids}}}
}
