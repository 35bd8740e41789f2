package medusa

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// brandFact is the name of the metadata field that holds a product's brand.
const brandFact = "brand"

// goods is a product with what a basket has to know of it besides.
type goods struct {
	upstream.Product
	// limits say how many of a variant can be bought, by its id. One that is not
	// there has no limit.
	limits map[string]int64
	// unpriced are the ids of variants without a price in the region.
	unpriced []string
}

// readProducts reads products with productFields. Those of which nothing is for
// sale in the region are among them.
func (s *Shop) readProducts(op string, k *knowledge, items gjson.Result) ([]goods, error) {
	var products []goods
	for _, item := range items.Array() {
		g, err := s.readProduct(op, k, item)
		if err != nil {
			return nil, err
		}
		products = append(products, g)
	}
	return products, nil
}

func (s *Shop) readProduct(op string, k *knowledge, item gjson.Result) (goods, error) {
	id := item.Get("id").String()
	g := goods{
		Product: upstream.Product{
			ID:          id,
			Handle:      item.Get("handle").String(),
			Title:       plaintext.FromHTML(item.Get("title").String()),
			Description: plaintext.FromHTML(item.Get("description").String()),
			Media:       readMedia(item),
			Updated:     readTime(item.Get("updated_at")),
		},
		limits: make(map[string]int64),
	}
	g.URL = s.product.Fill("handle", g.Handle, "id", id)
	for _, category := range item.Get("categories.#.id").Array() {
		g.Categories = append(g.Categories, k.categories.paths(category.String())...)
	}
	g.Categories = unique(g.Categories)
	for _, tag := range item.Get("tags.#.value").Array() {
		g.Tags = append(g.Tags, plaintext.FromHTML(tag.String()))
	}
	for _, variant := range item.Get("variants").Array() {
		if !variant.Get("calculated_price.calculated_amount").Exists() {
			g.unpriced = append(g.unpriced, variant.Get("id").String())
			continue
		}
		read, err := g.readVariant(op, variant)
		if err != nil {
			return goods{}, err
		}
		g.Variants = append(g.Variants, read)
	}
	g.readAttributes(item, s.facts)
	g.readOptions(item)
	return g, nil
}

// forSale reports whether anything of a product can be sold in the region.
func (g *goods) forSale() bool { return len(g.Variants) > 0 }

func (g *goods) readVariant(op string, item gjson.Result) (upstream.Variant, error) {
	price := item.Get("calculated_price")
	purse := newPurse(price.Get("currency_code"))
	v := upstream.Variant{
		ID:      item.Get("id").String(),
		SKU:     item.Get("sku").String(),
		Barcode: cmp.Or(item.Get("ean").String(), item.Get("upc").String(), item.Get("barcode").String()),
		Title:   plaintext.FromHTML(item.Get("title").String()),
		Options: readChoices(item.Get("options")),
		Price:   purse.read(price.Get("calculated_amount")),
		Tax:     tax(price.Get("is_calculated_price_tax_inclusive").Bool()),
	}
	if original := price.Get("original_amount"); original.Type == gjson.Number {
		if before := purse.read(original); before.Minor > v.Price.Minor {
			v.ListPrice = &before
		}
	}
	if picture := item.Get("thumbnail").String(); picture != "" {
		v.Media = []upstream.Media{{URL: picture, Alt: g.Title}}
	}
	g.readStock(&v, item)
	return v, purse.failed(op)
}

// readStock says whether a variant can be had, and notes how many at most.
func (g *goods) readStock(v *upstream.Variant, item gjson.Result) {
	v.Availability = upstream.InStock
	number := item.Get("inventory_quantity")
	if !item.Get("manage_inventory").Bool() || number.Type != gjson.Number {
		return
	}
	stock := max(number.Int(), 0)
	v.Stock = &stock
	backorder := item.Get("allow_backorder").Bool()
	if !backorder {
		g.limits[v.ID] = stock
	}
	switch {
	case stock > 0:
	case backorder:
		v.Availability = upstream.Backorder
	default:
		v.Availability = upstream.OutOfStock
	}
}

