package ucp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// Whatever is sent, what comes back is one JSON-RPC message with the id of the
// request, and one that the specification knows.
func FuzzMCP(f *testing.F) {
	for _, tool := range tools() {
		f.Add([]byte(toolMessage(1, tool.op, "k", argumentsOf(tool, tool.example)[1:len(argumentsOf(tool, tool.example))-1])), "")
		f.Add([]byte(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"`+string(tool.op)+`","arguments":`+argumentsOf(tool, tool.example)+`}}`), "2025-06-18")
	}
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ucp://shop/profile"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{`, ``, "\xff", `null`,
	} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), "2026-07-28")
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`), "2026-07-28")
	d := newDesk(f, nil)
	spec := spectest.Open(f, Release)
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/ucp/mcp", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+d.keys["scout"].Reveal())
		if version != "" {
			r.Header.Set("Mcp-Protocol-Version", version)
			r.Header.Set("Mcp-Method", "tools/call")
		}
		w := httptest.NewRecorder()
		d.mcp.ServeHTTP(w, r)
		if w.Code == http.StatusAccepted && w.Body.Len() == 0 {
			return
		}
		if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json" {
			t.Fatalf("%s\nanswered %d %v %s", body, w.Code, w.Header(), w.Body)
		}
		if w.Code >= 500 {
			t.Errorf("%s\nanswered %d %s", body, w.Code, w.Body)
		}
		if name, err := spec.MCP(body, w.Code, w.Body.Bytes()); err != nil {
			t.Errorf("%s (%s)\nanswered %d %s\n%v", body, name, w.Code, w.Body, err)
		}
	})
}
