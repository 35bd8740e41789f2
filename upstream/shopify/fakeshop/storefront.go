package fakeshop

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// storefront is the root of the Storefront API for an operation.
func (s *Shop) storefront(o *ast.OperationDefinition, variables map[string]any) object {
	c := localeOf(o, variables)
	if o.Operation == ast.Mutation {
		return s.mutations(c)
	}
	return object{
		"shop":         about(),
		"localization": localization(c),
		"products": resolver(func(a map[string]any) any {
			found := s.listed(text(a["query"]))
			if a["sortKey"] == "UPDATED_AT" {
				slices.SortStableFunc(found, func(a, b *product) int { return s.updated[a.number].Compare(s.updated[b.number]) })
			}
			return page(s.render(found, c), a)
		}),
		"product": resolver(func(a map[string]any) any { return s.oneProduct(a, c) }),
		"nodes":   resolver(func(a map[string]any) any { return s.nodes(list(a["ids"]), c) }),
		"search":  resolver(func(a map[string]any) any { return page(s.render(s.search(a), c), a) }),
		"cart":    resolver(func(a map[string]any) any { return s.renderCart(s.carts[text(a["id"])], c) }),
		"collections": resolver(func(a map[string]any) any {
			return page(s.collections(), a)
		}),
		"productTypes":     connectionOf(s.kinds()),
		"collection":       resolver(func(a map[string]any) any { return s.collection(text(a["id"]), c) }),
		"predictiveSearch": resolver(func(a map[string]any) any { return s.predict(a, c) }),
	}
}

// localeOf reads an operation's @inContext.
func localeOf(o *ast.OperationDefinition, variables map[string]any) locale {
	c := locale{land: landOf(home), language: "EN"}
	if d := o.Directives.ForName("inContext"); d != nil {
		for _, a := range d.Arguments {
			value, _ := a.Value.Value(variables)
			switch {
			case value == nil:
			case a.Name == "country":
				c.land = landOf(text(value))
			case a.Name == "language":
				c.language = text(value)
			}
		}
	}
	return c
}

func about() object {
	policy := func(title string) object {
		return object{"title": title, "url": "https://fell.example/policies/" + strings.ToLower(strings.ReplaceAll(title, " ", "-"))}
	}
	var ships []string
	for _, l := range lands() {
		if l.ships {
			ships = append(ships, l.code)
		}
	}
	return object{
		"name": "Fell & Ford Outfitters", "shipsToCountries": ships,
		"privacyPolicy": policy("Privacy policy"), "refundPolicy": policy("Refund policy"),
		"shippingPolicy": policy("Shipping policy"), "termsOfService": object(nil),
	}
}

func localization(c locale) object {
	var countries []object
	for _, l := range lands() {
		countries = append(countries, object{"isoCode": l.code, "currency": object{"isoCode": string(l.currency)}})
	}
	return object{
		"country":            object{"isoCode": c.land.code, "currency": object{"isoCode": string(c.land.currency)}},
		"language":           object{"isoCode": c.language},
		"availableCountries": countries,
		"availableLanguages": []object{{"isoCode": "EN"}, {"isoCode": "FR"}, {"isoCode": "PT_BR"}},
	}
}

func (s *Shop) render(products []*product, c locale) []object {
	var all []object
	for _, p := range products {
		all = append(all, s.product(p, c))
	}
	return all
}

func (s *Shop) oneProduct(a map[string]any, c locale) object {
	for _, p := range s.products {
		if p.id() == text(a["id"]) || a["id"] == nil && p.handle == text(a["handle"]) {
			return s.product(p, c)
		}
	}
	return nil
}

func (s *Shop) nodes(ids []any, c locale) any {
	all := make([]object, len(ids))
	for i, id := range ids {
		if !strings.HasPrefix(text(id), "gid://shopify/") {
			return refusal{"INVALID_VARIABLE", "Invalid global id"}
		}
		if p, v := s.byID(text(id)); v != nil {
			all[i] = s.variant(p, v, c)
		} else {
			all[i] = s.oneProduct(map[string]any{"id": id}, c)
		}
	}
	return all
}

// kinds are the product types.
func (s *Shop) kinds() []string {
	var all []string
	for _, p := range s.products {
		if !slices.Contains(all, p.kind) {
			all = append(all, p.kind)
		}
	}
	return all
}

func (s *Shop) collections() []object {
	var all []object
	for _, p := range s.products {
		for _, title := range p.collections {
			o := object{"id": collectionID(title), "title": title}
			if !slices.ContainsFunc(all, func(other object) bool { return other["id"] == o["id"] }) {
				all = append(all, o)
			}
		}
	}
	return all
}

func collectionID(title string) string {
	n := int64(0)
	for _, r := range title {
		n = (n*31 + int64(r)) % 1_000_003
	}
	return "gid://shopify/Collection/" + json.Number(decimal(n)).String()
}

func (s *Shop) collection(id string, c locale) object {
	for _, o := range s.collections() {
		if o["id"] != id {
			continue
		}
		title := text(o["title"])
		return object{"title": title, "products": resolver(func(a map[string]any) any {
			in := s.filtered(a["filters"], func(p *product) bool { return slices.Contains(p.collections, title) })
			return page(s.render(in, c), a)
		})}
	}
	return nil
}

// predict finds products by the beginning of an SKU.
func (s *Shop) predict(a map[string]any, c locale) object {
	query := strings.ToLower(text(a["query"]))
	var found []*product
	for _, p := range s.products {
		if len(found) < int(number(a["limit"])) && query != "" && slices.ContainsFunc(p.variants, func(v *variant) bool {
			return strings.HasPrefix(strings.ToLower(v.sku), query)
		}) {
			found = append(found, p)
		}
	}
	return object{"products": append([]object{}, s.render(found, c)...)}
}

func connectionOf(values []string) object { return object{"nodes": values} }

// text and number read a value of a document.
func text(value any) string {
	t, _ := value.(string)
	return t
}

func number(value any) int64 {
	switch n := value.(type) {
	case int64:
		return n
	case json.Number:
		i, _ := n.Int64() // What is too large is nothing.
		return i
	}
	return 0
}
