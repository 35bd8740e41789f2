// Package ucp speaks the Universal Commerce Protocol, release 2026-08-25, in
// front of one shop.
//
// A [Server] answers operations: a [Call] with a payload goes in, a [Reply] with
// the exact bytes to send comes out. A binding, [REST] or [MCP], turns requests of
// its transport into calls and replies into responses. What is the same for both
// is a [Reception]: who calls, which platform profile, what was negotiated, whether
// the request was seen before.
//
//	request ─► binding ─► negotiate ─► validate ─► Server.Do ─► basket, upstream
//
// What the shop can be asked for is a [Business], made of what the shop says of
// itself; [Discovery] serves its profile. What the other side speaks is a
// [Platform], found by [Profiles]. What is wrong with a request is a [Failure],
// where the protocol has no outcome for it.
//
// Types named for the specification's schemas mirror them field for field
// (https://ucp.dev/2026-08-25/schemas/...). Amounts are integers in minor units
// of the currency that stands beside them.
package ucp
