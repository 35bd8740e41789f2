package fakeshop

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// search finds products that have all words, the last of which may be the
// beginning of one.
func (s *Shop) search(a map[string]any) []*product {
	words := strings.Fields(strings.ToLower(text(a["query"])))
	hide := text(a["unavailableProducts"]) == "HIDE"
	return s.filtered(a["productFilters"], func(p *product) bool {
		return (!hide || p.available()) && p.has(words)
	})
}

func (p *product) has(words []string) bool {
	var own []string
	for _, text := range append([]string{p.title, p.html, p.kind, p.vendor}, p.tags...) {
		own = append(own, strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" <>/().'", r) })...)
	}
	for i, word := range words {
		if !slices.ContainsFunc(own, func(w string) bool { return w == word || i == len(words)-1 && strings.HasPrefix(w, word) }) {
			return false
		}
	}
	return true
}

func (p *product) available() bool { return slices.ContainsFunc(p.variants, (*variant).available) }

// filtered returns the products that are such and meet ProductFilters.
func (s *Shop) filtered(filters any, such func(*product) bool) []*product {
	var kinds []string
	var tests []func(*product) bool
	for _, one := range list(filters) {
		filter, _ := one.(map[string]any)
		if filter["available"] == true {
			tests = append(tests, (*product).available)
		}
		if kind := text(filter["productType"]); kind != "" {
			kinds = append(kinds, kind)
		}
		if price, ok := filter["price"].(map[string]any); ok {
			tests = append(tests, func(p *product) bool { return p.costs(pence(price["min"]), pence(price["max"])) })
		}
	}
	var found []*product
	for _, p := range s.products {
		ok := such(p) && (kinds == nil || slices.Contains(kinds, p.kind))
		for _, test := range tests {
			ok = ok && test(p)
		}
		if ok {
			found = append(found, p)
		}
	}
	return found
}

// pence reads a bound of prices, nil where there is none.
func pence(value any) *int64 {
	n, ok := value.(json.Number)
	if !ok {
		return nil
	}
	amount, err := money.ParseDecimal(n.String(), "GBP")
	if err != nil {
		return nil
	}
	return &amount.Minor
}

// costs reports whether one of the variants costs that.
func (p *product) costs(least, most *int64) bool {
	return slices.ContainsFunc(p.variants, func(v *variant) bool {
		return (least == nil || v.price >= *least) && (most == nil || v.price <= *most)
	})
}

// listed finds products in the language of Shopify's list. What it does not
// understand it passes over.
func (s *Shop) listed(query string) []*product {
	found := slices.Clone(s.products)
	for term := range strings.SplitSeq(query, " AND ") {
		such := meaning(s, term)
		found = slices.DeleteFunc(found, func(p *product) bool { return !such(p) })
	}
	return found
}

// meaning returns what a term asks for.
func meaning(s *Shop, term string) func(*product) bool {
	if inner, ok := strings.CutPrefix(term, "("); ok {
		var any []func(*product) bool
		for one := range strings.SplitSeq(strings.TrimSuffix(inner, ")"), " OR ") {
			any = append(any, meaning(s, one))
		}
		return func(p *product) bool {
			return slices.ContainsFunc(any, func(such func(*product) bool) bool { return such(p) })
		}
	}
	name, value, _ := strings.Cut(term, ":")
	switch {
	case name == "available_for_sale" && value == "true":
		return (*product).available
	case name == "product_type":
		return func(p *product) bool { return p.kind == strings.Trim(value, `"`) }
	case name == "variants.price" && strings.HasPrefix(value, ">="):
		return func(p *product) bool { return p.costs(pence(json.Number(value[2:])), nil) }
	case name == "variants.price" && strings.HasPrefix(value, "<="):
		return func(p *product) bool { return p.costs(nil, pence(json.Number(value[2:]))) }
	case name == "updated_at" && strings.HasPrefix(value, ">="):
		since, err := time.Parse(time.RFC3339, strings.Trim(value[2:], `"'`))
		if err == nil {
			return func(p *product) bool { return !s.updated[p.number].Before(since) }
		}
	}
	return func(*product) bool { return true }
}
