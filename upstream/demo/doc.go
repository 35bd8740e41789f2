// Package demo is the adapter of the demo shop (package shop below it), whether the
// shop runs in the same process or in one of its own: it is reached over HTTP either
// way.
//
// # What to configure
//
// The address on which "storeware demo-shop" listens:
//
//	upstream demo http://127.0.0.1:8081 {
//		public_url     https://shop.example.com
//		timeout        10s
//		max_concurrent 32
//	}
//
// Everything else is optional:
//
//   - public_url ([Config.PublicURL]) is where people reach the shop's pages, the
//     address itself by default. Links to products, baskets and orders are made of it.
//   - timeout bounds one call of the shop's API, 10 seconds by default.
//   - max_concurrent is how many such calls run at once, 32 by default. Four times as
//     many wait for their turn.
//
// There is no key: whoever reaches the shop may do what an agent may. The back
// office has a token of its own, which is not needed here.
//
// # Baskets and orders
//
// Each operation is one request, but for a basket that the shop has dropped, which
// costs a second. The handle of a basket is the shop's token for it.
//
// [Shop.Recover] withdraws the attempt it asks about: an order that has not arrived
// by then is refused by the shop when it does. So its [upstream.CodeNotPlaced] is
// certain at once, however long a request may be on its way.
//
// # Hand-offs
//
// A person goes on with a basket at the shop's own page. Whoever has the basket's
// token is told at once that it was ordered there, and the shop shows the order
// for as long as it keeps it.
//
// # Limits of requests
//
// The shop has none. Agents beyond max_concurrent and those who wait are asked to
// come back.
//
// # What the shop cannot do
//
// It takes no money: its ways to pay are a card of its own and an invoice that
// nobody sends. It sells in one currency, and forgets everything when it ends,
// unless it was given a folder with --data.
package demo
