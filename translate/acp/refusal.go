package acp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Code says why a request was not carried out.
type Code = httpdoor.Code

// The codes of the protocol (rfc.agentic_checkout, sections 2.1 and 6.4;
// rfc.affiliate_attribution, section 6), and those of ours, where it has none.
const (
	UnsupportedVersion Code = "unsupported_api_version"
	KeyRequired        Code = "idempotency_key_required"
	KeyConflict        Code = "idempotency_conflict"
	KeyInFlight        Code = "idempotency_in_flight"
	NoPersonalData     Code = "pii_not_allowed"
	Malformed          Code = "invalid"
	CardNumber         Code = "card_number_not_accepted"
	SignatureMissing   Code = "signature_required"
	SignatureInvalid   Code = "signature_invalid"
	TimestampOutside   Code = "timestamp_out_of_window"
	HandlerUnknown     Code = "payment_handler_unknown"
	DelegateNotServed  Code = "delegate_payment_not_served"
	NotCancelable      Code = "not_cancelable"
	StillInProgress    Code = "complete_in_progress"
)

// ErrorType is a category of errors.
type ErrorType string

// The types.
const (
	InvalidRequest     ErrorType = "invalid_request"
	ProcessingError    ErrorType = "processing_error"
	ServiceUnavailable ErrorType = "service_unavailable"
)

// Error is the body of an answer that shows nothing of what was asked for.
type Error struct {
	Type    ErrorType `json:"type"`
	Code    Code      `json:"code"`
	Message string    `json:"message"`
	// Param is a JSONPath (RFC 9535) into the request, or the name of a header.
	Param string `json:"param,omitempty"`
	// SupportedVersions stand on errors about the version alone, the newest first.
	SupportedVersions []string `json:"supported_versions,omitempty"`
}

// Refusal is a request that was not carried out.
type Refusal struct {
	httpdoor.Failure
	// Type is empty for the one that the status says.
	Type     ErrorType
	Param    string
	versions []string
}

// refuse returns a Refusal whose text is made like fmt.Sprintf. The param may be
// empty.
func refuse(status int, code Code, param, format string, args ...any) *Refusal {
	return &Refusal{Failure: httpdoor.Failure{Status: status, Code: code, Content: fmt.Sprintf(format, args...)}, Param: param}
}

// body returns the refusal as the protocol has it.
func (r *Refusal) body() []byte {
	e := Error{Type: r.Type, Code: r.Code, Message: r.Content, Param: r.Param, SupportedVersions: r.versions}
	switch {
	case e.Type != "":
	case r.Status == http.StatusServiceUnavailable:
		e.Type = ServiceUnavailable
	case r.Status >= http.StatusInternalServerError:
		e.Type = ProcessingError
	default:
		e.Type = InvalidRequest
	}
	body, err := json.Marshal(e)
	if err != nil {
		// Texts can always be encoded.
		return []byte(`{"type":"processing_error","code":"internal_error","message":"Something went wrong here"}`)
	}
	return body
}

// answer returns the response that the refusal makes.
func (r *Refusal) answer() *httpdoor.Answer {
	answer := httpdoor.JSON(r.Status, r.body())
	answer.Header.Set(versionHeader, Version)
	r.SetHeader(answer.Header, realm)
	return answer
}

// realm is the protection space of an agent's key.
const realm = "acp"

// Refuse writes a failure in the form of this protocol, for requests that do not
// come to be looked at.
func Refuse(w http.ResponseWriter, f *httpdoor.Failure) {
	answer := (&Refusal{Failure: *f}).answer()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Cache-Control", "no-store, no-transform")
	w.WriteHeader(answer.Status)
	// Whoever no longer listens need not be told.
	_, _ = w.Write(answer.Body)
}

// refusalOf returns what a caller is told of an error.
func refusalOf(err error) *Refusal {
	after, passing := basket.Passing(err)
	var refusal *Refusal
	var problems *shape.Invalid
	var running *idempotency.InFlightError
	var bad *basket.Invalid
	var shop *upstream.Error
	switch {
	case errors.As(err, &refusal):
		return refusal
	case passing:
		return &Refusal{Failure: *httpdoor.NotNow(after, err)}
	case errors.As(err, &problems):
		return refuse(http.StatusBadRequest, Malformed, (*problems)[0].Path, "%v", problems)
	case errors.Is(err, idempotency.ErrPayloadMismatch):
		return refuse(http.StatusUnprocessableEntity, KeyConflict, "", "Idempotency-Key has been used with another request body; a changed request needs a new key")
	case errors.As(err, &running):
		refusal = refuse(http.StatusConflict, KeyInFlight, "", "The first request with this Idempotency-Key is still being processed")
		refusal.RetryAfter = running.RetryAfter
		return refusal
	case errors.As(err, &bad):
		return refuse(http.StatusBadRequest, Malformed, requestPath(bad), "%s: %s", requestPath(bad), bad.Text)
	case errors.As(err, &shop) && shop.Code == upstream.CodeInvalid:
		refusal = refuse(http.StatusBadRequest, Malformed, "", "The shop does not take this as it stands: %s", shop.Text)
		refusal.Err = err
		return refusal
	case errors.As(err, &shop):
		return &Refusal{Failure: *httpdoor.Unforeseen(err)}
	}
	return &Refusal{Failure: *httpdoor.FailureOf(err)}
}
