// Package mapped speaks to any shop with a JSON API, as a mapping says: a text
// that names the shop's requests, and where in its answers things stand. It is for
// home-made shops and for systems that have no adapter of their own.
//
// What is not mapped is not offered: the shop's capabilities follow from the
// mapping. A list of products is the least. With a page that takes a basket from
// its address ([HandOff]) a shop that can only list products can be bought at, too:
// its baskets are kept in their handles, and a person goes on at the shop.
//
// # Configuration
//
// A mapping stands in a file, or in a block of the Caddyfile; the grammar is the
// same:
//
//	upstream mapped http://127.0.0.1:3000 /etc/storeware/evershop.map
//
//	upstream mapped http://127.0.0.1:3000 {
//		mapping        /etc/storeware/evershop.map
//		timeout        10s
//		max_concurrent 32
//	}
//
//	upstream mapped http://127.0.0.1:3000 {
//		mapping {
//			currency GBP
//			...
//		}
//	}
//
// A file is read when the configuration is loaded; after a change, reload. In a
// block some names in braces are Caddy's own, such as {path}, {query} and {host};
// values at such paths want a file. The address may be left out where the mapping
// has the word api. timeout bounds one call of the shop's API, 10 seconds by default,
// and must be longer than the slowest payment takes; max_concurrent is how many such
// calls run at once, 32 by default, and four times as many wait for their turn.
//
// The folder examples holds mappings that work: evershop.map (a whole purchase,
// GraphQL and REST), medusa.map (REST) and products-json.map (a list and a page).
// "storeware map check FILE" calls the shop and shows what each value came to, and
// what was nowhere, with the line it stands on ([Check]).
//
// Requests carry the credentials that the mapping gives them, so these should be
// allowed no more than a shopper, but for recover and order, which may need a key
// that reads orders. Secrets stand in the environment, as {env.NAME}.
//
// # Text
//
// A line is a name and words after it. Words end at spaces; "…" and `…` hold what
// has spaces in it, and lines. A block is opened by { at the end of a line and
// closed by } on one of its own. # begins a comment.
//
// # The shop
//
//	name <text>                the shop's name
//	api <address>              where its API is, if that is not configured
//	language <tag>             of its texts, "en" by default
//	site <address>             where its pages are; the API's address by default
//	currency <code>...         what it sells in, the usual one first; needed
//	country <code>...          where it delivers to, if that is known beforehand
//	tax included|excluded|unknown
//	money major|minor|hundredths   what its numbers count: 12.50, or 1250
//	link <type> <address> [<title>]
//	payment <id> <title>       a way to pay that place takes
//	codes one|many             how many discount codes a basket takes
//	needs <what>...            what it wants to know before it takes an order:
//	                           email, first_name, last_name, phone, address,
//	                           street, city, region, postal_code
//	header <name> <text>       goes with every request
//	settles <duration>         how long it may be at work on an order that it did
//	                           not answer, 2m by default
//	session cookie             it knows a basket by a cookie
//	hand_off <address> [line <text>] [between <text>]
//	table <name> { <its word> <ours> }     * is every other word
//	fragment <name> <GraphQL>  what several documents end with
//
// # Requests
//
// A block has one request, and what is sent with it:
//
//	GET|POST|PUT|PATCH|DELETE <path>
//	graphql <path> <document> [<fragment>...]
//	query <name> <text>        a parameter; a list becomes several
//	header <name> <text>
//	body <JSON>                what set writes into; the variables of GraphQL
//	set <path> <text>          writes into the body; the path is sjson's, such as
//	                           items.0.sku. With the element # it is written for
//	                           each line of the basket.
//	refuse ...                 see below
//
// These are the blocks. Those marked + may stand there several times and are sent
// one after the other; {answer.path} is what the one before answered.
//
//	list             {limit} {page} {offset} {cursor}
//	search           the same, {words} {min_price} {max_price} {category}
//	search scan      instead, alone on its line: words are looked for in the list,
//	                 20 pages of it at a time
//	lookup id|variant|handle|sku    {key}, or {keys} for as many as most says
//	create_basket    the names of a line, where a basket begins with one
//	basket           {basket}, as all that follow
//	add_line         {item} {sku} {product} {handle} {quantity} {variant.path}
//	change_line      the same, {step} {direction} (increase or decrease), {line.path}
//	remove_line      {line.path}
//	set_lines        instead of these three: the names of a line at paths with #
//	set_buyer +      {email} {first_name} {last_name} {phone}
//	set_address +    the same, {address.city} and so on, {billing.city} and so on
//	set_billing +    the same
//	delivery         the same; without a request it stands in the basket's answer
//	choose_delivery + {option} {option.path}
//	add_code, remove_code    {code}
//	pay +            {payment} {credential} {attempt} {total} {email}
//	place            the same
//	recover          {attempt} {email}
//	order            {order} {order_key}
//	keep <name>      a value that is read once, such as a token: value <path>, and
//	                 for <duration>. It is {keep.name} in other requests.
//
// Everywhere there are {language} {country} {currency} {agent} {env.NAME}. A
// {name.path} is a gjson path in the JSON of that name: the variant as the
// catalogue shows it, the line as the basket does.
//
// Texts that come to nothing are not sent. What is set is a number where the text
// is the name of one alone, such as {quantity}, and JSON where it is a {name.path}
// alone; else it is a text.
//
// # Values
//
// In the blocks of product, basket and so on a line says where a field stands:
//
//	<field> <source> [or <source>]... [<operation>]...
//
// A source is a gjson path, which has no braces; a text with paths in braces, such
// as "{first} {last}"; or the word literal and a text. The first that says
// something counts. ^ in front of a path steps up: from a variant to its product.
//
//	split <separator>          makes a list of a text
//	join <separator>           makes a text of a list
//	via <list> <key> <name>    looks it up in another part of the answer
//	table <name>               looks it up in a table
//	is <word>...               makes it true or false; stands last
//	default <text>             takes the place of nothing
//	upper, lower
//	major, minor, hundredths   for money, if not as money says
//
// What is sent knows or, join, table, default, upper, lower, the three of money,
// and "as text|number|json".
//
// Texts for people are cleaned of HTML and entities. Money is read exactly, from a
// number or a text; more decimals than can be paid are rounded, and what is no
// number is an error. Times are RFC 3339, "2026-11-30 12:00:00" in UTC, or seconds
// or milliseconds since 1970.
//
// # Blocks of fields
//
//	list, search    items, total, next (where {cursor} is from), size (50), first
//	                (the number of the first page: 1, or 0)
//	lookup          items, most
//	product         id, handle, title, description, url, brand, categories, tags,
//	                images, rating, rating_scale, rating_count, updated
//	    attribute <name> <source>, attributes <list> { name, value }
//	    variants <list> { id, sku, barcode, title, url, currency, price, list_price,
//	        availability, stock, images, and choice, choices, attribute, attributes }
//	create_basket   basket (the new id)
//	basket          in, currency, total, tax_total, delivery_fee, discount, codes,
//	                chosen, no_delivery
//	    lines <list> { id, item, product, title, quantity, unit, subtotal, total,
//	        image, url, choice, choices }
//	    discounts <list> { code, title, amount, on_delivery }
//	    fee <name> <source>, fees <list> { name, value }
//	    ordered <object> { id, key, total, currency, url }
//	delivery        in, id, title, description, carrier, price, earliest, latest
//	place           in, id, key, total, currency, url
//	recover         the same, attempt, basket
//	order           the same, placed_at, status, canceled, delivery_title,
//	                delivery_fee, tax_total, discount, fee, fees
//	    lines as in basket, with fulfilled and returned
//	    address <object> { first_name, last_name, company, street, extended, city,
//	        region, postal_code, country, phone }
//	    events <list> { id, type, when, text, carrier, tracking, tracking_url,
//	        lines <list> { line, quantity } }
//	    adjustments <list> { id, type, when, text, amount, status, lines }
//
// The fields are described at [Product], [Basket], [Order] and the other types. A
// variant's availability is one of in_stock, low_stock, out_of_stock, backorder,
// preorder, discontinued, true and false. unit, subtotal and total of a line are
// what one costs, and all of them before and after discounts.
//
// # Refusals
//
//	refuse <code> [status <number>...] [<path> is|has <word>... | <path> there|missing]
//
// says how the shop says no: by its status, by what stands at a path of its answer,
// or both. Rules of a request come before those of the whole mapping. A code is one
// of a notice (out_of_stock, not_buyable, discount_unknown, discount_expired,
// discount_not_met, discount_not_combinable, address_refused, no_delivery,
// delivery_unknown, buyer_refused), one of an error (not_found, invalid,
// basket_gone, price_changed, payment_declined, incomplete, escalate, not_placed,
// unavailable, busy, denied), or "again": nothing came of the request, and it is
// sent again after a pause, five times in all.
//
// Answers of 2xx, 4xx but 429, and 500 are looked at, where they are JSON; those to
// writes that nothing is read from need not be.
//
// Without a rule 404 and 410 mean not_found, 401 and 403 denied, another 4xx that
// the part in question was refused, 429 busy and 5xx unavailable. An order that was
// answered with 5xx or 409 and no rule for it is an unknown outcome. An answer to a
// basket request in which nothing stands at in means that the basket is gone. An
// order that is refused without JSON is an unknown outcome, too.
//
// # Orders
//
// An order whose answer was lost must be found again, so place wants recover, or
// ordered in basket. The surest way is to write {attempt} on the order, and to map
// where recover finds it. A shop that makes two orders of two requests at once is
// kept from it by the lock of the basket, not here.
//
// # Hand-offs
//
// hand_off says where a person goes on, with {basket} (the basket's id) or {lines}
// (what it holds: each line as line says, with between in between) in the address. It
// is where a buyer is sent if there is no place, and if the shop's answer to pay or
// place meets a rule "refuse escalate". Without it such a payment counts as declined.
//
// What was ordered there is found if the shop still shows the basket and ordered in
// basket says where its order stands: with the id, and the key if order wants one.
// Else a basket that the shop goes on to show waits for its buyer until it expires,
// as do those that are kept in their handles alone; one that the shop has dropped is
// built anew. recover is asked about lost answers only.
//
// # Limits of requests
//
// After 429, or 503 with Retry-After, an agent is asked to come back when the shop
// says, and a walk over the catalogue waits as long. A shop that says it otherwise
// wants a rule "refuse busy". Requests carry the agent's address in X-Forwarded-For.
//
// # What cannot be mapped
//
// Several regions with catalogues of their own, XML, forms and other bodies that
// are not JSON, requests that are signed, paths that end with a slash, products that
// take text or files as options, and baskets with several addresses. Search by an
// engine that ranks is the shop's own affair.
//
// # Tests
//
// With STOREWARE_EVERSHOP_URL, such as http://127.0.0.1:3103, tests run against
// the shop of testdata/evershop (setup.sh, start.sh; Node 20 and PostgreSQL), and
// with STOREWARE_MEDUSA_URL and STOREWARE_MEDUSA_KEY against the shop of
// upstream/medusa/testdata/shop. A home-made shop and a plain list are in the
// tests themselves.
package mapped
