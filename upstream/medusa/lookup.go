package medusa

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/upstream"
)

const lookingUp = "looking up products"

// The beginnings of Medusa's ids.
const (
	productPrefix = "prod_"
	variantPrefix = "variant_"
)

// Bounds for references, in bytes: nothing has a longer name, and Node.js takes
// 16 KB of a request's head.
const (
	maxRef      = 200
	maxRefBytes = 3000
)

// Lookup implements upstream.Shop. It takes one request for ids of products or of
// variants, two at the same time for both, for handles and for SKUs, and as many
// again for each 3,000 bytes of references.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	k, err := s.learned(ctx, v)
	if err != nil {
		return nil, err
	}
	products, err := s.products(ctx, v, lookingUp, k, k.place(v.Market), refs)
	if err != nil {
		return nil, err
	}
	var offered []upstream.Product
	for i := range products {
		if products[i].forSale() {
			offered = append(offered, products[i].Product)
		}
	}
	return upstream.MatchAll(unique(refs), func(ref string) (*upstream.Product, string) { return upstream.Find(ref, offered) }), nil
}

// products reads what references name, and perhaps more.
func (s *Shop) products(ctx context.Context, v upstream.Visit, op string, k *knowledge, where place, refs []string) ([]goods, error) {
	var products []goods
	for _, some := range batches(refs) {
		found, err := s.batch(ctx, v, op, k, where, some)
		if err != nil {
			return nil, err
		}
		for _, g := range found {
			if !slices.ContainsFunc(products, func(p goods) bool { return p.ID == g.ID }) {
				products = append(products, g)
			}
		}
	}
	return products, nil
}

// batches divides references into such that fit into one request. Those that
// cannot name anything are left out.
func batches(refs []string) [][]string {
	var all [][]string
	room := 0
	for _, ref := range unique(refs) {
		if ref == "" || len(ref) > maxRef || strings.ContainsFunc(ref, unicode.IsControl) {
			continue
		}
		need := len(url.QueryEscape(ref))
		if len(all) == 0 || need > room {
			all, room = append(all, nil), maxRefBytes
		}
		room -= need
		all[len(all)-1] = append(all[len(all)-1], ref)
	}
	return all
}

// batch reads what references name that fit into one request. Whether one that is
// no id is a handle or an SKU cannot be seen, so it is looked for as either.
func (s *Shop) batch(ctx context.Context, v upstream.Visit, op string, k *knowledge, where place, refs []string) ([]goods, error) {
	var ofProducts, ofVariants []string
	for _, ref := range refs {
		if !strings.HasPrefix(ref, variantPrefix) {
			ofProducts = append(ofProducts, ref)
		}
		if !strings.HasPrefix(ref, productPrefix) {
			ofVariants = append(ofVariants, ref)
		}
	}
	var byProduct, byVariant []goods
	read := func(into *[]goods, filter url.Values, refs int) func() error {
		return func() (err error) {
			if refs == 0 {
				return nil
			}
			filter.Set("limit", strconv.Itoa(2*refs)) // One by its id, one by its other name.
			*into, err = s.named(ctx, v, op, k, where.query(filter))
			return err
		}
	}
	err := together(
		read(&byProduct, either("$or", ofProducts, productPrefix, "handle"), len(ofProducts)),
		read(&byVariant, either("variants[$or]", ofVariants, variantPrefix, "sku"), len(ofVariants)),
	)
	return append(byProduct, byVariant...), err
}

// either is a filter for what has one of the references as its id, or as its
// other name if it does not look like an id.
func either(operator string, refs []string, prefix, name string) url.Values {
	filter := make(url.Values)
	for _, ref := range refs {
		id := fmt.Sprintf("%s[0][id][]", operator)
		filter[id] = append(filter[id], ref)
		if !strings.HasPrefix(ref, prefix) {
			other := fmt.Sprintf("%s[1][%s][]", operator, name)
			filter[other] = append(filter[other], ref)
		}
	}
	return filter
}

// named reads all products that a filter lets through.
func (s *Shop) named(ctx context.Context, v upstream.Visit, op string, k *knowledge, filter url.Values) ([]goods, error) {
	found, err := s.ask(ctx, v, call{op: op, path: []string{"products"}, fields: s.productFields(), query: filter}, "products")
	if err != nil {
		return nil, err
	}
	return s.readProducts(op, k, found)
}
