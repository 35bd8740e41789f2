package httpsig

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ErrUnsigned says that a message carries neither a Signature nor a
// Signature-Input field. Whether that is acceptable is the caller's to decide.
var ErrUnsigned = errors.New("the message is not signed")

// Code is one of the signature error codes of UCP 2026-08-25 (signatures.md,
// "Error Handling"). They are stable and meant to be sent to the peer.
type Code string

// The codes, in the specification's order.
const (
	SignatureMissing     Code = "signature_missing"
	SignatureInvalid     Code = "signature_invalid"
	KeyNotFound          Code = "key_not_found"
	DigestMismatch       Code = "digest_mismatch"
	AlgorithmUnsupported Code = "algorithm_unsupported"
)

// HTTPStatus is the status that the REST binding answers with: 400 or 401.
func (c Code) HTTPStatus() int {
	if c == DigestMismatch || c == AlgorithmUnsupported {
		return http.StatusBadRequest
	}
	return http.StatusUnauthorized
}

// JSONRPC is the error code that the MCP binding answers with: -32600 or
// -32000 (overview, "Signature Errors").
func (c Code) JSONRPC() int {
	if c == DigestMismatch || c == AlgorithmUnsupported {
		return -32600
	}
	return -32000
}

// Error says why a signed message was refused. Its text holds nothing that the
// message itself did not, so it may be shown to the peer.
type Error struct {
	Code   Code
	Label  string // the signature's label in Signature-Input; empty when no single signature is to blame
	KeyID  string // the signature's keyid; empty when it has none
	Reason string // why, as the end of a sentence
	Err    error  // the cause, where there is one

	// stage is how far the check came; of several refused signatures the one
	// that came furthest is reported.
	stage stage
}

// stage numbers the steps of UCP's verify_rest_request, in its order.
type stage int

const (
	stageParse stage = iota
	stageKey
	stageAlgorithm
	stageCoverage
	stageTime
	stageDigest
	stageBase
	stageSignature
)

// Error names the signature and the reason, without the code.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Label != "" {
		fmt.Fprintf(&b, "signature %q", e.Label)
		if e.KeyID != "" {
			fmt.Fprintf(&b, " by key %q", e.KeyID)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
