package woocommerce

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const lookingUp = "looking up products"

// maxName and maxNames bound the references that may be handles or SKUs: how
// long one is, in bytes, and how many the shop is asked for at once.
const (
	maxName  = 150
	maxNames = 20
)

// Lookup implements upstream.Shop. It takes one request for products by their
// ids, two for each twenty handles or SKUs, one for the products that these lead
// to, and one for all variations.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	f, err := s.known(ctx, v)
	if err != nil {
		return nil, err
	}
	refs = unique(refs)
	var ids, names []string
	for _, ref := range refs {
		i, ok := parseItem(ref)
		if ok {
			ids = append(ids, number(i.product))
		}
		// A mere number is perhaps a SKU too.
		if (!ok || i.variation == 0) && isName(ref) {
			names = append(names, ref)
		}
	}
	found, err := s.byID(ctx, v, f, lookingUp, ids)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(names, maxNames) {
		for _, field := range []string{"slug", "sku"} {
			named, err := s.list(ctx, v, f, lookingUp, field, some)
			if err != nil {
				return nil, err
			}
			found = append(found, named...)
		}
	}
	products, err := s.whole(ctx, v, f, found)
	if err != nil {
		return nil, err
	}
	return match(refs, products, shared(found)), ctx.Err()
}

// isName reports whether a reference may be a handle or a SKU. The shop passes
// over what is none and lists everything.
func isName(ref string) bool {
	return len(ref) <= maxName && strings.ContainsFunc(ref, isWordRune) && !strings.ContainsAny(ref, ",<>%\x00\n\r\t") && ref != "0"
}

// whole returns the products that are among what was found, and those whose
// variations are, with all their variations.
func (s *Shop) whole(ctx context.Context, v upstream.Visit, f *facts, found []gjson.Result) ([]upstream.Product, error) {
	var products []gjson.Result
	var missing []string
	has := func(id int64) bool {
		return slices.ContainsFunc(products, func(p gjson.Result) bool { return p.Get("id").Int() == id })
	}
	for _, one := range found {
		if one.Get("type").String() != "variation" && !has(one.Get("id").Int()) {
			products = append(products, one)
		}
	}
	for _, one := range found {
		if parent := one.Get("parent").Int(); one.Get("type").String() == "variation" && !has(parent) {
			missing = append(missing, number(parent))
		}
	}
	more, err := s.byID(ctx, v, f, lookingUp, missing)
	if err != nil {
		return nil, err
	}
	products = append(products, more...)
	known, err := s.complete(ctx, v, f, lookingUp, products)
	if err != nil {
		return nil, err
	}
	whole := make([]upstream.Product, 0, len(known))
	for _, one := range products {
		if product, ok := known[one.Get("id").Int()]; ok {
			whole = append(whole, product)
		}
	}
	return whole, nil
}

// match says which product each reference names: by id, else by handle, else by
// SKU. Products that none names are left out.
func match(refs []string, products []upstream.Product, skus map[string]string) []upstream.Match {
	var matches []upstream.Match
	for _, ref := range refs {
		product, variant := find(ref, products)
		if product == nil {
			product, variant = find(skus[strings.ToLower(ref)], products)
		}
		if product == nil {
			continue
		}
		at := slices.IndexFunc(matches, func(m upstream.Match) bool { return m.Product.ID == product.ID })
		if at < 0 {
			matches = append(matches, upstream.Match{Product: *product})
			at = len(matches) - 1
		}
		matches[at].Inputs = append(matches[at].Inputs, upstream.Input{Ref: ref, Variant: variant})
	}
	return matches
}

// shared returns the ids of products by all SKUs that were found, in small
// letters. One of them may name a product and no single variant of it: its own,
// or that of a variation in any size.
func shared(found []gjson.Result) map[string]string {
	skus := make(map[string]string)
	for _, one := range found {
		product := one.Get("id").Int()
		if one.Get("type").String() == "variation" {
			product = one.Get("parent").Int()
		}
		if sku := one.Get("sku").String(); sku != "" {
			skus[strings.ToLower(sku)] = item{product: product}.String()
		}
	}
	return skus
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
			if variant, ok := is(&products[i]); ok {
				return &products[i], variant
			}
		}
	}
	return nil, ""
}

// withSKU returns the id of the variant with such an SKU.
func withSKU(p *upstream.Product, such func(string) bool) (string, bool) {
	for _, v := range p.Variants {
		if v.SKU != "" && such(v.SKU) {
			return v.ID, true
		}
	}
	return "", false
}
