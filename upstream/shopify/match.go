package shopify

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// match says which product each reference names: by id, else by handle, else by
// SKU. Products that none names are left out.
func match(refs []string, products []listed) []upstream.Match {
	var matches []upstream.Match
	for _, ref := range refs {
		product, variant := named(ref, products)
		if product == nil {
			continue
		}
		at := slices.IndexFunc(matches, func(m upstream.Match) bool { return m.Product.ID == product.ID })
		if at < 0 {
			at = len(matches)
			matches = append(matches, upstream.Match{Product: *product})
		}
		matches[at].Inputs = append(matches[at].Inputs, upstream.Input{Ref: ref, Variant: variant})
	}
	return matches
}

// named returns the product that a reference names, and its variant's id if it
// names one.
func named(ref string, products []listed) (product *upstream.Product, variant string) {
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
			if variant, ok := is(&products[i].Product); ok {
				return &products[i].Product, variant
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
