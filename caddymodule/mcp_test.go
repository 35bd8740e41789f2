package caddymodule_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

const mcpPath = "/ucp/mcp"

// toolCall is a call of a tool.
func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"meta":{"ucp-agent":{"profile":%q},"idempotency-key":"key %d"},%s}}}`,
		id, tool, profileURL, id, arguments)
}

// A purchase over MCP: every answer is as the schemas want it, and signed.
func TestPurchaseOverMCP(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	// The name is the public one though the connection is local, as behind a
	// tunnel or a balancer.
	agent := server.agent("shop.example", key)
	agent.awaitShop()
	profile := agent.want(http.StatusOK, "GET", "/.well-known/ucp", "")
	if got := profile.get(`ucp.services.dev\.ucp\.shopping.#(transport=="mcp").endpoint`).String(); got != "http://shop.example"+mcpPath {
		t.Errorf("the profile names %q", got)
	}

	const result = "result.structuredContent."
	found := agent.want(http.StatusOK, "POST", mcpPath, toolCall(1, "search_catalog", `"catalog":{"query":"walking boots"}`))
	if !found.get(result + `products.#(handle=="fjell-trail-gtx")`).Exists() {
		t.Errorf("the search has not found the boots: %s", found.get(result+"products.#.handle"))
	}
	made := agent.want(http.StatusOK, "POST", mcpPath, toolCall(2, "create_checkout", `"checkout":`+bootsCheckout))
	if status := made.get(result + "status").String(); status != "ready_for_complete" {
		t.Fatalf("the checkout is %s: %s", status, made.body)
	}
	id := made.get(result + "id").String()
	complete := fmt.Sprintf(`"id":%q,"checkout":%s`, id, cardPayment)
	done := agent.want(http.StatusOK, "POST", mcpPath, toolCall(3, "complete_checkout", complete))
	order := done.get(result + "order.id").String()
	if done.get(result+"status").String() != "completed" || order == "" {
		t.Fatalf("the checkout is %s", done.body)
	}
	again := agent.want(http.StatusOK, "POST", mcpPath, strings.Replace(toolCall(3, "complete_checkout", complete), `"id":3`, `"id":"again"`, 1))
	if again.get("id").String() != "again" || again.get(result+"order.id").String() != order || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the retry: %v %s", again.Header, again.body)
	}
	read := agent.want(http.StatusOK, "POST", mcpPath, toolCall(4, "get_order", fmt.Sprintf(`"id":%q`, order)))
	if got := read.get(result + "checkout_id").String(); got != id {
		t.Errorf("the order is of the checkout %q, want %q", got, id)
	}
	// The other door shows the same.
	over := agent.want(http.StatusOK, "GET", "/api/ucp/v1/orders/"+order, "")
	if string(over.body) != read.get("result.structuredContent").Raw {
		t.Errorf("over REST: %s\nover MCP: %s", over.body, read.body)
	}
	if n := house.orders(); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
}

// Whatever the endpoint answers is signed, which the agents' client verifies.
func TestMCPIsSigned(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	known, nobody := server.agent("", key), server.agent("", noKey)
	known.awaitShop()
	for _, test := range []struct {
		agent        *agent
		method, path string
		body         string
		status       int
	}{
		{known, "POST", mcpPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200},
		{nobody, "POST", mcpPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200},
		{nobody, "POST", mcpPath, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202},
		{nobody, "POST", mcpPath, toolCall(1, "search_catalog", `"catalog":{"query":"boots"}`), 401},
		{known, "POST", mcpPath, toolCall(1, "create_cart", `"cart":{"line_items":"22"}`), 400},
		{known, "POST", mcpPath, `{`, 400},
		{known, "POST", mcpPath + "/", `{}`, 404},
		{known, "GET", mcpPath, "", 405},
		{known, "DELETE", mcpPath, "", 405},
		{known, "HEAD", mcpPath, "", 405},
		{known, "OPTIONS", mcpPath, "", 204},
	} {
		test.agent.want(test.status, test.method, test.path, test.body)
	}
}
