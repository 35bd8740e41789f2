// Package shop is a small shop that is real in all but the goods: a catalogue, pages
// for people, a JSON API of its own, baskets, orders that move on with the clock,
// and records that survive the death of the process.
//
// It knows nothing of the module in front of it. A [Server] is an [http.Handler],
// run within another process or as one of its own; package demo is the adapter that
// speaks to it either way.
//
// # Pages
//
// /, /categories/{path}, /search?q=, /products/{handle} (?variant=ID chooses one),
// /basket/{token}, /orders/{number}?key=, /track/{number}/{tracking}, /pages/{name}
// for delivery, returns, privacy, terms and faq, /account, and /backoffice (HTTP
// basic authentication, any name, the token as password). The page of a basket lets
// a person finish what an agent began: address, delivery, payment, order.
//
// # Asking as an agent
//
// With Options.AskPath the front page has a box for questions. The shop does not
// answer them: something in front of it does, which is at
//
//	GET {path}?q=      200 with the result of an MCP tool, as JSON; else a text for people
//	GET {path}/view    the page that draws such results
//
// The front page shows that page in a frame without an origin, and speaks with it as a
// host of MCP Apps does.
//
// # API
//
// Bodies are JSON. Amounts are whole minor units. Paths of pages and pictures are
// relative to where the shop's pages are. Nothing secret stands in an address: the
// token of a basket is the header Basket-Token, the key of an order Order-Key.
//
//	GET  /api/shop               what the shop is: Description
//	GET  /api/categories         {"categories": [{"path", "products"}]}
//	GET  /api/products           a search: q, category (any number of them, a whole
//	                             path or its last part), min, max (a price), available=1,
//	                             country, limit (1 to 100), cursor
//	GET  /api/products/{ref}     one product
//	GET  /api/lookup             ref (any number, at most 500): ids, handles or SKUs
//	POST /api/basket             begin a basket that is as the body says
//	PUT  /api/basket             make it so
//	GET  /api/basket             as it stands now
//	POST /api/basket/order       {"attempt", "method", "credential", "total",
//	                             "currency", "agent"}: order it, if it costs total
//	GET  /api/basket/order       {"order": …}, null when it has become none
//	POST /api/basket/withdraw    {"attempt"}: the same, and an attempt that has not made
//	                             an order will make none any more
//	GET  /api/orders/{number}    an order as it stands now
//
// A product is {"id", "handle", "title", "description", "brand", "path", "image",
// "categories": [path], "tags": [], "facts": {key: [value]}, "options": {name: [value]},
// "rating": {"hundredths", "count"}, "variants": [{"id", "sku", "barcode", "choices",
// "price", "list_price", "availability", "stock", "image"}]}. The choices of a variant
// are values in the order of the options. The availability is in_stock, low_stock,
// out_of_stock or discontinued. What a product does not have is left out.
//
// A search answers {"currency", "tax_added", "total", "next", "products"}; next is
// the cursor of the page after this one. A look-up has "matches" instead, which
// lead from the place of a ref in the query to the place of its product and the
// variant it named.
//
// A basket is written whole:
//
//	{"lines": [{"key", "item", "quantity"}], "codes": [], "buyer": {"email", "first_name",
//	 "last_name", "phone"}, "address": {"first_name", "last_name", "company", "street",
//	 "extended", "city", "region", "postal_code", "country", "phone"}, "billing": {…},
//	 "delivery", "country", "agent"}
//
// and read with prices, ways of delivery, what is missing, and notices of what the
// shop did not take: not_found, option_needed, out_of_stock, quantity_lowered,
// not_buyable, discount_unknown, discount_expired, discount_not_met,
// discount_not_combinable, address_refused, no_delivery, delivery_unknown,
// buyer_refused.
//
// A refusal is {"error": {"code", "text"}}: invalid (400), not_found (404), ordered
// (409, with the order), withdrawn, price_changed (with the total) and out_of_stock
// (409), incomplete (422, with what is missing), payment_declined and
// payment_challenge (402, with the path of the page to go on), denied (401), failed
// (500).
//
// Payment is by demo-card, whose credential "decline" is declined and "challenge"
// wants the buyer on the shop's page while any other is taken, or by invoice.
//
// # One order
//
// A basket becomes at most one order. The first request to order that arrives gets
// 201, every other 409 with the same order, and a request whose attempt was
// withdrawn before it arrived makes none. An order is on disk before it is answered.
// With Options.Careless a basket becomes an order as often as it is asked to, as in
// some real shops.
//
// # Back office
//
// With Options.BackOffice as bearer token:
//
//	GET    /api/backoffice/orders                   the newest 200
//	GET    /api/backoffice/orders/count             {"count"}
//	POST   /api/backoffice/orders/{number}/cancel   before it has left
//	POST   /api/backoffice/orders/{number}/refunds  {"lines": [{"id", "quantity"}],
//	                                                "amount", "reason"}
//	PATCH  /api/backoffice/variants/{ref}           {"price", "stock"}
//	DELETE /api/backoffice/basket                   forget a basket
//
// # Faults
//
// With Options.Faults a test makes the shop misbehave: POST /api/faults with
//
//	{"method", "path", "kind", "after", "times", "milliseconds", "status", "retry_after"}
//
// for requests of a method and the beginning of a path. The kinds are hold (answer
// late, even to nobody: after milliseconds, or once faults are cleared), close (cut
// the connection), status (an HTML page with that status), half (half an answer),
// huge (10 MB), redirect and html (an HTML page with 200). With after, the shop does
// what it was asked to before it misbehaves. A fault with times is gone once it was
// met that often. GET /api/faults answers {"count"}, how many are left; DELETE clears
// all and lets go of what is held.
package shop
