package ucp

import (
	"fmt"
	"net/http"
	"time"
)

// FailureCode says why a request was not carried out.
type FailureCode string

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
	InvalidRequest     FailureCode = "invalid_request"
	Unauthorized       FailureCode = "unauthorized"
	ProfileMismatch    FailureCode = "profile_mismatch"
	BodyTooLarge       FailureCode = "body_too_large"
	RouteNotFound      FailureCode = "not_found"
	MethodNotAllowed   FailureCode = "method_not_allowed"
	UnsupportedMedia   FailureCode = "unsupported_media_type"
	IdempotencyReused  FailureCode = "idempotency_key_reused"
	IdempotencyRunning FailureCode = "idempotency_in_progress"
	Unavailable        FailureCode = "unavailable"
	InternalError      FailureCode = "internal_error"
	// Of the MCP binding alone.
	MalformedJSON    FailureCode = "malformed_json"
	MalformedMessage FailureCode = "malformed_message"
	UnknownMethod    FailureCode = "unknown_method"
	OriginRefused    FailureCode = "origin_refused"
)

// Failure is a request that was not carried out, as opposed to one whose outcome
// is an error: the flat object of the protocol's REST binding, which is the data of
// an error of its MCP binding (overview, "Transport Bindings").
type Failure struct {
	// Status is the HTTP status, of both bindings.
	Status int
	Code   FailureCode
	// Content tells the caller what is wrong and what would be right. Nothing of
	// it comes from a shop or a stranger's server.
	Content string
	// ContinueURL is where a person can go on instead.
	ContinueURL string
	// RetryAfter is when to try again, zero where that would not help.
	RetryAfter time.Duration
	// Err is the cause, for the log alone.
	Err error
}

// Error implements error.
func (f *Failure) Error() string {
	text := string(f.Code) + ": " + f.Content
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// refuse returns a Failure whose content is made like fmt.Sprintf.
func refuse(status int, code FailureCode, format string, args ...any) *Failure {
	return &Failure{Status: status, Code: code, Content: fmt.Sprintf(format, args...)}
}

// invalid returns the Failure of a request that breaks a rule which only the
// operation itself can check. The path is a JSONPath into the request.
func invalid(path, format string, args ...any) *Failure {
	return refuse(http.StatusBadRequest, InvalidRequest, "%s: %s", path, fmt.Sprintf(format, args...))
}
