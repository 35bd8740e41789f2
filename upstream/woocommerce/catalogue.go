package woocommerce

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// complete reads products with their variations, which are a list of their own
// in the shop. Products that are not for sale are left out.
func (s *Shop) complete(ctx context.Context, v upstream.Visit, f *facts, op string, list []gjson.Result) (map[int64]upstream.Product, error) {
	var parents []string
	for _, one := range list {
		if forSale(one) && isVariable(one) {
			parents = append(parents, number(one.Get("id").Int()))
		}
	}
	variations, err := s.variations(ctx, v, f, op, parents)
	if err != nil {
		return nil, err
	}
	products := make(map[int64]upstream.Product, len(list))
	for _, one := range list {
		id := one.Get("id").Int()
		product, ok, err := f.readProduct(op, one, variations[id])
		if err != nil {
			return nil, err
		}
		if ok {
			products[id] = product
		}
	}
	return products, nil
}

// maxVariationPages bounds how many pages of variations are read at once.
const maxVariationPages = 20

// variations reads the variations of products, by their product.
func (s *Shop) variations(ctx context.Context, v upstream.Visit, f *facts, op string, parents []string) (map[int64][]gjson.Result, error) {
	all := make(map[int64][]gjson.Result)
	if len(parents) == 0 {
		return all, nil
	}
	for page := 1; page <= maxVariationPages; page++ {
		a, err := s.ask(ctx, v, f, call{op: op, path: "products", query: url.Values{
			"parent": {strings.Join(parents, ",")}, "type": {"variation"}, "orderby": {"id"}, "order": {"asc"},
			"per_page": {strconv.Itoa(listLimit)}, "page": {strconv.Itoa(page)}, "_fields": {productFields},
		}, safe: true})
		if err != nil {
			return nil, err
		}
		if err := a.err(); err != nil {
			return nil, err
		}
		for _, one := range a.body.Array() {
			parent := one.Get("parent").Int()
			all[parent] = append(all[parent], one)
		}
		if page >= a.pages() {
			break
		}
	}
	return all, nil
}

// byID reads products by their numbers, without their variations.
func (s *Shop) byID(ctx context.Context, v upstream.Visit, f *facts, op string, ids []string) ([]gjson.Result, error) {
	return s.list(ctx, v, f, op, "include", ids)
}

// list reads what has one of the values in a field: products, and variations too
// where the field is their own.
func (s *Shop) list(ctx context.Context, v upstream.Visit, f *facts, op, field string, values []string) ([]gjson.Result, error) {
	var all []gjson.Result
	for some := range slices.Chunk(unique(values), listLimit) {
		a, err := s.ask(ctx, v, f, call{op: op, path: "products", query: url.Values{
			field: {strings.Join(some, ",")}, "per_page": {strconv.Itoa(listLimit)}, "_fields": {productFields},
		}, safe: true})
		if err != nil {
			return nil, err
		}
		if err := a.err(); err != nil {
			return nil, err
		}
		all = append(all, a.body.Array()...)
	}
	return all, nil
}
