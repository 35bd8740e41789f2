package state

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// MinLease is the shortest ttl of a lease: less leaves no time to renew it.
const MinLease = 100 * time.Millisecond

// Lease is the right to be the only one who works on a name. Its methods are
// safe for concurrent use.
type Lease struct {
	token   uint64
	held    context.Context
	end     context.CancelCauseFunc
	release func() error
	once    sync.Once
	err     error
}

// NewLease is for implementations of [Store]: it returns a lease that is held
// until it is released, or lost as soon as lose is called. The function release
// is called once, by the first Release, whether the lease is held or lost.
func NewLease(token uint64, release func() error) (lease *Lease, lose func()) {
	lease = &Lease{token: token, release: release}
	lease.held, lease.end = context.WithCancelCause(context.Background())
	return lease, func() { lease.end(ErrLeaseLost) }
}

// Token is the fencing token: greater than that of every lease that the store
// gave out before, on any name. A resource that remembers the greatest token it
// has seen, and refuses smaller ones, is safe from holders that have lost their
// lease without noticing. Entries of the store need no token, since their
// version does the same.
func (l *Lease) Token() uint64 { return l.token }

// Done is closed when the lease is lost or released.
func (l *Lease) Done() <-chan struct{} { return l.held.Done() }

// Err is nil while the lease is held, [ErrLeaseLost] when it was lost, and
// [context.Canceled] when it was released.
func (l *Lease) Err() error { return context.Cause(l.held) }

// Context returns a context for work that must stop when the lease ends: it is
// cancelled with parent, and when the lease is lost or released, with the cause
// that Err names. The caller must call cancel when the work is done.
func (l *Lease) Context(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, cancelCause := context.WithCancelCause(parent)
	stop := context.AfterFunc(l.held, func() { cancelCause(l.Err()) })
	return ctx, func() {
		stop()
		cancelCause(nil)
	}
}

// Release gives the lease back and ends its renewal. It takes no context: it
// must also work when that of the request is over, and a store bounds the time
// it takes. The error is [ErrLeaseLost] if the lease was lost, and otherwise
// means that the lease ends by itself within its ttl. Releasing again returns
// the same error.
func (l *Lease) Release() error {
	l.once.Do(func() {
		l.end(context.Canceled)
		l.err = l.release()
		if l.Err() == ErrLeaseLost {
			l.err = fmt.Errorf("releasing a lease: %w", ErrLeaseLost)
		}
	})
	return l.err
}
