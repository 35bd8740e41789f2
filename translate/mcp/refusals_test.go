package mcp

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
)

// What the caller cannot mend by another call is a JSON-RPC error under an HTTP
// status.
func TestRefusals(t *testing.T) {
	d := newDesk(t)
	known := d.shop
	good := toolMessage(7, "create_basket", "{"+boots+`,"idempotency_key":"k"}`)
	for name, test := range map[string]struct {
		body    string
		change  func(*http.Request) // undone afterwards
		status  int
		rpc     int64
		code    httpdoor.Code
		content string
	}{
		"no key":                 {good, func(r *http.Request) { r.Header.Del("Authorization") }, 401, -32000, httpdoor.Unauthorized, "agents@shop.example"},
		"a wrong key":            {good, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+agents.NewKey().Reveal()) }, 401, -32000, httpdoor.Unauthorized, "no agent key"},
		"two keys":               {good, func(r *http.Request) { r.Header.Set("X-API-Key", d.keys["rival"].Reveal()) }, 400, -32602, httpdoor.InvalidRequest, "two different"},
		"no store":               {good, func(*http.Request) { d.store.broken = true }, 503, -32000, httpdoor.Unavailable, ""},
		"no shop yet":            {good, func(*http.Request) { d.shop = nil }, 503, -32000, httpdoor.Unavailable, ""},
		"no tools to list yet":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, func(*http.Request) { d.shop = nil }, 503, -32000, httpdoor.Unavailable, ""},
		"no JSON":                {`{"jsonrpc":`, nil, 400, -32700, mcphttp.MalformedJSON, "must be JSON"},
		"a batch":                {`[` + good + `]`, nil, 400, -32600, mcphttp.MalformedMessage, "one JSON-RPC message"},
		"an argument twice":      {toolMessage(1, "get_basket", `{"basket_id":"a","basket_id":"b"}`), nil, 400, -32600, mcphttp.MalformedMessage, "must be there once"},
		"a stream":               {`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, nil, 404, -32601, mcphttp.UnknownMethod, "nothing to subscribe to"},
		"another media type":     {good, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, -32600, httpdoor.UnsupportedMedia, ""},
		"too large a body":       {good + strings.Repeat(" ", httpdoor.DefaultMaxBody), nil, 413, -32600, httpdoor.BodyTooLarge, "1048576 bytes"},
		"a page of a stranger":   {good, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403, -32000, httpdoor.OriginRefused, ""},
		"an unknown MCP version": {good, func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "1999-01-01") }, 400, -32600, mcphttp.MalformedMessage, "1999-01-01"},
	} {
		t.Run(name, func(t *testing.T) {
			r := d.message("scout", test.body)
			if test.change != nil {
				test.change(r)
			}
			got := d.send(r)
			d.store.broken, d.shop = false, known
			rpc := got.json.Get("error")
			if got.StatusCode != test.status || rpc.Get("code").Int() != test.rpc || rpc.Get("data.code").Str != string(test.code) ||
				!strings.Contains(rpc.Get("message").Str, test.content) {
				t.Fatalf("got %d %s", got.StatusCode, got.text)
			}
			if test.status == 503 && (got.Header.Get("Retry-After") == "" || rpc.Get("data.retry_after").Int() < 1) {
				t.Errorf("no time to retry: %v %s", got.Header, got.text)
			}
			if test.status == 401 && got.Header.Get("WWW-Authenticate") == "" {
				t.Error("no WWW-Authenticate")
			}
			if event := d.event(); event.Outcome != string(test.code) || event.Status != test.status {
				t.Errorf("event %+v", event)
			}
		})
	}
}

// A shop that is away is told with a time to try again, and keeps nothing half done.
func TestShopAway(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	d.upstream.CloseClientConnections()
	d.upstream.Listener.Close()
	for tool, arguments := range map[string]string{
		"search_products": `{"query":"boots"}`, "get_product": `{"id":"x"}`, "get_basket": fmt.Sprintf(`{"basket_id":%q}`, id), "complete_checkout": complete(id, "k"),
	} {
		got := d.call("scout", tool, arguments)
		if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || got.json.Get("error.data.code").Str != "unavailable" {
			t.Errorf("%s: %d %s", tool, got.StatusCode, got.text)
		}
	}
}

// What the caller can mend is a result that says what would be right.
func TestMistakes(t *testing.T) {
	d := newDesk(t)
	long := strings.Repeat("x", 600)
	for _, test := range []struct{ tool, arguments, code, want string }{
		{"search_products", `{"max_price":100}`, InvalidArguments, `takes no argument "max_price": it takes query, max_price_minor`},
		{"search_products", `{"max_price_minor":"150"}`, InvalidArguments, "$.max_price_minor must be a whole number"},
		{"search_products", `{"max_price_minor":1.5}`, InvalidArguments, "$.max_price_minor must be a whole number"},
		{"search_products", `{"min_price_minor":2,"max_price_minor":1}`, InvalidArguments, "must not be more than max_price_minor"},
		{"search_products", `{"limit":0}`, InvalidArguments, "$.limit"},
		{"search_products", `{"cursor":"none"}`, InvalidArguments, "cursor must be"},
		{"search_products", `{"conversation":{"id":" "}}`, InvalidArguments, "$.conversation.id must be a string of 1 to 256 bytes"},
		{"search_products", `{"context":[` + strings.Repeat(`"x",`, 50) + `"x"]}`, InvalidArguments, "$.context must have at most 50"},
		{"search_products", `[]`, InvalidArguments, "must be an object"},
		{"get_product", `{}`, InvalidArguments, "Name the product by"},
		{"get_product", `{"id":"a","sku":"b"}`, InvalidArguments, "one of id, handle, sku and url"},
		{"get_product", `{"id":"` + long + `"}`, InvalidArguments, "at most 512 bytes"},
		{"get_product", `{"url":"https://shop.example/"}`, InvalidArguments, "address of a product's page"},
		{"get_product", `{"id":"none"}`, NotFound, "no product with this id"},
		{"get_product", `{"handle":"FJL-9-TAN"}`, NotFound, "no product with this handle"},
		{"create_basket", `{"items":"22"}`, InvalidArguments, "$.items must be an array"},
		{"create_basket", `{"items":[{"variant_id":"v-FJL-9-TAN","quantity":0}]}`, InvalidArguments, "$.items[0].quantity"},
		{"create_basket", `{"items":[{"id":"v-FJL-9-TAN"}]}`, InvalidArguments, "$.items[0].variant_id is missing"},
		{"create_basket", `{` + boots + `,"idempotency_key":""}`, InvalidArguments, "1 to 255 bytes"},
		{"create_basket", `{` + boots + `,"idempotency_key":5}`, InvalidArguments, "$.idempotency_key must be a string"},
		{"create_basket", `{"items":[` + strings.Repeat(`{"variant_id":"v-FJL-9-TAN"},`, 100) + `{"variant_id":"v-FJL-9-TAN"}]}`, InvalidArguments, "at most 100 lines"},
		{"get_basket", `{}`, InvalidArguments, "$.basket_id is missing"},
		{"get_basket", `{"basket_id":"bsk_none"}`, NotFound, "create_basket"},
		{"complete_checkout", `{"basket_id":"x","payment":{"method":"card"}}`, InvalidArguments, "$.idempotency_key is missing"},
		{"complete_checkout", `{"basket_id":"x","idempotency_key":"k"}`, InvalidArguments, "$.payment is missing"},
		{"get_order", `{"order_id":"1"}`, NotFound, "no such order"},
	} {
		got := d.call("scout", test.tool, test.arguments)
		if got.StatusCode != http.StatusOK || !got.json.Get("result.isError").Bool() || got.content().Exists() ||
			!strings.Contains(got.words(), test.want) || !strings.HasSuffix(got.words(), "("+test.code+")") {
			t.Errorf("%s %.200s: %d %s", test.tool, test.arguments, got.StatusCode, got.text)
		}
		if event := d.event(); event.Outcome != test.code || event.Operation != test.tool {
			t.Errorf("event %+v", event)
		}
	}
}

// There is nothing to get, to end, or to stream, and the answers to pages say which
// may read them.
func TestHTTP(t *testing.T) {
	d := newDesk(t)
	for _, method := range []string{"GET", "DELETE", "PUT", "HEAD"} {
		r := d.message("scout", "")
		r.Method = method
		if got := d.send(r); got.StatusCode != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: %d %v", method, got.StatusCode, got.Header)
		}
	}
	r := d.message("", "")
	r.Method = http.MethodOptions
	r.Header.Set("Origin", "https://agent.example")
	if got := d.send(r); got.StatusCode != http.StatusNoContent || got.Header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" ||
		!strings.Contains(got.Header.Get("Access-Control-Allow-Headers"), "X-API-Key") {
		t.Errorf("preflight: %d %v", got.StatusCode, got.Header)
	}
	r = d.message("scout", toolMessage(1, "search_products", `{"query":"boots"}`))
	r.Header.Set("X-API-Key", d.keys["scout"].Reveal())
	r.Header.Del("Authorization")
	r.Header.Set("Origin", "https://agent.example")
	r.Header.Set("Request-Id", "abc")
	got := d.send(r)
	if got.StatusCode != http.StatusOK || got.Header.Get("Access-Control-Allow-Origin") != "https://agent.example" ||
		got.Header.Get("Request-Id") != "abc" || !strings.Contains(got.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("a search: %d %v %s", got.StatusCode, got.Header, got.text)
	}
}

// The public name may stand in Host on a connection that is local, as behind a
// balancer; a page may not forge it.
func TestHosts(t *testing.T) {
	d := newDesk(t)
	for _, test := range []struct {
		host, origin string
		tls          bool
		want         int
	}{
		{"shop.example", "", false, 200},
		{"shop.example", "https://shop.example", true, 200},
		{"shop.example", "http://shop.example", false, 403},
		{"localhost:8080", "http://localhost:8080", false, 200},
		{"localhost:8080", "null", false, 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		r.Host, r.TLS = test.host, nil
		if test.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		d.door.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
	}
}

// A panic is an error like any other.
func TestPanic(t *testing.T) {
	d := newDesk(t)
	d.door.Server.Catalogue = nil
	got := d.call("scout", "get_product", `{"id":"x"}`)
	if got.StatusCode != http.StatusInternalServerError || got.json.Get("error.data.code").Str != "internal_error" || strings.Contains(got.text, "nil") {
		t.Errorf("%d %s", got.StatusCode, got.text)
	}
	if event := d.event(); event.Err == nil || event.Operation != "get_product" {
		t.Errorf("event %+v", event)
	}
}
