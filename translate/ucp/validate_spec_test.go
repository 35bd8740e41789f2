package ucp

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/internal/spectest"
)

// The payloads that the mutations of TestValidateAgreesWithTheSchemas start
// from: together they hold every field that a schema has.
const (
	ambientFields = `
		"context": {
			"address_country": "GB", "address_region": "Cumbria", "postal_code": "LA22 9AA",
			"location": "kendal", "intent": "a walk in the rain", "language": "en-GB", "currency": "GBP",
			"eligibility": ["com.example.member", "org.school.student"],
			"payment": [{"handler": "com.example.pay", "types": ["card"]}],
			"ucp": {"version": 1}},
		"signals": {"dev.ucp.buyer_ip": "203.0.113.9", "dev.ucp.user_agent": "agent/1", "com.example.device": {"id": 7}},
		"attribution": {"utm_source": "newsletter"}`

	lines = `"line_items": [
		{"item": {"id": "tarn-boot-7", "quantity_unit": {"unit": "C62", "display_text": "each", "scale": 0, "increment": 1}}, "quantity": 2},
		{"item": {"id": "beck-jacket-m"}, "quantity": 1}]`

	buyer = `"buyer": {"first_name": "Ada", "last_name": "Byron", "email": "ada@example.com", "phone_number": "+441539000000", "title": "Lady"}`

	payment = `"payment": {"instruments": [{"id": "i1", "handler_id": "upstream", "type": "card", "selected": true,
		"billing_address": {"postal_code": "LA22 9AA", "address_country": "GB"},
		"credential": {"type": "token", "token": "t"}, "display": {"last_digits": "4242"}}]}`
)

var wholePayloads = map[Operation]string{
	SearchCatalog: `{"query": "boots", "filters": {"categories": ["Boots"], "price": {"min": 100, "max": 9000}, "colour": "red"},
		"pagination": {"cursor": "c", "limit": 5}, ` + ambientFields + `}`,
	LookupCatalog: `{"ids": ["tarn-boot", "beck-jacket-m"], "filters": {"price": {"max": 9000}}, ` + ambientFields + `}`,
	GetProduct: `{"id": "tarn-boot", "selected": [{"name": "Size", "label": "7", "id": "s7"}, {"name": "Colour", "label": "Moss"}],
		"preferences": ["Size"], "filters": {"categories": ["Boots"]}, ` + ambientFields + `}`,
	CreateCart: `{` + lines + `, ` + buyer + `, "discounts": {"codes": ["SUMMER20"]}, ` + ambientFields + `}`,
	UpdateCart: `{"line_items": [{"id": "li_1", "parent_id": "li_0", "item": {"id": "tarn-boot-7"}, "quantity": 1}], ` + buyer + `,
		"discounts": {"codes": []}, ` + ambientFields + `}`,
	CreateCheckout: `{` + lines + `, ` + buyer + `, ` + payment + `, "cart_id": "b1", "discounts": {"codes": ["SUMMER20"]},
		"fulfillment": {"methods": [
			{"type": "shipping", "selected_destination_id": "d1", "groups": [{"selected_option_id": "std"}],
			 "destinations": [{"id": "d1", "type": "shipping_address", "street_address": "1 Beck Lane", "extended_address": "Flat 2",
				"address_locality": "Ambleside", "address_region": "Cumbria", "address_country": "GB", "postal_code": "LA22 9AA",
				"first_name": "Ada", "last_name": "Byron", "phone_number": "+441539000000"}]},
			{"type": "pickup", "selected_destination_id": null}]}, ` + ambientFields + `}`,
	UpdateCheckout: `{"line_items": [{"id": "li_1", "parent_id": "li_0", "item": {"id": "tarn-boot-7"}, "quantity": 1}], ` + buyer + `, ` + payment + `,
		"discounts": {"codes": []},
		"fulfillment": {"methods": [{"id": "m1", "type": "shipping", "line_item_ids": ["li_1"], "selected_destination_id": "d1",
			"groups": [{"id": "g1", "selected_option_id": null}], "destinations": [{"id": "d1"}]}]}, ` + ambientFields + `}`,
	CompleteCheckout: `{` + payment + `, "signals": {"dev.ucp.buyer_ip": "203.0.113.9"}, "attribution": {"utm_source": "newsletter"}}`,
}

