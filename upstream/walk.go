package upstream

import "context"

// Walker reads a whole catalogue, page by page, and later what changed. Every
// adapter can do it, from the shop's listing of products; how cheaply it learns
// of changes differs.
type Walker interface {
	// Walk reads the page at place. The zero place is the beginning. The products
	// carry what is recorded of them; their prices and stock are those of the
	// moment and not to be kept.
	Walk(ctx context.Context, v Visit, place Place) (Walked, error)
}

// Place is where a walk stands: made by the adapter, kept by the caller across
// restarts, read by nobody else. It stays valid for as long as the shop's
// catalogue is the same shop's.
type Place string

// Walked is a page of a walk.
type Walked struct {
	// Products are on this page: all that are there on the first walk, those that
	// were added or changed later on.
	Products []Product
	// Removed are the ids of products that are gone, from shops that tell.
	Removed []string
	// Next is where to go on: at once while More, and when changes are wanted
	// after that.
	Next Place
	More bool
	// Whole: with this page a walk over everything has ended, so that a product
	// which it did not show is gone. Shops that do not tell what was removed are
	// walked whole from time to time; their adapters say when by where Next leads.
	Whole bool
}
