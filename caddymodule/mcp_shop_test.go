package caddymodule_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// shopPath is where the shop's own MCP server is.
const shopPath = "/mcp"

// ownCall is a call of one of its tools.
func ownCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// own calls a tool and returns what it answers.
func (a *agent) own(id int, tool, arguments string) gjson.Result {
	a.t.Helper()
	got := a.want(http.StatusOK, "POST", shopPath, ownCall(id, tool, arguments))
	content := got.get("result.structuredContent")
	if !content.Exists() {
		a.t.Fatalf("%s %s: %s", tool, arguments, got.body)
	}
	return content
}

// A purchase at the shop's own MCP server, of which UCP's doors know: it is one
// basket, and one order.
func TestPurchaseOverTheShopsMCP(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("shop.example", key)
	agent.awaitShop()

	found := agent.own(1, "search_products", `{"query":"waterproof walking boots under £150"}`)
	if got := found.Get("results.0"); got.Get("handle").Str != "fjell-trail-gtx" || got.Get("url").Str != house.url()+"/products/fjell-trail-gtx" {
		t.Errorf("the search has found %s", found.Raw)
	}
	product := agent.own(2, "get_product", fmt.Sprintf(`{"id":%q,"selected":[{"name":"size","value":"8"},{"name":"colour","value":"tan"}]}`, found.Get("results.0.id").Str))
	items := fmt.Sprintf(`"items":[{"variant_id":%q}]`, product.Get("product.variant_id").Str)
	const where = `"buyer":{"email":"ada@example.com","first_name":"Ada","last_name":"Byron"},
		"address":{"street":"12 Stricklandgate","city":"Kendal","postal_code":"LA9 4ND","country":"GB"}`
	made := agent.own(3, "create_basket", fmt.Sprintf(`{%s,%s,"idempotency_key":"b"}`, items, where))
	id := made.Get("basket_id").Str
	ready := agent.own(4, "update_basket", fmt.Sprintf(`{"basket_id":%q,%s,%s,"delivery_option_id":%q}`, id, items, where, made.Get("delivery_options.0.id").Str))
	if ready.Get("status").Str != "ready_for_complete" {
		t.Fatalf("the basket is %s", ready.Raw)
	}
	if over := agent.want(http.StatusOK, "GET", "/api/ucp/v1/checkout-sessions/"+id, ""); over.get("status").Str != "ready_for_complete" ||
		over.get("totals.#(type==total).amount").Int() != ready.Get("total_minor").Int() || over.get("continue_url").Str != ready.Get("continue_url").Str {
		t.Errorf("UCP's checkout is %s", over.body)
	}
	complete := fmt.Sprintf(`{"basket_id":%q,"payment":{"method":"demo-card","credential":{"token":"tok_demo"}},"idempotency_key":"pay"}`, id)
	done := agent.own(5, "complete_checkout", complete)
	order := done.Get("order.order_id").Str
	if done.Get("status").Str != "completed" || order == "" {
		t.Fatalf("the basket is %s", done.Raw)
	}
	again := agent.want(http.StatusOK, "POST", shopPath, ownCall(6, "complete_checkout", complete))
	if again.get("result.structuredContent").Raw != done.Raw || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the retry: %v %s", again.Header, again.body)
	}
	placed := agent.own(7, "get_order", fmt.Sprintf(`{"order_id":%q}`, order))
	over := agent.want(http.StatusOK, "GET", "/api/ucp/v1/orders/"+order, "")
	if placed.Get("basket_id").Str != id || over.get("checkout_id").Str != id ||
		placed.Get("total_minor").Int() != over.get("totals.#(type==total).amount").Int() {
		t.Errorf("over UCP: %s\nover /mcp: %s", over.body, placed.Raw)
	}
	if n := house.orders(); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
}

