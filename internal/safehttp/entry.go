package safehttp

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// staleIfError is for how long a document outlives its freshness while its
	// host cannot be asked, in the manner of RFC 5861, section 4.
	staleIfError = time.Hour

	// retryAfter is for how long a failure is remembered.
	retryAfter = 30 * time.Second

	// maxETag bounds the ETags that are kept, in bytes.
	maxETag = 256

	// entrySize is about what an entry costs in bytes beside its document.
	entrySize = 512
)

// entry is what is known about one URL. It does not change once it is shared.
// The zero entry knows nothing.
type entry[T any] struct {
	value      T         // the last good document, if there is one
	freshUntil time.Time // as its host allowed; zero if there is no document
	etag       string
	size       int64 // of the document as it was sent, in bytes

	err       error     // why there is no document to use
	due       time.Time // when to ask again
	refreshed time.Time // when Refresh last asked
}

// newEntry returns the entry of a document that was just fetched.
func newEntry[T any](value T, response *Response, now time.Time) *entry[T] {
	e := &entry[T]{value: value, size: int64(len(response.Body))}
	if etag := response.Header.Get("ETag"); len(etag) <= maxETag {
		e.etag = etag
	}
	e.freshUntil = now.Add(freshFor(response.Header))
	e.due = e.freshUntil
	return e
}

// revalidated returns the entry after its host said that it did not change.
func (e *entry[T]) revalidated(header http.Header, now time.Time) *entry[T] {
	next := *e
	next.freshUntil = now.Add(freshFor(header))
	next.due = next.freshUntil
	return &next
}

// failed returns the entry after its document could not be had. A document that
// is fresh, or that may serve although it is stale, stays in use.
func (e *entry[T]) failed(err error, now time.Time) *entry[T] {
	staleUntil := e.freshUntil.Add(staleIfError)
	if now.Before(e.freshUntil) || isPassing(err) && now.Before(staleUntil) {
		next := *e
		next.due = later(e.freshUntil, earlier(now.Add(retryAfter), staleUntil))
		if errors.Is(err, ErrBudget) {
			next.due = time.Time{}
		}
		return &next
	}
	if errors.Is(err, ErrBudget) {
		return &entry[T]{err: err}
	}
	return &entry[T]{err: err, due: now.Add(retryAfter)}
}

// remembered reports whether the entry is to be kept. That the budget was used
// up says nothing about the URL, so that this must not displace what is known.
func (e *entry[T]) remembered() bool { return !e.due.IsZero() }

// isPassing reports whether a failure says nothing about the document, only that
// it cannot be asked for just now.
func isPassing(err error) bool {
	if status, ok := errors.AsType[statusError](err); ok {
		return status == http.StatusTooManyRequests || status >= 500
	}
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrBudget)
}

// statusError is the status of an answer that is no document.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("%v %d", ErrStatus, int(s)) }

func (statusError) Unwrap() error { return ErrStatus }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
