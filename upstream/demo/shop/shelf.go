package shop

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/picture"
)

// shelf has the prices and the stock of now. Readers see each product as it was at
// one moment.
type shelf struct {
	catalogue *goods.Catalogue
	products  []atomic.Pointer[shelved]
}

// shelved is a product at a moment. It does not change.
type shelved struct {
	*goods.Product
	// prices and stocks are one for each variant; a stock may be goods.Uncounted.
	prices []int64
	stocks []int64
	// body returns the product as the API writes it.
	body func() []byte
}

// fill puts the catalogue on the shelf, as it has changed since it was written.
func (s *shelf) fill(c *goods.Catalogue, levels map[string]ledger.Level) {
	s.catalogue = c
	s.products = make([]atomic.Pointer[shelved], len(c.Products))
	for i := range c.Products {
		p := &c.Products[i]
		now := &shelved{Product: p}
		for j := range p.Variants {
			price, stock := p.Variants[j].Price, p.Variants[j].Stock
			level := levels[p.Variants[j].ID]
			if level.Price != nil {
				price = *level.Price
			}
			if level.Stock != nil {
				stock = *level.Stock
			}
			now.prices, now.stocks = append(now.prices, price), append(now.stocks, stock)
		}
		s.put(i, now)
	}
}

func (s *shelf) put(index int, p *shelved) {
	p.body = sync.OnceValue(func() []byte { return encodeProduct(p) })
	s.products[index].Store(p)
}

// at returns a product as it is now.
func (s *shelf) at(index int) *shelved { return s.products[index].Load() }

// find returns what a reference names.
func (s *shelf) find(reference string) (*shelved, goods.Ref, bool) {
	ref, ok := s.catalogue.Find(reference)
	if !ok {
		return nil, ref, false
	}
	return s.at(ref.Product), ref, true
}

// change puts a price or a stock on the shelf. The caller holds Server.selling.
func (s *shelf) change(variant string, level ledger.Level) {
	old, ref, ok := s.find(variant)
	if !ok || ref.Variant == goods.Whole {
		return
	}
	now := &shelved{
		Product: old.Product,
		prices:  append([]int64(nil), old.prices...),
		stocks:  append([]int64(nil), old.stocks...),
	}
	if level.Price != nil {
		now.prices[ref.Variant] = *level.Price
	}
	if level.Stock != nil {
		now.stocks[ref.Variant] = *level.Stock
	}
	s.put(ref.Product, now)
}

// The availabilities, as the API writes them.
const (
	inStock      = "in_stock"
	lowStock     = "low_stock"
	outOfStock   = "out_of_stock"
	discontinued = "discontinued"
)

// fewLeft is the stock from which on the shop says that it runs out.
const fewLeft = 3

// availability says whether a variant can be bought.
func (p *shelved) availability(variant int) string {
	stock := p.stocks[variant]
	switch {
	case p.Discontinued:
		return discontinued
	case stock == 0:
		return outOfStock
	case stock != goods.Uncounted && stock <= fewLeft:
		return lowStock
	}
	return inStock
}

// available reports whether any variant can be bought.
func (p *shelved) available() bool {
	for i := range p.stocks {
		if a := p.availability(i); a == inStock || a == lowStock {
			return true
		}
	}
	return false
}

// listPrice is what the variant cost before a sale, zero without one.
func (p *shelved) listPrice(variant int) int64 {
	if list := p.Variants[variant].ListPrice; list > p.prices[variant] {
		return list
	}
	return 0
}

// image is the path of a variant's picture.
func (p *shelved) image(variant int) string {
	colour := ""
	for _, choice := range p.Variants[variant].Choices {
		if isColour(choice.Name) {
			colour = choice.Value
		}
	}
	if colour == "" {
		for _, fact := range p.Facts {
			if isColour(fact.Key) {
				colour = fact.Values[0]
			}
		}
	}
	words := []string{p.Title}
	if n := len(p.Categories); n > 0 {
		words = append(words, p.Categories[n-1])
	}
	return "/pictures/" + picture.NameOf(p.Shape, words, colour).String() + ".png"
}

