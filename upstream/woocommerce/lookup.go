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
	skus := shared(found)
	return upstream.MatchAll(refs, func(ref string) (*upstream.Product, string) {
		product, variant := upstream.Find(ref, products)
		if product == nil {
			return upstream.Find(skus[strings.ToLower(ref)], products)
		}
		return product, variant
	}), ctx.Err()
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
