// Package upstream says what a shop is.
//
// A [Shop] is the one thing that differs between shop systems: an adapter in a
// package of its own (upstream/demo, upstream/vendure, …) turns this model into
// the shop's API and back. Everything above it, the basket and every protocol,
// knows this package and no adapter.
//
// # Rules of the model
//
// Ids are opaque strings made by the adapter. Nothing outside the adapter parses
// one, and a product's id never equals the id of another product or variant.
//
// Money is int64 minor units of an ISO 4217 currency (package money). A figure
// in this model was read from the shop during the call that returned it.
//
// A basket's [Handle] is a secret: whoever has it owns the basket. The caller
// keeps it encrypted and passes back the newest one it was given.
//
// Text is plain text. HTML, entities and mark-up stop at the adapter.
//
// Times are UTC. Durations say their unit in their type.
//
// # Errors
//
// Every error that a caller may decide on is an [*Error] with a [Code]. An
// adapter returns ctx.Err() wrapped when the context ended, and nothing of an
// upstream's body ever reaches the text of an error.
//
// # What an adapter need not do
//
// Locks, idempotency, price guard and the retry of writes live in
// translate/basket, once. An adapter is safe for concurrent use, but two calls
// for the same basket never run at once.
package upstream
