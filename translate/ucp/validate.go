package ucp

import "github.com/storeware/caddy-storeware/internal/shape"

// Invalid is what is wrong with a request or a profile, and where.
type Invalid = shape.Invalid

// Validate checks a request's payload before anything is done with it: that it
// means the same to every reader ([shape.Strict]), and what the schemas of the
// operation and of the negotiated extensions say of it: types, bounds, fields
// that must be there and fields that must not. Unknown fields pass, and with
// them the ucp members that any object of a request may carry.
//
// An operation without a payload takes none, or any object. The error is
// *Invalid.
//
// It is stricter than the schemas in this: a whole number has no fraction or
// exponent and stays within ±(2^53−1) (overview, "Integer range"), a line is of at
// most basket.MaxQuantity, a search names something to look for (catalog/search,
// "Search Inputs"), an option is selected once, and a field is written as it is
// defined. It is milder in one thing: an update's fulfillment method may leave
// line_item_ids out, as the specification's own example does.
func Validate(op Operation, negotiated Active, payload []byte) error {
	s := payloadOf(op)
	if s == nil && len(payload) == 0 {
		return nil
	}
	if err := shape.Strict(payload); err != nil || s == nil {
		return err
	}
	return s.Check(payload, verbOf(op), func(extension string) bool { return negotiated.Has(Capability(extension)) })
}

// verbOf returns what an operation does with its payload.
func verbOf(op Operation) shape.Verb {
	switch op {
	case CreateCart, CreateCheckout:
		return shape.Create
	case UpdateCart, UpdateCheckout:
		return shape.Update
	case CompleteCheckout:
		return shape.Complete
	}
	return shape.Other
}
