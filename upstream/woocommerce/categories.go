package woocommerce

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxCategories bounds how many categories are read, and maxDepth how deep they
// are nested.
const (
	maxCategories = 5000
	maxDepth      = 20
)

// categories are the shop's, by number.
type categories map[int64]category

type category struct {
	name   string
	parent int64
}

// readCategories reads the whole tree. The products name their categories, but
// not what these belong to.
func (s *Shop) readCategories(ctx context.Context, v upstream.Visit, f *facts) (categories, error) {
	all := make(categories)
	for page := 1; len(all) < maxCategories; page++ {
		a, err := s.ask(ctx, v, f, call{op: asking, path: "products/categories", query: url.Values{
			"per_page": {strconv.Itoa(listLimit)}, "page": {strconv.Itoa(page)}, "_fields": {"id,name,parent"},
		}, safe: true})
		if err != nil {
			return nil, err
		}
		if a.refused() {
			break // A shop that hides its tree still names the categories.
		}
		list := a.body.Array()
		for _, one := range list {
			all[one.Get("id").Int()] = category{name: pathElement(one.Get("name").String()), parent: one.Get("parent").Int()}
		}
		if len(list) < listLimit {
			break
		}
	}
	return all, nil
}

// pathElement returns a name without what separates the names in a path.
func pathElement(name string) string {
	return strings.Join(strings.FieldsFunc(title(name), func(r rune) bool { return r == '/' }), "-")
}

// path returns the names from the widest category to the one with that number.
func (c categories) path(id int64) []string {
	var names []string
	for range maxDepth {
		one, ok := c[id]
		if !ok {
			break
		}
		if one.name != "" {
			names = append([]string{one.name}, names...)
		}
		id = one.parent
	}
	return names
}

// named returns the numbers of the categories that a query means: by their whole
// path or their name, in any case.
func (c categories) named(wanted []string) []string {
	var ids []string
	for id := range c {
		names := c.path(id)
		if len(names) == 0 {
			continue
		}
		for _, want := range wanted {
			if strings.EqualFold(want, strings.Join(names, "/")) || strings.EqualFold(want, names[len(names)-1]) {
				ids = append(ids, strconv.FormatInt(id, 10))
				break
			}
		}
	}
	return ids
}