// readMedia returns a product's pictures, the main one first.
func readMedia(item gjson.Result) []upstream.Media {
	var media []upstream.Media
	for _, picture := range append([]gjson.Result{item.Get("thumbnail")}, item.Get("images.#.url").Array()...) {
		m := upstream.Media{URL: picture.String(), Alt: plaintext.FromHTML(item.Get("title").String())}
		if m.URL != "" && !slices.Contains(media, m) {
			media = append(media, m)
		}
	}
	return media
}

// readAttributes reads what the shop has recorded of a product: Medusa's own
// fields, and those metadata fields that buyers may know.
func (g *goods) readAttributes(item gjson.Result, facts []string) {
	for _, known := range [...]struct{ key, path string }{
		{"type", "type.value"},
		{"collection", "collection.title"},
		{"material", "material"},
		{"weight", "weight"},
		{"length", "length"},
		{"height", "height"},
		{"width", "width"},
		{"origin_country", "origin_country"},
	} {
		g.addAttribute(known.key, item.Get(known.path))
	}
	for _, name := range facts {
		g.addAttribute(name, item.Get("metadata."+gjson.Escape(name)))
	}
	for _, a := range g.Attributes {
		if a.Key == brandFact {
			g.Brand = a.Values[0]
		}
	}
}

// addAttribute adds a fact, which may be a list of values.
func (g *goods) addAttribute(key string, value gjson.Result) {
	a := upstream.Attribute{Key: key}
	for _, one := range value.Array() { // A plain value is an array of itself.
		if text := plaintext.FromHTML(one.String()); text != "" && !one.IsObject() && !one.IsArray() {
			a.Values = append(a.Values, text)
		}
	}
	if len(a.Values) > 0 {
		g.Attributes = append(g.Attributes, a)
	}
}

// readOptions reads what there is to choose, with the values that a variant for
// sale has. With one variant there is nothing to choose: its options, other than
// the ones that Medusa makes because it wants some, are facts of the product.
func (g *goods) readOptions(item gjson.Result) {
	if len(g.Variants) == 1 {
		only := &g.Variants[0]
		for _, choice := range only.Options {
			if !isDefault(choice.Value) {
				g.Attributes = append(g.Attributes, upstream.Attribute{Key: choice.Name, Values: []string{choice.Value}})
			}
		}
		only.Options = nil
		if isDefault(only.Title) {
			only.Title = g.Title
		}
		return
	}
	for _, option := range item.Get("options").Array() {
		o := upstream.Option{Name: plaintext.FromHTML(option.Get("title").String())}
		for _, value := range option.Get("values.#.value").Array() {
			choice := upstream.Choice{Name: o.Name, Value: plaintext.FromHTML(value.String())}
			if slices.ContainsFunc(g.Variants, func(v upstream.Variant) bool { return slices.Contains(v.Options, choice) }) {
				o.Values = append(o.Values, choice.Value)
			}
		}
		if len(o.Values) > 0 {
			g.Options = append(g.Options, o)
		}
	}
}

// isDefault reports whether a text is one of those that Medusa's administration
// fills in where a product has no options: "Default option value".
func isDefault(text string) bool {
	return strings.HasPrefix(strings.ToLower(text), "default")
}

func readChoices(options gjson.Result) []upstream.Choice {
	var choices []upstream.Choice
	for _, option := range options.Array() {
		choices = append(choices, upstream.Choice{
			Name:  plaintext.FromHTML(option.Get("option.title").String()),
			Value: plaintext.FromHTML(option.Get("value").String()),
		})
	}
	return choices
}

// readTime reads a time, zero where there is none.
func readTime(value gjson.Result) time.Time {
	at, err := time.Parse(time.RFC3339Nano, value.String())
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
