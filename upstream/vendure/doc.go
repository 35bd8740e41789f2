// Package vendure speaks to a Vendure 3 shop (3.1 or later) through its Shop
// API, https://docs.vendure.io/reference/graphql-api/shop/queries.
//
// # What to configure
//
// The address of the shop's server is enough ([Config.Client]); the Shop API is
// taken to be at /shop-api there, unless the address has a path:
//
//	upstream vendure http://127.0.0.1:3000 {
//		channel        uk-token
//		payment        stripe invoice
//		product_url    https://shop.example.com/products/{handle}
//		checkout_url   https://shop.example.com/checkout?session={session}
//		admin_key      {env.VENDURE_ADMIN_KEY}
//		admin_url      http://127.0.0.1:3000/admin-api
//		decimals       2
//		timeout        10s
//		max_concurrent 32
//	}
//
// Everything in the block is optional:
//
//   - channel ([Config.Channel]) is the token of the channel to sell in, which
//     Vendure shows under Settings, Channels. Without it that is the default one.
//   - payment ([Config.Payments]) names the payment methods that agents may use, by
//     the codes under Settings, Payment methods. Without it they are all that are
//     active. A method that wants the buyer's browser should not be among them.
//   - product_url and checkout_url ([Config.ProductURL], [Config.CheckoutURL]) say
//     where the shop's pages are, since a Vendure shop is headless: the former with
//     {handle} (the slug) or {id}, the latter with {session} or {order}.
//   - admin_key ([Config.AdminKey]) is an API key of the administration, and
//     admin_url ([Config.AdminURL]) where the Admin API is, if that is not /admin-api
//     beside the Shop API. See below.
//   - decimals ([Config.Decimals]) is the precision of the shop's MoneyStrategy, if
//     that is not 2.
//   - timeout bounds one call of the shop's API, 10 seconds by default. It must be
//     longer than the slowest payment takes.
//   - max_concurrent is how many such calls run at once, 32 by default. Four times as
//     many wait for their turn.
//
// # The key of the administration
//
// The Shop API needs no key. It shows an order to anybody who knows its code, but
// for two hours only (the shop's orderByCodeAccessStrategy may say otherwise), and
// after that as little as one that was never placed. With admin_key orders are read
// for ever, and what became of a basket is certain. So a shop with a checkout_url
// should have one.
//
// Vendure has such keys since 3.6, and takes them only if authOptions.tokenMethod in
// vendure-config.ts holds "api-key" besides what is there; else it passes over them
// without a word. Make a role with the permission ReadOrder and no other under
// Settings, Roles, and a key with that role under Settings, API Keys. It needs the
// channel that is sold in.
//
// # Sessions
//
// A Vendure basket is the active order of a session: whoever has the session's
// token has the basket. The token travels in the header vendure-auth-token and
// comes back as a bearer token, or as a cookie where the shop knows nothing
// else; it is kept in the basket's handle together with the order's code, which
// tells the basket from a new one in the same session. What is read from the
// catalogue needs no session.
//
// # Requests
//
// A basket is read, changed and read again: three requests, one where nothing
// changes. All changes go in one document, since the mutations of a document run
// one after the other. Two habits of Vendure matter there. A mutation that
// throws (rather than return an error type) ends the document, so what could
// throw is checked beforehand, and after a throw the basket is read again. And a
// mutation used twice in a document sees the session as it was at the first use:
// were that the one that begins the order, the second would begin another. So a
// new order is begun by a mutation of its own.
//
// # Orders
//
// An order is placed by locking the basket (the state ArrangingPayment), looking
// at the locked total, and adding a payment of that total.
//
// The order tells which agent placed it in the custom fields storewareAgent and
// storewareAttempt, if the shop has them, and always in the metadata of its
// payment, as far as the payment's handler keeps what it is given.
//
// # Hand-offs
//
// The page at checkout_url has to go on with the session that its address names
// (by sending the token as its own), or with the order of that code, which only a
// server of the shop's own can. Without checkout_url a buyer is shown a page of
// this module, which cannot take orders.
//
// The basket is its order as soon as the session holds another one, or none, and
// the shop shows the order by its code: for two hours after it was placed, or
// always with admin_key. Without the key a basket that is looked at later than that
// counts as dropped, and is built anew. A buyer who signs in and has a basket of
// their own already gets both merged into one, by the shop's mergeStrategy; then the
// basket's own code is ordered by nobody, and it counts as dropped too.
//
// # Limits of requests
//
// Vendure has none of its own, but a plug-in or a proxy may. After 429, or 503 with
// Retry-After, an agent is asked to come back when the shop says, and a walk over
// the catalogue waits as long. The shop sees the agent's address in
// X-Forwarded-For, if its trustProxy believes us.
//
// # What the shop cannot do
//
//   - It does not filter by price; this package does, in the pages that it reads.
//     Without a search plug-in words are looked for as they stand in names and
//     descriptions.
//   - A buyer's address of e-mail can be exchanged and not taken off, and cannot be
//     that of an account: guests only, so a shop that switched them off sends every
//     buyer to its own page.
//   - Goods in a basket are not put aside: that they were sold meanwhile is found
//     out when the order is placed.
//
// # Tests
//
// Most tests play what a real shop said from testdata/tapes. With
// STOREWARE_VENDURE_URL, such as http://127.0.0.1:3101, they run against the shop
// of testdata/shop too (setup.sh, start.sh; Node 20), and so does the suite of
// upstream/shoptest. STOREWARE_VENDURE_DIR is the folder it was set up in, for
// those that restart it. STOREWARE_VENDURE_RECORD=1 records the tapes anew.
package vendure
