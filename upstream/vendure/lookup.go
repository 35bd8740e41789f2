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
	return match(refs, products), nil
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

// match says which product each reference names: by id, else by handle, else by
// SKU. Products that none names are left out.
func match(refs []string, products []upstream.Product) []upstream.Match {
	var matches []upstream.Match
	for _, ref := range refs {
		product, variant := find(ref, products)
		if product == nil {
			continue
		}
		input := upstream.Input{Ref: ref, Variant: variant}
		at := slices.IndexFunc(matches, func(m upstream.Match) bool { return m.Product.ID == product.ID })
		if at < 0 {
			matches = append(matches, upstream.Match{Product: *product})
			at = len(matches) - 1
		}
		matches[at].Inputs = append(matches[at].Inputs, input)
	}
	return matches
}

// find returns the product that a reference names, and its variant's id if it
// names one.
func find(ref string, products []upstream.Product) (product *upstream.Product, variant string) {
	for _, is := range []func(*upstream.Product) (string, bool){
		func(p *upstream.Product) (string, bool) { return "", p.ID == ref },
		func(p *upstream.Product) (string, bool) { return ref, p.Variant(ref) != nil },
		func(p *upstream.Product) (string, bool) { return "", p.Handle == ref },
		func(p *upstream.Product) (string, bool) {
			return withSKU(p, func(sku string) bool { return sku == ref })
		},
		func(p *upstream.Product) (string, bool) {
			return withSKU(p, func(sku string) bool { return strings.EqualFold(sku, ref) })
		},
	} {
		for i := range products {
			if variant, ok := is(&products[i]); ok && forSale(&products[i]) {
				return &products[i], variant
			}
		}
	}
	return nil, ""
}

// withSKU returns the id of the variant with such an SKU.
func withSKU(p *upstream.Product, such func(string) bool) (string, bool) {
	for _, v := range p.Variants {
		if such(v.SKU) {
			return v.ID, true
		}
	}
	return "", false
}

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
