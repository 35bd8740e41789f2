// Package fakeshop is a test double of Shopify: the Storefront API of a small
// shop that keeps its carts, and as much of the Admin API as reads their orders.
//
// What makes it worth something is Shopify's own schema, which the npm package
// @shopify/dev-mcp ships and [LoadSchema] reads. A document or a variable that
// does not fit it is refused, as Shopify would, and told to [Options.Refused]. The
// schema is not part of this repository. Without one the shop answers all the
// same, and nothing is known of the documents.
//
// What the shop does was written from Shopify's documentation and from what is
// told of its habits: too little stock lowers a quantity with a warning, an item
// that is sold out leaves a line of nothing behind, a wrong discount code stays on
// the cart, a cart that was ordered is gone.
package fakeshop
