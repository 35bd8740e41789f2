package upstream

import (
	"slices"
	"strings"
)

// Find returns which of the products a reference of a look-up names, and the id of
// its variant if it names one: by id, else by handle, else by SKU, in other letters
// last. It is nil for none. Adapters use it on what their shops found.
func Find(ref string, products []Product) (product *Product, variant string) {
	if ref == "" {
		return nil, ""
	}
	for _, is := range []func(*Product) (string, bool){
		func(p *Product) (string, bool) { return "", p.ID == ref },
		func(p *Product) (string, bool) { return ref, p.Variant(ref) != nil },
		func(p *Product) (string, bool) { return "", p.Handle == ref },
		func(p *Product) (string, bool) {
			return p.withSKU(func(sku string) bool { return sku == ref })
		},
		func(p *Product) (string, bool) {
			return p.withSKU(func(sku string) bool { return strings.EqualFold(sku, ref) })
		},
	} {
		for i := range products {
			if variant, ok := is(&products[i]); ok {
				return &products[i], variant
			}
		}
	}
	return nil, ""
}

// withSKU returns the id of the variant with such an SKU.
func (p *Product) withSKU(such func(string) bool) (string, bool) {
	for _, v := range p.Variants {
		if such(v.SKU) {
			return v.ID, true
		}
	}
	return "", false
}

// MatchAll collects what the references of a look-up name, each product once, in
// the order of the references. What find knows nothing of is left out.
func MatchAll(refs []string, find func(ref string) (product *Product, variant string)) []Match {
	var matches []Match
	for _, ref := range refs {
		product, variant := find(ref)
		if product == nil {
			continue
		}
		at := slices.IndexFunc(matches, func(m Match) bool { return m.Product.ID == product.ID })
		if at < 0 {
			at = len(matches)
			matches = append(matches, Match{Product: *product})
		}
		matches[at].Inputs = append(matches[at].Inputs, Input{Ref: ref, Variant: variant})
	}
	return matches
}
