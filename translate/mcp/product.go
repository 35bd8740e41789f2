package mcp

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/upstream"
)

// The most of a product that is shown.
const (
	maxDescription = 8000
	maxVariants    = 100
	maxImages      = 20
)

// ProductAnswer is what get_product answers.
type ProductAnswer struct {
	Product  Product        `json:"product"`
	AsOf     answer.Moment  `json:"as_of" doc:"When price and stock were read from the shop."`
	Currency money.Currency `json:"currency"`
	Messages []Message      `json:"messages,omitempty"`
}

// Product is a product with its versions.
type Product struct {
	ID          string   `json:"id"`
	Handle      string   `json:"handle,omitempty"`
	Title       string   `json:"title"`
	Brand       string   `json:"brand,omitempty"`
	URL         string   `json:"url,omitempty" doc:"The product's page at the shop."`
	Description string   `json:"description,omitempty" doc:"How the merchant describes it."`
	Categories  []string `json:"categories,omitempty" doc:"From the widest to the narrowest, each as a path."`
	Tags        []string `json:"tags,omitempty"`
	Images      []Image  `json:"images,omitempty"`
	// Variant is the version that the price and the stock are of: the selected one,
	// or the first that can be bought.
	Variant      string    `json:"variant_id" doc:"The version that price and stock are of; what a basket holds."`
	Price        int64     `json:"price_minor"`
	ListPrice    *int64    `json:"list_price_minor,omitempty" doc:"What it cost before a sale."`
	InStock      *bool     `json:"in_stock,omitempty" doc:"Missing where the shop does not say."`
	Availability string    `json:"availability,omitempty"`
	Attributes   []Fact    `json:"attributes" doc:"What the merchant has recorded. What is not here is not known."`
	Options      []Option  `json:"options,omitempty" doc:"What there is to choose."`
	Selected     []Choice  `json:"selected,omitempty" doc:"What was chosen, in the shop's words."`
	Variants     []Variant `json:"variants" doc:"The versions that have all that was chosen."`
	VariantCount int       `json:"variant_count" doc:"How many versions there are of the product."`
}

// Variant is one version of a product, which can be put into a basket.
type Variant struct {
	ID           string   `json:"id" doc:"What a basket's item names as variant_id."`
	Title        string   `json:"title,omitempty"`
	SKU          string   `json:"sku,omitempty"`
	Price        int64    `json:"price_minor"`
	ListPrice    *int64   `json:"list_price_minor,omitempty"`
	InStock      *bool    `json:"in_stock,omitempty"`
	Availability string   `json:"availability,omitempty"`
	Stock        *int64   `json:"stock,omitempty" doc:"How many there are, where the shop says."`
	Options      []Choice `json:"options,omitempty"`
	Attributes   []Fact   `json:"attributes,omitempty"`
}

// Choice is one value of an option.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Fact is something recorded of a product.
type Fact struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// Image is a picture of a product.
type Image struct {
	URL string `json:"url"`
	Alt string `json:"alt,omitempty"`
}

// getProduct answers get_product.
func getProduct(ctx context.Context, s *Server, r *request) (*reply, error) {
	how, ref, err := referenceOf(r.arguments)
	if err != nil {
		return nil, err
	}
	asOf := s.Now().UTC()
	matches, err := s.Catalogue.Lookup(ctx, r.visit, []string{ref})
	if err != nil {
		return nil, fmt.Errorf("reading a product: %w", err)
	}
	at := slices.IndexFunc(matches, func(m upstream.Match) bool { return len(m.Product.Variants) > 0 && is(&m.Product, how, ref) })
	if at < 0 {
		return nil, mistaken(NotFound, "The shop has no product with this %s", how)
	}
	p, named := &matches[at].Product, ""
	for _, input := range matches[at].Inputs {
		named = input.Variant
	}
	if s.Answers != nil && s.Answers.Enrich != nil {
		s.Answers.Enrich(p)
	}
	shown, messages := productOf(p, named, choicesIn(r.arguments.Get("selected")))
	out := &ProductAnswer{Product: shown, AsOf: answer.Moment{Time: asOf}, Currency: p.Variants[0].Price.Currency, Messages: messages}
	return replied(out, out.words(), "ok")
}

// referenceOf returns how a product is named, and by what.
func referenceOf(arguments gjson.Result) (how, ref string, _ error) {
	for _, name := range []string{"id", "handle", "sku", "url"} {
		given := strings.TrimSpace(arguments.Get(name).Str)
		switch {
		case given == "":
		case how != "":
			return "", "", mistaken(InvalidArguments, "Name the product by one of id, handle, sku and url, not by several")
		case len(given) > maxID:
			return "", "", mistaken(InvalidArguments, "%s must have at most %d bytes", name, maxID)
		default:
			how, ref = name, given
		}
	}
	switch how {
	case "":
		return "", "", mistaken(InvalidArguments, "Name the product by its id, handle, sku or url")
	case "url":
		if ref = handleIn(ref); ref == "" {
			return "", "", mistaken(InvalidArguments, "url must be the address of a product's page")
		}
	}
	return how, ref, nil
}

