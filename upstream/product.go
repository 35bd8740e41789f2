package upstream

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Product is a product with all that can be bought of it.
type Product struct {
	// ID names the product. Handle is its URL-safe name, where the shop has one.
	ID     string
	Handle string
	Title  string
	// Description is plain text.
	Description string
	// URL is the product's page, empty for a shop without pages.
	URL   string
	Brand string
	// Categories run from the widest to the narrowest, each one path: "Women/Jackets".
	Categories []string
	// Tags are the shop's free labels.
	Tags []string
	// Attributes are facts the shop has recorded, such as waterproof: true.
	Attributes []Attribute
	// Options are what a buyer chooses, each with every value on offer.
	Options []Option
	// Media holds pictures, the main one first.
	Media []Media
	// Variants are what can be bought. There is at least one.
	Variants []Variant
	Rating   *Rating
	// Updated is when the shop last changed the product; zero where unknown.
	Updated time.Time
}

// Variant is one thing that can be bought: the product with all options chosen.
type Variant struct {
	// ID is what a basket's line names.
	ID      string
	SKU     string
	Barcode string
	Title   string
	// URL is the variant's own page, where there is one.
	URL string
	// Options are the choices that make this variant, one for each Product.Options.
	Options []Choice
	// Price is what one costs now. ListPrice is what it cost before a sale, nil
	// without one.
	Price     money.Amount
	ListPrice *money.Amount
	Tax       Tax
	// Availability says whether it can be had, Stock how many, where known.
	Availability Availability
	Stock        *int64
	Media        []Media
	// Attributes are facts of this variant alone.
	Attributes []Attribute
}

// Availability says whether a variant can be bought.
type Availability int

// The availabilities. Unknown is for shops that do not say before the basket.
const (
	AvailabilityUnknown Availability = iota
	InStock
	LowStock
	OutOfStock
	Backorder
	Preorder
	Discontinued
)

// Buyable reports whether a basket would take the variant.
func (a Availability) Buyable() bool { return a != OutOfStock && a != Discontinued }

// Attribute is a recorded fact: a key and one or more values.
type Attribute struct {
	Key    string
	Values []string
}

// Option is something to choose, with the values on offer in the shop's order.
type Option struct {
	Name   string
	Values []string
}

// Choice is one value chosen of one option.
type Choice struct {
	Name  string
	Value string
}

// Media is a picture of a product.
type Media struct {
	URL string
	Alt string
}

// Rating is the mean of what buyers gave, in hundredths (4.5 of 5 is 450 of 500).
type Rating struct {
	Hundredths int
	Scale      int
	Count      int
}

// Match is a product that one or more references of a look-up named.
type Match struct {
	Product Product
	// Inputs are the references, as given, and what each named.
	Inputs []Input
}

// Input is a reference and what it named.
type Input struct {
	Ref string
	// Variant is the id of the variant that the reference named, empty when it
	// named the product.
	Variant string
}

// Variant returns the variant with that id, or nil.
func (p *Product) Variant(id string) *Variant {
	for i := range p.Variants {
		if p.Variants[i].ID == id {
			return &p.Variants[i]
		}
	}
	return nil
}

// PriceRange returns the lowest and the highest price of the variants.
func (p *Product) PriceRange() (lowest, highest money.Amount) {
	for i := range p.Variants {
		price := p.Variants[i].Price
		if i == 0 || price.Minor < lowest.Minor {
			lowest = price
		}
		if i == 0 || price.Minor > highest.Minor {
			highest = price
		}
	}
	return lowest, highest
}

// Available reports whether any variant can be bought.
func (p *Product) Available() bool {
	for i := range p.Variants {
		if p.Variants[i].Availability.Buyable() {
			return true
		}
	}
	return false
}
