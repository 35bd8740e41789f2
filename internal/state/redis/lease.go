package redis

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	randv2 "math/rand/v2"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/internal/turns"
)

// How the acquire script goes about it.
const (
	modeTry  = "try"  // once
	modeWait = "wait" // and note that this process is waiting
	modeNext = "next" // as the next of this process, but after any other process
)

const (
	// pollEvery is the least time between two attempts to get a lease that
	// another process holds; as much again is added at random.
	pollEvery = 20 * time.Millisecond

	// waitingTime is how long a process counts as waiting after an attempt.
	waitingTime = 100 * time.Millisecond
)

// Acquire implements state.Store.
//
// The callers of one process queue up, and only the first of them asks Redis. To
// let other processes have their turn, it does so last when it has the lease
// from its own process.
func (s *Store) Acquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	if err := state.CheckLease(name, ttl); err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	return s.acquire(ctx, name, ttl)
}

// acquire is Acquire for a store that may not be ready.
func (s *Store) acquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	waiting, cancel := turns.Join(ctx, s.open)
	defer cancel()
	waited, err := s.turns.Take(waiting, name)
	if err != nil {
		return nil, s.gaveUp(ctx)
	}
	mode := modeWait
	if waited {
		mode = modeNext
	}
	for {
		lease, err := s.lease(waiting, name, ttl, mode)
		if err == nil {
			return lease, nil
		}
		if errors.Is(err, state.ErrLocked) && pause(waiting, pollEvery+randv2.N(pollEvery)) {
			mode = modeWait
			continue
		}
		s.turns.Give(name)
		if over(waiting) != nil {
			return nil, s.gaveUp(ctx)
		}
		return nil, fmt.Errorf("waiting for a lease: %w", err)
	}
}

// gaveUp is why waiting for a lease with ctx ended.
func (s *Store) gaveUp(ctx context.Context) error {
	if over := over(ctx); over != nil {
		return fmt.Errorf("waiting for a lease: %w: %w", state.ErrLocked, over)
	}
	return fmt.Errorf("waiting for a lease: %w", errClosed())
}

// pause waits, and reports false if ctx is over first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// TryAcquire implements state.Store.
func (s *Store) TryAcquire(ctx context.Context, name string, ttl time.Duration) (*state.Lease, error) {
	if err := state.CheckLease(name, ttl); err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if !s.turns.TryTake(name) {
		return nil, fmt.Errorf("taking a lease: %w", state.ErrLocked)
	}
	lease, err := s.lease(ctx, name, ttl, modeTry)
	if err != nil {
		s.turns.Give(name)
		return nil, fmt.Errorf("taking a lease: %w", err)
	}
	return lease, nil
}

// lease asks Redis for a lease whose turn this caller has taken. The turn passes
// to the lease, unless there is an error.
func (s *Store) lease(ctx context.Context, name string, ttl time.Duration, mode string) (*state.Lease, error) {
	h := &holding{store: s, key: leasePrefix + name, id: rand.Text(), ttl: ttl, until: time.Now().Add(ttl)}
	reply, err := s.eval(ctx, s.scripts.acquire, []string{h.key, waitingPrefix + name, fenceKey},
		h.id, milliseconds(ttl), s.process, mode, milliseconds(waitingTime))
	if err != nil {
		// Redis may have given out the lease, only nobody waited for its
		// reply. Then it should not lie idle until it expires.
		if over(ctx) != nil {
			s.inBackground(func() { _, _ = h.giveBack() })
		}
		return nil, err
	}
	if reply == nil {
		return nil, state.ErrLocked
	}
	token, err := parseCount(reply)
	if err != nil {
		return nil, err
	}
	lease, lose := state.NewLease(uint64(token), func() error { return h.release(name) })
	if !h.renewUntilReleased(lease, lose) {
		return nil, errClosed()
	}
	return lease, nil
}

func errClosed() error { return unavailable(errors.New("the store is closed")) }