// What the schemas refuse we refuse, and what they accept we accept, but for
// what Validate documents.
func TestValidateAgreesWithTheSchemas(t *testing.T) {
	spec := spectest.Open(t, Release)
	operations := slices.Sorted(maps.Keys(wholePayloads))
	extensions := []Capability{CapabilityCart, CapabilityDiscount, CapabilityFulfillment}

	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom(operations).Draw(t, "operation")
		active := activeFrom(op.Root())
		if !isCatalogue(op) {
			active = append(active, activeFrom(rapid.SliceOfDistinct(rapid.SampledFrom(extensions), rapid.ID).Draw(t, "extensions")...)...)
		}
		var payload any
		if err := json.Unmarshal([]byte(wholePayloads[op]), &payload); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(t, "mutations") {
			payload = mutate(t, payload)
		}
		body, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}

		theirs := spec.Request(string(op), names(active), body)
		if op == UpdateCheckout {
			theirs = exceptLineItemIDs(theirs)
		}
		ours := exceptOwnRules(Validate(op, active, body))
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%s with %v\n%s\nwe say:       %v\nschemas say: %v", op, names(active), body, ours, theirs)
		}
	})
}

// isCatalogue reports whether none of our extensions has a say in an operation.
func isCatalogue(op Operation) bool {
	return op == SearchCatalog || op == LookupCatalog || op == GetProduct
}

// exceptLineItemIDs drops the one complaint that Validate is documented not to
// have.
func exceptLineItemIDs(err error) error {
	var problems spectest.Problems
	if !errors.As(err, &problems) {
		return err
	}
	problems = slices.DeleteFunc(problems, func(p spectest.Problem) bool {
		return strings.HasPrefix(p.At, "/fulfillment/methods/") && strings.Contains(p.Text, "line_item_ids")
	})
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// exceptOwnRules drops the complaints that Validate is documented to have beyond
// the schemas.
func exceptOwnRules(err error) error {
	var invalid *Invalid
	if !errors.As(err, &invalid) {
		return err
	}
	rest := slices.DeleteFunc(*invalid, func(v shape.Violation) bool {
		return strings.HasPrefix(v.Want, "must have a query") || v.Want == "must not repeat an earlier option"
	})
	if len(rest) == 0 {
		return nil
	}
	return &rest
}

func activeFrom(capabilities ...Capability) Active {
	var active Active
	for _, c := range capabilities {
		active = append(active, Selected{c, Release})
	}
	return active
}

func names(active Active) []string {
	var out []string
	for _, s := range active {
		out = append(out, string(s.Name))
	}
	return out
}

// mutate changes one random place of a document.
func mutate(t *rapid.T, value any) any {
	down := rapid.IntRange(0, 3).Draw(t, "down") > 0
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 || !down {
			return mutateObject(t, v)
		}
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "into")
		v[name] = mutate(t, v[name])
		return v
	case []any:
		if len(v) == 0 || !down {
			return mutateArray(t, v)
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "into")
		v[i] = mutate(t, v[i])
		return v
	}
	return anyValue(t)
}

// fieldNames are names that some schema has, forbids or requires.
var fieldNames = []string{
	"ucp", "id", "status", "currency", "totals", "messages", "links", "policies", "actions", "expires_at",
	"continue_url", "order", "line_items", "buyer", "context", "signals", "attribution", "payment", "cart_id",
	"discounts", "codes", "applied", "fulfillment", "methods", "available_methods", "destinations", "groups",
	"options", "line_item_ids", "type", "title", "price", "unit_price", "image_url", "quantity", "quantity_unit",
	"unit", "scale", "increment", "parent_id", "selected_option_id", "selected_destination_id", "query", "filters",
	"pagination", "cursor", "limit", "ids", "selected", "preferences", "eligibility", "handler", "types",
	"dev.ucp.buyer_ip", "com.example.x", "not a domain", "mood",
}

func mutateObject(t *rapid.T, object map[string]any) any {
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		return anyValue(t)
	case 1:
		if len(object) > 0 {
			delete(object, rapid.SampledFrom(slices.Sorted(maps.Keys(object))).Draw(t, "less"))
			return object
		}
	}
	object[rapid.SampledFrom(fieldNames).Draw(t, "more")] = anyValue(t)
	return object
}

func mutateArray(t *rapid.T, array []any) any {
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		return anyValue(t)
	case 1:
		if len(array) > 0 {
			return array[1:]
		}
	case 2:
		if len(array) > 0 {
			return append(array, array[0])
		}
	}
	return append(array, anyValue(t))
}

func anyValue(t *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, false, 0, 1, -1, 7, 16, shape.MaxInteger, -shape.MaxInteger, 1.5,
		"", "x", "shipping", "pickup", "C62", "KGM", "shipping_address", "business_location", "com.example.x", "Com.Example",
		[]any{},
		[]any{"x"},
		[]any{1},
		[]any{map[string]any{}},
		map[string]any{},
		map[string]any{"id": "x"},
		map[string]any{"type": "shipping"},
		map[string]any{"type": 1},
	}).Draw(t, "value")
}
