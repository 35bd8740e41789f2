package shopify

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// maxWords bounds the words of a search, in bytes: what comes after them does not
// change what Shopify finds.
const maxWords = 512

// listing is where a search finds its products, page by page.
type listing struct {
	shop  *Shop
	facts *facts
	visit upstream.Visit
	// op says what is being done; name, document and variables are the operation's.
	op, name, document string
	variables
	// path is where the connection stands in the answer.
	path string
	// empty: no product can meet the query.
	empty bool
}

// newListing says where the products of a query are found: words through the
// shop's search; else one collection through the collection; all else in the
// list of products.
func (s *Shop) newListing(ctx context.Context, f *facts, v upstream.Visit, q upstream.Query) (listing, error) {
	l := listing{shop: s, facts: f, visit: v, op: searching}
	var collections, types []string
	if len(q.Categories) > 0 {
		var err error
		if collections, types, err = s.find(ctx, f, v, q.Categories); err != nil {
			return listing{}, err
		}
		l.empty = len(collections) == 0 && len(types) == 0
	}
	if q.MinPrice != nil && q.MaxPrice != nil && *q.MinPrice > *q.MaxPrice {
		l.empty = true
	}
	one := len(collections) == 1 && len(types) == 0
	if len(collections) > 0 {
		// Shopify cannot be asked for products of either kind of category at once.
		types = nil
	}
	price := priceRange(f, v.Market, q)
	switch words := cleanWords(q.Words); {
	case words != "":
		l.name, l.document, l.path = "Search", searchDocument, searchPath
		l.variables = variables{"words": words, "filters": filters(q, price, types), "unavailable": "LAST"}
		if q.Available {
			l.variables["unavailable"] = "HIDE"
		}
	case one:
		l.name, l.document, l.path = "Collection", collectionDocument, "collection.products"
		l.variables = variables{"id": collections[0], "filters": filters(q, price, nil)}
	default:
		l.name, l.document, l.path = "Products", productsDocument, "products"
		l.variables = variables{"query": orNull(searchSyntax(q, price, types)), "sort": "ID"}
	}
	return l, nil
}

// cleanWords returns words without what no search is for.
func cleanWords(words string) string {
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, words)
	words = strings.Join(strings.Fields(words), " ")
	if len(words) > maxWords {
		words = strings.TrimSpace(strings.ToValidUTF8(words[:maxWords], ""))
	}
	return words
}

// bounds are the ends of a range of prices, as decimals of major units.
type bounds struct{ min, max string }

// priceRange returns the bounds that Shopify itself can apply. Its filters count
// in the shop's own currency; in another one prices are looked at here alone.
func priceRange(f *facts, wish upstream.Market, q upstream.Query) bounds {
	if f.currencyIn(f.market(wish)) != f.currency {
		return bounds{}
	}
	decimal := func(minor *int64) string {
		if minor == nil || *minor < 0 {
			return ""
		}
		text, err := money.Amount{Minor: *minor, Currency: f.currency}.FormatDecimal()
		if err != nil {
			return ""
		}
		return text
	}
	return bounds{decimal(q.MinPrice), decimal(q.MaxPrice)}
}

// filters are ProductFilters. Shopify passes over those that the merchant has not
// switched on, so that what comes back is looked at again.
func filters(q upstream.Query, price bounds, types []string) []variables {
	all := []variables{}
	if q.Available {
		all = append(all, variables{"available": true})
	}
	if price != (bounds{}) {
		between := variables{}
		for name, bound := range map[string]string{"min": price.min, "max": price.max} {
			if bound != "" {
				between[name] = json.Number(bound)
			}
		}
		all = append(all, variables{"price": between})
	}
	for _, kind := range types {
		all = append(all, variables{"productType": kind})
	}
	return all
}

// searchSyntax is the same in the language of the list of products,
// https://shopify.dev/docs/api/usage/search-syntax.
func searchSyntax(q upstream.Query, price bounds, types []string) string {
	var terms []string
	if q.Available {
		terms = append(terms, "available_for_sale:true")
	}
	if price.min != "" {
		terms = append(terms, "variants.price:>="+price.min)
	}
	if price.max != "" {
		terms = append(terms, "variants.price:<="+price.max)
	}
	if len(types) > 0 {
		var either []string
		for _, kind := range types {
			either = append(either, "product_type:"+quoted(kind))
		}
		terms = append(terms, "("+strings.Join(either, " OR ")+")")
	}
	return strings.Join(terms, " AND ")
}

// quoted writes a value of Shopify's search syntax.
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// searchPath is the path of a listing that the shop's search made.
const searchPath = "search"

// place is a product in a listing, with the cursor that leads behind it.
type place struct {
	product upstream.Product
	cursor  string
}

// page returns what stands in at most take places after a cursor, how many there
// are in all where the shop says, and whether there are more.
func (l listing) page(ctx context.Context, after string, take int) (places []place, total int, more bool, err error) {
	values := variables{"first": take, "after": orNull(after)}
	maps.Copy(values, l.variables)
	data, err := l.shop.run(ctx, l.visit, l.shop.catalogueCall(l.facts, l.facts.market(l.visit.Market), l.op, l.name, l.document, values, productParts, variantParts))
	if err != nil {
		return nil, 0, false, err
	}
	return l.read(ctx, data)
}

func (l listing) read(ctx context.Context, data shopclient.Data) (places []place, total int, more bool, err error) {
	connection := data.Get(l.path)
	collection := categoryName(data.Get("collection.title").String())
	var products []listed
	var cursors []string
	for _, edge := range connection.Get("edges").Array() {
		product, err := l.shop.readListed(l.op, edge.Get("node"))
		if err != nil {
			return nil, 0, false, err
		}
		if collection != "" && !slices.Contains(product.Categories, collection) {
			// It is in more collections than are read of a product.
			product.Categories = append(product.Categories, collection)
		}
		products, cursors = append(products, product), append(cursors, edge.Get("cursor").String())
	}
	if err := l.shop.complete(ctx, l.facts, l.visit, l.op, products); err != nil {
		return nil, 0, false, err
	}
	for i, p := range products {
		places = append(places, place{p.Product, cursors[i]})
	}
	return places, int(connection.Get("totalCount").Int()), connection.Get("pageInfo.hasNextPage").Bool(), nil
}
