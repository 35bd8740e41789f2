package mcphttp

import (
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
)

// The codes of JSON-RPC errors (JSON-RPC 2.0, section 5.1), and that of a server's
// own refusals.
const (
	ParseError     = -32700
	InvalidMessage = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	Refused        = -32000
)

// rpcError is a JSON-RPC error response.
type rpcError struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   struct {
		Code    int     `json:"code"`
		Message string  `json:"message"`
		Data    rpcData `json:"data"`
	} `json:"error"`
}

// rpcData is what is said of a failure beside its text.
type rpcData struct {
	Code        httpdoor.Code `json:"code"`
	Content     string        `json:"content"`
	ContinueURL string        `json:"continue_url,omitempty"`
	// RetryAfter counts seconds.
	RetryAfter int64 `json:"retry_after,omitempty"`
}

// ErrorBody returns a failure as a JSON-RPC error of a code. The id is the
// request's, nil where it is not known. Its message is that of the failure, since
// it is all that many clients show.
func ErrorBody(id []byte, code int, f *httpdoor.Failure) []byte {
	e := rpcError{JSONRPC: "2.0", ID: json.RawMessage("null")}
	if id != nil {
		e.ID = id
	}
	e.Error.Code, e.Error.Message = code, f.Content
	e.Error.Data = rpcData{Code: f.Code, Content: f.Content, ContinueURL: f.ContinueURL}
	if f.RetryAfter > 0 {
		e.Error.Data.RetryAfter = httpdoor.WholeSeconds(f.RetryAfter)
	}
	body, err := json.Marshal(e)
	if err != nil {
		// Texts, numbers, and an id that is JSON can always be encoded.
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"Something went wrong here"}}`, InternalError)
	}
	return body
}

// CodeOf returns the code of a failure in JSON-RPC.
func CodeOf(code httpdoor.Code) int {
	switch code {
	case MalformedJSON:
		return ParseError
	case MalformedMessage, httpdoor.BodyTooLarge, httpdoor.UnsupportedMedia, httpdoor.MethodNotAllowed:
		return InvalidMessage
	case UnknownMethod:
		return MethodNotFound
	case httpdoor.InvalidRequest:
		return InvalidParams
	case httpdoor.InternalError:
		return InternalError
	}
	return Refused
}
