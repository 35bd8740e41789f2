package upstream

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// Placement is all that turns a basket into an order.
type Placement struct {
	// Attempt is the caller's own name for this attempt, the same in Place and
	// Recover. The adapter writes it on the order where the shop has a place.
	Attempt string
	// Started is when the first Place with this Attempt began. Recover needs it
	// to judge whether a request may still be on its way.
	Started time.Time
	// Method is the id of a PaymentMethod of the shop.
	Method string
	// Credential is what the payment handler was given, as the shop's gateway
	// wants it; it may be empty.
	Credential secret.String
	// Expected is the total the buyer agreed to.
	Expected money.Amount
}

// OrderRef is how an order is read again.
type OrderRef struct {
	// ID is the shop's number for the order, as a buyer may read it.
	ID string
	// Key is what the shop wants besides to show the order, if anything.
	Key secret.String
}

// Placed is an order the shop has taken.
type Placed struct {
	Ref OrderRef
	// URL is the order's page at the shop, empty where there is none.
	URL string
	// Total is what the shop says it charges.
	Total money.Amount
}

// Order is an order as it stands.
type Order struct {
	Ref OrderRef
	// URL is the order's page at the shop, empty where there is none.
	URL string
	// PlacedAt is when the shop took it; zero where unknown.
	PlacedAt time.Time
	Currency money.Currency
	Lines    []OrderLine
	Totals   []Total
	Total    money.Amount
	// Address is where the goods go, nil where the shop does not say.
	Address  *Address
	Delivery string
	// Canceled: the shop will not send what is left of it.
	Canceled bool
	// Events happened to the goods, Adjustments to the money, oldest first.
	Events      []FulfillmentEvent
	Adjustments []Adjustment
	// Status is the shop's own word.
	Status string
}

// OrderLine is a line of an order.
type OrderLine struct {
	// ID names the line within the order. Item and Product are ids of the
	// catalogue, where the shop still knows them.
	ID      string
	Item    string
	Product string
	Title   string
	Choices []Choice
	// Ordered is how many were bought, Active how many are left after returns
	// and cancellations, Fulfilled how many of these were sent.
	Ordered   int64
	Active    int64
	Fulfilled int64
	Unit      money.Amount
	Subtotal  money.Amount
	Total     money.Amount
	Image     string
	URL       string
}

// FulfillmentEvent is something that happened to goods, in UCP's words.
type FulfillmentEvent struct {
	ID string
	// Type is a fulfillment event type of UCP: processing, shipped, delivered, …
	Type     string
	At       time.Time
	Lines    []LineQuantity
	Carrier  string
	Tracking string
	// TrackingURL is a page that follows the parcel.
	TrackingURL string
	Text        string
}

// LineQuantity is a number of a line.
type LineQuantity struct {
	Line     string
	Quantity int64
}

// Adjustment is something that happened to the money of an order.
type Adjustment struct {
	ID string
	// Type is an adjustment type of UCP: refund, cancellation, …
	Type string
	At   time.Time
	// Status is pending, completed or failed.
	Status string
	Lines  []LineQuantity
	// Amount is negative when money goes back to the buyer.
	Amount money.Amount
	Text   string
}
