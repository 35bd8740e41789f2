package main

import (
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// column is a capability as the table shows it.
type column struct {
	title string
	cell  func(upstream.Capabilities) string
}

func columns() []column {
	return []column{
		{"search", func(c upstream.Capabilities) string { return mark(c.Search) }},
		{"by price", func(c upstream.Capabilities) string { return mark(c.PriceFilter) }},
		{"baskets", func(c upstream.Capabilities) string { return mark(c.Baskets) }},
		{"discount codes", func(c upstream.Capabilities) string { return number(c.Codes) }},
		{"delivery", func(c upstream.Capabilities) string { return mark(c.Delivery) }},
		{"ordering", ordering},
		{"orders read", func(c upstream.Capabilities) string { return mark(c.Orders) }},
		{"stock in numbers", func(c upstream.Capabilities) string { return mark(c.ExactStock) }},
	}
}

// table is the table in Markdown.
func table(shops []shop) string {
	var out strings.Builder
	row := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	titles, rule := []string{"shop", "with"}, []string{"---", "---"}
	for _, c := range columns() {
		titles, rule = append(titles, c.title), append(rule, ":-:")
	}
	row(titles)
	row(rule)
	for _, s := range shops {
		cells := []string{s.name, s.with}
		for _, c := range columns() {
			cells = append(cells, c.cell(s.can))
		}
		row(cells)
	}
	return out.String()
}

func mark(can bool) string {
	if can {
		return "yes"
	}
	return "–"
}

func number(codes upstream.Codes) string {
	switch codes {
	case upstream.CodesOne:
		return "one"
	case upstream.CodesMany:
		return "many"
	}
	return mark(false)
}

// ordering says who takes the order: the shop's API, its page, or nobody.
func ordering(c upstream.Capabilities) string {
	switch {
	case c.Place:
		return "by the agent"
	case c.Baskets && c.HandOff:
		return "on the shop's page"
	}
	return mark(false)
}
