package basket

import (
	"encoding/json"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// Owner is who a basket belongs to. No one else learns that it exists.
type Owner struct {
	// Shop is the shop's name, Agent the id of the agent's key.
	Shop  string
	Agent string
	// Name is the agent's name, which the shop's order shows.
	Name string
	// Sandbox: the agent's orders are marked test and never reach the shop.
	Sandbox bool
}

// Basket is a basket as it was at Updated.
type Basket struct {
	ID    string
	Owner Owner
	// Wanted is what the agent asked for, Observed what the shop's basket holds.
	Wanted   Wanted
	Observed upstream.Observed
	// Blockers stand between the basket and an order, Warnings do not. Both are
	// derived from Wanted, Observed and what the shop said.
	Blockers []Issue
	Warnings []Issue
	// State says how far the basket has come.
	State State
	// Order is set once State is Completed.
	Order *Order
	// Methods are the ways to pay that the shop's own API takes.
	Methods []upstream.PaymentMethod
	// CanPlace: an order can be placed without the shop's own page.
	CanPlace bool
	// HandOff is the page where a person goes on with the basket, empty where
	// there is none any more. Where the shop has none it is our own, which shows
	// the basket and does no more.
	HandOff string
	Created time.Time
	Updated time.Time
	// Expires is when an open basket is given up. Expired: it was, and nobody
	// canceled it.
	Expires time.Time
	Expired bool
}

// State says how far a basket has come.
type State string

// The states. Whether an open basket could be completed is told by its blockers.
const (
	Open State = "open"
	// Completing: an order was sent to the shop and nobody knows yet what came
	// of it.
	Completing State = "completing"
	Completed  State = "completed"
	// Canceled: by the agent, or because it expired.
	Canceled State = "canceled"
)

// Order is what a completed basket became.
type Order struct {
	// ID is the shop's number for it.
	ID string
	// URL is where a person sees it.
	URL   string
	Total money.Amount
	At    time.Time
	// Test: a sandbox key placed it, and the shop knows nothing of it.
	Test bool
}

// Wanted is the whole of what an agent wants of a basket.
type Wanted struct {
	Lines []Line
	Codes []string
	Buyer upstream.Buyer
	// Destinations are the addresses the agent named; Destination is the id of
	// the chosen one, empty while none is. FirstDestination chooses the first,
	// whatever its id will be.
	Destinations []Destination
	Destination  string
	Billing      *upstream.Address
	// Delivery is the id of the chosen way of delivery, empty while none is.
	Delivery string
	// Notes are what a protocol wants back as it was given, by protocol name.
	// Nobody else reads them. A protocol that is not named keeps what it had, and
	// one with a note of nothing has none any more.
	Notes map[string]json.RawMessage
}

// FirstDestination stands for the id of the first of Wanted.Destinations.
const FirstDestination = "*"

// Line is a thing wanted. An empty ID asks for a new line.
type Line struct {
	ID       string
	Item     string
	Quantity int64
}

// Destination is an address with a name of its own. An empty ID asks for one;
// the same address sent again keeps the id it had.
type Destination struct {
	ID string
	upstream.Address
}

// Issue is something to tell about a basket.
type Issue struct {
	Code  IssueCode
	Field Field
	// Index is the place within the field's list in Wanted, where it has one.
	Index int
	// Item is the id of what the line wants, for issues that are about a line.
	Item string
	// Text says it in plain words.
	Text string
	// Options and Variants are what there is to choose, for OptionNeeded.
	Options  []upstream.Option
	Variants []upstream.Variant
	// ByBuyer: no agent can mend it, only a person on the shop's page.
	ByBuyer bool
}

// Field is the part of a basket that an issue is about.
type Field string

// The fields.
const (
	FieldBasket      Field = ""
	FieldLine        Field = "line"
	FieldQuantity    Field = "quantity"
	FieldCode        Field = "code"
	FieldEmail       Field = "email"
	FieldFirstName   Field = "first_name"
	FieldLastName    Field = "last_name"
	FieldPhone       Field = "phone"
	FieldDestination Field = "destination"
	FieldStreet      Field = "street"
	FieldCity        Field = "city"
	FieldRegion      Field = "region"
	FieldPostalCode  Field = "postal_code"
	FieldDelivery    Field = "delivery"
	FieldPayment     Field = "payment"
)

// IssueCode says what an issue is.
type IssueCode string

// The codes. Those of notices mean what the notice means.
const (
	Missing           IssueCode = "missing"
	NotFound          IssueCode = "not_found"
	OptionNeeded      IssueCode = "option_needed"
	OutOfStock        IssueCode = "out_of_stock"
	NotBuyable        IssueCode = "not_buyable"
	QuantityLowered   IssueCode = "quantity_lowered"
	CodeUnknown       IssueCode = "code_unknown"
	CodeExpired       IssueCode = "code_expired"
	CodeNotMet        IssueCode = "code_not_met"
	CodeNotCombinable IssueCode = "code_not_combinable"
	AddressRefused    IssueCode = "address_refused"
	NoDelivery        IssueCode = "no_delivery"
	DeliveryUnknown   IssueCode = "delivery_unknown"
	BuyerRefused      IssueCode = "buyer_refused"
	BasketRenewed     IssueCode = "basket_renewed"
	PriceChanged      IssueCode = "price_changed"
	PaymentDeclined   IssueCode = "payment_declined"
	PaymentUnknown    IssueCode = "payment_unknown"
	HandOff           IssueCode = "hand_off"
	// NotOrderable: neither here nor on a page of the shop, so nobody can go on.
	NotOrderable     IssueCode = "not_orderable"
	StillCompleting  IssueCode = "still_completing"
	AlreadyCompleted IssueCode = "already_completed"
	AlreadyCanceled  IssueCode = "already_canceled"
	EstimatedTotals  IssueCode = "estimated_totals"
	TaxInTotals      IssueCode = "tax_included"
)

// Payment is how a basket shall be paid.
type Payment struct {
	// Method is the id of one of Basket.Methods.
	Method string
	// Credential is what the payment handler was given; it is never stored.
	Credential secret.String
	// Billing replaces the basket's billing address and Buyer its buyer, nil to
	// leave them. Notes are as those of Wanted.
	Billing *upstream.Address
	Buyer   *upstream.Buyer
	Notes   map[string]json.RawMessage
}
