package mapped

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// names are what the templates of a request may refer to. A name with a point in
// it that is not there itself is a path in the tree before the point.
type names struct {
	// texts are strings, int64s, lists of strings and amounts of money.
	texts map[string]any
	trees map[string]gjson.Result
}

// with returns the names and more.
func (n names) with(texts map[string]any) names {
	all := names{maps.Clone(n.texts), n.trees}
	if all.texts == nil {
		all.texts = make(map[string]any, len(texts))
	}
	maps.Copy(all.texts, texts)
	return all
}

// withTree returns the names and a tree.
func (n names) withTree(name string, tree gjson.Result) names {
	all := names{n.texts, maps.Clone(n.trees)}
	if all.trees == nil {
		all.trees = make(map[string]gjson.Result, 1)
	}
	all.trees[name] = tree
	return all
}

// value returns what a name stands for, nil for nothing.
func (n names) value(name string) any {
	if value, ok := n.texts[name]; ok {
		return value
	}
	tree, path, _ := strings.Cut(name, ".")
	if found := n.trees[tree].Get(path); path != "" && there(found) {
		return found
	}
	return nil
}

// Sets of names that blocks have in common. One that ends with a point stands for
// a tree.

func everyName() []string {
	return []string{"env.", "keep.", "language", "country", "currency", "agent"}
}

func pageNames() []string { return []string{"limit", "page", "offset", "cursor"} }

func filterNames() []string { return []string{"words", "category", "min_price", "max_price"} }

func lineNames() []string {
	return []string{"item", "sku", "product", "handle", "quantity", "variant."}
}

func changeNames() []string { return []string{"step", "direction", "line."} }

func buyerNames() []string { return []string{"email", "first_name", "last_name", "phone"} }

func paymentNames() []string { return []string{"payment", "credential", "attempt", "total", "email"} }

// addressFields are the parts of an address, by their names.
func addressFields(a upstream.Address) map[string]string {
	return map[string]string{
		"first_name": a.FirstName, "last_name": a.LastName, "company": a.Company, "street": a.Street, "extended": a.Extended,
		"city": a.City, "region": a.Region, "postal_code": a.PostalCode, "country": a.Country, "phone": a.Phone,
	}
}

// addressNames are the names of both addresses and of the buyer.
func addressNames() []string {
	all := buyerNames()
	for name := range addressFields(upstream.Address{}) {
		all = append(all, "address."+name, "billing."+name)
	}
	return all
}

// buyerValues and addressValues fill these names.
func buyerValues(b upstream.Buyer) map[string]any {
	return map[string]any{"email": b.Email, "first_name": b.FirstName, "last_name": b.LastName, "phone": b.Phone}
}

func addressValues(prefix string, a upstream.Address) map[string]any {
	values := make(map[string]any)
	for name, value := range addressFields(a) {
		values[prefix+"."+name] = value
	}
	return values
}

// visitValues are the names that every request has of its visit.
func (s *Shop) visitValues(v upstream.Visit) map[string]any {
	values := map[string]any{
		"language": v.Market.Language, "country": v.Market.Country, "agent": v.Agent, "currency": string(s.currencyOf(v)),
	}
	maps.Copy(values, s.env)
	return values
}

// currencyOf is the currency to ask for on a visit: the one that is wanted, if the
// shop has it.
func (s *Shop) currencyOf(v upstream.Visit) money.Currency {
	if slices.Contains(s.m.Currencies, v.Market.Currency) {
		return v.Market.Currency
	}
	return s.m.Currencies[0]
}
