package ucp

import (
	"encoding/json"

	"github.com/storeware/caddy-storeware/internal/shape"
)

// input returns the schema of the tool's arguments: what Validate takes, with the
// extensions that a business has.
func (t *tool) input(b *Business) *shape.Schema {
	arguments := &shape.Schema{
		Type:       "object",
		Properties: map[string]*shape.Schema{"meta": t.meta()},
		Required:   []string{"meta"},
	}
	if t.named() {
		arguments.Properties["id"] = &shape.Schema{Type: "string", Description: "The id of the " + noun(t.op) + "."}
		arguments.Required = append(arguments.Required, "id")
	}
	if t.payload != "" {
		speaks := func(extension string) bool { return b.declares(Capability(extension)) }
		payload := payloadOf(t.op).Schema(verbOf(t.op), speaks, fieldDescription)
		payload.Examples = []any{json.RawMessage(t.example)}
		arguments.Properties[t.payload] = payload
		arguments.Required = append(arguments.Required, t.payload)
	}
	return arguments
}

// meta is the schema of a call's meta.
func (t *tool) meta() *shape.Schema {
	key := &shape.Schema{Type: "string", Description: "A UUID that is new for every change and the same for its retries: a retry gets the first answer."}
	meta := &shape.Schema{
		Type:        "object",
		Description: "Who calls.",
		Required:    []string{"ucp-agent"},
		Properties: map[string]*shape.Schema{
			"ucp-agent": {
				Type:     "object",
				Required: []string{"profile"},
				Properties: map[string]*shape.Schema{
					"profile": {Type: "string", Description: "The https URL of the calling platform's UCP profile."},
				},
			},
		},
	}
	if t.op.Writes() {
		meta.Properties["idempotency-key"] = key
	}
	if t.keyed() {
		meta.Required = append(meta.Required, "idempotency-key")
	}
	return meta
}

// output is the schema of what the tool answers, which is that of the published
// schemas or an error response. It names both and repeats what they share: clients
// that check answers would look for what a reference names, and most do not fetch.
func (t *tool) output() *shape.Schema {
	_, schema := published(t.op.Root())
	return &shape.Schema{
		Type:        "object",
		Description: "As " + schema + " has it, or, when ucp.status is error, " + site + "schemas/common/types/error_response.json.",
		Required:    []string{"ucp"},
		Properties: map[string]*shape.Schema{
			"ucp": {
				Type:     "object",
				Required: []string{"version"},
				Properties: map[string]*shape.Schema{
					"version": {Type: "string"},
					"status":  {Type: "string", Enum: []string{"success", "error"}},
				},
			},
			"messages": {
				Type: "array",
				Items: &shape.Schema{
					Type:     "object",
					Required: []string{"type", "content"},
					Properties: map[string]*shape.Schema{
						"type":     {Type: "string"},
						"code":     {Type: "string"},
						"path":     {Type: "string", Description: "A JSONPath into this answer."},
						"content":  {Type: "string"},
						"severity": {Type: "string"},
					},
				},
			},
		},
	}
}

// fieldDescription says what a field is for, where its name does not.
func fieldDescription(parent, name string) string {
	switch parent + "." + name {
	case ".query":
		return "What the buyer is looking for, in their own words."
	case ".ids":
		return "Ids of products or variants."
	case ".id":
		return "The id of a product or a variant."
	case ".selected":
		return "Values chosen so far, such as a colour."
	case ".preferences":
		return "Names of options, the most important first: the last is given up first when nothing has all that is selected."
	case ".cart_id":
		return "The cart to buy. What it holds goes before line_items."
	case ".payment":
		return "How to pay: the id of one of ucp.payment_handlers in handler_id, and one of its instrument types in type."
	case ".line_items":
		return "All the lines, also those that stay as they are."
	case ".attribution", ".signals":
		return "What the platform knows of this request."
	case "item.id":
		return "The id of a variant, from the catalogue."
	case "line_items.id":
		return "The line's id in the cart or checkout; none for a new line."
	case "line_items.quantity":
		return "How many, as a number."
	case "price.min", "price.max":
		return "In minor units of context.currency: 15000 in GBP is £150.00."
	case "context.currency":
		return "An ISO 4217 code, such as GBP."
	case "context.address_country", "destinations.address_country", "billing_address.address_country":
		return "An ISO 3166-1 code, such as GB."
	case "context.language":
		return "A BCP 47 tag, such as en-GB."
	case "context.intent":
		return "What it is for, in the buyer's words."
	case "pagination.cursor":
		return "pagination.cursor of the page before."
	case "discounts.codes":
		return "All the codes to apply; an empty list takes them away."
	case "methods.type":
		return "shipping or pickup."
	case "methods.destinations":
		return "Addresses to choose from."
	case "methods.selected_destination_id":
		return "The id of the destination to send to."
	case "groups.selected_option_id":
		return "The id of one of the group's options."
	}
	return ""
}
