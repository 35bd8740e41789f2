package shopify

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// collectionPages bounds how many pages of 250 collections are read.
const collectionPages = 8

// categories are the names by which a search can be narrowed, by language. They
// are kept, since whether a product is in a category is read from the product.
type categories struct {
	mu sync.Mutex
	by map[string]names // by Shopify's code of the language
}

// names are the shop's collections and product types, by category in small
// letters.
type names struct {
	collections map[string][]string // ids
	types       map[string][]string // as the shop writes them
}

func (c *categories) get(language string) (names, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.by[language]
	return n, ok
}

func (c *categories) put(language string, n names) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = make(map[string]names)
	}
	c.by[language] = n
}

// find returns the collections and types that have one of the names.
func (n names) find(wanted []string) (collections, types []string) {
	for _, name := range wanted {
		collections = append(collections, n.collections[strings.ToLower(name)]...)
		types = append(types, n.types[strings.ToLower(name)]...)
	}
	return unique(collections), unique(types)
}

// knows reports whether each of the names is one of the shop's.
func (n names) knows(wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(name string) bool {
		return len(n.collections[strings.ToLower(name)])+len(n.types[strings.ToLower(name)]) == 0
	})
}

// find returns the collections and product types with one of the names. A name
// that was not there before is looked for once more.
func (s *Shop) find(ctx context.Context, f *facts, v upstream.Visit, wanted []string) (collections, types []string, err error) {
	m := f.market(v.Market)
	n, ok := s.categories.get(m.language)
	if !ok || !n.knows(wanted) {
		if n, err = s.readNames(ctx, m, v); err != nil {
			return nil, nil, err
		}
		s.categories.put(m.language, n)
	}
	collections, types = n.find(wanted)
	return collections, types, nil
}

func (s *Shop) readNames(ctx context.Context, m market, v upstream.Visit) (names, error) {
	n := names{collections: make(map[string][]string), types: make(map[string][]string)}
	after := ""
	for page := range collectionPages {
		values := m.variables()
		values["after"] = orNull(after)
		data, err := s.run(ctx, v, call{op: searching, name: "Categories", document: categoriesDocument, variables: values, safe: true})
		if err != nil {
			return names{}, err
		}
		for _, is := range data.Get("collections.nodes").Array() {
			addName(n.collections, is.Get("title"), is.Get("id").String())
		}
		if page == 0 {
			for _, is := range data.Get("productTypes.nodes").Array() {
				addName(n.types, is, is.String())
			}
		}
		after = data.Get("collections.pageInfo.endCursor").String()
		if !data.Get("collections.pageInfo.hasNextPage").Bool() || after == "" {
			break
		}
	}
	return n, nil
}

func addName(to map[string][]string, title gjson.Result, value string) {
	if key := strings.ToLower(categoryName(title.String())); key != "" {
		to[key] = append(to[key], value)
	}
}
