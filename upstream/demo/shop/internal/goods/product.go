package goods

import "github.com/storeware/caddy-storeware/internal/money"

// Product is a product of the catalogue. It does not change once it was read.
type Product struct {
	ID          string
	Handle      string
	Title       string
	Description string
	Brand       string
	// Categories run from the widest to the narrowest, each one path: "Clothing",
	// "Clothing/Jackets".
	Categories []string
	Tags       []string
	Facts      []Fact
	// Options are what is chosen, each with every value on offer.
	Options  []Option
	Variants []Variant
	Rating   *Rating
	// Shape is what is drawn for the product, as the row says; it may be empty.
	Shape string
	// ZeroRated: no value added tax is charged on it anywhere.
	ZeroRated bool
	// Digital: it is sent by e-mail, and no discount applies to it.
	Digital bool
	// Oversize: the fastest way of delivery does not take it.
	Oversize bool
	// Discontinued: it is shown but not sold.
	Discontinued bool
}

// Fact returns the values that are recorded under a key, nil where none are.
func (p *Product) Fact(key string) []string {
	for _, fact := range p.Facts {
		if fact.Key == key {
			return fact.Values
		}
	}
	return nil
}

// Variant is a thing that can be bought.
type Variant struct {
	ID      string
	SKU     string
	Barcode string
	// Title are the values chosen, or the product's title when nothing is chosen.
	Title string
	// Choices are one for each of the product's Options.
	Choices []Choice
	// Price is in minor units of the catalogue's currency. ListPrice is what it
	// cost before a sale, zero without one.
	Price     int64
	ListPrice int64
	// Stock is how many there were when the catalogue was written, or Uncounted.
	Stock int64
}

// Uncounted is the stock of what never runs out.
const Uncounted int64 = -1

// Fact is something recorded of a product.
type Fact struct {
	Key    string
	Values []string
}

// Option is something to choose.
type Option struct {
	Name   string
	Values []string
}

// Choice is a value chosen of an option.
type Choice struct {
	Name  string
	Value string
}

// Rating is the mean of Count ratings, in hundredths, out of 500.
type Rating struct {
	Hundredths int
	Count      int
}

// Ref is what a reference names: a product, or one variant of it.
type Ref struct {
	// Product is an index of Catalogue.Products.
	Product int
	// Variant is an index of the product's Variants, or Whole.
	Variant int
}

// Whole is the Variant of a Ref that names the product itself.
const Whole = -1

// Catalogue is all that the shop sells. It does not change once it was read, and
// is safe for concurrent use.
type Catalogue struct {
	Currency money.Currency
	Products []Product
	// Categories are the paths in use, each before what is below it, in the order
	// of the rows.
	Categories []Category
	// Revision tells the rows from others: the same rows have the same one.
	Revision string

	refs  map[string]Ref
	words []text
}

// Category is a part of the catalogue.
type Category struct {
	// Path names the category from the widest part on: "Clothing/Jackets".
	Path string
	// Products counts the products in it and below it.
	Products int
}

// Find returns what an id, a handle or a SKU names.
func (c *Catalogue) Find(reference string) (Ref, bool) {
	ref, ok := c.refs[reference]
	return ref, ok
}

// Counted reports whether the shop knows how many there are of every variant.
func (c *Catalogue) Counted() bool {
	for i := range c.Products {
		for j := range c.Products[i].Variants {
			if c.Products[i].Variants[j].Stock == Uncounted {
				return false
			}
		}
	}
	return true
}
