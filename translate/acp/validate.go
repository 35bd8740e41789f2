package acp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/basket"
)

// The tables of this file are the request side of the specification's schemas, as
// far as it matters here. See the package's documentation for what is taken
// besides.

// fields is a list of fields.
type fields = []shape.Field

// payloadOf returns the shape of a write's payload.
func payloadOf(op Operation) *shape.Shape {
	switch op {
	case CreateSession:
		return createShape
	case UpdateSession:
		return updateShape
	case CompleteSession:
		return completeShape
	case CreateCart, ReplaceCart:
		return cartShape
	case CancelSession:
		return cancelShape
	}
	return shape.AnyObject
}

var (
	createShape = shape.Object(sessionFields, fields{
		shape.May("currency", shape.Text),
		shape.May("locale", shape.Text),
		shape.May("capabilities", capabilitiesShape),
		shape.May("affiliate_attribution", attributionShape),
	}).With(hasItems)

	updateShape = shape.Object(sessionFields, fields{
		shape.May("selected_fulfillment_options", orNull(shape.ListOf(shape.Object(shape.MayTexts("type", "option_id"), fields{
			shape.May("item_ids", shape.Texts),
			shape.May(shipping, shape.Object(shape.MayTexts("option_id"))),
		})))),
	}).With(keepsItems)

	completeShape = shape.Object(fields{
		shape.May("buyer", buyerShape),
		shape.Must("payment_data", paymentShape),
		shape.May("affiliate_attribution", attributionShape),
		shape.May("authentication_result", shape.Object(fields{shape.Must("outcome", shape.Text)})),
		shape.May("risk_signals", shape.AnyObject),
		shape.May("marketing_consents", shape.ListOf(shape.Object(fields{
			shape.Must("channel", shape.Text), shape.Must("opted_in", shape.Boolean),
		}))),
		shape.May("order_notes", notesShape),
	})

	cancelShape = shape.Object(fields{shape.May("intent_trace", shape.Object(fields{shape.Must("reason_code", shape.Text)}))})

	cartShape = shape.Object(fields{
		shape.May("line_items", itemsShape), shape.May("items", itemsShape),
		shape.May("buyer", buyerShape), shape.May("locale", shape.Text),
	}).With(hasItems)

	sessionFields = fields{
		shape.May("line_items", itemsShape), shape.May("items", itemsShape),
		shape.May("buyer", orNull(buyerShape)),
		shape.May("fulfillment_details", orNull(detailsShape)),
		shape.May("fulfillment_groups", orNull(shape.ListOf(shape.Object(
			fields{shape.Must("id", shape.Text), shape.Must("item_ids", shape.Texts), shape.Must("destination_type", shape.Text)},
			fields{shape.May("fulfillment_details", detailsShape)},
		)))),
		shape.May("coupons", orNull(shape.Texts)),
		shape.May("discounts", orNull(shape.Object(fields{shape.May("codes", orNull(shape.Texts))}))),
		shape.May("order_notes", orNull(notesShape)),
	}

	itemsShape = shape.ListOf(shape.Object(shape.MayTexts("name"), fields{
		shape.Must("id", shape.Text),
		shape.May("quantity", shape.Integer(1, basket.MaxQuantity)),
		shape.May("unit_amount", shape.Amount),
	}))

	buyerShape = shape.Object(shape.MayTexts("first_name", "last_name", "full_name", "email", "phone_number"))

	detailsShape = shape.Object(shape.MayTexts("name", "phone_number", "email"), fields{shape.May("address", orNull(addressShape))})

	addressShape = shape.Object(shape.MayTexts("name", "line_one", "line_two", "city", "state", "country", "postal_code", "company"))

	notesShape = &shape.Shape{Types: shape.IsText, Format: &shape.Format{
		OK: func(text string) bool { return len([]rune(text)) <= 5000 }, Want: "must have at most 5000 characters",
	}}

	capabilitiesShape = shape.Object(fields{
		shape.May("interventions", shape.Object(fields{shape.May("supported", shape.Texts)})),
		shape.May("extensions", shape.ListOf(&shape.Shape{Types: shape.IsText | shape.IsObject})),
	})

	paymentShape = shape.Object(shape.MayTexts("handler_id", "purchase_order_number"), fields{
		shape.May("billing_address", addressShape),
		shape.May("instrument", shape.Object(fields{
			shape.Must("type", shape.Text),
			shape.Must("credential", shape.Object(fields{shape.Must("type", shape.Text), shape.Must("token", shape.Text)})),
		})),
	}).With(pays)

	attributionShape = shape.Object(
		shape.MayTexts("token", "publisher_id", "campaign_id", "creative_id", "sub_id", "issued_at", "expires_at"), fields{
			shape.Must("provider", shape.Text),
			shape.May("source", shape.Object(shape.MayTexts("url"), fields{shape.Must("type", shape.Text)})),
			shape.May("touchpoint", &shape.Shape{Types: shape.IsText, Values: []string{"first", "last"}}),
			shape.May("metadata", shape.AnyObject.With(flat)),
		}).With(credits)
)