// handleIn returns the handle in the address of a product's page: what follows
// /products/, or the last part of the path. Nobody goes to the address.
func handleIn(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if _, rest, ok := strings.Cut(u.Path, "/products/"); ok {
		handle, _, _ := strings.Cut(rest, "/")
		return handle
	}
	path := strings.Trim(u.Path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// is reports whether a product is the one that was named: a shop that looks up takes
// any name for any kind of it.
func is(p *upstream.Product, how, ref string) bool {
	switch how {
	case "handle":
		return strings.EqualFold(p.Handle, ref)
	case "sku":
		return slices.ContainsFunc(p.Variants, func(v upstream.Variant) bool { return strings.EqualFold(v.SKU, ref) })
	case "url":
		return strings.EqualFold(p.Handle, ref) || handleIn(p.URL) == ref || p.ID == ref
	}
	return p.ID == ref || p.Variant(ref) != nil
}

func choicesIn(list gjson.Result) []Choice {
	var all []Choice
	for _, c := range list.Array() {
		all = append(all, Choice{c.Get("name").Str, c.Get("value").Str})
	}
	return all
}

// productOf returns a product with the versions that have all that is selected, or
// with the one that was named. When there is none, it shows all and says so.
func productOf(p *upstream.Product, named string, selected []Choice) (Product, []Message) {
	selected = spelled(p, selected)
	var messages []Message
	versions := slices.DeleteFunc(pointers(p.Variants), func(v *upstream.Variant) bool { return !has(v, selected) })
	if v := p.Variant(named); v != nil && len(selected) == 0 {
		versions, selected = []*upstream.Variant{v}, choicesOf(v.Options)
	}
	if len(versions) == 0 {
		versions, selected = pointers(p.Variants), nil
		messages = []Message{{NoSuchVersion, "No version of this product has all that was selected; these are all that there are."}}
	}
	first := versions[0]
	if at := slices.IndexFunc(versions, func(v *upstream.Variant) bool { return v.Availability.Buyable() }); at >= 0 {
		first = versions[at]
	}
	out := Product{
		ID: p.ID, Handle: p.Handle, Title: p.Title, Brand: p.Brand, URL: pageurl.Clean(p.URL),
		Description: plaintext.Cut(p.Description, maxDescription), Categories: p.Categories, Tags: p.Tags,
		Images: imagesOf(p, first), Variant: first.ID, Price: first.Price.Minor, ListPrice: listPriceOf(first),
		InStock: inStockOf(first.Availability), Availability: availabilityOf(first.Availability),
		Attributes: factsOf(p.Attributes), Options: optionsOf(p.Options, maxVariants),
		Selected: selected, VariantCount: len(p.Variants),
	}
	for _, v := range versions[:min(len(versions), maxVariants)] {
		out.Variants = append(out.Variants, variantOf(v))
	}
	return out, messages
}

func pointers(variants []upstream.Variant) []*upstream.Variant {
	out := make([]*upstream.Variant, len(variants))
	for i := range variants {
		out[i] = &variants[i]
	}
	return out
}

// spelled returns a selection in the words of the shop. Words that the shop does not
// have stay as they are.
func spelled(p *upstream.Product, selected []Choice) []Choice {
	for i, c := range selected {
		for _, v := range p.Variants {
			for _, o := range v.Options {
				if strings.EqualFold(o.Name, c.Name) && strings.EqualFold(o.Value, c.Value) {
					selected[i] = Choice{o.Name, o.Value}
				}
			}
		}
	}
	return selected
}

// has reports whether a variant has everything that is selected.
func has(v *upstream.Variant, selected []Choice) bool {
	for _, c := range selected {
		if !slices.Contains(v.Options, upstream.Choice{Name: c.Name, Value: c.Value}) {
			return false
		}
	}
	return true
}

func variantOf(v *upstream.Variant) Variant {
	out := Variant{
		ID: v.ID, Title: v.Title, SKU: v.SKU, Price: v.Price.Minor, ListPrice: listPriceOf(v),
		InStock: inStockOf(v.Availability), Availability: availabilityOf(v.Availability), Stock: v.Stock, Options: choicesOf(v.Options),
	}
	if len(v.Attributes) > 0 {
		out.Attributes = factsOf(v.Attributes)
	}
	return out
}

func choicesOf(choices []upstream.Choice) []Choice {
	var out []Choice
	for _, c := range choices {
		out = append(out, Choice(c))
	}
	return out
}

func factsOf(attributes []upstream.Attribute) []Fact {
	out := make([]Fact, 0, len(attributes))
	for _, a := range attributes {
		if len(a.Values) > 0 {
			out = append(out, Fact(a))
		}
	}
	return out
}

// imagesOf returns the pictures of a product, those of a variant first.
func imagesOf(p *upstream.Product, v *upstream.Variant) []Image {
	var out []Image
	for _, m := range slices.Concat(v.Media, p.Media) {
		image := Image{pageurl.Clean(m.URL), m.Alt}
		if image.URL != "" && len(out) < maxImages && !slices.ContainsFunc(out, func(known Image) bool { return known.URL == image.URL }) {
			out = append(out, image)
		}
	}
	return out
}
