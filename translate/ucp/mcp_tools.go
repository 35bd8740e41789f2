package ucp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/storeware/caddy-storeware/internal/mcphttp"
)

// tool is an operation as a tool.
type tool struct {
	op Operation
	// payload is the argument that holds the operation's payload, if it has one.
	payload     string
	title       string
	description string
	// example is a payload.
	example string
	changes mcphttp.Change
}

// named reports whether the tool is about something with an id.
func (t *tool) named() bool {
	switch t.op {
	case SearchCatalog, LookupCatalog, GetProduct, CreateCart, CreateCheckout:
		return false
	}
	return true
}

// keyed reports whether a call must have an idempotency key (mcp.openrpc.json).
func (t *tool) keyed() bool {
	switch t.op {
	case CancelCart, CompleteCheckout, CancelCheckout:
		return true
	}
	return false
}

// tools are the methods of services/shopping/mcp.openrpc.json.
func tools() []*tool {
	const (
		catalog, cart, checkout = "catalog", "cart", "checkout"

		lineExample = `"line_items": [{"item": {"id": "VARIANT_ID"}, "quantity": 1}]`
	)
	return []*tool{
		{
			SearchCatalog, catalog, "Search the catalogue",
			"Finds products by words, categories and price. Prices and stock are read from the shop when you ask. Read messages: they say what the shop made of the question.",
			`{"query": "waterproof walking boots", "filters": {"price": {"max": 15000}}, "context": {"currency": "GBP", "address_country": "GB"}, "pagination": {"limit": 10}}`,
			mcphttp.Reads,
		},
		{
			LookupCatalog, catalog, "Look products up",
			"Reads products and variants by their ids, up to 100 at once. Each variant says by inputs which of the ids it answers; ids that name nothing are listed in messages.",
			`{"ids": ["PRODUCT_ID", "VARIANT_ID"]}`,
			mcphttp.Reads,
		},
		{
			GetProduct, catalog, "Get a product",
			"Reads one product in full, with its options: which values exist and can be bought together with what is selected.",
			`{"id": "PRODUCT_ID", "selected": [{"name": "Colour", "label": "Red"}]}`,
			mcphttp.Reads,
		},
		{
			CreateCart, cart, "Create a cart",
			"Puts items into a new cart and returns it with its id. Totals are estimates: delivery and tax need an address, which a checkout has. A cart's id is its checkout id.",
			`{` + lineExample + `}`,
			mcphttp.Adds,
		},
		{
			GetCart, "", "Get a cart",
			"Reads a cart with its current prices.",
			"", mcphttp.Reads,
		},
		{
			UpdateCart, cart, "Update a cart",
			"Replaces what a cart holds: send all its lines, also those that stay.",
			`{` + lineExample + `}`,
			mcphttp.Replaces,
		},
		{
			CancelCart, "", "Cancel a cart",
			"Gives a cart up.",
			"", mcphttp.Replaces,
		},
		{
			CreateCheckout, checkout, "Create a checkout",
			"Starts a purchase of items, or of a cart by its cart_id. The answer's messages list all that is missing before it can be completed, each with the path to send it at.",
			`{` + lineExample + `, "buyer": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}}`,
			mcphttp.Adds,
		},
		{
			GetCheckout, "", "Get a checkout",
			"Reads a checkout as it stands.",
			"", mcphttp.Reads,
		},
		{
			UpdateCheckout, checkout, "Update a checkout",
			"Replaces what a checkout holds: send all of it, also what stays. Take the ids of lines, methods and groups from the checkout.",
			`{` + lineExample + `, "buyer": {"email": "ada@example.com"}}`,
			mcphttp.Replaces,
		},
		{
			CompleteCheckout, checkout, "Complete a checkout",
			"Pays and places the order, once: retry with the same idempotency key. Do it only when the status is ready_for_complete and the buyer has agreed to the totals.",
			`{"payment": {"instruments": [{"id": "1", "handler_id": "HANDLER_ID", "type": "card", "selected": true}]}}`,
			mcphttp.Replaces,
		},
		{
			CancelCheckout, "", "Cancel a checkout",
			"Gives a checkout up. What was ordered already stays ordered.",
			"", mcphttp.Replaces,
		},
		{
			GetOrder, "", "Get an order",
			"Reads an order that was placed here, as it stands: what was sent, what was given back.",
			"", mcphttp.Reads,
		},
	}
}

// The parts of the instructions.
const (
	greeting = `This is a shop that speaks the Universal Commerce Protocol, release ` + Release + `.
Every call names the platform's profile in arguments.meta["ucp-agent"].profile and is made with an agent key in the header Authorization.`

	buying = `
Find products with search_catalog, then create_checkout with the ids of variants. Read the messages of the answer, send what they ask for with update_checkout, and complete_checkout when the status is ready_for_complete. When it is requires_escalation, send the buyer to continue_url.`

	figures = `
Amounts count minor units of the currency that stands beside them: 15000 in GBP is £150.00.
A result whose ucp.status is "error" is an answer of the shop; its messages say what to do.`
)

// instructions tell a model how the tools of a business belong together.
func instructions(b *Business) string {
	if b.declares(CapabilityCheckout) {
		return greeting + buying + figures
	}
	return greeting + figures
}

// newToolServer returns an MCP server with the tools that a business has.
func newToolServer(b *Business) (*toolServer, error) {
	s := server.NewMCPServer("storeware", Release,
		server.WithTitle("Universal Commerce Protocol"),
		server.WithInstructions(instructions(b)),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(false, false),
		// What the profile says may be kept by everybody, and as long.
		server.WithCacheHints(b.MaxAge.Milliseconds(), mcp.CacheScopePublic))
	for _, t := range tools() {
		if !b.declares(t.op.Root()) {
			continue
		}
		definition, err := t.definition(b)
		if err != nil {
			return nil, fmt.Errorf("describing the tool %s: %w", t.op, err)
		}
		s.AddTool(definition, t.run)
	}
	s.AddResource(mcp.NewResource(profileResource, "UCP profile",
		mcp.WithResourceDescription("What the shop offers, and the ways to pay: the document at /.well-known/ucp."),
		mcp.WithMIMEType("application/json")), b.readProfile)
	return &toolServer{mcphttp.NewServer(s), b}, nil
}

// profileResource is the URI of the profile as a resource, for clients that can
// reach nothing but this endpoint.
const profileResource = "ucp://shop/profile"

// readProfile is a function of type server.ResourceHandlerFunc.
func (b *Business) readProfile(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: profileResource, MIMEType: "application/json", Text: string(b.Profile)}}, nil
}

// declares reports whether a capability is in the profile.
func (b *Business) declares(name Capability) bool {
	for _, d := range b.Declarations {
		if d.Name == name {
			return true
		}
	}
	return false
}

// definition describes the tool to clients, with the extensions that a business
// has.
func (t *tool) definition(b *Business) (mcp.Tool, error) {
	input, err := json.Marshal(t.input(b))
	if err != nil {
		return mcp.Tool{}, err
	}
	output, err := json.Marshal(t.output())
	if err != nil {
		return mcp.Tool{}, err
	}
	return mcp.Tool{
		Name:            string(t.op),
		Title:           t.title,
		Description:     t.description,
		Annotations:     t.changes.Annotations(t.title),
		RawInputSchema:  input,
		RawOutputSchema: output,
	}, nil
}
