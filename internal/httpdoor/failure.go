package httpdoor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/state"
)

// Code says why a request was not carried out. Protocols have codes of their own
// beside these.
type Code string

// The codes.
const (
	InvalidRequest     Code = "invalid_request"
	Unauthorized       Code = "unauthorized"
	BodyTooLarge       Code = "body_too_large"
	RouteNotFound      Code = "not_found"
	MethodNotAllowed   Code = "method_not_allowed"
	UnsupportedMedia   Code = "unsupported_media_type"
	OriginRefused      Code = "origin_refused"
	IdempotencyReused  Code = "idempotency_key_reused"
	IdempotencyRunning Code = "idempotency_in_progress"
	Unavailable        Code = "unavailable"
	InternalError      Code = "internal_error"
)

// DefaultRetry is when to try again where nobody knows better.
const DefaultRetry = 5 * time.Second

// Failure is a request that was not carried out, as opposed to one whose outcome
// is an error.
type Failure struct {
	// Status is the HTTP status.
	Status int
	Code   Code
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

// SetHeader sets the header fields that belong to the failure's status. The realm
// is the protection space that a key would open.
func (f *Failure) SetHeader(header http.Header, realm string) {
	switch f.Status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="`+realm+`"`)
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", seconds(f.RetryAfter))
	case http.StatusConflict:
		if f.RetryAfter > 0 {
			header.Set("Retry-After", seconds(f.RetryAfter))
		}
	}
}

// Refuse returns a Failure whose content is made like fmt.Sprintf.
func Refuse(status int, code Code, format string, args ...any) *Failure {
	return &Failure{Status: status, Code: code, Content: fmt.Sprintf(format, args...)}
}

// NotNow is the failure of a request that may well succeed later, after DefaultRetry
// if nobody says when.
func NotNow(after time.Duration, err error) *Failure {
	if after == 0 {
		after = DefaultRetry
	}
	return &Failure{
		Status: http.StatusServiceUnavailable, Code: Unavailable, RetryAfter: after, Err: err,
		Content: "The shop cannot answer just now; try again later",
	}
}

// Unforeseen is the failure that nobody saw coming.
func Unforeseen(err error) *Failure {
	return &Failure{
		Status: http.StatusInternalServerError, Code: InternalError, Err: err,
		Content: "Something went wrong here; the shop has a record of it",
	}
}

// FailureOf returns what a caller is told of an error: of credentials, of
// idempotency, of the store or of the context. Any other is unforeseen.
func FailureOf(err error) *Failure {
	var failure *Failure
	var running *idempotency.InFlightError
	switch {
	case errors.As(err, &failure):
		told := *failure
		told.Err = err
		return &told
	case errors.Is(err, agents.ErrTwoKeys):
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "The request names two different agent keys; send one",
		}
	case errors.Is(err, agents.ErrCredentials):
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "Authorization or X-API-Key cannot be read; send Authorization: Bearer and the agent key",
		}
	case errors.Is(err, idempotency.ErrPayloadMismatch):
		return &Failure{
			Status: http.StatusConflict, Code: IdempotencyReused, Err: err,
			Content: "This Idempotency-Key came with another body before; a changed request needs a new key",
		}
	case errors.As(err, &running):
		return &Failure{
			Status: http.StatusConflict, Code: IdempotencyRunning, Err: err, RetryAfter: running.RetryAfter,
			Content: "The first request with this Idempotency-Key is still running",
		}
	case errors.Is(err, idempotency.ErrKey):
		return Refuse(http.StatusBadRequest, InvalidRequest, "Idempotency-Key must be 1 to %d bytes", idempotency.MaxKey)
	case errors.Is(err, state.ErrUnavailable):
		// It is not the shop that is away, and whoever looks after it should not
		// be sent there.
		failure := NotNow(DefaultRetry, err)
		failure.Content = "The storage where this site keeps baskets and orders cannot be reached just now; try again later"
		return failure
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return NotNow(DefaultRetry, err)
	}
	return Unforeseen(err)
}

// Recovered, when deferred, turns a panic into an error like any other.
func Recovered(err *error) {
	v := recover()
	if v == nil {
		return
	}
	if e, ok := v.(error); ok && errors.Is(e, http.ErrAbortHandler) {
		panic(v)
	}
	*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
}
