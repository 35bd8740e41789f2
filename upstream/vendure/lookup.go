package vendure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

const lookingUp = "looking up products"

// skuMatches is how many hits of a search for an SKU are looked at: others may
// contain it.
const skuMatches = 20

// Lookup implements upstream.Shop. It takes one request for each hundred
// references, and another one if there are SKUs among them: Vendure finds those
// through its search plugin only.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return nil, err
	}
	var matches []upstream.Match
	for some := range slices.Chunk(unique(refs), listLimit) {
		found, err := s.lookup(ctx, sc, v, some)
		if err != nil {
			return nil, err
		}
		matches = append(matches, found...)
	}
	return matches, nil
}

// lookup is Lookup for references that fit into one request.
func (s *Shop) lookup(ctx context.Context, sc *schema, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	var ids, names []string
	for _, ref := range refs {
		if product, _, ok := splitID(ref); ok {
			ids = append(ids, product)
		} else {
			names = append(names, ref)
		}
	}
	text, values := lookupOperation(sc, unique(ids), names).render()
	data, err := s.run(ctx, v, call{
		op: lookingUp, name: "Lookup", document: document(text, productParts, sc.facts),
		variables: values, query: sc.market(v.Market, ""), safe: true,
	})
	if err != nil {
		return nil, err
	}
	products, err := s.readProducts(lookingUp, data.Get("products.items"), data.Get("activeChannel.pricesIncludeTax").Bool())
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, name := range names {
		for _, hit := range data.Get(skuAlias(i) + ".items").Array() {
			id := hit.Get("productId").String()
			known := slices.ContainsFunc(products, func(p upstream.Product) bool { return p.ID == productID(id) })
			if strings.EqualFold(hit.Get("sku").String(), name) && !known {
				missing = append(missing, id)
			}
		}
	}
	for some := range slices.Chunk(unique(missing), listLimit) {
		more, err := s.productsByID(ctx, sc, v, lookingUp, some)
		if err != nil {
			return nil, err
		}
		products = append(products, more...)
	}
	products = slices.DeleteFunc(products, func(p upstream.Product) bool { return !forSale(&p) })
	return upstream.MatchAll(refs, func(ref string) (*upstream.Product, string) { return upstream.Find(ref, products) }), nil
}

// lookupOperation reads the products with those ids or one of those names as
// handle, and searches for each name as an SKU.
func lookupOperation(sc *schema, ids, names []string) operation {
	var either []variables
	if len(ids) > 0 {
		either = append(either, variables{"id": variables{"in": ids}})
	}
	if len(names) > 0 {
		either = append(either, variables{"slug": variables{"in": names}})
	}
	options := variables{"take": listLimit, "filter": variables{"_or": either}}
	o := operation{kind: "query", name: "Lookup", fields: []field{
		{alias: "activeChannel", name: "activeChannel", selection: "{ pricesIncludeTax }"},
		{
			alias: "products", name: "products", selection: "{ items { ...ProductParts } }",
			arguments: []argument{{"options", "ProductListOptions!", options}},
		},
	}}
	if !sc.search {
		return o
	}
	for i, name := range names {
		input := variables{"term": name, "take": skuMatches, "groupByProduct": false}
		o.fields = append(o.fields, field{
			alias: skuAlias(i), name: "search", selection: "{ items { productId sku } }",
			arguments: []argument{{"input", "SearchInput!", input}},
		})
	}
	return o
}

func skuAlias(i int) string { return fmt.Sprintf("sku%d", i) }

// unique returns the values without repetition, in their order.
func unique(values []string) []string {
	seen := make(map[string]bool, len(values))
	out := make([]string, 0, len(values))
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			out = append(out, value)
		}
	}
	return out
}
