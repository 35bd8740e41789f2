package ucp

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
	"github.com/storeware/caddy-storeware/upstream"
)

// What is wrong with a call is told as a JSON-RPC error under the status that REST
// has for it. The client checks that the codes are those of the specification.
func TestMCPRefusals(t *testing.T) {
	d := newDesk(t, nil)
	known := d.business
	meta := func(profile string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"create_cart","arguments":{"meta":{"ucp-agent":{"profile":%q}},"cart":%s}}}`, profile, oneBoot)
	}
	good := toolMessage(7, CreateCart, "", oneBootCart)
	for name, test := range map[string]struct {
		body    string
		change  func(*desk, *http.Request) // undone afterwards
		status  int
		rpc     int
		code    FailureCode
		content string
	}{
		"no key":         {good, func(_ *desk, r *http.Request) { r.Header.Del("Authorization") }, 401, -32000, Unauthorized, "agents@shop.example"},
		"a wrong key":    {good, func(_ *desk, r *http.Request) { r.Header.Set("Authorization", "Bearer "+agents.NewKey().Reveal()) }, 401, -32000, Unauthorized, "no agent key"},
		"two keys":       {good, func(d *desk, r *http.Request) { r.Header.Set("X-API-Key", d.keys["rival"].Reveal()) }, 400, -32602, InvalidRequest, "two different agent keys"},
		"no meta":        {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_cart","arguments":{"cart":{"line_items":[]}}}}`, nil, 400, -32602, InvalidRequest, "arguments.meta is missing"},
		"no arguments":   {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_cart"}}`, nil, 400, -32602, InvalidRequest, "arguments.meta is missing"},
		"an empty meta":  {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_cart","arguments":{"meta":{}}}}`, nil, 400, -32001, InvalidProfileURL, "is missing"},
		"a bad profile":  {meta("http://127.0.0.1/"), nil, 400, -32001, InvalidProfileURL, "https"},
		"an old release": {meta(oldURL), nil, 422, -32001, VersionUnsupported, Release},
		"another's profile": {meta(narrowURL), func(d *desk, r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+d.keys["bound"].Reveal())
		}, 403, -32000, ProfileMismatch, "another platform profile"},
		"a profile that is not there":    {meta("https://nobody.example/"), nil, 424, -32001, ProfileUnreachable, ""},
		"a header that disagrees":        {good, func(_ *desk, r *http.Request) { r.Header.Set("UCP-Agent", fmt.Sprintf("profile=%q", narrowURL)) }, 400, -32001, InvalidProfileURL, "two different"},
		"a header that cannot be read":   {good, func(_ *desk, r *http.Request) { r.Header.Set("UCP-Agent", "profile=") }, 400, -32001, InvalidProfileURL, "RFC 8941"},
		"no payload":                     {toolMessage(1, CreateCart, "", ""), nil, 400, -32602, InvalidRequest, "arguments.cart must be an object"},
		"a payload in a string":          {toolMessage(1, CreateCart, "", `"cart":"{}"`), nil, 400, -32602, InvalidRequest, "arguments.cart must be an object"},
		"lines in a string":              {toolMessage(1, CreateCart, "", `"cart":{"line_items":"22"}`), nil, 400, -32602, InvalidRequest, "In arguments.cart, $.line_items must be an array"},
		"an id in the payload":           {toolMessage(1, UpdateCart, "", `"id":"x","cart":{"id":"x","line_items":[]}`), nil, 400, -32602, InvalidRequest, "In arguments.cart, $.id must not be sent"},
		"no id":                          {toolMessage(1, GetCart, "", ""), nil, 400, -32602, InvalidRequest, "arguments.id must be a string"},
		"an id that is a number":         {toolMessage(1, GetCart, "", `"id":5`), nil, 400, -32602, InvalidRequest, "arguments.id must be a string"},
		"too long an id":                 {toolMessage(1, GetCart, "", `"id":"`+strings.Repeat("x", maxID+1)+`"`), nil, 400, -32602, InvalidRequest, "1 to 512 bytes"},
		"no idempotency key":             {toolMessage(1, CancelCart, "", `"id":"x"`), nil, 400, -32602, InvalidRequest, `meta["idempotency-key"] is missing`},
		"no idempotency key to complete": {toolMessage(1, CompleteCheckout, "", `"id":"x",`+payingCheckout), nil, 400, -32602, InvalidRequest, `meta["idempotency-key"] is missing`},
		"too long an idempotency key":    {toolMessage(1, CreateCart, strings.Repeat("k", 300), oneBootCart), nil, 400, -32602, InvalidRequest, "bytes"},
		"two idempotency keys":           {toolMessage(1, CreateCart, "k", oneBootCart), func(_ *desk, r *http.Request) { r.Header.Set("Idempotency-Key", "l") }, 400, -32602, InvalidRequest, "different keys"},
		"an idempotency key of a number": {strings.Replace(good, `"meta":{`, `"meta":{"idempotency-key":5,`, 1), nil, 400, -32602, InvalidRequest, "must be a string"},
		"too many ids":                   {toolMessage(1, LookupCatalog, "", `"catalog":{"ids":[`+strings.Repeat(`"x",`, 100)+`"x"]}`), nil, 400, -32602, RequestTooLarge, "at most 100"},
		"a foreign cursor":               {toolMessage(1, SearchCatalog, "", `"catalog":{"query":"x","pagination":{"cursor":"no"}}`), nil, 400, -32602, InvalidRequest, "In arguments.catalog, $.pagination.cursor"},
		"a digest of something else":     {good, func(_ *desk, r *http.Request) { r.Header.Set("Signature-Input", `sig1=()`) }, 401, -32000, "signature_missing", ""},
		"the shop is not known yet":      {good, func(d *desk, _ *http.Request) { d.business = unknownShop(t) }, 503, -32000, Unavailable, ""},
		"the shop is broken": {good, func(d *desk, _ *http.Request) {
			d.ledger.before = func() error { return &upstream.Error{Code: upstream.CodeUnavailable} }
		}, 503, -32000, Unavailable, ""},
		"the shop breaks": {good, func(d *desk, _ *http.Request) {
			d.ledger.before = func() error { return errors.New("something that nobody saw coming") }
		}, 500, -32603, InternalError, "has a record"},
		"a panic": {good, func(d *desk, _ *http.Request) {
			d.ledger.before = func() error { panic("ouch") }
		}, 500, -32603, InternalError, "has a record"},
		"no store": {toolMessage(1, CreateCart, "k", oneBootCart), func(d *desk, _ *http.Request) { d.store.broken = true }, 503, -32000, Unavailable, ""},

		"no JSON":                {`{"jsonrpc":`, nil, 400, -32700, mcphttp.MalformedJSON, "must be JSON"},
		"nothing":                {``, nil, 400, -32700, mcphttp.MalformedJSON, "must be JSON"},
		"a batch":                {`[` + good + `]`, nil, 400, -32600, mcphttp.MalformedMessage, "one JSON-RPC message"},
		"a member twice":         {`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "$.id must be there once"},
		"a member too many":      {`{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}`, nil, 400, -32600, mcphttp.MalformedMessage, "nothing else"},
		"another JSON-RPC":       {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "jsonrpc must be"},
		"no method":              {`{"jsonrpc":"2.0","id":1}`, nil, 400, -32600, mcphttp.MalformedMessage, "method must be"},
		"a method of a number":   {`{"jsonrpc":"2.0","id":1,"method":1}`, nil, 400, -32600, mcphttp.MalformedMessage, "method must be"},
		"an id that is null":     {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"an id that is an array": {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"an id with a fraction":  {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"an id of minus zero":    {`{"jsonrpc":"2.0","id":-0,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"too large an RPC id":    {`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"too long an RPC id":     {`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", mcphttp.MaxID) + `","method":"ping"}`, nil, 400, -32600, mcphttp.MalformedMessage, "id must be"},
		"a stream":               {`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, nil, 404, -32601, mcphttp.UnknownMethod, "nothing to subscribe to"},
		"another media type":     {good, func(_ *desk, r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, -32600, UnsupportedMedia, ""},
		"a compressed body":      {good, func(_ *desk, r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, -32600, UnsupportedMedia, ""},
		"too large a body":       {good + strings.Repeat(" ", httpdoor.DefaultMaxBody), nil, 413, -32600, BodyTooLarge, "1048576 bytes"},
		"a page of a stranger":   {good, func(_ *desk, r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403, -32000, httpdoor.OriginRefused, ""},
		"a page by its own name": {good, func(_ *desk, r *http.Request) { r.Host = "evil.example"; r.Header.Set("Origin", "http://evil.example") }, 403, -32000, httpdoor.OriginRefused, ""},
		"an unknown MCP version": {good, func(_ *desk, r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "1999-01-01") }, 400, -32600, mcphttp.MalformedMessage, "1999-01-01"},
		"no tools to list yet":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, func(d *desk, _ *http.Request) { d.business = unknownShop(t) }, 503, -32000, Unavailable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d.ledger.before, d.store.broken, d.business = nil, false, known
			r := d.message("scout", test.body)
			if test.change != nil {
				test.change(d, r)
			}
			baskets := len(d.ledger.baskets)
			got := d.send(r)
			rpc := got.json.Get("error")
			if got.StatusCode != test.status || rpc.Get("code").Int() != int64(test.rpc) || rpc.Get("data.code").Str != string(test.code) {
				t.Fatalf("got %d %s", got.StatusCode, got.text)
			}
			if content := rpc.Get("data.content").Str; !strings.Contains(content, test.content) || rpc.Get("message").Str != content {
				t.Errorf("content %q", content)
			}
			if len(d.ledger.baskets) != baskets {
				t.Error("something happened")
			}
			if test.status == 503 && rpc.Get("data.retry_after").Int() < 1 {
				t.Errorf("no retry_after in %s", got.text)
			}
			if test.rpc == -32001 && rpc.Get("data.continue_url").Str != "https://shop.example/" {
				t.Errorf("no continue_url in %s", got.text)
			}
			if event := d.event(); event.Outcome != string(test.code) || event.Status != test.status {
				t.Errorf("event %+v", event)
			}
		})
	}
}

