package shopify

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	lookingUp = "looking up products"
	// fewRefs is how many references are looked up with whole products at once.
	// Of more, what they name is found first.
	fewRefs = 8
	// refsPage is how many references are looked at in one request.
	refsPage = 50
	// skuHits is how many products an SKU is looked for in: Shopify's search finds
	// others that begin like it.
	skuHits = 10
	// maxName is how long a handle or an SKU can be, in bytes.
	maxName = 255
)

// Lookup implements upstream.Shop. Products that are named by their ids take one
// request for each fifty, and so do up to eight references of any kind. Otherwise
// there is one more for each fifty references, to find the products they name.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	f, err := s.known(ctx, v)
	if err != nil {
		return nil, err
	}
	l := lookup{shop: s, facts: f, visit: v, whole: map[string]bool{}}
	refs = slices.DeleteFunc(unique(refs), func(ref string) bool { return !isRef(ref) })
	var ids, others []string
	for _, ref := range refs {
		if isID(ref, productPrefix) {
			ids = append(ids, ref)
		} else {
			others = append(others, ref)
		}
	}
	if len(refs) <= fewRefs && len(others) > 0 {
		err = l.resolve(ctx, others, ids)
	} else {
		l.named = ids
		for some := range slices.Chunk(others, refsPage) {
			if err = l.resolve(ctx, some, nil); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if err := l.fetch(ctx); err != nil {
		return nil, err
	}
	if err := s.complete(ctx, f, v, lookingUp, l.products); err != nil {
		return nil, err
	}
	products := make([]upstream.Product, len(l.products))
	for i := range l.products {
		products[i] = l.products[i].Product
	}
	return upstream.MatchAll(refs, func(ref string) (*upstream.Product, string) { return upstream.Find(ref, products) }), nil
}

// isRef reports whether a reference can name anything.
func isRef(ref string) bool {
	return ref != "" && len(ref) <= maxName && !strings.ContainsFunc(ref, unicode.IsControl) &&
		strings.ContainsFunc(ref, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// isHandle reports whether a reference can be a handle: those have no capitals.
func isHandle(ref string) bool {
	return !strings.ContainsFunc(ref, func(r rune) bool {
		return unicode.IsUpper(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
	})
}

// lookup is one call of Lookup.
type lookup struct {
	shop  *Shop
	facts *facts
	visit upstream.Visit
	// products were read, whole are their ids. named are ids of products that
	// references name, read or not.
	products []listed
	whole    map[string]bool
	named    []string
}

// resolve finds out what references name that are no products' ids, and reads
// products by their ids along. Of a few references whole products are read.
func (l *lookup) resolve(ctx context.Context, refs, ids []string) error {
	product, skus := "{ id }", "{ id variants(first: 250) { nodes { sku } } }"
	shared := []argument(nil)
	var fragments []string
	if len(refs)+len(ids) <= fewRefs {
		product, skus = "{ ...ProductParts }", "{ ...ProductParts }"
		shared, fragments = l.shop.productVariables(l.facts), []string{productParts, variantParts}
	}
	o := operation{kind: "query", name: "Resolve", market: l.facts.market(l.visit.Market), shared: shared}
	items := slices.Clone(ids)
	for i, ref := range refs {
		if isID(ref, variantPrefix) {
			items = append(items, ref)
			continue
		}
		if isHandle(ref) {
			o.fields = append(o.fields, field{
				alias: "handle" + strconv.Itoa(i), name: "product",
				arguments: []argument{{"handle", "String!", ref}}, selection: product,
			})
		}
		o.fields = append(o.fields, field{
			alias: "sku" + strconv.Itoa(i), name: "predictiveSearch",
			arguments: []argument{{"query", "String!", ref}},
			fixed:     "limit: " + strconv.Itoa(skuHits) + ", limitScope: EACH, types: [PRODUCT], searchableFields: [VARIANTS_SKU], unavailableProducts: SHOW",
			selection: "{ products " + skus + " }",
		})
	}
	if len(items) > 0 {
		o.fields = append(o.fields, field{
			alias: "items", name: "nodes", arguments: []argument{{"ids", "[ID!]!", items}},
			selection: "{ ... on Product " + product + " ... on ProductVariant { product " + product + " } }",
		})
	}
	data, err := l.shop.run(ctx, l.visit, o.call(lookingUp, fragments...))
	if err != nil {
		return err
	}
	return l.read(data.Result, refs)
}

// read takes down what an answer to resolve says.
func (l *lookup) read(answer gjson.Result, refs []string) error {
	for _, node := range answer.Get("items").Array() {
		if product := node.Get("product"); product.IsObject() {
			node = product
		}
		if err := l.take(node); err != nil {
			return err
		}
	}
	for i, ref := range refs {
		if err := l.take(answer.Get("handle" + strconv.Itoa(i))); err != nil {
			return err
		}
		for _, product := range answer.Get("sku" + strconv.Itoa(i) + ".products").Array() {
			if !slices.ContainsFunc(product.Get("variants.nodes.#.sku").Array(), func(sku gjson.Result) bool {
				return strings.EqualFold(sku.String(), ref)
			}) && !product.Get("variants.pageInfo.hasNextPage").Bool() {
				continue
			}
			if err := l.take(product); err != nil {
				return err
			}
		}
	}
	return nil
}

// take takes down a product, whole or by its id alone. A null is none.
func (l *lookup) take(is gjson.Result) error {
	id := is.Get("id").String()
	if id == "" {
		return nil
	}
	if !is.Get("title").Exists() {
		l.named = append(l.named, id)
		return nil
	}
	if l.whole[id] {
		return nil
	}
	product, err := l.shop.readListed(lookingUp, is)
	if err != nil {
		return err
	}
	l.whole[id] = true
	l.products = append(l.products, product)
	return nil
}

// fetch reads the products that were named and not read.
func (l *lookup) fetch(ctx context.Context) error {
	missing := slices.DeleteFunc(unique(l.named), func(id string) bool { return l.whole[id] })
	for some := range slices.Chunk(missing, pageLimit) {
		o := operation{
			kind: "query", name: "ByID", market: l.facts.market(l.visit.Market), shared: l.shop.productVariables(l.facts),
			fields: []field{{
				alias: "nodes", name: "nodes", arguments: []argument{{"ids", "[ID!]!", some}}, selection: "{ ...ProductParts }",
			}},
		}
		data, err := l.shop.run(ctx, l.visit, o.call(lookingUp, productParts, variantParts))
		if err != nil {
			return err
		}
		for _, node := range data.Get("nodes").Array() {
			if err := l.take(node); err != nil {
				return err
			}
		}
	}
	return nil
}
