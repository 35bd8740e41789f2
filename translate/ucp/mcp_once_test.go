package ucp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"
)

// A retry has a new JSON-RPC id, and may have other metadata. It gets the first
// answer under its own id.
func TestMCPRetries(t *testing.T) {
	d := newDesk(t, nil)
	first := d.send(d.message("scout", toolMessage(1, CreateCart, "k", oneBootCart)))
	again := d.send(d.message("scout", toolMessage(2, CreateCart, "k", oneBootCart)))
	if again.json.Get("id").Int() != 2 || again.content().Raw != first.content().Raw || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %v %s\nfirst: %s", again.Header, again.text, first.text)
	}
	if event := d.event(); !event.Replayed || event.Outcome != "replayed" || event.Status != 200 {
		t.Errorf("event %+v", event)
	}
	// The key may stand in the header alone.
	r := d.message("scout", toolMessage(3, CreateCart, "", oneBootCart))
	r.Header.Set("Idempotency-Key", "k")
	if got := d.send(r); got.content().Raw != first.content().Raw {
		t.Errorf("by header: %s", got.text)
	}
	// It is a key of the operation, over whichever door.
	if got := d.write("scout", "POST", "/carts", oneBoot, "k"); got.text != first.content().Raw {
		t.Errorf("over REST: %s", got.text)
	}
	// Another agent's, another payload.
	if got := d.send(d.message("rival", toolMessage(1, CreateCart, "k", oneBootCart))); got.content().Get("id").Str == first.content().Get("id").Str {
		t.Errorf("the rival: %s", got.text)
	}
	got := d.send(d.message("scout", toolMessage(1, CreateCart, "k", `"cart":{"line_items":[]}`)))
	if got.StatusCode != http.StatusConflict || got.json.Get("error.code").Int() != -32000 || got.json.Get("error.data.code").Str != string(IdempotencyReused) {
		t.Errorf("another payload: %d %s", got.StatusCode, got.text)
	}
}

// A second call while the first one runs is told to wait.
func TestMCPWhileItRuns(t *testing.T) {
	d := newDesk(t, nil)
	started, finish := make(chan struct{}), make(chan struct{})
	d.ledger.before = func() error {
		close(started)
		<-finish
		return nil
	}
	done := make(chan result)
	go func() { done <- d.call("scout", CancelCart, "k", `"id":"x"`) }()
	<-started
	d.ledger.before = nil
	retry := d.call("scout", CancelCart, "k", `"id":"x"`)
	if retry.StatusCode != http.StatusConflict || retry.json.Get("error.data.code").Str != string(IdempotencyRunning) ||
		retry.json.Get("error.data.retry_after").Int() < 1 || retry.Header.Get("Retry-After") == "" {
		t.Errorf("a retry: %d %v %s", retry.StatusCode, retry.Header, retry.text)
	}
	close(finish)
	first := <-done
	if again := d.call("scout", CancelCart, "k", `"id":"x"`); again.content().Raw != first.content().Raw {
		t.Errorf("afterwards: %s", again.text)
	}
}

// Nobody's message ends another's call: a notification of a cancellation changes
// nothing, and no id is anybody's but the client's.
func TestMCPCancelsNothingOfOthers(t *testing.T) {
	d := newDesk(t, nil)
	started, finish := make(chan struct{}), make(chan struct{})
	d.ledger.before = func() error {
		close(started)
		<-finish
		return nil
	}
	done := make(chan result)
	go func() { done <- d.call("scout", GetCart, "", `"id":"x"`) }()
	<-started
	d.ledger.before = nil
	for _, note := range []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`,
	} {
		if got := d.send(d.message("rival", note)); got.StatusCode != http.StatusAccepted || got.text != "" {
			t.Errorf("%s: %d %s", note, got.StatusCode, got.text)
		}
	}
	if got := d.call("rival", GetCart, "", `"id":"x"`); got.content().Get("messages.0.code").Str != "not_found" {
		t.Errorf("the rival: %s", got.text)
	}
	close(finish)
	if got := <-done; got.content().Get("messages.0.code").Str != "not_found" {
		t.Errorf("the scout: %d %s", got.StatusCode, got.text)
	}
}

// REST and MCP say the same: what is a body there is the structured content here,
// byte for byte, and what is a refusal there is the data of the error here.
func TestMCPSaysWhatRESTSays(t *testing.T) {
	type path struct{ method, path string }
	paths := map[Operation]path{
		SearchCatalog: {"POST", "/catalog/search"}, LookupCatalog: {"POST", "/catalog/lookup"}, GetProduct: {"POST", "/catalog/product"},
		CreateCart: {"POST", "/carts"}, GetCart: {"GET", "/carts/%s"}, UpdateCart: {"PUT", "/carts/%s"}, CancelCart: {"POST", "/carts/%s/cancel"},
		CreateCheckout: {"POST", "/checkout-sessions"}, GetCheckout: {"GET", "/checkout-sessions/%s"}, UpdateCheckout: {"PUT", "/checkout-sessions/%s"},
		CompleteCheckout: {"POST", "/checkout-sessions/%s/complete"}, CancelCheckout: {"POST", "/checkout-sessions/%s/cancel"},
		GetOrder: {"GET", "/orders/%s"},
	}
	// Two desks, so that what a call changes is changed once at each.
	one, other := newDesk(t, nil), newDesk(t, nil)
	all := tools()
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(all).Draw(t, "tool")
		id := rapid.SampledFrom([]string{"bsk_1", "bsk_2", "bsk_3", "A-bsk_1", "A-bsk_2", "none"}).Draw(t, "id")
		payload := ""
		if tool.payload != "" {
			var value any
			text := rapid.SampledFrom([]string{wholePayloads[tool.op], tool.example}).Draw(t, "payload")
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "broken") {
				value = mutate(t, value)
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			payload = string(encoded)
		}
		if payload != "" && payload[0] != '{' {
			t.Skip("an argument that is no object is refused in other words")
		}
		count++
		key := fmt.Sprintf("key %d", count)
		where := paths[tool.op]
		if tool.named() {
			where.path = fmt.Sprintf(where.path, id)
		}
		r := one.request("scout", where.method, where.path, payload)
		r.Header.Set("Idempotency-Key", key)
		rest := one.send(r)

		arguments := fmt.Sprintf(`"id":%q`, id)
		if !tool.named() {
			arguments = `"unknown":1`
		}
		if payload != "" {
			arguments += fmt.Sprintf(",%q:%s", tool.payload, payload)
		}
		mcp := other.call("scout", tool.op, key, arguments)
		if rest.StatusCode < 400 {
			if mcp.content().Raw != rest.text {
				t.Fatalf("%s\nREST %d: %s\nMCP %d: %s", tool.op, rest.StatusCode, rest.text, mcp.StatusCode, mcp.text)
			}
			return
		}
		data := mcp.json.Get("error.data")
		if mcp.StatusCode != rest.StatusCode || data.Get("code").Str != rest.json.Get("code").Str ||
			withoutPrefix(data, tool) != rest.json.Get("content").Str {
			t.Fatalf("%s\nREST %d: %s\nMCP %d: %s", tool.op, rest.StatusCode, rest.text, mcp.StatusCode, mcp.text)
		}
	})
}

// withoutPrefix returns an error's content without the name of the argument that
// its paths are in.
func withoutPrefix(data gjson.Result, t *tool) string {
	content := data.Get("content").Str
	if prefix := "In arguments." + t.payload + ", "; len(content) > len(prefix) && content[:len(prefix)] == prefix {
		return content[len(prefix):]
	}
	return content
}
