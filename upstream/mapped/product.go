package mapped

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// goods is a product with the JSON it was read from.
type goods struct {
	upstream.Product
	// raw is each variant's JSON, by its id, for requests that send a part of it.
	raw map[string]gjson.Result
}

// readProducts reads the products of an answer. One without a price is not for
// sale, and left out.
func (s *Shop) readProducts(op string, items []scope) ([]goods, error) {
	var all []goods
	for _, item := range items {
		g, err := s.readProduct(item)
		if err != nil {
			return nil, unreadable(op, err)
		}
		if len(g.Variants) > 0 && g.ID != "" && g.Title != "" {
			s.index.learn(&g.Product)
			all = append(all, g)
		}
	}
	return all, nil
}

// unreadable is the error for an answer that does not fit the mapping.
func unreadable(op string, err error) error {
	return &upstream.Error{Code: upstream.CodeUnavailable, Op: op, Text: "the shop's answer does not fit its mapping", Err: err}
}

func (s *Shop) readProduct(item scope) (goods, error) {
	m, r := &s.m.Product, s.reader
	g := goods{
		Product: upstream.Product{
			ID:          r.word(item, m.ID),
			Handle:      r.word(item, m.Handle),
			Title:       r.text(item, m.Title),
			Description: r.text(item, m.Description),
			URL:         r.address(item, m.URL),
			Brand:       r.text(item, m.Brand),
			Categories:  categories(r.texts(item, m.Categories)),
			Tags:        r.texts(item, m.Tags),
			Attributes:  attributes(r.pairs(item, m.Attributes)),
			Updated:     r.time(item, m.Updated),
			Rating:      s.readRating(item),
		},
		raw: make(map[string]gjson.Result),
	}
	if strings.ContainsAny(g.Handle, " /?#%") {
		g.Handle = ""
	}
	g.Media = s.readMedia(item, m.Images, g.Title)
	variants := r.items(item, m.Variants.At)
	for _, variant := range variants {
		v, sold, err := s.readVariant(variant, &g.Product)
		if err != nil {
			return goods{}, err
		}
		if sold && g.Variant(v.ID) == nil && v.ID != "" {
			g.Variants = append(g.Variants, v)
			g.raw[v.ID] = variant.Result
		}
	}
	g.readOptions()
	return g, nil
}

// readVariant reads a variant, and whether it has a price.
func (s *Shop) readVariant(item scope, p *upstream.Product) (v upstream.Variant, sold bool, err error) {
	m, r := &s.m.Product.Variants, s.reader
	currency, err := r.currency(item, m.Currency)
	if err != nil {
		return v, false, err
	}
	v = upstream.Variant{
		ID:         r.word(item, m.ID),
		SKU:        r.word(item, m.SKU),
		Barcode:    r.word(item, m.Barcode),
		Title:      cmp.Or(r.text(item, m.Title), p.Title),
		URL:        r.address(item, m.URL),
		Tax:        s.m.Tax.model(),
		Media:      s.readMedia(item, m.Images, p.Title),
		Attributes: attributes(r.pairs(item, m.Attributes)),
	}
	for _, c := range r.pairs(item, m.Choices) {
		if !slices.ContainsFunc(v.Options, func(have upstream.Choice) bool { return have.Name == c.name }) {
			v.Options = append(v.Options, upstream.Choice{Name: c.name, Value: c.value})
		}
	}
	if v.Price, sold, err = r.amount(item, m.Price, currency); err != nil {
		return v, false, err
	}
	before, is, err := r.amount(item, m.ListPrice, currency)
	if is && before.Minor > v.Price.Minor {
		v.ListPrice = &before
	}
	s.readStock(item, &v)
	return v, sold && v.Price.Minor > 0, err
}

// readStock says whether a variant can be had. Where the number and the word
// differ, the variant cannot be had.
func (s *Shop) readStock(item scope, v *upstream.Variant) {
	m, r := &s.m.Product.Variants, s.reader
	v.Availability = availability(r.word(item, m.Availability))
	n, known := r.number(item, m.Stock)
	if !known {
		return
	}
	n = max(n, 0)
	v.Stock = &n
	switch {
	case n == 0 && (v.Availability == upstream.AvailabilityUnknown || v.Availability == upstream.InStock || v.Availability == upstream.LowStock):
		v.Availability = upstream.OutOfStock
	case n > 0 && v.Availability == upstream.AvailabilityUnknown:
		v.Availability = upstream.InStock
	case n > 0 && !v.Availability.Buyable():
		v.Stock = nil
	}
}

