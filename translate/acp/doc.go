// Package acp speaks the Agentic Commerce Protocol, version 2026-04-17, over REST
// in front of one shop.
//
//	request ─► REST ─► version, key, body, signature, card numbers, shape,
//	                   idempotency ─► Server ─► basket
//
// [REST] takes the requests for checkout sessions and carts, [Discovery] serves
// the document that says where they are. A [Server] answers: what it shows are the
// types named for the protocol's schemas, which mirror them field for field
// (spec/2026-04-17/json-schema/schema.agentic_checkout.json and schema.cart.json).
// What is wrong with a request is an [Error], in the body of a [Refusal].
//
// A cart and a checkout session are one basket with one id, the same that other
// protocols show. A basket that was ordered, cancelled or has expired is no cart
// any more, and still a session.
//
// Amounts are integers in minor units of the currency that stands beside them.
// Rows of totals are positive, discounts too: subtotal is items_base_amount less
// items_discount, and total is subtotal less discount plus all the rest.
//
// # What is taken that the schemas do not have
//
// The specification's own examples and prose differ from its schemas in a few
// places. There both are taken: items beside line_items, a quantity of an item
// (one where there is none; the same item twice is two), the nested form of a
// selected fulfillment option, a session without currency or capabilities, and
// null in an update for what is to be cleared. Members that are not known are let
// pass.
//
// # What is not there
//
// The one way to pay is the shop's own gateway, [UpstreamHandler]; other handlers
// come with translate/pay, and with them interventions and authentication
// metadata, which nobody here could act on yet. Payment is not delegated here:
// delegate_payment takes card numbers, and a card number is refused in whatever
// field it stands. Orders are told of in their session; their webhooks are not
// here, so the service is not declared.
package acp
