package ucp

import "github.com/storeware/caddy-storeware/translate/answer/schema"

// Release is the protocol release that this package's types are of.
const Release = "2026-08-25"

// Operation is an operation of the shopping service, by its operationId.
type Operation string

// The operations.
const (
	SearchCatalog    Operation = "search_catalog"
	LookupCatalog    Operation = "lookup_catalog"
	GetProduct       Operation = "get_product"
	CreateCart       Operation = "create_cart"
	GetCart          Operation = "get_cart"
	UpdateCart       Operation = "update_cart"
	CancelCart       Operation = "cancel_cart"
	CreateCheckout   Operation = "create_checkout"
	GetCheckout      Operation = "get_checkout"
	UpdateCheckout   Operation = "update_checkout"
	CompleteCheckout Operation = "complete_checkout"
	CancelCheckout   Operation = "cancel_checkout"
	GetOrder         Operation = "get_order"
)

// Root is the capability that the operation belongs to. A platform that did not
// negotiate it cannot call the operation.
func (op Operation) Root() Capability {
	switch op {
	case SearchCatalog:
		return CapabilitySearch
	case LookupCatalog, GetProduct:
		return CapabilityLookup
	case CreateCart, GetCart, UpdateCart, CancelCart:
		return CapabilityCart
	case GetOrder:
		return CapabilityOrder
	}
	return CapabilityCheckout
}

// Writes reports whether the operation changes anything, and so honours an
// idempotency key.
func (op Operation) Writes() bool {
	switch op {
	case CreateCart, UpdateCart, CancelCart,
		CreateCheckout, UpdateCheckout, CompleteCheckout, CancelCheckout:
		return true
	}
	return false
}

// Capability is the name of a capability or extension.
type Capability string

// The capabilities and extensions of this release that a shop may declare.
const (
	CapabilitySearch      Capability = "dev.ucp.shopping.catalog.search"
	CapabilityLookup      Capability = "dev.ucp.shopping.catalog.lookup"
	CapabilityCart        Capability = "dev.ucp.shopping.cart"
	CapabilityCheckout    Capability = "dev.ucp.shopping.checkout"
	CapabilityOrder       Capability = "dev.ucp.shopping.order"
	CapabilityFulfillment Capability = "dev.ucp.shopping.fulfillment"
	CapabilityDiscount    Capability = "dev.ucp.shopping.discount"
	// CapabilityAnswer is an extension of ours, with versions of its own.
	CapabilityAnswer Capability = schema.Name
)
