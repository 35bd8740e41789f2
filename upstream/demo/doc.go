// Package demo is the adapter of the demo shop (package shop below it), whether the
// shop runs in the same process or in one of its own: it is reached over HTTP either
// way.
//
// Each operation is one request, but for a basket that the shop has dropped, which
// costs a second. The handle of a basket is the shop's token for it. A person goes on
// with a basket at the shop's own page, below [Config.PublicURL].
//
// [Shop.Recover] withdraws the attempt it asks about: an order that has not arrived
// by then is refused by the shop when it does. So its [upstream.CodeNotPlaced] is
// certain at once, however long a request may be on its way.
package demo
