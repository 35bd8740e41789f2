package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	protocol "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/storeware/caddy-storeware/internal/mcphttp"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/mcp/view"
	"github.com/storeware/caddy-storeware/upstream"
)

// tool is something that an assistant can do at the shop.
type tool struct {
	name        string
	title       string
	description string
	// input is what the arguments must look like, example some that do.
	input   *shape.Shape
	example string
	// output is the type of what is answered.
	output  reflect.Type
	changes mcphttp.Change
	// offered reports whether a shop can serve it.
	offered func(can upstream.Capabilities) bool
	// draws is the page that shows a result, if there is one.
	draws func() view.Page
	run   func(ctx context.Context, s *Server, r *request) (*reply, error)
}

// always, baskets, places and orders say which shops can serve a tool.
func always(upstream.Capabilities) bool      { return true }
func baskets(can upstream.Capabilities) bool { return can.Baskets }
func finds(can upstream.Capabilities) bool   { return can.Search }
func places(can upstream.Capabilities) bool {
	return can.Baskets && can.Place && len(can.Payments) > 0
}

func orders(can upstream.Capabilities) bool {
	return can.Baskets && can.Orders && (can.Place || can.HandOff)
}

// tools are all tools.
func tools() []*tool {
	aBasket := reflect.TypeFor[Basket]()
	const oneItem = `"items": [{"variant_id": "VARIANT_ID", "quantity": 1}]`
	return []*tool{
		{
			name: "search_products", title: "Search the shop",
			description: "Answers what a shopper wants: what the shop understood, which products meet it and on what evidence, and what it turned away and why. " +
				"Prices and stock are read from the shop when you ask.",
			input: searchInput, example: `{"query": "waterproof walking boots under £150, not leather", "context": ["for a wet week in Iceland"]}`,
			output: reflect.TypeFor[SearchAnswer](), changes: mcphttp.Reads, offered: finds, draws: view.Search, run: searchProducts,
		},
		{
			name: "get_product", title: "Look at a product",
			description: "Reads one product with its versions, live prices and stock, and what the merchant has recorded of it. Name it by one of id, handle, sku and url.",
			input:       productInput, example: `{"id": "PRODUCT_ID", "selected": [{"name": "Size", "value": "9"}]}`,
			output: reflect.TypeFor[ProductAnswer](), changes: mcphttp.Reads, offered: always, draws: view.Product, run: getProduct,
		},
		{
			name: "create_basket", title: "Start a basket",
			description: "Puts items into a new basket and returns it with its id, totals and all that is still missing for an order. Nothing is ordered or reserved.",
			input:       createInput, example: `{` + oneItem + `}`,
			output: aBasket, changes: mcphttp.Adds, offered: baskets, run: createBasket,
		},
		{
			name: "get_basket", title: "Look at a basket",
			description: "Reads a basket with its current prices.",
			input:       readInput, example: `{"basket_id": "BASKET_ID"}`,
			output: aBasket, changes: mcphttp.Reads, offered: baskets, run: getBasket,
		},
		{
			name: "update_basket", title: "Change a basket",
			description: "Replaces what a basket holds: send all of it, also what stays (items, buyer, address, delivery, codes). What is left out is taken out.",
			input:       updateInput,
			example: `{"basket_id": "BASKET_ID", ` + oneItem + `, "buyer": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}, ` +
				`"address": {"street": "12 Stricklandgate", "city": "Kendal", "postal_code": "LA9 4ND", "country": "GB"}, "delivery_option_id": "DELIVERY_OPTION_ID"}`,
			output: aBasket, changes: mcphttp.Replaces, offered: baskets, run: updateBasket,
		},
		{
			name: "cancel_basket", title: "Give a basket up",
			description: "Gives a basket up. What was ordered already stays ordered.",
			input:       cancelInput, example: `{"basket_id": "BASKET_ID"}`,
			output: aBasket, changes: mcphttp.Replaces, offered: baskets, run: cancelBasket,
		},
		{
			name: "complete_checkout", title: "Order a basket",
			description: "Pays and places the order, once: retry with the same idempotency_key. Call it only when the basket's status is ready_for_complete " +
				"and the shopper has agreed to its items, total and address. If the price has changed since, nothing is ordered and the answer says so.",
			input:   completeInput,
			example: `{"basket_id": "BASKET_ID", "payment": {"method": "PAYMENT_METHOD_ID", "credential": {"token": "TOKEN"}}, "idempotency_key": "9b2a1c9e-6a55-4d5e-8f0b-5f3f5f0c3a11"}`,
			output:  aBasket, changes: mcphttp.Replaces, offered: places, run: completeCheckout,
		},
		{
			name: "get_order", title: "Look at an order",
			description: "Reads an order that you placed here, as it stands: what was sent, what was given back.",
			input:       orderInput, example: `{"order_id": "ORDER_ID"}`,
			output: reflect.TypeFor[Order](), changes: mcphttp.Reads, offered: orders, run: getOrder,
		},
	}
}

// newServer returns an MCP server with the tools of a shop, and with no tools for one
// that has not said what it is.
func newServer(shop *upstream.Description) (*mcphttp.Server, error) {
	title, can := "A shop", upstream.Capabilities{}
	if shop != nil {
		title, can = shop.Name, shop.Capabilities
	}
	s := mcpserver.NewMCPServer("storeware", version,
		mcpserver.WithTitle(title),
		mcpserver.WithInstructions(instructions(can)),
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithResourceCapabilities(false, false),
		mcpserver.WithExtensions(map[string]any{view.Extension: map[string]any{"mimeTypes": []string{view.MIMEType}}}),
		mcpserver.WithCacheHints(cacheFor.Milliseconds(), protocol.CacheScopePublic))
	for _, t := range tools() {
		if shop == nil || !t.offered(can) {
			continue
		}
		definition, err := t.definition()
		if err != nil {
			return nil, fmt.Errorf("describing the tool %s: %w", t.name, err)
		}
		s.AddTool(definition, t.handle)
	}
	for _, page := range []view.Page{view.Search(), view.Product()} {
		addPage(s, page)
	}
	return mcphttp.NewServer(s), nil
}

// addPage serves a page as a resource.
func addPage(s *mcpserver.MCPServer, page view.Page) {
	resource := protocol.NewResource(page.URI, page.Name,
		protocol.WithResourceDescription(page.Description), protocol.WithMIMEType(view.MIMEType))
	resource.Meta = protocol.NewMetaFromMap(page.ResourceMeta())
	s.AddResource(resource, func(context.Context, protocol.ReadResourceRequest) ([]protocol.ResourceContents, error) {
		return []protocol.ResourceContents{protocol.TextResourceContents{
			URI: page.URI, MIMEType: view.MIMEType, Text: page.HTML, Meta: page.ResourceMeta(),
		}}, nil
	})
}

// definition describes the tool to clients.
func (t *tool) definition() (protocol.Tool, error) {
	schema := t.input.Schema(shape.Other, nil, describe)
	schema.Examples = []any{json.RawMessage(t.example)}
	input, err := json.Marshal(schema)
	if err != nil {
		return protocol.Tool{}, err
	}
	output, err := json.Marshal(schemaOf(t.output))
	if err != nil {
		return protocol.Tool{}, err
	}
	definition := protocol.Tool{
		Name: t.name, Title: t.title, Description: t.description, Annotations: t.changes.Annotations(t.title),
		RawInputSchema: input, RawOutputSchema: output,
	}
	if t.draws != nil {
		definition.Meta = protocol.NewMetaFromMap(t.draws().ToolMeta())
	}
	return definition, nil
}
