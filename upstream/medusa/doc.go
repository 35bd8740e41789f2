// Package medusa speaks to a Medusa 2 shop through its Store API,
// https://docs.medusajs.com/api/store. It was made with Medusa 2.18.
//
// # What to configure
//
// The shop's URL and its publishable API key ([Config.Key]), which Medusa shows
// under Settings, Publishable API Keys:
//
//	upstream medusa http://127.0.0.1:9000 {
//		key            {env.MEDUSA_PUBLISHABLE_KEY}
//		name           "Fell & Ford"
//		language       en-GB
//		region         reg_01JB0Z
//		payment        pp_stripe_stripe
//		fact           brand material
//		product_url    https://shop.example.com/products/{handle}
//		checkout_url   https://shop.example.com/checkout?cart={cart}
//		timeout        10s
//		max_concurrent 32
//	}
//
// The key must belong to exactly one sales channel, or Medusa tells no stock. It
// gives no right that the shop's own pages do not have, and no secret key is
// needed.
//
// Everything else is optional:
//
//   - name and language ([Config.Name], [Config.Language]), which Medusa does not
//     tell: the host of the address and en by default.
//   - region ([Config.Region]) is where somebody shops of whom no country is known,
//     by its id; the shop's oldest one by default.
//   - payment ([Config.Payments]) says which payment providers agents may use, all
//     of a region by default; pp_system_default takes every order without any money.
//   - fact ([Config.Facts]) names the metadata of products that buyers may know,
//     since a shop may keep there what they may not. There are none by default.
//   - product_url and checkout_url ([Config.ProductURL], [Config.CheckoutURL]) say
//     where the shop's pages are, since a Medusa shop is headless: the former with
//     {handle} or {id}, the latter with {cart}.
//   - timeout bounds one call of the shop's API, 10 seconds by default. It must be
//     longer than the slowest payment takes.
//   - max_concurrent is how many such calls run at once, 32 by default. Four times as
//     many wait for their turn.
//
// In the shop there must be a region with countries and payment providers, prices
// in its currency, and shipping options for these countries.
//
// # What is asked
//
// Prices, stock and figures are read anew in every call, and only the fields that
// are needed. Regions, categories and payment providers are read by
// [Shop.Describe] and stay until the next one. The numbers of requests stand
// beside each method.
//
// # Baskets
//
// A basket is a cart, whose id is its secret. It is in the region of the country
// where the goods go, and so in the currency there; an address in the country of
// another region moves it. Amounts are decimals of major units and are rounded to
// what can be paid; the difference to the sum of the parts is a total of its own.
//
// Medusa refuses a quantity without saying how many there are. So the stock is
// read first, and a quantity lowered to it. A code that Medusa knows and does not
// apply is forgotten without a word: whether it has ended, is used up or wants
// other goods is not told, and it is sent again whenever something has changed.
//
// Goods that are sent in different ways (with several shipping profiles) need a
// shipping option each; a way of delivery is then one of each, their ids joined.
// What an option costs is shown as Medusa tells it, with tax or without.
//
// # Orders
//
// An order is placed by writing the attempt on the cart, beginning a payment, and
// completing the cart. Medusa answers the same order to whoever completes a cart
// again, and takes an order back whose payment failed; after a lost answer the
// cart itself tells what became of it. The cart's metadata, which the order
// inherits, say which agent ordered it and by which attempt, in the fields
// storeware_agent and storeware_attempt.
//
// The reference of an order is its number, as people read it, and its id as key:
// Medusa shows an order for ever to whoever knows the id. Its figures stay those
// of what was bought; refunds, returns and a cancellation are adjustments.
//
// # Hand-offs
//
// The page at checkout_url has to go on with the cart of that id, as any storefront
// does with the id in its cookie. Without checkout_url a buyer is shown a page of
// this module, which cannot take orders. A payment that wants the buyer's own
// confirmation is such a hand-off too, or declined where there is no page.
//
// A cart knows its order for ever: a basket that was ordered on the shop's pages is
// completed the next time that anybody looks, and its order can be read without
// another key. A storefront that moves the goods into a cart of its own (for a buyer
// who signs in, say) breaks that: such a basket is never seen to be ordered.
//
// # Limits of requests
//
// Medusa has none of its own, but a proxy may. After 429, or 503 with Retry-After,
// an agent is asked to come back when the shop says, and a walk over the catalogue
// waits as long. Medusa takes one change of a cart at a time, and answers 409 to
// another, which agents are told in the same way.
//
// # What the shop cannot do
//
// Its search wants every word to stand in a product as it is written, and does not
// rank. It does not filter by price or by stock; this package does. It does not
// tell its own name, how long a delivery takes, or the names of its payment
// providers. A basket's address of e-mail and way of delivery can be exchanged and
// not taken off. Translations, customers and their prices are not asked for.
package medusa
