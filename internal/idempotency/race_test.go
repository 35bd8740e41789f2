package idempotency

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// interposed is a store in which something happens right before a lease is taken,
// and in which a write may fail.
type interposed struct {
	state.Store
	before func()
	fails  error
}

func (s *interposed) TryAcquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Store.TryAcquire(ctx, name, ttl)
}

func (s *interposed) CompareAndSwap(ctx context.Context, key string, old state.Version, value []byte, ttl time.Duration) (state.Version, error) {
	if s.fails != nil {
		return state.Absent, s.fails
	}
	return s.Store.CompareAndSwap(ctx, key, old, value, ttl)
}

// A request finds nothing, and before it gets the lease another one has come and
// gone.
func TestOvertaken(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := &interposed{Store: w.start(t)}
		records := New(store, w.now)
		store.before = func() { finish(t, run(t, records, scope, payload), answer) }
		want := answer
		want.Created = w.now().UTC()
		wantReplay(t, records, want)

		w.advance(Keep)
		store.before = func() { finish(t, run(t, records, scope, other), answer) }
		wantError(t, records, payload, ErrPayloadMismatch)
	})
}

// A request takes over from one that crashed, and before it gets the lease
// another one has taken over too, and given up.
func TestOvertakenInVain(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := &interposed{Store: w.start(t)}
		records := New(store, w.now)
		if err := run(t, records, scope, payload).lease.Release(); err != nil {
			t.Fatal(err)
		}
		store.before = func() { finish(t, run(t, records, scope, payload), Response{Status: http.StatusBadGateway}) }
		wantError(t, records, payload, ErrInFlight)
		// It may come again at once.
		finish(t, run(t, records, scope, payload), answer)
	})
}

func TestBeginCannotWrite(t *testing.T) {
	inWorlds(t, func(t *testing.T, w *world) {
		store := &interposed{Store: w.start(t), fails: state.ErrUnavailable}
		records := New(store, w.now)
		wantError(t, records, payload, state.ErrUnavailable)
		store.fails = nil
		finish(t, run(t, records, scope, payload), answer)
	})
}
