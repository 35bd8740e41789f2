// Package woocommerce speaks to a WooCommerce shop through its Store API, which
// needs no key, and through its REST API v3 for what only that can do, if it is
// given one. It was made from recordings of WooCommerce 9.9.5 and 10.5.2.
//
// # What to configure
//
// The address of the shop's front page is enough ([Config.Client]):
//
//	upstream woocommerce http://127.0.0.1:8080
//
// and this is more:
//
//	upstream woocommerce http://127.0.0.1:8080 {
//		public_url      https://shop.example.com
//		forwarded_https
//		consumer_key    {env.WOO_CONSUMER_KEY}
//		consumer_secret {env.WOO_CONSUMER_SECRET}
//		payment         cod
//		payment         stripe {
//			title "Credit card"
//			field wc-stripe-payment-token
//		}
//		language        en-GB
//		checkout_path   /checkout/
//		timeout         30s
//		max_concurrent  32
//	}
//
// Everything else is asked of the shop, once at the beginning and again every
// hour; whether prices contain tax and whether there are discount codes is tried
// with a basket that is emptied at once. Permalinks of any kind will do, and so
// will a shop that is in "coming soon" mode.
//
//   - consumer_key and consumer_secret ([Config.ConsumerKey],
//     [Config.ConsumerSecret]) are a key that is made under WooCommerce, Settings,
//     Advanced, REST API, Add key, with the permissions Read, for a user whose role
//     is Shop manager. They add: orders that a person made after a hand-off, refunds
//     and notes of orders, the date of an order, and orders of a lost request whose
//     number is not known. They are used for GET orders, orders/{id},
//     orders/{id}/refunds and /notes, payment_gateways, settings/general and
//     settings/tax. A user of another role who may read orders (read_private_shop_orders)
//     but no settings is good enough.
//   - public_url ([Config.PublicURL]) is where buyers reach the shop, if the shop
//     itself does not say so.
//   - Over plain HTTP the shop takes no key but a signature, which covers the
//     address that WordPress believes it has. Where TLS ends in front of the shop
//     (behind Caddy, say), forwarded_https tells it so (X-Forwarded-Proto: https
//     among Client.Header), and wp-config.php has to believe it.
//   - payment ([Config.Payments]) names the gateways that agents may use. Without
//     it they are bank transfer, cheque and cash on delivery, whichever are
//     switched on. A card gateway must take what a payment handler of UCP gives in
//     one field of payment_data (field, [Payment.Field]), or in several as a JSON
//     object. title ([Payment.Title]) is what buyers read, if the shop's own is not to
//     be. A gateway with a page of its own works too: the buyer is sent there. With
//     payment none everybody pays on the shop's page.
//   - language ([Config.Language]) is asked of the front page if it is left out.
//   - checkout_path ([Config.CheckoutPath]) is wanted where the checkout page is
//     not at /checkout/.
//   - timeout (Client.Timeout) bounds one call of the shop's API, 10 seconds by
//     default. It must be longer than the slowest gateway takes, or orders become
//     uncertain for some minutes. 30 seconds are usual for cards.
//   - max_concurrent (Client.MaxConcurrent) is how many such calls run at once, 32 by
//     default. Four times as many wait for their turn.
//
// Nothing in front of the shop's API may cache answers to requests with the header
// Cart-Token, or take that header off.
//
// # Baskets
//
// A basket is a session of the shop's, which lives two days after it was last
// used; its token is kept in the handle. As soon as nothing is missing the shop is
// made to open the draft of the order that the basket will become, as its own
// checkout page does: from then on the order's number is known before anything is
// ordered. The shop holds the stock of a draft for ten minutes, and deletes drafts
// after a day.
//
// The shop writes whole baskets and knows no order among requests for one. Who
// calls this package must call it for one basket after the other.
//
// # Orders
//
// The shop takes as many orders as it is sent requests, at whatever the basket
// costs by then. So the basket is read, compared with what the buyer agreed to,
// and one request is sent at once. If its answer is lost, [Shop.Recover] looks at
// the draft: the request would have made that very order. For five minutes and the
// time-out after the attempt began it says that nobody knows yet, unless the order
// is there; after that a draft that is one still proves that nothing was ordered.
//
// The customer's note of an order says which agent made it, and names the attempt.
//
// # Hand-offs
//
// Since WooCommerce 10.0 the checkout page opens a basket by its token, at
// /checkout/?session=. Older ones are sent a link that puts a product into a basket
// (?add-to-cart=), which works for baskets of one line; a basket of more has only a
// page of this module. Which of them the shop has is found out at the beginning.
// /checkout-link/ is not used: it came with 10.0, where the link by the token is
// always there and takes the codes and the way of delivery along (who buys the shop
// keeps back; a person writes that again). An order that waits for its payment is
// handed off to its own page.
//
// What a link leads to is a copy of the basket. That it was ordered is seen only with
// a key, by the mark that WooCommerce's order attribution (8.5 and later; Settings,
// Advanced, Features, on by default) writes on the order; up to ten seconds later, for
// orders are read for all baskets at once. Without a key, or with order attribution off,
// such a basket waits for its buyer until it expires. An order that waited for its
// payment is seen without a key.
//
// # Limits of requests
//
// The shop's limit is off by default (the filter
// woocommerce_store_api_rate_limit_options, and the feature rate_limit_checkout for
// orders alone). If it is on, its proxy_support must be on too, or all agents share the
// limit of one address. It answers 400 with rate_limit_exceeded. After that, as after
// 429, an agent is asked to come back when the shop says, and a walk over the catalogue waits
// as long. Firewalls of hosts that answer 403 or a page instead should let Caddy's
// address through.
//
// # What the shop cannot do
//
//   - Search is for one piece of text in titles and SKUs of products. The longest
//     word is looked for there, the others in what it found; no relevance, no
//     stems, no descriptions. A catalogue of its own index is walked with
//     [Shop.Walk].
//   - Why a discount code is refused is said in the shop's language only. In a shop
//     that is not in English every refusal is "not met".
//   - There is one currency. Plug-ins for several are not spoken to.
//   - Which countries it delivers to is told to a key alone. Without one an address
//     finds out.
//   - Without a key an order tells neither when it was placed nor when and why
//     money was given back.
//   - Guests only: orders are made for nobody's account. A shop that wants one
//     sends buyers to its own page.
//   - Products of other kinds than simple and variable (subscriptions, bookings,
//     bundles, composites) are shown if the shop sells them as they are; what needs
//     more than a quantity is refused by the shop. Grouped and external products
//     are left out.
//   - Stock that is short is found out when the order is made, for a basket holds
//     none.
package woocommerce
