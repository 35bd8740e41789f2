package ucp

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/translate/basket"
)

// The tables of this file are the request side of the specification's schemas,
// read through their ucp_request annotations.

// fields is a list of fields.
type fields = []shape.Field

// payloadOf returns the shape of an operation's payload, nil for those that have
// none.
func payloadOf(op Operation) *shape.Shape {
	switch op {
	case SearchCatalog:
		return searchShape
	case LookupCatalog:
		return lookupShape
	case GetProduct:
		return productShape
	case CreateCart, UpdateCart:
		return cartShape
	case CreateCheckout, UpdateCheckout, CompleteCheckout:
		return checkoutShape
	}
	return nil
}

// What every request may say of its circumstances.
var (
	// schemas/common/types/context.json
	contextShape = shape.Object(
		shape.MayTexts("address_country", "address_region", "postal_code",
			"location", "intent", "language", "currency"),
		fields{
			shape.May("eligibility", &shape.Shape{Types: shape.IsArray, Item: shape.ReverseDomain, Unique: true}),
			shape.May("payment", shape.ListOf(shape.Object(fields{
				shape.Must("handler", shape.ReverseDomain),
				shape.May("types", shape.Texts),
			}))),
		})

	// schemas/common/types/signals.json
	signalsShape = &shape.Shape{
		Types:  shape.IsObject,
		Names:  shape.ReverseDomainName,
		Fields: shape.MayTexts("dev.ucp.buyer_ip", "dev.ucp.user_agent"),
	}

	// schemas/shopping/types/attribution.json
	attributionShape = &shape.Shape{Types: shape.IsObject, Others: shape.Text}

	circumstances = fields{
		shape.May("signals", signalsShape),
		shape.May("attribution", attributionShape),
	}
)

// The payloads of schemas/shopping/catalog_search.json and catalog_lookup.json.
var (
	searchShape = shape.Object(catalogFields, fields{
		shape.May("query", shape.Text),
		shape.May("pagination", shape.Object(fields{
			shape.May("cursor", shape.Text),
			shape.May("limit", shape.Integer(1, shape.MaxInteger)),
		})),
		{Name: schema.Name, Shape: answerShape, Of: string(CapabilityAnswer)},
	}).With(namesSomething)

	// translate/answer/schema/answer.json, request
	answerShape = shape.Object(fields{
		shape.May("required_attributes", shape.ListOf(attributeShape)),
		shape.May("excluded_attributes", shape.ListOf(attributeShape)),
		shape.May("in_stock", shape.Boolean),
		shape.May("conversation", shape.Object(fields{shape.Must("id", shape.Text)})),
	})
	attributeShape = shape.Object(fields{shape.Must("key", shape.Text), shape.Must("value", shape.Text)})

	lookupShape = shape.Object(catalogFields, fields{
		shape.Must("ids", &shape.Shape{Types: shape.IsArray, Item: shape.Text, MinItems: 1}),
	})

	productShape = shape.Object(catalogFields, fields{
		shape.Must("id", shape.Text),
		shape.May("selected", shape.ListOf(shape.Object(fields{
			shape.Must("name", shape.Text),
			shape.Must("label", shape.Text),
			shape.May("id", shape.Text),
		}))),
		shape.May("preferences", shape.Texts),
	}).With(selectsOnce)

	catalogFields = append(fields{
		shape.May("context", contextShape),
		shape.May("filters", filtersShape),
	}, circumstances...)

	// schemas/shopping/types/search_filters.json
	filtersShape = shape.Object(fields{
		shape.May("categories", shape.Texts),
		shape.May("price", shape.Object(fields{
			shape.May("min", shape.Amount),
			shape.May("max", shape.Amount),
		})),
	})
)

// namesSomething checks that a search has a query, or a filter of those we know.
func namesSomething(c *shape.Checker, at *shape.Place, search gjson.Result) {
	filters := search.Get("filters")
	if !search.Get("query").Exists() && !filters.Get("categories").Exists() && !filters.Get("price").Exists() {
		c.Complain(at, "must have a query, or filters by categories or price")
	}
}

// selectsOnce checks that no option is selected twice.
func selectsOnce(c *shape.Checker, at *shape.Place, product gjson.Result) {
	seen := map[string]bool{}
	for i, option := range product.Get("selected").Array() {
		name := strings.ToLower(option.Get("name").Str)
		if seen[name] {
			c.Complain(at.Member("selected").At(i).Member("name"), "must not repeat an earlier option")
		}
		seen[name] = true
	}
}

// The uses of fields that depend on what is done.
var (
	// onWrite: set by creating and updating, and not by completing. mustWrite: the
	// same, and it has to be set.
	onWrite   = shape.Use{shape.Complete: shape.Forbidden}
	mustWrite = shape.Use{shape.Create: shape.Required, shape.Update: shape.Required, shape.Complete: shape.Forbidden}
	// onUpdate: a name that only an update can know. mustUpdate: the same, and it
	// has to say it.
	onUpdate   = shape.Use{shape.Create: shape.Forbidden}
	mustUpdate = shape.Use{shape.Create: shape.Forbidden, shape.Update: shape.Required}
)

