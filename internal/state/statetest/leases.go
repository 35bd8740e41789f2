package statetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// ttl is longer than any test, so that a lease ends only when it should.
const ttl = time.Minute

func leaseTests() []test {
	return []test{
		{"exclude", testLeaseExcludes},
		{"wait", testLeaseWaits},
		{"give up waiting", testLeaseGivesUp},
		{"one at a time", testLeaseContended},
		{"outlive their ttl", testLeaseRenewed},
		{"end", testLeaseEnds},
		{"are lost on close", testLeaseLostOnClose},
		{"waiters end on close", testLeaseWaiterOnClose},
	}
}

func tryAcquire(t *testing.T, store state.Store, name string) *state.Lease {
	t.Helper()
	lease, err := store.TryAcquire(t.Context(), name, ttl)
	if err != nil {
		t.Fatalf("acquiring %q: %v", name, err)
	}
	return lease
}

func release(t *testing.T, lease *state.Lease) {
	t.Helper()
	if err := lease.Release(); err != nil {
		t.Errorf("releasing: %v", err)
	}
}

func testLeaseExcludes(t *testing.T, s Subject) {
	store := s.New(t)
	first := tryAcquire(t, store, "k")
	if first.Err() != nil {
		t.Errorf("a lease that is held says %v", first.Err())
	}
	_, err := store.TryAcquire(t.Context(), "k", ttl)
	wantError(t, "a lease that is held", err, state.ErrLocked)
	other := tryAcquire(t, store, "other")
	if other.Token() <= first.Token() {
		t.Errorf("token %d follows %d", other.Token(), first.Token())
	}
	release(t, other)
	release(t, first)
	release(t, first)

	second := tryAcquire(t, store, "k")
	if second.Token() <= other.Token() {
		t.Errorf("token %d follows %d", second.Token(), other.Token())
	}
	// A lease that is over must not end the next.
	release(t, first)
	_, err = store.TryAcquire(t.Context(), "k", ttl)
	wantError(t, "a lease that is held again", err, state.ErrLocked)
	put(t, store, "k", "a lease does not keep others from writing", 0)
	release(t, second)
}

func testLeaseWaits(t *testing.T, s Subject) {
	store := s.New(t)
	first := tryAcquire(t, store, "k")
	got := make(chan *state.Lease)
	go func() {
		second, err := store.Acquire(t.Context(), "k", ttl)
		if err != nil {
			t.Error(err)
		}
		got <- second
	}()
	release(t, first)
	release(t, <-got)
}

func testLeaseGivesUp(t *testing.T, s Subject) {
	store := s.New(t)
	first := tryAcquire(t, store, "k")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := store.Acquire(ctx, "k", ttl)
	wantError(t, "waiting in vain", err, state.ErrLocked)
	wantError(t, "waiting in vain", err, context.DeadlineExceeded)
	_, err = store.Acquire(ctx, "free", ttl)
	wantError(t, "waiting no longer", err, context.DeadlineExceeded)
	_, err = store.TryAcquire(ctx, "free", ttl)
	wantError(t, "trying no longer", err, context.DeadlineExceeded)
	release(t, first)
	release(t, tryAcquire(t, store, "k"))
	// What was given up must not be held by nobody.
	free, err := store.Acquire(t.Context(), "free", ttl)
	if err != nil {
		t.Fatal(err)
	}
	release(t, free)
}

func testLeaseContended(t *testing.T, s Subject) {
	store := s.New(t)
	var holders, turns atomic.Int32
	var last atomic.Uint64
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 5 {
				lease, err := store.Acquire(t.Context(), "k", ttl)
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d holders at once", n)
				}
				if before := last.Swap(lease.Token()); before >= lease.Token() {
					t.Errorf("token %d follows %d", lease.Token(), before)
				}
				turns.Add(1)
				holders.Add(-1)
				if err := lease.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := turns.Load(); got != 50 {
		t.Errorf("%d turns, want 50", got)
	}
}

func testLeaseRenewed(t *testing.T, s Subject) {
	store := s.New(t)
	short, wait := state.MinLease, 5*state.MinLease
	if s.RealClock {
		// A machine may be too busy to renew in time what is shorter.
		short, wait = 2*time.Second, 3*time.Second
	}
	lease, err := store.TryAcquire(t.Context(), "k", short)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	_, err = store.Acquire(ctx, "k", short)
	wantError(t, "waiting for a lease to run out", err, state.ErrLocked)
	if err := lease.Err(); err != nil {
		t.Errorf("the lease says %v", err)
	}
	release(t, lease)
}

func testLeaseEnds(t *testing.T, s Subject) {
	store := s.New(t)
	lease := tryAcquire(t, store, "k")
	ctx, cancel := lease.Context(t.Context())
	defer cancel()
	parent, cancelParent := context.WithCancel(t.Context())
	child, cancelChild := lease.Context(parent)
	defer cancelChild()
	cancelParent()
	<-child.Done()
	if ctx.Err() != nil || lease.Err() != nil {
		t.Fatal("a lease ended with a context that was made from it")
	}
	release(t, lease)
	<-lease.Done()
	<-ctx.Done()
	wantError(t, "the lease", lease.Err(), context.Canceled)
	wantError(t, "its context", context.Cause(ctx), context.Canceled)
}

func testLeaseLostOnClose(t *testing.T, s Subject) {
	store := s.New(t)
	lease := tryAcquire(t, store, "k")
	ctx, cancel := lease.Context(t.Context())
	defer cancel()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	<-lease.Done()
	<-ctx.Done()
	wantError(t, "the lease", lease.Err(), state.ErrLeaseLost)
	wantError(t, "its context", context.Cause(ctx), state.ErrLeaseLost)
	wantError(t, "releasing it", lease.Release(), state.ErrLeaseLost)
}

func testLeaseWaiterOnClose(t *testing.T, s Subject) {
	store := s.New(t)
	lease := tryAcquire(t, store, "k")
	waiting, result := make(chan struct{}), make(chan error)
	go func() {
		close(waiting)
		_, err := store.Acquire(t.Context(), "k", ttl)
		result <- err
	}()
	<-waiting
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	err := <-result
	wantError(t, "waiting", err, state.ErrUnavailable)
	if errors.Is(err, state.ErrLocked) {
		t.Errorf("a store that was closed says %v", err)
	}
	_ = lease.Release()
}
