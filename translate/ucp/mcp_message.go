package ucp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/ucp/internal/shape"
)

// The codes of JSON-RPC errors (JSON-RPC 2.0, section 5.1; UCP, overview, "Error
// Codes").
const (
	rpcParseError      = -32700
	rpcInvalidRequest  = -32600
	rpcMethodNotFound  = -32601
	rpcInvalidParams   = -32602
	rpcInternalError   = -32603
	rpcRefused         = -32000
	rpcDiscoveryFailed = -32001
)

// maxRPCID bounds the id of a request, in bytes.
const maxRPCID = 256

// message is a JSON-RPC message.
type message struct {
	body []byte
	// id is that of a request, as it was sent, and nil when the message is none.
	id     []byte
	method string
}

// messageFields are the members of a request (schemas/transports/jsonrpc.json).
const messageFields = "jsonrpc, id, method and params"

// readMessage reads a message. A request's method is there, and no member that is
// unknown, or known by another case: what reads it after us must not find more in it.
func readMessage(body []byte) (*message, *Failure) {
	if err := shape.Strict(body); err != nil {
		if !json.Valid(body) {
			return nil, refuse(http.StatusBadRequest, MalformedJSON, "The body must be JSON: %v", err)
		}
		return nil, refuse(http.StatusBadRequest, MalformedMessage, "The body must be one JSON-RPC message: %v", err)
	}
	m := &message{body: body}
	root := gjson.ParseBytes(body)
	method, id := root.Get("method"), root.Get("id")
	switch {
	case root.Get("jsonrpc").Str != "2.0":
		return nil, refuse(http.StatusBadRequest, MalformedMessage, `jsonrpc must be "2.0"`)
	case !method.Exists() && (root.Get("result").Exists() || root.Get("error").Exists()):
		return m, nil
	case method.Type != gjson.String || method.Str == "":
		return nil, refuse(http.StatusBadRequest, MalformedMessage, "method must be the name of a method")
	}
	m.method = method.Str
	if id.Exists() {
		if !isRPCID(id) {
			return nil, refuse(http.StatusBadRequest, MalformedMessage, "id must be a whole number of the size of JavaScript's, or a string of %d bytes at most", maxRPCID)
		}
		m.id = []byte(id.Raw)
	}
	var failure *Failure
	root.ForEach(func(name, _ gjson.Result) bool {
		switch name.Str {
		case "jsonrpc", "id", "method", "params":
			return true
		}
		failure = refuse(http.StatusBadRequest, MalformedMessage, "A request has %s, and nothing else", messageFields)
		return false
	})
	return m, failure
}

// isRPCID reports whether a value can be the id of a request. It is given back as
// it came, which the MCP server does for no other numbers than these.
func isRPCID(id gjson.Result) bool {
	if id.Type == gjson.String {
		return len(id.Raw) <= maxRPCID
	}
	n, err := strconv.ParseInt(id.Raw, 10, 64)
	return err == nil && n <= shape.MaxInteger && n >= -shape.MaxInteger && strconv.FormatInt(n, 10) == id.Raw
}

// operation returns what metrics call the message's method: the methods that are
// answered, and nothing for all others. A tool call is named by its tool instead.
func (m *message) operation() Operation {
	switch m.method {
	case "initialize", "ping", "server/discover", "tools/list", "resources/list", "resources/read":
		return Operation(m.method)
	}
	return ""
}

// rpcError is a JSON-RPC error response (schemas/transports/jsonrpc.json).
type rpcError struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   struct {
		Code    int     `json:"code"`
		Message string  `json:"message"`
		Data    rpcData `json:"data"`
	} `json:"error"`
}

// rpcData is what UCP adds to an error.
type rpcData struct {
	flat
	// RetryAfter counts seconds.
	RetryAfter int64 `json:"retry_after,omitempty"`
}

// rpcBody returns the failure as a JSON-RPC error. Its message is that of the
// failure, since it is all that many clients show.
func (f *Failure) rpcBody(id []byte) []byte {
	e := rpcError{JSONRPC: "2.0", ID: json.RawMessage("null")}
	if id != nil {
		e.ID = id
	}
	e.Error.Code, e.Error.Message = f.rpcCode(), f.Content
	e.Error.Data.flat = flat{f.Code, f.Content, f.ContinueURL}
	if f.RetryAfter > 0 {
		e.Error.Data.RetryAfter = wholeSeconds(f.RetryAfter)
	}
	body, err := json.Marshal(e)
	if err != nil {
		// Texts, numbers, and an id that is JSON can always be encoded.
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"Something went wrong here"}}`, rpcInternalError)
	}
	return body
}

// rpcCode returns the failure's code in JSON-RPC.
func (f *Failure) rpcCode() int {
	switch f.Code {
	case MalformedJSON:
		return rpcParseError
	case MalformedMessage, BodyTooLarge, UnsupportedMedia, MethodNotAllowed, "digest_mismatch", "algorithm_unsupported":
		return rpcInvalidRequest
	case UnknownMethod:
		return rpcMethodNotFound
	case InvalidRequest, RequestTooLarge:
		return rpcInvalidParams
	case InternalError:
		return rpcInternalError
	case InvalidProfileURL, ProfileUnreachable, ProfileMalformed, VersionUnsupported:
		return rpcDiscoveryFailed
	}
	return rpcRefused
}
