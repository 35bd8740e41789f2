package ucp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// shelf is a catalogue of products in memory.
type shelf struct {
	products []upstream.Product
	err      error
	// visits and queries are what it was asked.
	visits  []upstream.Visit
	queries []upstream.Query
}

func (s *shelf) Search(_ context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	s.visits, s.queries = append(s.visits, v), append(s.queries, q)
	if s.err != nil {
		return upstream.Results{}, s.err
	}
	var found []upstream.Product
	for _, p := range s.products {
		if q.Match(&p) && strings.Contains(strings.ToLower(p.Title), strings.ToLower(q.Words)) {
			found = append(found, p)
		}
	}
	from, err := strconv.Atoi("0" + q.Cursor)
	if err != nil || from > len(found) {
		return upstream.Results{}, upstream.Errorf(upstream.CodeInvalid, "searching", "no such page")
	}
	results := upstream.Results{Total: len(found)}
	to := min(from+q.Limit, len(found))
	if results.Products = found[from:to]; to < len(found) {
		results.Next = strconv.Itoa(to)
	}
	return results, nil
}

func (s *shelf) Lookup(_ context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	s.visits = append(s.visits, v)
	if s.err != nil {
		return nil, s.err
	}
	var matches []upstream.Match
	for _, p := range s.products {
		m := upstream.Match{Product: p}
		for _, ref := range refs {
			if ref == p.ID || ref == p.Handle {
				m.Inputs = append(m.Inputs, upstream.Input{Ref: ref})
			}
			i := slices.IndexFunc(p.Variants, func(v upstream.Variant) bool { return v.ID == ref || v.SKU == ref })
			if i >= 0 {
				m.Inputs = append(m.Inputs, upstream.Input{Ref: ref, Variant: p.Variants[i].ID})
			}
		}
		if len(m.Inputs) > 0 {
			matches = append(matches, m)
		}
	}
	return matches, nil
}

// fixed answers every search with the same page.
type fixed struct{ page upstream.Results }

func (f fixed) Search(context.Context, upstream.Visit, upstream.Query) (upstream.Results, error) {
	return f.page, nil
}

func (f fixed) Lookup(context.Context, upstream.Visit, []string) ([]upstream.Match, error) {
	return nil, nil
}

// shoe returns a variant of tarnShoe.
func shoe(colour, size string, price int64, a upstream.Availability) upstream.Variant {
	id := "shoe-" + strings.ToLower(colour) + "-" + size
	return upstream.Variant{
		ID: id, SKU: strings.ToUpper(id), Title: colour + ", size " + size,
		Options: []upstream.Choice{{Name: "Colour", Value: colour}, {Name: "Size", Value: size}},
		Price:   pounds(price), Availability: a,
	}
}

// tarnShoe comes in red, blue and green, and in the sizes 8 to 10: red is
// complete with 8 sold out, blue has 8 and 9, green has 9 alone and sold out.
func tarnShoe() upstream.Product {
	was := pounds(12500)
	p := upstream.Product{
		ID: "shoe", Handle: "tarn-shoe", Title: "Tarn Shoe", Description: "A light shoe for wet ground.", Brand: "Fell & Beck",
		URL: "https://shop.example/p/tarn-shoe", Categories: []string{"Footwear/Shoes"}, Tags: []string{"vegan"},
		Attributes: []upstream.Attribute{{Key: "waterproof", Values: []string{"yes"}}},
		Options: []upstream.Option{
			{Name: "Colour", Values: []string{"Red", "Blue", "Green"}},
			{Name: "Size", Values: []string{"8", "9", "10"}},
		},
		Media: []upstream.Media{{URL: "https://shop.example/shoe.jpg", Alt: "A red shoe"}},
		Variants: []upstream.Variant{
			shoe("Red", "8", 11000, upstream.OutOfStock),
			shoe("Red", "9", 10000, upstream.InStock),
			shoe("Red", "10", 11000, upstream.LowStock),
			shoe("Blue", "8", 9000, upstream.Backorder),
			shoe("Blue", "9", 9500, upstream.AvailabilityUnknown),
			shoe("Green", "9", 9000, upstream.Discontinued),
		},
		Rating: &upstream.Rating{Hundredths: 450, Scale: 500, Count: 12},
	}
	p.Variants[1].ListPrice = &was
	p.Variants[1].Barcode = "5012345678900"
	return p
}

// mug is a product without options.
func mug() upstream.Product {
	return upstream.Product{
		ID: "mug", Title: "Tin Mug", Categories: []string{"Kitchen"},
		Variants: []upstream.Variant{{ID: "mug-1", Price: pounds(950), Availability: upstream.InStock, Barcode: "no gtin"}},
	}
}

// priced returns a product that costs so much.
func priced(id string, minor int64) upstream.Product {
	return upstream.Product{ID: id, Title: "Sock " + id, Variants: []upstream.Variant{
		{ID: id + "-1", Title: "Sock", Price: money.Amount{Minor: minor, Currency: "GBP"}},
	}}
}