// availability reads a word for it; unknown is what the mapping does not know.
func availability(word string) upstream.Availability {
	switch word {
	case "in_stock", "true":
		return upstream.InStock
	case "low_stock":
		return upstream.LowStock
	case "out_of_stock", "false":
		return upstream.OutOfStock
	case "backorder":
		return upstream.Backorder
	case "preorder":
		return upstream.Preorder
	case "discontinued":
		return upstream.Discontinued
	}
	return upstream.AvailabilityUnknown
}

// model is what the word is in the model.
func (t Tax) model() upstream.Tax {
	switch t {
	case TaxIncluded:
		return upstream.TaxIncluded
	case TaxExcluded:
		return upstream.TaxExcluded
	}
	return upstream.TaxUnknown
}

// readOptions makes the product's options of its variants' choices. A product of
// which there is one kind has nothing to choose, whatever its system calls that.
func (g *goods) readOptions() {
	if len(g.Variants) == 1 {
		only := &g.Variants[0]
		only.Options = slices.DeleteFunc(only.Options, func(c upstream.Choice) bool {
			return strings.HasPrefix(strings.ToLower(c.Value), "default")
		})
		if strings.HasPrefix(strings.ToLower(only.Title), "default") {
			only.Title = g.Title
		}
	}
	for _, v := range g.Variants {
		for _, choice := range v.Options {
			at := slices.IndexFunc(g.Options, func(o upstream.Option) bool { return o.Name == choice.Name })
			if at < 0 {
				g.Options = append(g.Options, upstream.Option{Name: choice.Name})
				at = len(g.Options) - 1
			}
			if o := &g.Options[at]; !slices.Contains(o.Values, choice.Value) {
				o.Values = append(o.Values, choice.Value)
			}
		}
	}
}

func (s *Shop) readMedia(item scope, v Value, title string) []upstream.Media {
	var media []upstream.Media
	for _, address := range s.reader.list(item, v) {
		if address = s.reader.absolute(address); address != "" {
			media = append(media, upstream.Media{URL: address, Alt: title})
		}
	}
	return media
}

// readRating reads a mean in hundredths.
func (s *Shop) readRating(item scope) *upstream.Rating {
	m, r := &s.m.Product, s.reader
	// A rating is a decimal number like money of two decimals.
	mean, is, err := r.amount(item, Value{At: m.Rating.At, From: m.Rating.From, Scale: ScaleMajor}, ratingCurrency)
	count, counted := r.number(item, m.RatingCount)
	if err != nil || !is || counted && count == 0 || count < 0 || count > math.MaxInt32 {
		return nil
	}
	scale, known := r.number(item, m.RatingScale)
	if !known {
		scale = 5
	}
	if scale < 1 || scale > 100 || mean.Minor < 0 || mean.Minor > 100*scale {
		return nil
	}
	return &upstream.Rating{Hundredths: int(mean.Minor), Scale: int(scale), Count: int(count)}
}

// ratingCurrency is any currency with two decimals.
const ratingCurrency money.Currency = "EUR"

// categories drops empty parts and spaces of paths.
func categories(paths []string) []string {
	var out []string
	for _, path := range paths {
		var kept []string
		for part := range strings.SplitSeq(path, "/") {
			if part = strings.TrimSpace(part); part != "" {
				kept = append(kept, part)
			}
		}
		if len(kept) > 0 {
			out = append(out, strings.Join(kept, "/"))
		}
	}
	return out
}

// attributes joins the values of each name.
func attributes(pairs []pair) []upstream.Attribute {
	var all []upstream.Attribute
	for _, p := range pairs {
		at := slices.IndexFunc(all, func(a upstream.Attribute) bool { return a.Key == p.name })
		if at < 0 {
			all = append(all, upstream.Attribute{Key: p.name})
			at = len(all) - 1
		}
		if !slices.Contains(all[at].Values, p.value) {
			all[at].Values = append(all[at].Values, p.value)
		}
	}
	return all
}
