package safehttp

import "errors"

// The kinds of failure. Errors of this package wrap exactly one of them, or the
// error of a context that the caller ended.
var (
	// ErrURL says that a text is no absolute URL that can be called.
	ErrURL = errors.New("not a usable URL")

	// ErrScheme says that a URL is not https.
	ErrScheme = errors.New("not an https URL")

	// ErrForbiddenAddress says that a host is in a network that is not public.
	ErrForbiddenAddress = errors.New("address is not public")

	// ErrUnreachable says that no answer came in time: the name does not resolve,
	// the connection, its encryption or the reading failed, or time was up. In
	// the last case the error also wraps context.DeadlineExceeded.
	ErrUnreachable = errors.New("no answer")

	// ErrRedirect says that the answer points elsewhere.
	ErrRedirect = errors.New("redirects are not followed")

	// ErrTooLarge says that the body of the answer is longer than allowed.
	ErrTooLarge = errors.New("answer too large")

	// ErrStatus says that a document was asked for and the answer was a status
	// other than 200.
	ErrStatus = errors.New("unexpected status")

	// ErrMalformed says that a document was answered and could not be parsed.
	ErrMalformed = errors.New("malformed document")

	// ErrBudget says that too many documents were fetched of late, all in all or
	// from this host. Trying again in a few seconds is fine.
	ErrBudget = errors.New("too many fetches")
)