// Whatever the endpoint answers is signed, which the agents' client verifies, and
// nothing of it comes to the shop's own pages.
func TestTheShopsMCPIsSigned(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash, "contact", "allow_origin https://agent.example\n\t\tcontact"))
	known, nobody := server.agent("", key), server.agent("", noKey)
	known.awaitShop()
	wrong, _ := newKey()
	page := []string{"Origin", "https://agent.example"}
	for _, test := range []struct {
		agent        *agent
		method, path string
		body         string
		header       []string
		status       int
		says         string // in the body
	}{
		{known, "POST", shopPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, 200, `"openai/outputTemplate":"ui://storeware/search_products.html"`},
		{nobody, "POST", shopPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, 200, `"name":"search_products"`},
		{nobody, "POST", shopPath, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://storeware/search_products.html"}}`, nil, 200, "Content-Security-Policy"},
		{nobody, "POST", shopPath, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		{nobody, "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`), nil, 401, "keys@shop.example"},
		{server.agent("", wrong), "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`), nil, 401, `"unauthorized"`},
		{known, "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`), nil, 200, `"as_of"`},
		{known, "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`), page, 200, `"as_of"`},
		{known, "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`), []string{"Origin", "https://evil.example"}, 403, `"origin`},
		{known, "POST", shopPath, ownCall(1, "search_products", `{"limit":0}`), nil, 200, `"isError":true`},
		{known, "POST", shopPath, ownCall(1, "no_such_tool", `{}`), nil, 200, `-32602`},
		{known, "POST", shopPath, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, nil, 200, `-32601`},
		{known, "POST", shopPath, `{`, nil, 400, `-32700`},
		{known, "POST", shopPath + "/", `{}`, nil, 404, `-32000`},
		{known, "GET", shopPath + "/sse", "", nil, 404, `-32000`},
		{known, "GET", shopPath, "", nil, 405, `-32600`},
		{known, "DELETE", shopPath, "", nil, 405, `-32600`},
		{known, "BREW", shopPath, "", nil, 405, `-32600`},
		{known, "HEAD", shopPath, "", nil, 405, ""},
		{known, "OPTIONS", shopPath, "", append(page, "Access-Control-Request-Method", "POST"), 204, ""},
	} {
		got := test.agent.want(test.status, test.method, test.path, test.body, test.header...)
		if !strings.Contains(string(got.body), test.says) {
			t.Errorf("%s %s %s: %s", test.method, test.path, test.body, got.body)
		}
		if test.status == 405 && got.Header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: it allows %q", test.method, got.Header.Get("Allow"))
		}
		if len(test.header) > 0 && test.header[1] == page[1] && got.Header.Get("Access-Control-Allow-Origin") != page[1] {
			t.Errorf("%s: a page may not read it: %v", test.method, got.Header)
		}
	}
	// What only begins like it is the shop's.
	if got := nobody.do("GET", shopPath+"x", ""); got.Header.Get("Signature") != "" {
		t.Errorf("%sx: %v", shopPath, got.Header)
	}
}

// Calls are counted and logged as those of the protocol mcp, by the tool, and no key
// comes into any log.
func TestTheShopsMCPIsObserved(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site+"http://metrics.example:PORT {\n\tmetrics /metrics\n}\n",
		":PORT {\n\tstoreware", ":PORT {\n"+logOfExample(t)+"\n\tstoreware", "SHOP", house.url(), "HASH", hash))
	agent := server.agent("shop.example", key)
	agent.awaitShop()
	counted := map[string]float64{}
	names := []string{
		`storeware_requests_total{operation="search_products",outcome="ok",protocol="mcp",shop="shop.example"}`,
		`storeware_requests_total{operation="search_products",outcome="unauthorized",protocol="mcp",shop="shop.example"}`,
		`storeware_requests_total{operation="get_product",outcome="not_found",protocol="mcp",shop="shop.example"}`,
		`storeware_requests_total{operation="tools/list",outcome="ok",protocol="mcp",shop="shop.example"}`,
		`storeware_requests_total{operation="",outcome="method_not_allowed",protocol="mcp",shop="shop.example"}`,
		`storeware_requests_total{operation="none",outcome="not_found",protocol="mcp",shop="shop.example"}`,
		`storeware_request_duration_seconds_count{operation="create_basket",protocol="mcp",shop="shop.example"}`,
		`storeware_replays_total{protocol="mcp",shop="shop.example"}`,
	}
	for _, name := range names {
		counted[name] = server.metric(name)
	}
	agent.own(1, "search_products", `{"query":"boots"}`)
	server.agent("shop.example", noKey).want(http.StatusUnauthorized, "POST", shopPath, ownCall(1, "search_products", `{"query":"boots"}`))
	agent.want(http.StatusOK, "POST", shopPath, ownCall(1, "get_product", `{"id":"none"}`))
	agent.want(http.StatusOK, "POST", shopPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "X-API-Key", "", "Authorization", "Bearer "+key.Reveal())
	agent.want(http.StatusMethodNotAllowed, "GET", shopPath, "")
	agent.want(http.StatusNotFound, "GET", shopPath+"/sse", "")
	basket := `{"items":[{"variant_id":"v-FJL-8-TAN"}],"buyer":{"email":"ada@example.com"},"idempotency_key":"` + key.Reveal() + `"}`
	for range 2 {
		agent.own(2, "create_basket", basket)
	}
	for _, name := range names {
		more := server.metric(name) - counted[name]
		if want := 1 + float64(strings.Count(name, "create_basket")); more != want {
			t.Errorf("%s has grown by %v, want %v", name, more, want)
		}
	}

	logs := map[string]string{}
	for _, name := range []string{"access.log", "caddy.log"} {
		content, err := os.ReadFile(filepath.Join(server.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		logs[name] = string(content)
		for _, secret := range []string{"swa_", "ada@example.com"} {
			if strings.Contains(logs[name], secret) {
				t.Errorf("%s holds %q", name, secret)
			}
		}
	}
	if !strings.Contains(logs["access.log"], `"uri":"/mcp"`) {
		t.Error("the access log lacks the calls")
	}
	line := regexp.MustCompile(`(?m)^.*"operation":"get_product".*$`).FindString(logs["caddy.log"])
	for field, want := range map[string]string{
		"level": "info", "msg": "answered", "shop": "shop.example", "agent": "tester", "protocol": "mcp", "outcome": "not_found", "status": "200",
	} {
		if got := gjson.Get(line, field).String(); got != want {
			t.Errorf("the log has %s %q, want %q: %s", field, got, want, line)
		}
	}
}
