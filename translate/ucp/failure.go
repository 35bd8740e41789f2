package ucp

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/mcphttp"
)

// FailureCode says why a request was not carried out.
type FailureCode = httpdoor.Code

// The codes of the specification (overview, "Error Codes"; catalog/lookup, "Batch
// Size"). Those of signatures are httpsig's.
const (
	InvalidProfileURL  FailureCode = "invalid_profile_url"
	ProfileUnreachable FailureCode = "profile_unreachable"
	ProfileMalformed   FailureCode = "profile_malformed"
	VersionUnsupported FailureCode = "version_unsupported"
	RequestTooLarge    FailureCode = "request_too_large"
)

// The codes of ours, where the specification has a status and no code.
const (
	InvalidRequest     = httpdoor.InvalidRequest
	Unauthorized       = httpdoor.Unauthorized
	ProfileMismatch    = FailureCode("profile_mismatch")
	BodyTooLarge       = httpdoor.BodyTooLarge
	RouteNotFound      = httpdoor.RouteNotFound
	MethodNotAllowed   = httpdoor.MethodNotAllowed
	UnsupportedMedia   = httpdoor.UnsupportedMedia
	IdempotencyReused  = httpdoor.IdempotencyReused
	IdempotencyRunning = httpdoor.IdempotencyRunning
	Unavailable        = httpdoor.Unavailable
	InternalError      = httpdoor.InternalError
)

// Failure is a request that was not carried out, as opposed to one whose outcome
// is an error: the flat object of the protocol's REST binding, which is the data of
// an error of its MCP binding (overview, "Transport Bindings").
type Failure = httpdoor.Failure

// realm is the protection space of an agent's key.
const realm = "ucp"

// flat is the body of a failure (overview, "Transport Bindings").
type flat struct {
	Code        FailureCode `json:"code"`
	Content     string      `json:"content"`
	ContinueURL string      `json:"continue_url,omitempty"`
}

// flatBody returns a failure as REST has it.
func flatBody(f *Failure) []byte {
	body, err := json.Marshal(flat{f.Code, f.Content, f.ContinueURL})
	if err != nil {
		// Three texts can always be encoded.
		return []byte(`{"code":"internal_error","content":"Something went wrong here"}`)
	}
	return body
}

// rpcDiscoveryFailed is the protocol's code in JSON-RPC for a platform's profile that
// is of no use (overview, "Error Codes").
const rpcDiscoveryFailed = -32001

// rpcBody returns a failure as MCP has it. The id is the request's, nil where it is
// not known.
func rpcBody(id []byte, f *Failure) []byte { return mcphttp.ErrorBody(id, rpcCode(f.Code), f) }

// rpcCode returns the code of a failure in JSON-RPC.
func rpcCode(code FailureCode) int {
	switch code {
	case "digest_mismatch", "algorithm_unsupported":
		return mcphttp.InvalidMessage
	case RequestTooLarge:
		return mcphttp.InvalidParams
	case InvalidProfileURL, ProfileUnreachable, ProfileMalformed, VersionUnsupported:
		return rpcDiscoveryFailed
	}
	return mcphttp.CodeOf(code)
}

// refuse returns a Failure whose content is made like fmt.Sprintf.
func refuse(status int, code FailureCode, format string, args ...any) *Failure {
	return &Failure{Status: status, Code: code, Content: fmt.Sprintf(format, args...)}
}

// invalid returns the Failure of a request that breaks a rule which only the
// operation itself can check. The path is a JSONPath into the request.
func invalid(path, format string, args ...any) *Failure {
	return refuse(http.StatusBadRequest, InvalidRequest, "%s: %s", path, fmt.Sprintf(format, args...))
}
