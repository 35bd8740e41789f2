package bolt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/internal/turns"
)

// tokensPerOpening is how many fencing tokens one opening of the file may give
// out: more than it could in a hundred years. So tokens grow from one opening to
// the next without being written to disk.
const tokensPerOpening = 1 << 40

// firstToken returns the token before those of the opening with this number.
func firstToken(opening uint64) uint64 { return opening * tokensPerOpening }

// openingOf returns the number of the opening that gave out a token.
func openingOf(token uint64) uint64 { return token / tokensPerOpening }

// Acquire implements state.Store. The ttl is only checked: nobody but this
// process can be waiting.
func (s *Store) Acquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	if err := state.CheckLease(name, ttl); err != nil {
		return nil, err
	}
	waiting, cancel := turns.Join(ctx, s.open)
	defer cancel()
	if _, err := s.turns.Take(waiting, name); err == nil {
		return s.lease(name)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("waiting for a lease: %w: %w", state.ErrLocked, ctx.Err())
	}
	return nil, fmt.Errorf("waiting for a lease: %w", errClosed())
}

// TryAcquire implements state.Store.
func (s *Store) TryAcquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	if err := state.CheckLease(name, ttl); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("taking a lease: %w", unavailable(err))
	}
	if !s.turns.TryTake(name) {
		return nil, fmt.Errorf("taking a lease: %w", state.ErrLocked)
	}
	return s.lease(name)
}

// lease returns the lease on a name that this caller has just taken.
func (s *Store) lease(name string) (*state.Lease, error) {
	if s.open.Err() != nil {
		s.turns.Give(name)
		return nil, fmt.Errorf("taking a lease: %w", errClosed())
	}
	var unwatch func() bool
	lease, lose := state.NewLease(s.token.Add(1), func() error {
		unwatch()
		s.turns.Give(name)
		return nil
	})
	unwatch = context.AfterFunc(s.open, lose)
	return lease, nil
}

func errClosed() error { return unavailable(errors.New("the store is closed")) }
