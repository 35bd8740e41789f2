package mcp

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"
)

// Whatever is sent, what comes back is one JSON-RPC message with the id of the
// request; what a tool answers fits its schema, and what it refuses says so in words.
func FuzzMessage(f *testing.F) {
	output := map[string]*jsonschema.Schema{}
	for _, tool := range tools() {
		output[tool.name] = compiled(f, encode(f, schemaOf(tool.output)))
		f.Add([]byte(toolMessage(1, tool.name, tool.example)), "")
		f.Add([]byte(toolMessage(1, tool.name, `{"id":"x","handle":5,"items":"22","idempotency_key":""}`)), "2025-06-18")
		f.Add([]byte(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{}},"name":"`+tool.name+`","arguments":`+tool.example+`}}`), "2026-07-28")
	}
	for _, seed := range []string{
		toolMessage(1, "get_product", `{"handle":"fjell-trail-gtx","selected":[{"name":"size","value":"9"}],"country":"gb","language":"de","currency":"EUR"}`),
		toolMessage(1, "get_product", `{"url":"https://shop.example/products/fjell-trail-gtx?x=%zz"}`),
		toolMessage(1, "create_basket", "{"+ordered+`,"discount_codes":["WELCOME10",""],"delivery_option_id":"x","idempotency_key":"k"}`),
		toolMessage(1, "complete_checkout", complete("x", "k")),
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://storeware/search_products.html"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{`, ``, "\xff", `null`,
	} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), "2026-07-28")
	}
	d := newDesk(f)
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+d.keys["scout"].Reveal())
		if version != "" {
			r.Header.Set("Mcp-Protocol-Version", version)
			r.Header.Set("Mcp-Method", "tools/call")
			r.Header.Set("Mcp-Name", gjson.GetBytes(body, "params.name").Str)
		}
		w := httptest.NewRecorder()
		d.door.ServeHTTP(w, r)
		if w.Code == http.StatusAccepted && w.Body.Len() == 0 {
			return
		}
		answer := gjson.ParseBytes(w.Body.Bytes())
		failed := func(why string) {
			t.Helper()
			t.Errorf("%s\nanswered %d %v %s\n%s", body, w.Code, w.Header(), w.Body, why)
		}
		switch {
		case !gjson.ValidBytes(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json":
			failed("which is no JSON")
		case w.Code >= 500 || strings.Contains(answer.Raw, d.keys["scout"].Reveal()):
			failed("which it must not")
		case answer.Get("jsonrpc").Str != "2.0" || answer.Get("result").Exists() == answer.Get("error").Exists():
			failed("which is no JSON-RPC")
		case answer.Get("id").Type != gjson.Null && answer.Get("id").Raw != gjson.GetBytes(body, "id").Raw:
			failed("under another id")
		case answer.Get("error").Exists() && (answer.Get("error.message").Str == "" || answer.Get("error.code").Int() >= 0):
			failed("which says nothing")
		}
		got := result{json: answer}
		if !got.content().Exists() {
			if answer.Get("result.isError").Bool() && got.words() == "" {
				failed("which says nothing")
			}
			return
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.content().Raw))
		if err == nil {
			err = output[gjson.GetBytes(body, "params.name").Str].Validate(value)
		}
		if err != nil {
			failed(err.Error())
		}
		if got.repeated() != got.content().Raw || got.words() == "" || answer.Get("result.isError").Bool() {
			failed("with another content")
		}
	})
}