func isColour(name string) bool {
	return strings.EqualFold(name, "colour") || strings.EqualFold(name, "color")
}

// productPath is the path of a product's page.
func productPath(handle string) string { return "/products/" + handle }

// productAnswer is a product as the API writes it. Prices are in minor units.
type productAnswer struct {
	ID          string          `json:"id"`
	Handle      string          `json:"handle"`
	Title       string          `json:"title"`
	Description string          `json:"description,omitempty"`
	Brand       string          `json:"brand,omitempty"`
	Path        string          `json:"path"`
	Image       string          `json:"image"`
	Categories  []string        `json:"categories,omitempty"`
	Tags        []string        `json:"tags,omitempty"`
	Facts       lists           `json:"facts,omitempty"`
	Options     lists           `json:"options,omitempty"`
	Rating      *rating         `json:"rating,omitempty"`
	Variants    []variantAnswer `json:"variants"`
}

// lists are named lists of values in an order, as JSON an object.
type lists []list

type list struct {
	Name   string
	Values []string
}

// MarshalJSON implements json.Marshaler.
func (l lists) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, list := range l {
		name, err := json.Marshal(list.Name)
		if err != nil {
			return nil, err
		}
		values, err := json.Marshal(list.Values)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), values...)
	}
	return append(b, '}'), nil
}

// rating is in hundredths, out of 500.
type rating struct {
	Hundredths int `json:"hundredths"`
	Count      int `json:"count"`
}

// variantAnswer is a variant as the API writes it. Choices are values, one for each
// option of the product in their order. Without a stock nobody counts, without an
// image it looks like its product.
type variantAnswer struct {
	ID           string   `json:"id"`
	SKU          string   `json:"sku"`
	Barcode      string   `json:"barcode,omitempty"`
	Choices      []string `json:"choices,omitempty"`
	Price        int64    `json:"price"`
	ListPrice    int64    `json:"list_price,omitempty"`
	Availability string   `json:"availability"`
	Stock        *int64   `json:"stock,omitempty"`
	Image        string   `json:"image,omitempty"`
}

func answerOf(p *shelved) productAnswer {
	a := productAnswer{
		ID: p.ID, Handle: p.Handle, Title: p.Title, Description: p.Description, Brand: p.Brand,
		Path: productPath(p.Handle), Image: p.image(0), Categories: p.Categories, Tags: p.Tags,
	}
	for _, f := range p.Facts {
		a.Facts = append(a.Facts, list{f.Key, f.Values})
	}
	a.Options = p.options()
	if p.Rating != nil {
		a.Rating = &rating{p.Rating.Hundredths, p.Rating.Count}
	}
	for i := range p.Variants {
		a.Variants = append(a.Variants, p.variantAnswer(i))
	}
	return a
}

func (p *shelved) options() lists {
	var out lists
	for _, o := range p.Options {
		out = append(out, list(o))
	}
	return out
}

func (p *shelved) variantAnswer(i int) variantAnswer {
	v := &p.Variants[i]
	a := variantAnswer{
		ID: v.ID, SKU: v.SKU, Barcode: v.Barcode,
		Price: p.prices[i], ListPrice: p.listPrice(i), Availability: p.availability(i),
	}
	if image := p.image(i); image != p.image(0) {
		a.Image = image
	}
	for _, choice := range v.Choices {
		a.Choices = append(a.Choices, choice.Value)
	}
	if stock := p.stocks[i]; stock != goods.Uncounted {
		a.Stock = &stock
	}
	return a
}

// encodeProduct writes a product. Texts and numbers always can be written.
func encodeProduct(p *shelved) []byte {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answerOf(p)); err != nil {
		return nil
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
