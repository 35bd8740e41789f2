package ucp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// How long a description may be, in bytes. Agents read every word of an answer,
// and in a list they read to choose.
const (
	maxSummary = 400
	maxDetails = 8000
)

// productOf returns a product with the variants given, of which there is at least
// one.
func productOf(p *upstream.Product, variants []*upstream.Variant, maxDescription int) Product {
	out := Product{
		ID:          p.ID,
		Handle:      p.Handle,
		Title:       p.Title,
		Description: Description{plaintext.Cut(p.Description, maxDescription)},
		URL:         pageurl.Clean(p.URL),
		Media:       mediaOf(p.Media),
		Rating:      ratingOf(p.Rating),
		Tags:        p.Tags,
		Metadata:    metadataOf(p.Brand, p.Attributes),
	}
	out.PriceRange, out.ListPriceRange = rangesOf(variants)
	out.Categories = make([]Category, len(p.Categories))
	for i, category := range p.Categories {
		out.Categories[i] = Category{Value: category, Taxonomy: "merchant"}
	}
	out.Options = optionsOf(p.Options)
	return out
}

// optionsOf returns the options that have something to choose.
func optionsOf(options []upstream.Option) []ProductOption {
	out := make([]ProductOption, 0, len(options))
	for _, option := range options {
		if len(option.Values) == 0 {
			continue
		}
		values := make([]OptionValue, len(option.Values))
		for i, value := range option.Values {
			values[i].Label = value
		}
		out = append(out, ProductOption{option.Name, values})
	}
	return out
}

// variantOf returns a variant of a product.
func variantOf(p *upstream.Product, v *upstream.Variant) (out ProductVariant) {
	out.set(p, v, choicesOf(v.Options), mediaOf(v.Media))
	return out
}

// set makes out a variant of a product with its choices and pictures.
func (out *ProductVariant) set(p *upstream.Product, v *upstream.Variant, choices []SelectedOption, media []Media) {
	title := v.Title
	if title == "" {
		title = p.Title
	}
	*out = ProductVariant{
		ID:           v.ID,
		SKU:          v.SKU,
		Barcodes:     barcodesOf(v.Barcode),
		Title:        title,
		Description:  Description{title},
		URL:          pageurl.Clean(v.URL),
		Price:        priceOf(v.Price),
		Availability: availabilityOf(v.Availability),
		Options:      choices,
		Media:        media,
		Metadata:     metadataOf("", v.Attributes),
	}
	if v.ListPrice != nil {
		price := priceOf(*v.ListPrice)
		out.ListPrice = &price
	}
}

// variantsOf returns variants of a product in the order given. Those that look
// the same share their pictures.
func variantsOf(p *upstream.Product, variants []*upstream.Variant) []ProductVariant {
	out := make([]ProductVariant, len(variants))
	choices := make([]SelectedOption, 0, len(variants)*len(p.Options))
	var media []Media
	for i, v := range variants {
		if i == 0 || !same(v.Media, variants[i-1].Media) {
			media = mediaOf(v.Media)
		}
		first := len(choices)
		choices = appendChoices(choices, v.Options)
		out[i].set(p, v, slices.Clip(choices[first:]), media)
	}
	return out
}

// same reports whether two lists are one.
func same(a, b []upstream.Media) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func priceOf(a money.Amount) Price { return Price{a.Minor, string(a.Currency)} }

// rangesOf returns the range of the prices and, when any variant is reduced, that
// of the prices before.
func rangesOf(variants []*upstream.Variant) (PriceRange, *PriceRange) {
	var now, before PriceRange
	reduced := false
	for i, v := range variants {
		price, list := priceOf(v.Price), priceOf(v.Price)
		if v.ListPrice != nil {
			list, reduced = priceOf(*v.ListPrice), true
		}
		if i == 0 {
			now, before = PriceRange{price, price}, PriceRange{list, list}
		}
		now.widen(price)
		before.widen(list)
	}
	if !reduced {
		return now, nil
	}
	return now, &before
}

func (r *PriceRange) widen(p Price) {
	if p.Amount < r.Min.Amount {
		r.Min = p
	}
	if p.Amount > r.Max.Amount {
		r.Max = p
	}
}

// availabilityOf returns nothing where the shop says nothing.
func availabilityOf(a upstream.Availability) Availability {
	status := ""
	switch a {
	case upstream.InStock, upstream.LowStock:
		status = "in_stock"
	case upstream.OutOfStock:
		status = "out_of_stock"
	case upstream.Backorder:
		status = "backorder"
	case upstream.Preorder:
		status = "preorder"
	case upstream.Discontinued:
		status = "discontinued"
	default:
		return Availability{}
	}
	return Availability{Available: a.Buyable(), Status: status}
}

func choicesOf(choices []upstream.Choice) []SelectedOption {
	return appendChoices(make([]SelectedOption, 0, len(choices)), choices)
}

func appendChoices(out []SelectedOption, choices []upstream.Choice) []SelectedOption {
	for _, choice := range choices {
		out = append(out, SelectedOption{choice.Name, choice.Value})
	}
	return out
}

func mediaOf(media []upstream.Media) []Media {
	out := make([]Media, 0, len(media))
	for _, m := range media {
		if uri := pageurl.Clean(m.URL); uri != "" {
			out = append(out, Media{Type: "image", URL: uri, AltText: m.Alt})
		}
	}
	return out
}

// barcodesOf returns a barcode whose standard can be told from its form: a GTIN
// of any length.
func barcodesOf(code string) []Barcode {
	switch len(code) {
	case 8, 12, 13, 14:
		if strings.Trim(code, "0123456789") == "" {
			return []Barcode{{Type: "GTIN", Value: code}}
		}
	}
	return nil
}

func metadataOf(brand string, attributes []upstream.Attribute) *Metadata {
	if brand == "" && len(attributes) == 0 {
		return nil
	}
	out := &Metadata{Brand: brand, Attributes: make([]Attribute, 0, len(attributes))}
	for _, a := range attributes {
		if len(a.Values) > 0 {
			out.Attributes = append(out.Attributes, Attribute{a.Key, a.Values})
		}
	}
	return out
}

func ratingOf(r *upstream.Rating) *Rating {
	if r == nil || r.Hundredths < 0 || r.Scale < 100 || r.Count < 0 {
		return nil
	}
	return &Rating{Value: hundredths(r.Hundredths), ScaleMax: hundredths(r.Scale), Count: r.Count}
}

// hundredths returns a number of hundredths as a decimal number.
func hundredths(n int) json.Number {
	text := strconv.Itoa(n / 100)
	if rest := n % 100; rest > 0 {
		text += "." + string(rune('0'+rest/10))
		if rest%10 > 0 {
			text += string(rune('0' + rest%10))
		}
	}
	return json.Number(text)
}