// What MCP itself has to say is said by the MCP server.
func TestMCPServersOwnErrors(t *testing.T) {
	d := newDesk(t, nil)
	for name, test := range map[string]struct {
		body      string
		operation Operation
		rpc       int64
	}{
		"an unknown tool":   {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy_everything","arguments":{}}}`, "", -32602},
		"an unknown method": {`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, "", -32601},
		"no such resource":  {`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ucp://shop/other"}}`, "resources/read", -32002},
	} {
		got := d.send(d.message("scout", test.body))
		if got.json.Get("error.code").Int() != test.rpc {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.text)
		}
		if event := d.event(); event.Outcome != string(mcphttp.MalformedMessage) || event.Operation != string(test.operation) {
			t.Errorf("%s: event %+v", name, event)
		}
	}
}

// A shop has the tools of what it declares, now.
func TestMCPToolsAreWhatIsDeclared(t *testing.T) {
	d := newDesk(t, nil)
	if n := len(listed(t, d)); n != 13 {
		t.Errorf("%d tools of a shop that can do everything", n)
	}
	d.business = newBusiness(t, offerOf(upstream.Capabilities{Search: true}))
	names := slices.Sorted(maps.Keys(listed(t, d)))
	if want := []Operation{GetProduct, LookupCatalog, SearchCatalog}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	// Where nobody can order, nobody is told how to.
	can := allCapabilities
	can.Place, can.HandOff, can.Payments = false, false, nil
	d.business = newBusiness(t, offerOf(can))
	if names := slices.Sorted(maps.Keys(listed(t, d))); len(names) != 7 || slices.Contains(names, CreateCheckout) {
		t.Errorf("tools %v of a shop that takes no orders", names)
	}
	const word = "complete_checkout"
	if text := instructions(d.business); strings.Contains(text, word) {
		t.Errorf("the instructions of a shop that takes no orders: %s", text)
	}
	if text := instructions(newBusiness(t, offerOf(allCapabilities))); !strings.Contains(text, word) {
		t.Errorf("the instructions of a shop that does everything: %s", text)
	}
}

// unknownShop is what a shop offers that has never said what it is.
func unknownShop(t *testing.T) *Business {
	t.Helper()
	return newBusiness(t, Offer{Services: []Service{MCPService("https://shop.example/ucp/mcp")}})
}
