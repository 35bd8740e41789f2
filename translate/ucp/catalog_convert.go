package ucp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/internal/money"
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
		Description: Description{cut(p.Description, maxDescription)},
		URL:         uriOf(p.URL),
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
		URL:          uriOf(v.URL),
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
		if uri := uriOf(m.URL); uri != "" {
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

// uriOf returns a URL with what may not stand in one escaped, and nothing for
// what is no absolute URL.
func uriOf(text string) string {
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		return ""
	}
	clean := 0
	for clean < len(text) && (isUnreserved(text[clean]) || inURI(text[clean:])) {
		clean++
	}
	if clean == len(text) {
		return text
	}
	out := []byte(text[:clean])
	for i := clean; i < len(text); i++ {
		if inURI(text[i:]) {
			out = append(out, text[i])
		} else {
			out = fmt.Appendf(out, "%%%02X", text[i])
		}
	}
	return string(out)
}

// isUnreserved reports whether a byte may stand anywhere in a URI (RFC 3986,
// section 2.3), as most of them may; a slash too.
func isUnreserved(c byte) bool {
	const (
		digits  = (1<<10 - 1) << '0'
		low     = digits | 1<<'-' | 1<<'.' | 1<<'/'
		letters = 1<<26 - 1
		high    = letters<<('A'-64) | letters<<('a'-64) | 1<<('_'-64) | 1<<('~'-64)
	)
	if c < 64 {
		return uint64(low)>>c&1 != 0
	}
	return c < 128 && uint64(high)>>(c-64)&1 != 0
}

// inURI reports whether the first byte of rest may stand in a URI as it is
// (RFC 3986).
func inURI(rest string) bool {
	switch c := rest[0]; c {
	case '"', '<', '>', '\\', '^', '`', '{', '|', '}':
		return false
	case '%':
		return len(rest) > 2 && isHex(rest[1]) && isHex(rest[2])
	default:
		return ' ' < c && c < 0x7f
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// cut shortens a text to at most so many bytes, between words where it can.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const ellipsis = "…"
	end := most - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexAny(text[:end], " \n\t"); space > end*3/4 {
		end = space
	}
	return strings.TrimRight(text[:end], " \n\t,;:") + ellipsis
}