// The payloads of schemas/shopping/cart.json and checkout.json, with what
// cart.json, discount.json and fulfillment.json add to a checkout.
var (
	cartShape = shape.Object(basketFields, shape.MustNot(businessFields...))

	checkoutShape = shape.Object(basketFields, shape.MustNot(businessFields...), shape.MustNot("status", "order"), fields{
		{Name: "payment", Shape: paymentShape, Use: shape.Use{shape.Complete: shape.Required}},
		{Name: "cart_id", Shape: shape.Text, Use: shape.Use{shape.Update: shape.Forbidden}, Of: string(CapabilityCart)},
		{Name: "fulfillment", Shape: fulfillmentShape, Use: onWrite, Of: string(CapabilityFulfillment)},
	})

	basketFields = append(fields{
		{Name: "line_items", Shape: shape.ListOf(lineItemShape), Use: mustWrite},
		{Name: "buyer", Shape: buyerShape, Use: onWrite},
		{Name: "context", Shape: contextShape, Use: onWrite},
		{Name: "discounts", Shape: discountsShape, Use: onWrite, Of: string(CapabilityDiscount)},
	}, circumstances...)

	// businessFields are the shop's to write.
	businessFields = []string{
		"ucp", "id", "currency", "totals", "messages", "links", "policies",
		"actions", "expires_at", "continue_url",
	}

	lineItemShape = shape.Object(shape.MustNot("totals"), fields{
		{Name: "id", Shape: shape.Text, Use: onUpdate},
		{Name: "parent_id", Shape: shape.Text, Use: onUpdate},
		shape.Must("item", itemShape),
		shape.Must("quantity", shape.Integer(1, basket.MaxQuantity)),
	})

	itemShape = shape.Object(shape.MustNot("title", "price", "unit_price", "image_url"), fields{
		shape.Must("id", shape.Text),
		shape.May("quantity_unit", unitShape),
	})

	// schemas/common/types/quantity_unit.json
	unitShape = shape.Object(fields{
		shape.Must("unit", shape.Text),
		shape.Must("display_text", shape.Text),
		shape.May("scale", shape.Integer(0, 15)),
		shape.May("increment", shape.Integer(1, shape.MaxInteger)),
	}).With(wholeEach)

	buyerShape = shape.Object(shape.MayTexts("first_name", "last_name", "email", "phone_number"))

	discountsShape = shape.Object(shape.MustNot("applied"), fields{shape.May("codes", shape.Texts)})
)

// wholeEach checks that what is counted, unit C62, is counted in whole ones.
func wholeEach(c *shape.Checker, at *shape.Place, unit gjson.Result) {
	if scale := unit.Get("scale"); unit.Get("unit").Str == "C62" && scale.Exists() && scale.Raw != "0" {
		c.Complain(at.Member("scale"), "must be 0 for the unit C62")
	}
}

// Payment: schemas/shopping/payment.json and what it refers to.
var (
	paymentShape = shape.Object(fields{shape.May("instruments", shape.ListOf(shape.Object(fields{
		shape.Must("id", shape.Text),
		shape.Must("handler_id", shape.Text),
		shape.Must("type", shape.Text),
		shape.May("billing_address", shape.Object(addressFields)),
		shape.May("credential", shape.Object(fields{shape.Must("type", shape.Text)})),
		shape.May("display", shape.AnyObject),
		shape.May("selected", shape.Boolean),
	})))})

	// schemas/common/types/postal_address.json
	addressFields = shape.MayTexts("extended_address", "street_address", "address_locality",
		"address_region", "address_country", "postal_code", "first_name", "last_name", "phone_number")
)

// Fulfillment: schemas/shopping/types/fulfillment.json and what it refers to.
var (
	fulfillmentShape = shape.Object(shape.MustNot("available_methods"), fields{
		shape.May("methods", shape.ListOf(methodShape)),
	})

	methodShape = shape.Object(fields{
		{Name: "id", Shape: shape.Text, Use: onUpdate},
		{Name: "type", Shape: shape.Text, Use: shape.Use{shape.Create: shape.Required}},
		// The schema requires it of an update; see Validate.
		{Name: "line_item_ids", Shape: shape.Texts, Use: onUpdate},
		shape.May("destinations", destinationsShape),
		shape.May("selected_destination_id", shape.TextOrNull),
		shape.May("groups", shape.ListOf(groupShape)),
	}).With(destinationsOfShipping)

	groupShape = shape.Object(shape.MustNot("line_item_ids", "options"), fields{
		{Name: "id", Shape: shape.Text, Use: mustUpdate},
		shape.May("selected_option_id", shape.TextOrNull),
	})

	destinationsShape = shape.ListOf(shape.Object(addressFields, fields{
		shape.May("id", shape.Text),
		shape.May("type", oneOf("shipping_address")),
	}))
)

// destinationsOfShipping checks the one part of a method that depends on its
// type: a platform writes destinations for shipping alone.
func destinationsOfShipping(c *shape.Checker, at *shape.Place, method gjson.Result) {
	if method.Get("destinations").Exists() && method.Get("type").Str != "shipping" {
		c.Complain(at.Member("destinations"), `must not be sent here: a method takes them with its type "shipping" alone`)
	}
}
