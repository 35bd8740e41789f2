package mcp

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/basket"
)

// The tables of this file are the arguments of the tools.

// fields is a list of fields.
type fields = []shape.Field

// mostListed bounds every list among the arguments that nothing else bounds.
const mostListed = 50

// identifier is the id of something.
var identifier = &shape.Shape{Types: shape.IsText, Format: &shape.Format{
	OK:   func(id string) bool { return strings.TrimSpace(id) != "" && len(id) <= maxID },
	Want: "must be a string of 1 to 512 bytes",
}}

// onceKey is an idempotency key.
var onceKey = &shape.Shape{Types: shape.IsText, Format: &shape.Format{
	OK:   func(key string) bool { return key != "" && len(key) <= idempotency.MaxKey },
	Want: "must be a string of 1 to 255 bytes",
}}

// market says who the prices are for.
var market = shape.MayTexts("country", "currency", "language")

var (
	searchInput = shape.Object(fields{
		shape.May("query", shape.Text),
		shape.May("max_price_minor", shape.Amount),
		shape.May("min_price_minor", shape.Amount),
		shape.May("required_attributes", shape.ListOf(attribute)),
		shape.May("excluded_attributes", shape.ListOf(attribute)),
		shape.May("in_stock", shape.Boolean),
		shape.May("context", shape.Texts),
		shape.May("categories", shape.Texts),
		shape.May("limit", shape.Integer(1, mostListed)),
		shape.May("cursor", shape.Text),
		shape.May("conversation", shape.Object(fields{shape.Must("id", conversation)})),
	}, market).With(checkSearch)

	// A constraint that says nothing would rule everything out.
	attribute = shape.Object(fields{shape.Must("key", said), shape.Must("value", said)})

	said = &shape.Shape{Types: shape.IsText, Format: &shape.Format{
		OK:   func(text string) bool { return strings.TrimSpace(text) != "" },
		Want: "must not be empty",
	}}

	conversation = &shape.Shape{Types: shape.IsText, Format: &shape.Format{
		OK:   func(id string) bool { return strings.TrimSpace(id) != "" && len(id) <= answer.MaxConversation },
		Want: "must be a string of 1 to 256 bytes",
	}}

	productInput = shape.Object(shape.MayTexts("id", "handle", "sku", "url"), fields{
		shape.May("selected", shape.ListOf(shape.Object(fields{shape.Must("name", shape.Text), shape.Must("value", shape.Text)}))),
	}, market)
)

// checkSearch checks what a table cannot say of a search.
func checkSearch(c *shape.Checker, at *shape.Place, search gjson.Result) {
	least, most := search.Get("min_price_minor"), search.Get("max_price_minor")
	if least.Exists() && most.Exists() && least.Int() > most.Int() {
		c.Complain(at.Member("min_price_minor"), "must not be more than max_price_minor")
	}
	for _, name := range []string{"required_attributes", "excluded_attributes", "context", "categories"} {
		if len(search.Get(name).Array()) > mostListed {
			c.Complain(at.Member(name), "must have at most %d elements", mostListed)
		}
	}
}

var (
	basketFields = slices.Concat(fields{
		shape.Must("items", shape.ListOf(shape.Object(fields{
			shape.Must("variant_id", identifier),
			shape.May("quantity", shape.Integer(1, basket.MaxQuantity)),
			shape.May("item_id", shape.Text),
		}))),
		shape.May("buyer", shape.Object(shape.MayTexts("email", "first_name", "last_name", "phone"))),
		shape.May("address", address),
		shape.May("billing_address", address),
		shape.May("delivery_option_id", shape.Text),
		shape.May("discount_codes", shape.Texts),
	}, market, fields{shape.May("idempotency_key", onceKey)})

	address = shape.Object(shape.MayTexts("first_name", "last_name", "company", "street", "street2",
		"city", "region", "postal_code", "country", "phone"))

	basketID = fields{shape.Must("basket_id", identifier)}

	createInput   = shape.Object(basketFields)
	readInput     = shape.Object(basketID)
	updateInput   = shape.Object(basketID, basketFields)
	cancelInput   = shape.Object(basketID, fields{shape.May("idempotency_key", onceKey)})
	completeInput = shape.Object(basketID, fields{
		shape.Must("payment", shape.Object(fields{
			shape.Must("method", identifier),
			shape.May("credential", shape.AnyObject),
			shape.May("billing_address", address),
		})),
		shape.Must("idempotency_key", onceKey),
	})
	orderInput = shape.Object(fields{shape.Must("order_id", identifier)})
)

// describe says in words what an argument is for, where its name does not.
func describe(parent, name string) string {
	switch parent + "." + name {
	case ".query":
		return "What the shopper wants, in their own words: also prices, what must be and what must not be. The shop reads them."
	case ".max_price_minor", ".min_price_minor":
		return "A bound on the price of one, in minor units of the currency: 15000 in GBP is £150.00. It replaces what the query says."
	case ".required_attributes":
		return "What a product must have, such as waterproof: true."
	case ".excluded_attributes":
		return "What a product must not have, such as material: leather."
	case ".in_stock":
		return "True for only what can be had now."
	case ".context":
		return "Why and for whom, in words. It filters nothing."
	case ".categories":
		return "Categories of the shop, of which a product must be in one."
	case ".limit":
		return "How many results to show, 10 if not said."
	case ".cursor":
		return "The next of the answer before, for the same search."
	case ".conversation":
		return "Names this conversation, so that the shop remembers what was asked in it."
	case "conversation.id":
		return "An id of your own making, new for every conversation and unguessable."
	case ".id":
		return "The id of a product or of a version of it."
	case ".handle":
		return "The product's name in addresses."
	case ".url":
		return "The address of the product's page at this shop."
	case ".selected":
		return "What was chosen of the options, such as Size: 9."
	case ".country", "address.country", "billing_address.country":
		return "An ISO 3166-1 code, such as GB."
	case ".currency":
		return "An ISO 4217 code that the shop sells in, such as GBP."
	case ".language":
		return "A BCP 47 tag, such as en-GB."
	case ".items":
		return "Everything that the basket shall hold."
	case "items.variant_id":
		return "The variant_id of a search result, or the id of a product's variant."
	case "items.quantity":
		return "How many, 1 if not said."
	case "items.item_id":
		return "The item_id of a line that is there already; it may be left out."
	case ".address":
		return "Where the goods go. Delivery and tax depend on it."
	case ".billing_address", "payment.billing_address":
		return "Where the bill goes, if that is elsewhere."
	case ".delivery_option_id":
		return "The id of one of the basket's delivery_options."
	case ".discount_codes":
		return "All the codes to apply, as the shopper wrote them."
	case "buyer.phone", "address.phone":
		return "With the country's prefix, such as +441539000001."
	case ".payment":
		return "How to pay."
	case "payment.method":
		return "The id of one of the basket's payment_methods."
	case "payment.credential":
		return "What the shop's own gateway wants for this method, such as a token. Never a card number."
	case ".idempotency_key":
		return "A UUID that is new for every change and the same for its retries: a retry gets the first result."
	}
	return ""
}
