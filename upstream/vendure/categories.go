package vendure

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxCollections bounds how many collections are kept of a language.
const maxCollections = 2000

// categories are the ids of the shop's collections, by language. They only narrow
// a search: whether a product is in a category is read from the product.
type categories struct {
	mu sync.Mutex
	by map[string]names // by the shop's code of a language
}

// names are the ids of collections by their name and by their path, both in lower
// case.
type names map[string][]string

func (c *categories) get(language string) names {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.by[language]
}

func (c *categories) put(language string, n names) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = make(map[string]names)
	}
	c.by[language] = n
}

// ids returns the ids of the collections that have one of the names.
func (n names) ids(wanted []string) (ids []string, all bool) {
	all = true
	for _, name := range wanted {
		found := n[strings.ToLower(name)]
		all = all && len(found) > 0
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), all
}

// collections returns the ids of the collections that have one of the names, none
// if there are none. A name that was not there before is looked for once more.
func (s *Shop) collections(ctx context.Context, sc *schema, v upstream.Visit, wanted []string) ([]string, error) {
	language := sc.languageCode(v.Market.Language)
	if ids, all := s.categories.get(language).ids(wanted); all {
		return ids, nil
	}
	read, err := s.readCollections(ctx, sc, v)
	if err != nil {
		return nil, err
	}
	s.categories.put(language, read)
	ids, _ := read.ids(wanted)
	return ids, nil
}

// readCollections reads all collections.
func (s *Shop) readCollections(ctx context.Context, sc *schema, v upstream.Visit) (names, error) {
	read := make(names)
	for skip := 0; skip < maxCollections; skip += listLimit {
		data, err := s.run(ctx, v, call{
			op: "reading the collections", name: "Collections", document: collectionsDocument,
			variables: variables{"skip": skip}, query: sc.market(v.Market, ""), safe: true,
		})
		if err != nil {
			return nil, err
		}
		for _, collection := range data.Get("collections.items").Array() {
			id := collection.Get("id").String()
			name := strings.ToLower(plaintext.FromHTML(collection.Get("name").String()))
			path := strings.ToLower(readPath(collection.Get("breadcrumbs")))
			read[name] = append(read[name], id)
			if path != name {
				read[path] = append(read[path], id)
			}
		}
		if int64(skip+listLimit) >= data.Get("collections.totalItems").Int() {
			break
		}
	}
	return read, nil
}
