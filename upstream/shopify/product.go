package shopify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// handlePlace stands for a product's handle in Config.ProductURL.
const handlePlace = "handle"

// Of a product without options Shopify says that it has one, with one value.
const (
	noOption = "Title"
	noValue  = "Default Title"
)

// listed is a product as an answer lists it. Its variants may go on.
type listed struct {
	upstream.Product
	// after is the cursor behind the last variant that was read, empty if that
	// was all.
	after string
}

// readListed reads a product with the fields of product_parts.graphql.
func (s *Shop) readListed(op string, is gjson.Result) (listed, error) {
	p := upstream.Product{
		ID:          is.Get("id").String(),
		Handle:      is.Get("handle").String(),
		Title:       plaintext.FromHTML(is.Get("title").String()),
		Description: plaintext.FromHTML(is.Get("descriptionHtml").String()),
		Brand:       plaintext.FromHTML(is.Get("vendor").String()),
		Categories:  readCategories(is),
		Attributes:  readAttributes(is),
		Media:       readMedia(is.Get("images.nodes").Array()),
		Rating:      readRating(is.Get("metafields")),
		Updated:     readTime(is.Get("updatedAt")),
	}
	for _, tag := range is.Get("tags").Array() {
		p.Tags = append(p.Tags, plaintext.FromHTML(tag.String()))
	}
	p.URL = s.page(is)
	l := listed{Product: p}
	if err := l.add(op, is.Get("variants")); err != nil {
		return listed{}, err
	}
	l.Options = readOptions(is.Get("options"), l.Variants)
	return l, nil
}

// page is the address of a product's page, empty where it has none.
func (s *Shop) page(product gjson.Result) string {
	if page := s.product.Fill(handlePlace, product.Get("handle").String()); page != "" {
		return page
	}
	return webAddress(product.Get("onlineStoreUrl"))
}

// add adds a page of variants, with the fields of variant_parts.graphql.
func (l *listed) add(op string, page gjson.Result) error {
	for _, is := range page.Get("nodes").Array() {
		variant, err := readVariant(op, is)
		if err != nil {
			return err
		}
		if len(variant.Options) == 0 {
			variant.Title = l.Title
		}
		l.Variants = append(l.Variants, variant)
	}
	l.after = ""
	if page.Get("pageInfo.hasNextPage").Bool() {
		l.after = page.Get("pageInfo.endCursor").String()
	}
	return nil
}

func readVariant(op string, is gjson.Result) (upstream.Variant, error) {
	var purse purse
	v := upstream.Variant{
		ID:      is.Get("id").String(),
		SKU:     is.Get("sku").String(),
		Barcode: is.Get("barcode").String(),
		Title:   plaintext.FromHTML(is.Get("title").String()),
		Options: readChoices(is.Get("selectedOptions")),
		Price:   purse.read(is.Get("price")),
		Media:   readMedia([]gjson.Result{is.Get("image")}),
	}
	if before := is.Get("compareAtPrice"); before.IsObject() {
		if list := purse.read(before); list.Minor > v.Price.Minor {
			v.ListPrice = &list
		}
	}
	v.Availability, v.Stock = readStock(is)
	return v, purse.failed(op)
}

// readStock says whether a variant can be bought, and how many there are. Shopify
// gives the number 0, or one below, for what it does not count and for what it
// sells beyond its stock; then there is none to tell.
func readStock(is gjson.Result) (upstream.Availability, *int64) {
	stock := is.Get("quantityAvailable")
	switch {
	case !is.Get("availableForSale").Bool():
		if stock.Type == gjson.Number && stock.Int() <= 0 {
			return upstream.OutOfStock, new(int64)
		}
		return upstream.OutOfStock, nil
	case is.Get("currentlyNotInStock").Bool():
		return upstream.Backorder, nil
	case stock.Int() > 0:
		n := stock.Int()
		return upstream.InStock, &n
	}
	return upstream.InStock, nil
}

// readChoices returns the options that make a variant, none for a product without.
func readChoices(options gjson.Result) []upstream.Choice {
	var choices []upstream.Choice
	for _, is := range options.Array() {
		choices = append(choices, upstream.Choice{Name: plaintext.FromHTML(is.Get("name").String()), Value: plaintext.FromHTML(is.Get("value").String())})
	}
	if len(choices) == 1 && choices[0] == (upstream.Choice{Name: noOption, Value: noValue}) {
		return nil
	}
	return choices
}

// readOptions returns what there is to choose: of each option, in its order, the
// values that a variant has.
func readOptions(options gjson.Result, variants []upstream.Variant) []upstream.Option {
	var all []upstream.Option
	for _, is := range options.Array() {
		option := upstream.Option{Name: plaintext.FromHTML(is.Get("name").String())}
		for _, value := range is.Get("optionValues.#.name").Array() {
			choice := upstream.Choice{Name: option.Name, Value: plaintext.FromHTML(value.String())}
			if slices.ContainsFunc(variants, func(v upstream.Variant) bool { return slices.Contains(v.Options, choice) }) {
				option.Values = append(option.Values, choice.Value)
			}
		}
		if len(option.Values) > 0 {
			all = append(all, option)
		}
	}
	return all
}

// readCategories returns the product's type and the collections it is in.
func readCategories(is gjson.Result) []string {
	var all []string
	for _, name := range append([]gjson.Result{is.Get("productType")}, is.Get("collections.nodes.#.title").Array()...) {
		if category := categoryName(name.String()); category != "" {
			all = append(all, category)
		}
	}
	return unique(all)
}

// categoryName is the name of a type or collection as a category, of which a
// slash would make two.
func categoryName(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(plaintext.FromHTML(name), "/", "-"))
}

func readMedia(images []gjson.Result) []upstream.Media {
	var media []upstream.Media
	for _, is := range images {
		if address := webAddress(is.Get("url")); address != "" {
			media = append(media, upstream.Media{URL: address, Alt: plaintext.FromHTML(is.Get("altText").String())})
		}
	}
	return media
}

// titleOf is what a line is called.
func titleOf(product gjson.Result) string {
	return cmp.Or(plaintext.FromHTML(product.Get("title").String()), product.Get("handle").String())
}
