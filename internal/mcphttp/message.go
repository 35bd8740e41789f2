package mcphttp

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/shape"
)

// The codes of failures that only these endpoints have.
const (
	MalformedJSON    httpdoor.Code = "malformed_json"
	MalformedMessage httpdoor.Code = "malformed_message"
	UnknownMethod    httpdoor.Code = "unknown_method"
)

// MaxID bounds the id of a request, in bytes.
const MaxID = 256

// Message is a JSON-RPC message.
type Message struct {
	Body []byte
	// ID is that of a request, as it was sent, and nil when the message is none.
	ID     []byte
	Method string
}

// messageFields are the members of a request.
const messageFields = "jsonrpc, id, method and params"

// Read reads a message. A request's method is there, and no member that is
// unknown, or known by another case: what reads it after us must not find more in it.
func Read(body []byte) (*Message, *httpdoor.Failure) {
	if err := shape.Strict(body); err != nil {
		if !json.Valid(body) {
			return nil, httpdoor.Refuse(http.StatusBadRequest, MalformedJSON, "The body must be JSON: %v", err)
		}
		return nil, malformed("The body must be one JSON-RPC message: %v", err)
	}
	m := &Message{Body: body}
	root := gjson.ParseBytes(body)
	method, id := root.Get("method"), root.Get("id")
	switch {
	case root.Get("jsonrpc").Str != "2.0":
		return nil, malformed(`jsonrpc must be "2.0"`)
	case !method.Exists() && (root.Get("result").Exists() || root.Get("error").Exists()):
		return m, nil
	case method.Type != gjson.String || method.Str == "":
		return nil, malformed("method must be the name of a method")
	}
	m.Method = method.Str
	if id.Exists() {
		if !isID(id) {
			return nil, malformed("id must be a whole number of the size of JavaScript's, or a string of %d bytes at most", MaxID)
		}
		m.ID = []byte(id.Raw)
	}
	var failure *httpdoor.Failure
	root.ForEach(func(name, _ gjson.Result) bool {
		switch name.Str {
		case "jsonrpc", "id", "method", "params":
			return true
		}
		failure = malformed("A request has %s, and nothing else", messageFields)
		return false
	})
	return m, failure
}

func malformed(format string, args ...any) *httpdoor.Failure {
	return httpdoor.Refuse(http.StatusBadRequest, MalformedMessage, format, args...)
}

// isID reports whether a value can be the id of a request. It is given back as
// it came, which the MCP server does for no other numbers than these.
func isID(id gjson.Result) bool {
	if id.Type == gjson.String {
		return len(id.Raw) <= MaxID
	}
	n, err := strconv.ParseInt(id.Raw, 10, 64)
	return err == nil && n <= shape.MaxInteger && n >= -shape.MaxInteger && strconv.FormatInt(n, 10) == id.Raw
}

// Operation returns what metrics call the message's method: the methods that are
// answered, and nothing for all others. A tool call is named by its tool instead.
func (m *Message) Operation() string {
	switch m.Method {
	case "initialize", "ping", "server/discover", "tools/list", "resources/list", "resources/read":
		return m.Method
	}
	return ""
}
