package medusa

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// Bounds for the categories of a shop: how many are read in one request and in
// all, and how deep they are nested.
const (
	categoryPage = 500
	maxCategory  = 2000
	maxNesting   = 20
)

// categories are the shop's categories by their id. Those that a shop keeps from
// its visitors are not among them.
type categories map[string]category

type category struct{ name, parent string }

// readCategories reads all categories.
func (s *Shop) readCategories(ctx context.Context, v upstream.Visit) (categories, error) {
	read := make(categories)
	for offset := 0; offset < maxCategory; offset += categoryPage {
		found, err := s.ask(ctx, v, call{
			op: learning, path: []string{"product-categories"}, fields: categoryFields,
			query: url.Values{"limit": {strconv.Itoa(categoryPage)}, "offset": {strconv.Itoa(offset)}, "order": {"id"}},
		}, "product_categories")
		if err != nil {
			return nil, err
		}
		items := found.Array()
		for _, item := range items {
			name := strings.ReplaceAll(plaintext.FromHTML(item.Get("name").String()), "/", " ")
			read[item.Get("id").String()] = category{plaintext.Tidy(name), item.Get("parent_category_id").String()}
		}
		if len(items) < categoryPage {
			break
		}
	}
	return read, nil
}

// paths returns the path of a category and of all that it is in, the widest
// first.
func (c categories) paths(id string) []string {
	var names []string
	for range maxNesting {
		one, ok := c[id]
		if !ok || one.name == "" {
			break
		}
		names = append(names, one.name)
		id = one.parent
	}
	slices.Reverse(names)
	paths := make([]string, len(names))
	for i := range names {
		paths[i] = strings.Join(names[:i+1], "/")
	}
	return paths
}

// ids returns the ids of the categories that have one of the names, as their path
// or as the last part of it, and of those that are in one of these.
func (c categories) ids(wanted []string) []string {
	var ids []string
	for id := range c {
		if slices.ContainsFunc(c.paths(id), func(path string) bool { return isNamed(path, wanted) }) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func isNamed(path string, wanted []string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	return slices.ContainsFunc(wanted, func(name string) bool {
		return strings.EqualFold(path, name) || strings.EqualFold(last, name)
	})
}
