package upstream

import (
	"errors"
	"fmt"
	"time"
)

// Code says why a shop did not do what was asked.
type Code string

// The codes.
const (
	// CodeNotFound: no such thing.
	CodeNotFound Code = "not_found"
	// CodeUnsupported: this shop cannot do that; its capabilities say so.
	CodeUnsupported Code = "unsupported"
	// CodeInvalid: the shop does not take the input as it stands.
	CodeInvalid Code = "invalid"
	// CodeBasketGone: the basket exists no more and was not ordered as far as
	// the shop knows.
	CodeBasketGone Code = "basket_gone"
	// CodeOutOfStock: something in the basket was sold meanwhile.
	CodeOutOfStock Code = "out_of_stock"
	// CodePriceChanged: the total is not the expected one; nothing was ordered.
	CodePriceChanged Code = "price_changed"
	// CodePaymentDeclined: the payment was refused; nothing was ordered.
	CodePaymentDeclined Code = "payment_declined"
	// CodeIncomplete: something the shop wants is missing; nothing was ordered.
	CodeIncomplete Code = "incomplete"
	// CodeEscalate: only the shop's own page can go on; Error.URL is that page.
	CodeEscalate Code = "escalate"
	// CodeNotPlaced: the basket did not become an order and will not any more.
	CodeNotPlaced Code = "not_placed"
	// CodeUnknownOutcome: the request to order went out and nobody knows yet
	// what came of it.
	CodeUnknownOutcome Code = "unknown_outcome"
	// CodeUnavailable: the shop does not answer, or not in a form that can be
	// understood. Nothing is known to have changed.
	CodeUnavailable Code = "unavailable"
	// CodeBusy: the shop asks to be left alone for Error.RetryAfter.
	CodeBusy Code = "busy"
	// CodeDenied: the shop refuses our credentials.
	CodeDenied Code = "denied"
)

// ErrForeign is wrapped by an Error with CodeUnavailable where something else than
// the shop answers at its address, or a shop of another system.
var ErrForeign = errors.New("is the address right, and the system?")

// Error is a refusal of a shop.
type Error struct {
	Code Code
	// Op is what was being done, such as "searching".
	Op string
	// Text says why, in the adapter's own plain words: nothing from the
	// upstream's body, nothing secret.
	Text string
	// RetryAfter is when to try again, zero where the shop does not say.
	RetryAfter time.Duration
	// URL is the page for CodeEscalate.
	URL string
	// Err is the cause, if any.
	Err error
}

// Error implements error.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Op != "" {
		text = e.Op + ": " + text
	}
	if e.Text != "" {
		text += ": " + e.Text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first Error in err's chain. An error without
// one is CodeUnavailable: what an adapter could not name, nobody can rely on.
// A nil error has the empty code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeUnavailable
}

// Errorf returns an Error with a text made like fmt.Sprintf.
func Errorf(code Code, op, format string, args ...any) *Error {
	return &Error{Code: code, Op: op, Text: fmt.Sprintf(format, args...)}
}
