package vendure

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// rootCollection is the name of the collection above all others, which nobody
// sees.
const rootCollection = "__root_collection__"

// brandFacet is the code of the facet that holds a product's brand.
const brandFacet = "brand"

// readProducts reads products with the fields of product_parts.graphql. One may
// be without variants: it is not for sale yet.
func (s *Shop) readProducts(op string, items gjson.Result, included bool) ([]upstream.Product, error) {
	var products []upstream.Product
	for _, item := range items.Array() {
		product, err := s.readProduct(op, item, included)
		if err != nil {
			return nil, err
		}
		products = append(products, product)
	}
	return products, nil
}

func (s *Shop) readProduct(op string, item gjson.Result, included bool) (upstream.Product, error) {
	id := item.Get("id").String()
	p := upstream.Product{
		ID:          productID(id),
		Handle:      item.Get("slug").String(),
		Title:       plaintext.FromHTML(item.Get("name").String()),
		Description: plaintext.FromHTML(item.Get("description").String()),
		Categories:  readCategories(item.Get("collections")),
		Media:       readMedia(item),
		Updated:     readTime(item.Get("updatedAt")),
	}
	p.URL = s.product.Fill("handle", p.Handle, "id", id)
	p.Attributes = readAttributes(item)
	p.Brand = takeBrand(p.Attributes)
	for _, variant := range item.Get("variants").Array() {
		read, err := s.readVariant(op, id, variant, included)
		if err != nil {
			return upstream.Product{}, err
		}
		p.Variants = append(p.Variants, read)
	}
	p.Options = readOptions(item.Get("optionGroups"), p.Variants)
	return p, nil
}

func (s *Shop) readVariant(op, product string, item gjson.Result, included bool) (upstream.Variant, error) {
	purse := s.newPurse(item.Get("currencyCode"))
	v := upstream.Variant{
		ID:         variantID(product, item.Get("id").String()),
		SKU:        item.Get("sku").String(),
		Title:      plaintext.FromHTML(item.Get("name").String()),
		Options:    readChoices(item.Get("options")),
		Price:      purse.either(item, included, "price", "priceWithTax"),
		Tax:        tax(included),
		Media:      readMedia(item),
		Attributes: readAttributes(item),
	}
	v.Availability, v.Stock = readStock(item.Get("stockLevel").String())
	v.Attributes = slices.DeleteFunc(v.Attributes, func(a upstream.Attribute) bool {
		if !isBarcode(a.Key) {
			return false
		}
		v.Barcode = a.Values[0]
		return true
	})
	return v, purse.failed(op)
}

// isBarcode reports whether a custom field of that name holds a trade item's
// number.
func isBarcode(name string) bool {
	return slices.ContainsFunc([]string{"gtin", "ean", "upc", "barcode"}, func(known string) bool {
		return strings.EqualFold(name, known)
	})
}

// readStock reads Vendure's stock level: one of three words, or what the shop's
// own strategy makes of it, which may be a number.
func readStock(level string) (upstream.Availability, *int64) {
	switch level {
	case "IN_STOCK":
		return upstream.InStock, nil
	case "LOW_STOCK":
		return upstream.LowStock, nil
	case "OUT_OF_STOCK":
		return upstream.OutOfStock, nil
	}
	number, err := strconv.ParseInt(level, 10, 64)
	switch {
	case err != nil:
		return upstream.AvailabilityUnknown, nil
	case number <= 0:
		return upstream.OutOfStock, new(int64)
	}
	return upstream.InStock, &number
}

// readCategories returns the path of each collection that a product is in.
func readCategories(collections gjson.Result) []string {
	var paths []string
	for _, collection := range collections.Array() {
		if path := readPath(collection.Get("breadcrumbs")); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// readPath joins the names on the way to a collection.
func readPath(breadcrumbs gjson.Result) string {
	var names []string
	for _, crumb := range breadcrumbs.Array() {
		if name := crumb.Get("name").String(); name != rootCollection {
			names = append(names, plaintext.FromHTML(name))
		}
	}
	return strings.Join(names, "/")
}

// readMedia returns the pictures of a product or variant, the featured one first.
func readMedia(item gjson.Result) []upstream.Media {
	var media []upstream.Media
	for _, asset := range append([]gjson.Result{item.Get("featuredAsset")}, item.Get("assets").Array()...) {
		picture := upstream.Media{URL: asset.Get("preview").String(), Alt: item.Get("name").String()}
		if picture.URL != "" && !slices.Contains(media, picture) {
			media = append(media, picture)
		}
	}
	return media
}

// readAttributes returns what the shop has recorded of a product or variant: its
// facets and its custom fields.
func readAttributes(item gjson.Result) []upstream.Attribute {
	var attributes []upstream.Attribute
	add := func(key, value string) {
		if value == "" {
			return
		}
		at := slices.IndexFunc(attributes, func(a upstream.Attribute) bool { return a.Key == key })
		if at < 0 {
			attributes = append(attributes, upstream.Attribute{Key: key})
			at = len(attributes) - 1
		}
		attributes[at].Values = append(attributes[at].Values, value)
	}
	for _, facet := range item.Get("facetValues").Array() {
		add(facet.Get("facet.code").String(), plaintext.FromHTML(facet.Get("name").String()))
	}
	item.Get("customFields").ForEach(func(name, value gjson.Result) bool {
		for _, one := range value.Array() { // A plain value is an array of itself.
			add(name.String(), plaintext.FromHTML(one.String()))
		}
		return true
	})
	return attributes
}

// takeBrand returns the brand among the attributes.
func takeBrand(attributes []upstream.Attribute) string {
	for _, a := range attributes {
		if a.Key == brandFacet {
			return a.Values[0]
		}
	}
	return ""
}

func readChoices(options gjson.Result) []upstream.Choice {
	var choices []upstream.Choice
	for _, option := range options.Array() {
		choices = append(choices, upstream.Choice{
			Name:  plaintext.FromHTML(option.Get("group.name").String()),
			Value: plaintext.FromHTML(option.Get("name").String()),
		})
	}
	return choices
}

// readOptions returns what there is to choose: of each group, in its order, the
// values that a variant has. A group may be shared with other products.
func readOptions(groups gjson.Result, variants []upstream.Variant) []upstream.Option {
	var options []upstream.Option
	for _, group := range groups.Array() {
		option := upstream.Option{Name: plaintext.FromHTML(group.Get("name").String())}
		for _, value := range group.Get("options.#.name").Array() {
			choice := upstream.Choice{Name: option.Name, Value: plaintext.FromHTML(value.String())}
			if slices.ContainsFunc(variants, func(v upstream.Variant) bool { return slices.Contains(v.Options, choice) }) {
				option.Values = append(option.Values, choice.Value)
			}
		}
		if len(option.Values) > 0 {
			options = append(options, option)
		}
	}
	return options
}

// readTime reads a time as GraphQL's DateTime has it, zero where there is none.
func readTime(value gjson.Result) time.Time {
	at, err := time.Parse(time.RFC3339Nano, value.String())
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