// orNull returns the shape of something that can be cleared, too.
func orNull(s *shape.Shape) *shape.Shape {
	either := *s
	either.Types |= shape.IsNull
	return &either
}

// hasItems checks that something is wanted.
func hasItems(c *shape.Checker, at *shape.Place, payload gjson.Result) {
	if len(first(payload, "line_items", "items").Array()) == 0 {
		c.Complain(at.Member("line_items"), "is missing: must have at least one item")
	}
}

// keepsItems checks that not everything is taken out: whoever wants nothing any
// more cancels.
func keepsItems(c *shape.Checker, at *shape.Place, payload gjson.Result) {
	if items := first(payload, "line_items", "items"); items.Exists() && len(items.Array()) == 0 {
		c.Complain(at.Member("line_items"), "must have at least one item: cancel a session that is not wanted any more")
	}
}

// pays checks that there is a way to pay.
func pays(c *shape.Checker, at *shape.Place, data gjson.Result) {
	if data.Get("purchase_order_number").Exists() {
		return
	}
	for _, name := range []string{"handler_id", "instrument"} {
		if !data.Get(name).Exists() {
			c.Complain(at.Member(name), "is missing: name a handler of the session and an instrument")
		}
	}
}

// credits checks that an attribution names whom.
func credits(c *shape.Checker, at *shape.Place, attribution gjson.Result) {
	if !attribution.Get("token").Exists() && !attribution.Get("publisher_id").Exists() {
		c.Complain(at, "must have a token or a publisher_id")
	}
}

// flat checks that an object holds no others.
func flat(c *shape.Checker, at *shape.Place, object gjson.Result) {
	object.ForEach(func(name, value gjson.Result) bool {
		if value.Type == gjson.JSON || value.Type == gjson.Null {
			c.Complain(at.Member(name.Str), "must be a string, a number or a boolean")
		}
		return true
	})
}

// maxAttribution bounds an attribution, in bytes.
const maxAttribution = 8 << 10

// checkAttribution refuses an attribution that is too long to be kept or that
// names a person (rfc.affiliate_attribution, section 6.2).
func checkAttribution(attribution gjson.Result) error {
	const at = "$.affiliate_attribution"
	if len(attribution.Raw) > maxAttribution {
		return refuse(http.StatusBadRequest, Malformed, at, "%s must have at most %d bytes", at, maxAttribution)
	}
	var refusal *Refusal
	check := func(path string) func(name, value gjson.Result) bool {
		return func(name, value gjson.Result) bool {
			if value.Type == gjson.String && namesPerson(value.Str) {
				refusal = refuse(http.StatusBadRequest, NoPersonalData, path, "%s", fmt.Sprintf("%s must name no person: it holds what looks like an e-mail address", path))
			}
			return refusal == nil
		}
	}
	attribution.ForEach(check(at))
	attribution.Get("metadata").ForEach(check(at + ".metadata"))
	if refusal != nil {
		return refusal
	}
	return nil
}

// namesPerson reports whether a text holds what looks like an e-mail address.
func namesPerson(text string) bool {
	for _, word := range strings.Fields(text) {
		local, domain, ok := strings.Cut(word, "@")
		if ok && local != "" && !strings.Contains(local, "/") && strings.Contains(domain, ".") {
			return true
		}
	}
	return false
}
