package fakeshop

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// locale is what a document's directive @inContext says.
type locale struct {
	land     land
	language string
}

// product renders a product.
func (s *Shop) product(p *product, c locale) object {
	title := p.title
	if c.language == "FR" {
		title = cmp.Or(p.french, p.title)
	}
	o := object{
		"__typename":      "Product",
		"id":              p.id(),
		"handle":          p.handle,
		"title":           title,
		"descriptionHtml": p.html,
		"vendor":          p.vendor,
		"productType":     p.kind,
		"updatedAt":       s.updated[p.number].Format("2006-01-02T15:04:05Z"),
		"onlineStoreUrl":  nil,
		"tags":            s.unless(s.options.HideTags, nonNil(p.tags), "tags"),
		"category":        nil,
		"options":         p.renderOptions(),
		"images":          connection([]object{{"url": "https://cdn.example/" + p.handle + ".jpg", "altText": p.title}}),
	}
	if p.category != "" {
		o["category"] = object{"name": p.category}
	}
	var collections []object
	for _, title := range p.collections {
		collections = append(collections, object{"title": title})
	}
	o["collections"] = connection(collections)
	o["metafields"] = resolver(func(arguments map[string]any) any {
		found := []any{}
		for _, wanted := range list(arguments["identifiers"]) {
			found = append(found, p.metafield(wanted))
		}
		return objects(found)
	})
	o["variants"] = resolver(func(arguments map[string]any) any {
		var all []object
		for _, v := range p.variants {
			all = append(all, s.variant(p, v, c))
		}
		return page(all, arguments)
	})
	return o
}

// metafield finds the metafield of an identifier, nil where there is none.
func (p *product) metafield(identifier any) any {
	wanted, _ := identifier.(map[string]any)
	for _, field := range p.fields {
		if field["namespace"] == wanted["namespace"] && field["key"] == wanted["key"] {
			return field
		}
	}
	return object(nil)
}

func (p *product) renderOptions() []object {
	if len(p.options) == 0 {
		return []object{{"name": "Title", "optionValues": []object{{"name": "Default Title"}}}}
	}
	var all []object
	for i, name := range p.options {
		var values []string
		for _, v := range p.variants {
			if !slices.Contains(values, v.choices[i]) {
				values = append(values, v.choices[i])
			}
		}
		option := object{"name": name}
		var rendered []object
		for _, value := range values {
			rendered = append(rendered, object{"name": value})
		}
		option["optionValues"] = rendered
		all = append(all, option)
	}
	return all
}

// variant renders a variant.
func (s *Shop) variant(p *product, v *variant, c locale) object {
	o := object{
		"__typename":          "ProductVariant",
		"id":                  v.id(),
		"title":               cmp.Or(strings.Join(v.choices, " / "), "Default Title"),
		"sku":                 v.sku,
		"barcode":             nil,
		"availableForSale":    v.available(),
		"currentlyNotInStock": v.beyond && v.stock <= 0,
		"requiresShipping":    p.kind != "Gift cards",
		"quantityAvailable":   s.unless(s.options.HideStock, v.stock, "quantityAvailable"),
		"quantityRule":        object{"minimum": v.minimum, "maximum": orNil(v.maximum), "increment": v.increment},
		"price":               c.land.price(v.price),
		"compareAtPrice":      nil,
		"image":               object{"url": "https://cdn.example/" + p.handle + "-" + v.sku + ".jpg", "altText": nil},
		"product":             resolver(func(map[string]any) any { return s.product(p, c) }),
	}
	if v.before > 0 {
		o["compareAtPrice"] = c.land.price(v.before)
	}
	selected := []object{}
	for i, choice := range v.choices {
		selected = append(selected, object{"name": p.options[i], "value": choice})
	}
	if len(selected) == 0 {
		selected = []object{{"name": "Title", "value": "Default Title"}}
	}
	o["selectedOptions"] = selected
	return o
}

// unless is a value, or a refusal of a field for which the token lacks the right.
func (s *Shop) unless(hidden bool, value any, field string) any {
	if hidden {
		return refusal{"ACCESS_DENIED", "Access denied for " + field + " field."}
	}
	return value
}

func orNil(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func nonNil(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// list reads a list of a document.
func list(value any) []any {
	all, _ := value.([]any)
	return all
}

// objects turns values that are objects into a list of them.
func objects(values []any) []object {
	all := make([]object, len(values))
	for i, value := range values {
		all[i], _ = value.(object)
	}
	return all
}

// connection is a connection of a single page.
func connection(nodes []object) object {
	if nodes == nil {
		nodes = []object{}
	}
	return object{"nodes": nodes, "pageInfo": object{"hasNextPage": false, "endCursor": nil}}
}

// page is the page of a connection that the arguments first and after ask for.
func page(all []object, arguments map[string]any) any {
	start := 0
	if after, _ := arguments["after"].(string); after != "" {
		raw, err := base64.StdEncoding.DecodeString(after)
		n, err2 := strconv.Atoi(string(raw))
		if err != nil || err2 != nil || n < 0 || n > len(all) {
			return refusal{"INVALID_CURSOR", "Invalid cursor for current pagination sort."}
		}
		start = n
	}
	first := number(arguments["first"])
	if first < 1 || first > 250 {
		return refusal{"BAD_REQUEST", "first must be between 1 and 250"}
	}
	end := min(start+int(first), len(all))
	nodes, edges := []object{}, []object{}
	for i := start; i < end; i++ {
		cursor := base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(i + 1)))
		nodes, edges = append(nodes, all[i]), append(edges, object{"cursor": cursor, "node": all[i]})
	}
	return object{
		"nodes": nodes, "edges": edges, "totalCount": len(all),
		"pageInfo": object{"hasNextPage": end < len(all), "endCursor": base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(end)))},
	}
}
