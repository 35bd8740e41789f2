package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

const (
	// Keep is how long an answer is given again, and how long the payload that
	// an unanswered key came with is remembered.
	Keep = 48 * time.Hour

	// LeaseTTL is how long a retry waits for a process that died.
	LeaseTTL = 10 * time.Second

	// MaxKey is the longest idempotency key, in bytes.
	MaxKey = 255

	// retryAfter is when a retry that came too early should come again: most
	// operations take less than this.
	retryAfter = time.Second
)

// Outcomes of [Records.Begin] that are no answer. They arrive wrapped.
var (
	// ErrPayloadMismatch means that the key was used before with another
	// payload.
	ErrPayloadMismatch = errors.New("idempotency: key was used with another payload")

	// ErrInFlight means that a request with the key is running. The error is
	// an [InFlightError].
	ErrInFlight = errors.New("idempotency: first request is still running")

	// ErrKey means that the key is empty or longer than MaxKey.
	ErrKey = fmt.Errorf("idempotency: key must be 1 to %d bytes", MaxKey)

	// ErrLost means that a Ticket came too late: its lease was lost and another
	// request has taken over. Nothing was stored.
	ErrLost = errors.New("idempotency: another request has taken over")
)

// InFlightError says when to come back. It matches [ErrInFlight].
type InFlightError struct {
	RetryAfter time.Duration
}

func (e *InFlightError) Error() string {
	return fmt.Sprintf("%v, retry after %v", ErrInFlight, e.RetryAfter)
}

// Is reports whether target is ErrInFlight.
func (e *InFlightError) Is(target error) bool { return target == ErrInFlight }

// Records are the first answers in a store. Their methods are safe for
// concurrent use.
type Records struct {
	store state.Store
	now   func() time.Time
}

// New returns the records in store, which should be sealed, since answers hold
// buyers' data. The clock now dates the answers.
func New(store state.Store, now func() time.Time) *Records {
	return &Records{store: store, now: now}
}

// Begin claims the key of scope for a request with the given payload. Without an
// error exactly one of its results is not nil: a Ticket if the request has to be
// run, or the answer that was given to the first one.
//
// The errors are [ErrPayloadMismatch], [InFlightError], [ErrKey], and those of
// the store, above all [state.ErrUnavailable]: then the operation must not run.
func (r *Records) Begin(ctx context.Context, scope Scope, payload Fingerprint) (*Ticket, *Response, error) {
	key, err := scope.storeKey()
	if err != nil {
		return nil, nil, err
	}
	seen, version, err := r.read(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	if replay, err := seen.answer(payload); replay != nil || err != nil {
		return nil, replay, err
	}
	lease, err := r.store.TryAcquire(ctx, key, LeaseTTL)
	if errors.Is(err, state.ErrLocked) {
		return nil, nil, &InFlightError{RetryAfter: retryAfter}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("claiming an idempotency key: %w", err)
	}
	// The swap fails if anything happened to the record since it was read, so
	// it needs no second look under the lease.
	version, err = r.write(ctx, key, version, running(payload))
	if err == nil {
		return &Ticket{records: r, key: key, payload: payload, version: version, lease: lease}, nil, nil
	}
	// The error of the swap is the one to report: a lease that could not be
	// released ends by itself.
	_ = lease.Release()
	if errors.Is(err, state.ErrConflict) {
		return r.settle(ctx, key, payload)
	}
	return nil, nil, err
}

// settle is the outcome for a request that came while another one changed the
// record: its answer if that is there by now.
func (r *Records) settle(ctx context.Context, key string, payload Fingerprint) (*Ticket, *Response, error) {
	seen, _, err := r.read(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	if replay, err := seen.answer(payload); replay != nil || err != nil {
		return nil, replay, err
	}
	return nil, nil, &InFlightError{RetryAfter: retryAfter}
}
