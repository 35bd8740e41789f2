// Package shopify speaks to a shop at Shopify through its Storefront API,
// https://shopify.dev/docs/api/storefront, for shops whose pages are on a domain
// of their own: a shop that Shopify itself serves answers agents already.
//
// # What to configure
//
// The shop's address at Shopify, which is never the domain of its pages, and a
// token of the Storefront API:
//
//	upstream shopify https://fell-and-ford.myshopify.com {
//		private_token  {env.SHOPIFY_PRIVATE_TOKEN}
//		admin_token    {env.SHOPIFY_ADMIN_TOKEN}
//		version        2026-07
//		product_url    https://fellandford.example/products/{handle}
//		metafield      custom.material custom.care
//		timeout        10s
//		max_concurrent 32
//	}
//
// The token of the Storefront API is that of a storefront in the Headless channel
// (Sales channels, Headless, Add storefront), or of an app. private_token
// ([Config.PrivateToken]) is the one to use: Shopify is then told each agent's
// address, and counts its requests as its own. public_token ([Config.PublicToken])
// stands in its place where there is none; then the requests of all agents count as
// one visitor's. Either needs the scopes
//
//   - unauthenticated_read_product_listings, for everything,
//   - unauthenticated_read_checkouts and unauthenticated_write_checkouts, for
//     baskets,
//   - unauthenticated_read_product_inventory, for how many there are of an item,
//   - unauthenticated_read_product_tags, for tags.
//
// Without one of the last two the shop is as good, and says less; which of them
// there are is found out at start.
//
// Everything else is optional:
//
//   - admin_token ([Config.AdminToken]) is a token of the Admin API, of an app with
//     the scopes read_orders and read_products. It is what tells that a basket was
//     ordered, and reads orders: of the last sixty days, or all with
//     read_all_orders. Orders hold the data of customers; Shopify wants an app to be
//     allowed to read those (Protected customer data).
//   - version ([Config.Version]) is that of Shopify's API, 2026-07 by default and at
//     least.
//   - product_url ([Config.ProductURL]), with {handle}, is for shops whose pages
//     Shopify does not know of.
//   - metafield ([Config.Metafields]) names the metafields that are told as
//     attributes. The shop must show them to its storefronts (Storefront API access
//     in the metafield's definition). There are none by default.
//   - timeout bounds one call of Shopify's APIs, 10 seconds by default.
//   - max_concurrent is how many such calls run at once, 32 by default. Four times as
//     many wait for their turn.
//
// The token of an app that was made in Shopify's administration, which is possible
// no more, lasts. One that an app of the Dev Dashboard gets with its client
// credentials ends after a day: whatever renews it has to reload the configuration,
// for this package does not.
//
// Products have to be published to the channel or app that a token is of. Filters
// by product type beside words narrow a search only where the merchant has
// switched them on in Shopify's app Search & Discovery; what is found meets them
// either way.
//
// # Hand-offs
//
// Shopify has no way to complete a cart but its own page, at its own address. Every
// purchase ends with a hand-off to the cart's checkoutUrl, which opens with what
// the basket holds and what is known of the buyer. The figures of a basket are
// estimates until then: Shopify tells no tax before its page, nor whether prices
// contain it, and counts carriers' own rates there only.
//
// A cart that was ordered is gone, and so is one that nobody has touched for some
// days. Only the Admin API tells one from the other: without admin_token, or with one
// that has ended, a basket that was ordered is built anew, and waits for a buyer until
// it expires. An order is taken for a
// basket's only if it bears the random mark that the basket's cart was given, since
// Shopify answers a search that it does not understand with any orders. Shopify may
// be late to find an order; a basket remembers the carts that it was, and becomes
// the order as soon as there is one.
//
// Which orders are whose is told by the cart's attributes "Agent" and "Storeware
// basket". Shopify shows them to the merchant among the order's additional details.
//
// # What the shop cannot do
//
//   - It takes no orders, and no payment, from agents. Totals are estimates.
//   - It tells orders to the Admin API alone.
//   - A discount code, an address or a way of delivery that Shopify takes now may be
//     refused on its page.
//   - Customers' own prices and accounts are not asked for.
//
// # Limits of requests
//
// Shopify counts what a document costs, by visitor, and slows robots down. Whether
// it says so with THROTTLED, 429 or its own 430, an agent is asked to come back, after
// as long as Shopify says, and a walk over the catalogue waits as long. The Admin
// API has a budget of its own.
//
// # Markets
//
// With Shopify a country decides on the currency. Where goods go decides on a
// basket's country; else the market's country does, else a country with the
// currency that is wanted.
//
// # Requests
//
// A basket is read together with what its lines name, and changed in one document,
// whose mutations run one after the other. Nothing is sent again that may have been
// carried out: the next call sees for itself.
package shopify
