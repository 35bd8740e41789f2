package shoptest

import (
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// Fixture says how to get at a shop and what is in it.
type Fixture struct {
	// New returns the shop and the hooks that reach behind it. It is called once
	// for every case. All the shops it returns may be the same one underneath;
	// the cases run one after the other and order no more than Single and
	// Variant say.
	New func(t testing.TB) (upstream.Shop, Hooks)
	// Now is the clock for Placement.Started, nil for time.Now.
	Now func() time.Time
	// Visit is who the shop is called for, unless a case is about markets. Each
	// case comes from the next address after Visit.Addr, where that is valid, for
	// shops that limit by address.
	Visit upstream.Visit

	// Single is a product with one variant and no options, cheaper than the
	// minimum of Codes.Fixed. 15 in stock are enough, and as many again as reach
	// that minimum.
	Single Item
	// Variant is one of several variants of a product with options, at least 25
	// in stock.
	Variant Item
	// SoldVariant is a sold-out variant of a product that has others in stock.
	SoldVariant Item
	// SoldOut is a product that is wholly sold out.
	SoldOut Item
	// Scarce is a variant of which there are few, and Few is how many.
	Scarce Item
	Few    int64

	// Words find the product of Single, among others; NoWords find nothing.
	Words   string
	NoWords string
	// Category is a category that holds Single's product and not all products.
	Category string

	Codes Codes

	// Buyer and Address are complete as the shop wants them, and delivered to in
	// at least one way.
	Buyer   upstream.Buyer
	Address upstream.Address
	// Member is an e-mail address of a customer with an account, who is not Buyer.
	Member string
	// Abroad is an address that the shop does not deliver to.
	Abroad *upstream.Address

	// Method is the id of a payment method that takes Credential and declines
	// Declined.
	Method     string
	Credential secret.String
	Declined   secret.String

	// Known is a basket whose price is known.
	Known *Known

	// Lacks says why the shop cannot have what a case needs, by the case's name
	// as in "codes/free delivery".
	Lacks map[string]string
}

// Item names a variant and its product, as Lookup takes them. One of the two may
// be empty for a shop that lacks it.
type Item struct {
	// Handle is the product's.
	Handle string
	// SKU is the variant's.
	SKU string
}

// Codes are discount codes of the shop. An empty one does not exist.
type Codes struct {
	// Percent takes a part off everything.
	Percent string
	// Fixed takes an amount off a basket whose goods cost Minimum or more, in
	// minor units.
	Fixed   string
	Minimum int64
	// Expired was valid once.
	Expired string
	// FreeDelivery makes the delivery free.
	FreeDelivery string
	// Unknown is a code that the shop has never had.
	Unknown string
	// Vague: the shop does not say why it refuses a code.
	Vague bool
}

// Known is a basket whose price is known.
type Known struct {
	Lines []KnownLine
	Codes []string
	// Delivery is the title of the way of delivery.
	Delivery string
	Total    money.Amount
}

// KnownLine is a line of a known basket.
type KnownLine struct {
	Item     Item
	Quantity int64
}

// Hooks reach behind a shop. Each may be nil. A hook that changes something
// undoes it in a Cleanup of t; t.Context has ended by then.
type Hooks struct {
	// ChangePrice sets what a variant costs, in minor units.
	ChangePrice func(t testing.TB, sku string, minor int64)
	// SetStock sets how many of a variant there are.
	SetStock func(t testing.TB, sku string, n int64)
	// OrderCount counts the shop's orders.
	OrderCount func(t testing.TB) int
	// DropBasket makes the shop forget a basket.
	DropBasket func(t testing.TB, h upstream.Handle)
	// LoseNextAnswer makes the shop carry out the next request that orders, while
	// its answer is lost on the way.
	LoseNextAnswer func(t testing.TB)
	// LoseNextRequest loses the next request that orders on the way to the shop,
	// in such a manner that the adapter cannot know.
	LoseNextRequest func(t testing.TB)
	// Restart stops the shop and starts it again with all it has stored.
	Restart func(t testing.TB)
	// GoAway makes the shop unreachable until the returned function is called.
	GoAway func(t testing.TB) (comeBack func())
	// Another returns a second adapter of the same shop, which shares nothing
	// with the first, as on another node.
	Another func(t testing.TB) upstream.Shop
}
