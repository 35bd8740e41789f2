package ucp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/tidwall/gjson"
)

// message returns a request that carries a JSON-RPC message, as an agent sends it.
func (d *desk) message(agent, body string) *http.Request {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.mcpURL, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if agent != "" {
		r.Header.Set("Authorization", "Bearer "+d.keys[agent].Reveal())
	}
	return r
}

// toolMessage returns a call of a tool: its arguments but for meta, as members of
// an object.
func toolMessage(id int, op Operation, key, arguments string) string {
	meta := map[string]any{"ucp-agent": map[string]string{"profile": wholeURL}}
	if key != "" {
		meta["idempotency-key"] = key
	}
	encoded, err := json.Marshal(meta)
	if err != nil {
		panic(err) // a literal
	}
	if arguments != "" {
		arguments = "," + arguments
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"meta":%s%s}}}`, id, op, encoded, arguments)
}

// call calls a tool.
func (d *desk) call(agent string, op Operation, key, arguments string) result {
	d.t.Helper()
	return d.send(d.message(agent, toolMessage(1, op, key, arguments)))
}

// content is what the tool answered.
func (r result) content() gjson.Result { return r.json.Get("result.structuredContent") }
