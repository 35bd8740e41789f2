package upstream

import "github.com/storeware/caddy-storeware/internal/money"

// Description says what a shop is.
type Description struct {
	// Name is the shop's name as a person reads it.
	Name string
	// Currency is the currency a visitor without a wish is served in.
	Currency money.Currency
	// Currencies are all that the shop can be asked for; it holds Currency.
	Currencies []money.Currency
	// Countries are the ISO 3166-1 alpha-2 codes that the shop delivers to;
	// empty where the shop does not say.
	Countries []string
	// Language is the BCP 47 tag of the shop's own words.
	Language string
	// Tax says whether the prices of the catalogue contain tax.
	Tax Tax
	// Links are the shop's pages of well-known types (UCP link types such as
	// refund_policy), absolute URLs.
	Links []Link
	// Capabilities say what the shop can do.
	Capabilities Capabilities
	// Doubts are what of the configuration does not fit the shop, though the shop
	// can be used: a sentence each, for its operator and for nobody else.
	Doubts []string `json:",omitempty"`
}

// Capabilities are what a shop can do through its API. What is not here is
// offered to nobody: profiles and tools follow from this value.
type Capabilities struct {
	// Search: the shop finds products by words.
	Search bool
	// PriceFilter: the shop itself narrows a search by price.
	PriceFilter bool
	// Baskets: a basket can be built, and shows prices.
	Baskets bool
	// Place: the shop takes an order through its API. Without it every
	// purchase ends with a hand-off to the shop's own page.
	Place bool
	// HandOff: the shop has a page where a person goes on with a basket, which
	// Observed.HandOff names. Without it and without Place nobody can order.
	HandOff bool
	// Codes says how many discount codes a basket takes.
	Codes Codes
	// Delivery: the basket offers ways of delivery to choose from.
	Delivery bool
	// Orders: an order can be read after it was placed.
	Orders bool
	// ExactStock: Variant.Stock is a number.
	ExactStock bool
	// Payments are the ways to pay that Place takes.
	Payments []PaymentMethod
}

// Codes says how many discount codes a basket takes.
type Codes int

// The numbers of codes.
const (
	CodesNone Codes = iota
	CodesOne
	CodesMany
)

// PaymentMethod is a way to pay that the shop's own API takes.
type PaymentMethod struct {
	// ID is the shop's name for it, as Placement.Method wants it.
	ID string
	// Title is what a buyer reads.
	Title string
}

// Link is a page of the shop.
type Link struct {
	// Type is a well-known link type of UCP, such as refund_policy.
	Type string
	// URL is absolute.
	URL string
	// Title is what a person reads; it may be empty.
	Title string
}

// Tax says how tax stands to a price.
type Tax int

// The ways of tax.
const (
	TaxUnknown Tax = iota
	TaxIncluded
	TaxExcluded
)
