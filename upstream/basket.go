package upstream

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// Handle is the shop's own reference to a basket: a token, a cookie jar, several
// ids, in whatever form its adapter likes. It is a secret. The zero Handle is no
// basket yet.
type Handle = secret.String

// Desired is the whole of what a basket shall be.
type Desired struct {
	Lines []DesiredLine
	// Codes are discount codes as the buyer wrote them.
	Codes []string
	Buyer Buyer
	// Address is where the goods go, nil while unknown. Billing is nil when it
	// is the same.
	Address *Address
	Billing *Address
	// Delivery is the id of a chosen DeliveryOption, empty while unchosen.
	Delivery string
}

// DesiredLine is a thing wanted.
type DesiredLine struct {
	// Key is the caller's name for the line. It stays the same from call to call,
	// and what comes back about the line carries it.
	Key string
	// Item is the id of a variant, or of a product that may have only one.
	Item string
	// Quantity is 1 or more.
	Quantity int64
}

// Buyer is who buys. Every part may be empty.
type Buyer struct {
	Email     string
	FirstName string
	LastName  string
	// Phone is in E.164 form where the caller gave it so.
	Phone string
}

// Address is a postal address. Every part but Country may be empty.
type Address struct {
	FirstName  string
	LastName   string
	Company    string
	Street     string
	Extended   string
	City       string
	Region     string
	PostalCode string
	// Country is an ISO 3166-1 alpha-2 code in upper case.
	Country string
	Phone   string
}

// Applied is what came of an Apply.
type Applied struct {
	Observed Observed
	// Handle replaces the one that was passed in.
	Handle Handle
	// Notices are what differs from what was desired.
	Notices []Notice
}

// Observed is what the shop's basket holds.
type Observed struct {
	Currency money.Currency
	Lines    []Line
	// Tax says whether Line prices and the delivery price contain tax.
	Tax Tax
	// Totals explain Total: their amounts, with their signs, add up to it.
	Totals []Total
	Total  money.Amount
	// TaxTotal is the tax in Total, where the shop says; already part of Totals
	// when Tax is TaxExcluded.
	TaxTotal *money.Amount
	// Estimated: the figures may still change, for want of an address or because
	// the shop's own page computes the last word.
	Estimated bool
	// Discounts are what lowered the price, by code or by the shop's own rules.
	Discounts []Discount
	// Delivery are the ways on offer; Chosen is the id of the one in force.
	Delivery []DeliveryOption
	Chosen   string
	// Missing are what the shop still wants before it takes the order.
	Missing []Missing
	// HandOff is a page of the shop where a person goes on with this basket;
	// empty where the shop has none, which Capabilities.HandOff says beforehand,
	// and where this basket cannot be taken there.
	HandOff string
	// Ordered is set when the basket has become an order without a Place: a
	// person ordered it on the shop's own page. The rest may then be empty.
	Ordered *Placed
}

// Line is a line of a basket.
type Line struct {
	// Key is the DesiredLine's.
	Key string
	// Item is the variant's id, Product its product's.
	Item    string
	Product string
	Title   string
	// Choices are the options that make the variant.
	Choices  []Choice
	Quantity int64
	// Unit is what one costs before discounts of the basket.
	Unit money.Amount
	// Subtotal is the line before, Total the line after the discounts that were
	// spread over lines. Neither holds tax that is added on top.
	Subtotal money.Amount
	Total    money.Amount
	Image    string
	URL      string
}

// TotalKind is the type of a total, in UCP's words.
type TotalKind string

// The kinds of totals. Discounts and credit are negative, the others are not.
const (
	TotalSubtotal      TotalKind = "subtotal"
	TotalItemsDiscount TotalKind = "items_discount"
	TotalDiscount      TotalKind = "discount"
	TotalFulfillment   TotalKind = "fulfillment"
	TotalTax           TotalKind = "tax"
	TotalFee           TotalKind = "fee"
	// TotalRounding is the shop's own rounding, of either sign.
	TotalRounding TotalKind = "rounding"
)

// Total is one line of the sum that a buyer reads.
type Total struct {
	Kind TotalKind
	// Label is the shop's own word for it, empty for the usual one.
	Label  string
	Amount money.Amount
}

// Discount is something that lowered the price.
type Discount struct {
	// Code is the discount code, empty for a rule of the shop.
	Code  string
	Title string
	// Amount is positive: what the buyer saves.
	Amount money.Amount
	// Lines say how much of Amount each line bears, by key. What they leave
	// belongs to the basket as a whole, or to its delivery when OnDelivery.
	Lines      map[string]money.Amount
	OnDelivery bool
}

// DeliveryOption is a way the goods can travel.
type DeliveryOption struct {
	ID          string
	Title       string
	Description string
	Carrier     string
	// Price has the tax of Observed.Tax.
	Price money.Amount
	// Earliest and Latest bound the arrival; zero where the shop does not say.
	Earliest time.Time
	Latest   time.Time
}

// Missing is something that the shop wants before it takes the order.
type Missing string

// What may be missing.
const (
	MissingLines      Missing = "lines"
	MissingEmail      Missing = "email"
	MissingFirstName  Missing = "first_name"
	MissingLastName   Missing = "last_name"
	MissingPhone      Missing = "phone"
	MissingAddress    Missing = "address"
	MissingStreet     Missing = "street"
	MissingCity       Missing = "city"
	MissingRegion     Missing = "region"
	MissingPostalCode Missing = "postal_code"
	MissingDelivery   Missing = "delivery"
)
