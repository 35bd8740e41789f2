package upstream

import (
	"context"
)

// Shop is a shop that exists already, as its adapter sees it.
//
// An adapter is built without I/O: a shop that is down must not keep its host
// from starting. All methods are safe for concurrent use.
type Shop interface {
	// Describe reads what the shop is and what it can do. It is called before
	// the shop is first used and again after the shop was away.
	Describe(ctx context.Context) (Description, error)

	Catalogue
	Baskets
}

// Catalogue reads products, live.
type Catalogue interface {
	// Search finds products. What it returns meets every filter of the query
	// ([Query.Match]); a page may therefore hold fewer than Query.Limit and
	// still have a Next.
	Search(ctx context.Context, v Visit, q Query) (Results, error)

	// Lookup reads the products that refs name: ids of products or variants,
	// handles or SKUs, in one upstream request where the shop allows it.
	// References that name nothing are left out of the answer without an error.
	Lookup(ctx context.Context, v Visit, refs []string) ([]Match, error)
}

// Baskets builds baskets and turns them into orders.
//
// A shop whose [Capabilities] lack Baskets answers each with [CodeUnsupported].
type Baskets interface {
	// Apply makes the shop's basket hold what is desired and returns what it
	// holds then. The full desired state goes in: the adapter finds the
	// difference itself, and applying the same state again changes nothing.
	//
	// A zero handle begins a new basket. A handle whose basket the shop has
	// dropped begins a new one too and says so with [NoticeBasketRenewed].
	//
	// What the shop would not take is a notice, not an error: a line that needs
	// an option, too high a quantity, a coupon that is refused.
	Apply(ctx context.Context, v Visit, h Handle, d Desired) (Applied, error)

	// Read returns what the basket holds now and changes nothing.
	Read(ctx context.Context, v Visit, h Handle) (Observed, error)

	// Place pays and orders the basket. A nil error means that the shop has the
	// order. A refusal is an [*Error]; one whose code is [CodeEscalate] carries
	// the page where a person goes on. [CodeUnknownOutcome] means that the
	// request went out and no answer came back: only [Baskets.Recover] can tell.
	Place(ctx context.Context, v Visit, h Handle, p Placement) (Placed, error)

	// Recover asks whether an earlier Place of this basket became an order.
	// [CodeNotPlaced] means it certainly did not and will not any more.
	// [CodeUnknownOutcome] means that the shop cannot say yet.
	Recover(ctx context.Context, v Visit, h Handle, p Placement) (Placed, error)

	// Order reads an order as it stands now.
	Order(ctx context.Context, v Visit, ref OrderRef) (Order, error)
}
