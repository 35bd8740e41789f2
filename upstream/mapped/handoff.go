package mapped

import (
	"net/url"
	"strconv"
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
	text := func(name string, escape func(string) string) string {
		switch name {
		case "basket":
			return escape(b.kept.Basket)
		case "lines":
			return b.permalink(m, escape)
		}
		switch value := visit[name].(type) {
		case string:
			return escape(value)
		case secret.String:
			return escape(value.Reveal())
		}
		return ""
	}
	for _, name := range placeholders(m.URL) {
		if text(name, url.PathEscape) == "" {
			return ""
		}
	}
	path, rest := m.URL, ""
	if at := strings.IndexAny(m.URL, "?#"); at >= 0 {
		path, rest = m.URL[:at], m.URL[at:]
	}
	path, _ = fill(path, func(name string) string { return text(name, url.PathEscape) })
	rest, _ = fill(rest, func(name string) string { return text(name, url.QueryEscape) })
	return path + rest
}

// permalink writes the lines of the basket.
func (b *basket) permalink(m *HandOff, escape func(string) string) string {
	var all []string
	for _, line := range b.kept.Lines {
		parts := map[string]string{
			"item": line.Item, "product": line.Product, "sku": line.SKU, "handle": line.Handle, "quantity": strconv.FormatInt(line.Quantity, 10),
		}
		text, _ := fill(m.Line, func(name string) string { return escape(parts[name]) })
		all = append(all, text)
	}
	return strings.Join(all, m.Between)
}
