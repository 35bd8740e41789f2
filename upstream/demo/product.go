package demo

import (
	"net/url"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// readProducts takes a list of products.
func (s *Shop) readProducts(c *scanner, f frame) []upstream.Product {
	var products []upstream.Product
	c.array(func() {
		if p := s.readProduct(c, f); p.ID != "" && len(p.Variants) > 0 {
			products = append(products, p)
		}
	})
	return products
}

// readProduct takes a product. The shop writes its variants last.
func (s *Shop) readProduct(c *scanner, f frame) upstream.Product {
	var p upstream.Product
	c.object(func(key string) {
		switch key {
		case "id":
			p.ID = c.text()
		case "handle":
			p.Handle = c.text()
		case "title":
			p.Title = c.text()
		case "description":
			p.Description = c.text()
		case "brand":
			p.Brand = c.text()
		case "path":
			p.URL = s.page(c.text())
		case "image":
			p.Media = s.media(c.text(), p.Title, nil)
		case "categories":
			p.Categories = c.texts()
		case "tags":
			p.Tags = c.texts()
		case "facts":
			p.Attributes = make([]upstream.Attribute, 0, usualFacts)
			c.object(func(key string) {
				p.Attributes = append(p.Attributes, upstream.Attribute{Key: key, Values: c.texts()})
			})
		case "options":
			p.Options = readOptions(c)
		case "rating":
			p.Rating = readRating(c)
		case "variants":
			p.Variants = s.readVariants(c, f, &p)
		default:
			c.skip()
		}
	})
	return p
}

// usualFacts is room for as many facts as a product usually has.
const usualFacts = 8

// mostCombinations bounds the room that is made before anything is read.
const mostCombinations = 64

// combinations is how many variants a product probably has.
func combinations(options []upstream.Option) int {
	n := 1
	for _, option := range options {
		n = min(n*max(len(option.Values), 1), mostCombinations)
	}
	return n
}

// readVariants takes the variants of a product whose own fields are read already.
func (s *Shop) readVariants(c *scanner, f frame, p *upstream.Product) []upstream.Variant {
	n := combinations(p.Options)
	variants := make([]upstream.Variant, 0, n)
	choices := make([]upstream.Choice, 0, n*len(p.Options))
	c.array(func() { variants = append(variants, s.readVariant(c, f, p, variants, &choices)) })
	return variants
}

// readVariant takes a variant that comes after others of its product. What it was
// chosen by stands in a list for all of them.
func (s *Shop) readVariant(c *scanner, f frame, p *upstream.Product, others []upstream.Variant, choices *[]upstream.Choice) upstream.Variant {
	v := upstream.Variant{Title: p.Title, Tax: f.tax, Media: p.Media}
	c.object(func(key string) {
		switch key {
		case "id":
			v.ID = c.text()
		case "sku":
			v.SKU = c.text()
		case "barcode":
			v.Barcode = c.text()
		case "choices":
			v.Options = readChoices(c, p.Options, choices)
			v.Title = titleOf(v.Options)
		case "price":
			v.Price = money.Amount{Minor: c.whole(), Currency: f.currency}
		case "list_price":
			v.ListPrice = &money.Amount{Minor: c.whole(), Currency: f.currency}
		case "availability":
			v.Availability = availability(c.text())
		case "stock":
			stock := c.whole()
			v.Stock = &stock
		case "image":
			v.Media = s.media(c.text(), p.Title, others)
		default:
			c.skip()
		}
	})
	if p.URL != "" {
		v.URL = p.URL + "?variant=" + url.QueryEscape(v.ID)
	}
	return v
}

// media is a picture, shared with an earlier variant that looks the same.
func (s *Shop) media(path, title string, others []upstream.Variant) []upstream.Media {
	for i := len(others) - 1; i >= 0; i-- {
		if m := others[i].Media; len(m) > 0 && strings.TrimPrefix(m[0].URL, s.public) == path {
			return m
		}
	}
	if address := s.page(path); address != "" {
		return []upstream.Media{{URL: address, Alt: title}}
	}
	return nil
}

func availability(word string) upstream.Availability {
	switch word {
	case "in_stock":
		return upstream.InStock
	case "low_stock":
		return upstream.LowStock
	case "out_of_stock":
		return upstream.OutOfStock
	case "discontinued":
		return upstream.Discontinued
	}
	return upstream.AvailabilityUnknown
}

// titleOf names a variant by what was chosen: "8 / Tan".
func titleOf(choices []upstream.Choice) string {
	if len(choices) == 1 {
		return choices[0].Value
	}
	values := make([]string, len(choices))
	for i, choice := range choices {
		values[i] = choice.Value
	}
	return strings.Join(values, " / ")
}

// readChoices takes the values of a variant and pairs them with the options that
// they are of.
func readChoices(c *scanner, options []upstream.Option, all *[]upstream.Choice) []upstream.Choice {
	first := len(*all)
	c.array(func() {
		value := c.text()
		if n := len(*all) - first; n < len(options) {
			*all = append(*all, upstream.Choice{Name: options[n].Name, Value: value})
		}
	})
	return slices.Clip((*all)[first:])
}

func readOptions(c *scanner) []upstream.Option {
	var out []upstream.Option
	c.object(func(key string) { out = append(out, upstream.Option{Name: key, Values: c.texts()}) })
	return out
}

// ratingScale is what the shop's ratings are out of.
const ratingScale = 5

func readRating(c *scanner) *upstream.Rating {
	rating := upstream.Rating{Scale: ratingScale}
	c.object(func(key string) {
		switch n := int(c.whole()); key {
		case "hundredths":
			rating.Hundredths = n
		case "count":
			rating.Count = n
		}
	})
	return &rating
}
