package mapped

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// handOff is the page where a person goes on with the basket, empty where there is
// none.
func (b *basket) handOff() string {
	m := b.shop.m.HandOff
	if m == nil {
		return ""
	}
	visit := b.shop.visitValues(b.visit)
	text := func(name string) string {
		switch name {
		case "basket":
			return b.kept.Basket
		case "lines":
			return b.permalink(m)
		}
		switch value := visit[name].(type) {
		case string:
			return value
		case secret.String:
			return value.Reveal()
		}
		return ""
	}
	for _, name := range placeholders(m.URL) {
		if text(name) == "" {
			return ""
		}
	}
	path, rest := m.URL, ""
	if at := strings.IndexAny(m.URL, "?#"); at >= 0 {
		path, rest = m.URL[:at], m.URL[at:]
	}
	// What stands for lines is made of escaped parts.
	escaped := func(escape func(string) string) func(string) string {
		return func(name string) string {
			if name == "lines" {
				return text(name)
			}
			return escape(text(name))
		}
	}
	path, _ = fill(path, escaped(url.PathEscape))
	rest, _ = fill(rest, escaped(url.QueryEscape))
	return path + rest
}

// permalink writes the lines of the basket.
func (b *basket) permalink(m *HandOff) string {
	var all []string
	for _, line := range b.kept.Lines {
		text, _ := fill(m.Line, func(name string) string {
			switch name {
			case "item":
				return url.QueryEscape(line.Item)
			case "product":
				return url.QueryEscape(line.Product)
			case "sku":
				return url.QueryEscape(line.SKU)
			case "handle":
				return url.QueryEscape(line.Handle)
			case "quantity":
				return fmt.Sprint(line.Quantity)
			}
			return ""
		})
		all = append(all, text)
	}
	return strings.Join(all, m.Between)
}
