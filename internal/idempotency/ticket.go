package idempotency

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// settleTime bounds Finish and Abandon once the request itself is over.
const settleTime = 5 * time.Second

// Ticket is the right, and the duty, to run a request and to say how it ended:
// by Finish or by Abandon, of which the first call counts.
type Ticket struct {
	records *Records
	key     string
	payload Fingerprint
	version state.Version
	lease   *state.Lease
	once    sync.Once
}

// Context returns a context for running the request: it is cancelled with parent
// and when the ticket's lease is lost. The caller must call cancel when done.
func (t *Ticket) Context(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	return t.lease.Context(parent)
}

// Finish stores the answer for [Keep] and ends the ticket. An answer that is not
// [Response.Final] is not stored; the key is forgotten, as by Abandon.
//
// It does its work even if ctx is over: that the agent has hung up is the very
// reason why it will ask again. When it fails the request has been run all the
// same, and its answer is true; a retry will run it again. [ErrLost] means that
// a retry already has.
func (t *Ticket) Finish(ctx context.Context, response Response) error {
	if !response.Final() {
		return t.Abandon(ctx)
	}
	return t.end(ctx, func(ctx context.Context) error {
		response.Created = t.records.now().UTC()
		_, err := t.records.write(ctx, t.key, t.version, answered(t.payload, response))
		return err
	})
}

// Abandon forgets the key, so that a retry runs the request anew, and ends the
// ticket. After Finish it does nothing.
func (t *Ticket) Abandon(ctx context.Context) error {
	return t.end(ctx, func(ctx context.Context) error {
		if err := t.records.store.CompareAndDelete(ctx, t.key, t.version); err != nil {
			return fmt.Errorf("forgetting an idempotency record: %w", err)
		}
		return nil
	})
}

// end settles the record and then releases the lease, in this order: a retry
// that gets the lease finds the record as it will stay.
func (t *Ticket) end(ctx context.Context, settle func(context.Context) error) (err error) {
	t.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		defer cancel()
		err = settle(ctx)
		if errors.Is(err, state.ErrConflict) {
			err = fmt.Errorf("%w: %w", ErrLost, err)
		}
		// What counts is the record, which no lease can change any more.
		_ = t.lease.Release()
	})
	return err
}
