package redis

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Nodes are stores with the same prefix in the same Redis.
func inBubble(t *testing.T, test func(t *testing.T, server *server)) {
	synctest.Test(t, func(t *testing.T) { test(t, newMiniredis(t)) })
}

func TestNodesShare(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		a, b, other := server.newStore(t, "p:"), server.newStore(t, "p:"), server.newStore(t, "q:")
		version, err := a.Put(t.Context(), "k", []byte("v"), 0)
		if err != nil {
			t.Fatal(err)
		}
		if entry, err := b.Get(t.Context(), "k"); err != nil || entry.Version != version {
			t.Errorf("the other node finds %v, %v", entry, err)
		}
		if _, err := other.Get(t.Context(), "k"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("another prefix finds %v", err)
		}
		for item, err := range other.Scan(t.Context(), "", "") {
			t.Errorf("another prefix scans %v, %v", item, err)
		}
		lease, err := a.TryAcquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.TryAcquire(t.Context(), "k", time.Minute); !errors.Is(err, state.ErrLocked) {
			t.Errorf("the other node takes the lease: %v", err)
		}
		if theirs, err := other.TryAcquire(t.Context(), "k", time.Minute); err != nil {
			t.Errorf("another prefix: %v", err)
		} else if err := theirs.Release(); err != nil {
			t.Error(err)
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
		next, err := b.TryAcquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if next.Token() <= lease.Token() {
			t.Errorf("token %d follows %d", next.Token(), lease.Token())
		}
		if err := next.Release(); err != nil {
			t.Error(err)
		}
	})
}

// A node that dies keeps others waiting for one ttl.
func TestNodeDies(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		a, b := server.newStore(t, ""), server.newStore(t, "")
		if _, err := a.Acquire(t.Context(), "k", 10*time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // it is renewed all along
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		died := time.Now()
		lease, err := b.Acquire(t.Context(), "k", 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(died); waited > 10*time.Second+2*pollEvery {
			t.Errorf("waited %v for a node that died", waited)
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	})
}

func TestLeaseLost(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store, client := server.newStore(t, ""), server.newClient(t)
		lease, err := store.Acquire(t.Context(), "k", 9*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Set(t.Context(), leasePrefix+"k", "somebody else", 0).Err(); err != nil {
			t.Fatal(err)
		}
		lost := time.Now()
		<-lease.Done()
		if took := time.Since(lost); took > 3*time.Second {
			t.Errorf("it took %v to notice", took)
		}
		if !errors.Is(lease.Err(), state.ErrLeaseLost) || !errors.Is(lease.Release(), state.ErrLeaseLost) {
			t.Errorf("the lease says %v and %v", lease.Err(), lease.Release())
		}
		if got, err := client.Get(t.Context(), leasePrefix+"k").Result(); err != nil || got != "somebody else" {
			t.Errorf("the lease of somebody else is %q, %v", got, err)
		}
	})
}

// Whoever lost its lease unawares must not release that of another.
func TestLeaseLostUnawares(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store, client := server.newStore(t, ""), server.newClient(t)
		lease, err := store.Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Set(t.Context(), leasePrefix+"k", "somebody else", 0).Err(); err != nil {
			t.Fatal(err)
		}
		if err := lease.Release(); !errors.Is(err, state.ErrLeaseLost) {
			t.Errorf("Release says %v", err)
		}
		if got, err := client.Get(t.Context(), leasePrefix+"k").Result(); err != nil || got != "somebody else" {
			t.Errorf("the lease of somebody else is %q, %v", got, err)
		}
	})
}

// A node that cannot reach Redis gives up its lease before Redis gives it to
// another, but not earlier than it must.
func TestNodeCutOff(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		a, b := server.newStore(t, ""), server.newStore(t, "")
		const ttl = 9 * time.Second
		lease, err := a.Acquire(t.Context(), "k", ttl)
		if err != nil {
			t.Fatal(err)
		}
		taken := make(chan time.Time)
		go func() {
			next, err := b.Acquire(t.Context(), "k", ttl)
			if err != nil {
				t.Error(err)
			}
			at := time.Now()
			if err := next.Release(); err != nil {
				t.Error(err)
			}
			taken <- at
		}()

		time.Sleep(time.Second)
		server.cut(a)
		time.Sleep(7 * time.Second) // less than is left
		server.mend(a)
		time.Sleep(time.Minute)
		if err := lease.Err(); err != nil {
			t.Fatalf("a short failure ended the lease: %v", err)
		}

		server.cut(a)
		cutOff := time.Now()
		<-lease.Done()
		lost := time.Now()
		if !errors.Is(lease.Err(), state.ErrLeaseLost) {
			t.Errorf("the lease says %v", lease.Err())
		}
		if held := lost.Sub(cutOff); held < ttl-ttl/3 || held > ttl {
			t.Errorf("the lease was held for %v without Redis", held)
		}
		if next := <-taken; next.Before(lost) {
			t.Errorf("another node had the lease %v too early", lost.Sub(next))
		}
		server.mend(a)
		_ = lease.Release()
	})
}

// A worker that lost its lease unawares, as one that was suspended, cannot
// overwrite what the next one wrote.
func TestVersionIsTheFence(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		a, b := server.newStore(t, ""), server.newStore(t, "")
		old, err := a.Put(t.Context(), "k", []byte("open"), 0)
		if err != nil {
			t.Fatal(err)
		}
		work := func(store *Store, meanwhile func()) error {
			lease, err := store.Acquire(t.Context(), "k", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Release()
			entry, err := store.Get(t.Context(), "k")
			if err != nil {
				t.Fatal(err)
			}
			meanwhile()
			_, err = store.CompareAndSwap(t.Context(), "k", entry.Version, []byte("placing"), 0)
			return err
		}
		err = work(a, func() {
			if err := server.newClient(t).Del(t.Context(), leasePrefix+"k").Err(); err != nil {
				t.Fatal(err)
			}
			if err := work(b, func() {}); err != nil {
				t.Errorf("the next one: %v", err)
			}
		})
		if !errors.Is(err, state.ErrConflict) {
			t.Errorf("the one who lost its lease: got %v, want ErrConflict", err)
		}
		if _, err := a.CompareAndSwap(t.Context(), "k", old, nil, 0); !errors.Is(err, state.ErrConflict) {
			t.Errorf("the version from before: got %v", err)
		}
	})
}

// Workers on two nodes add to a number, with nothing but a lease to keep them
// from reading what another is about to change.
func TestNodesExclude(t *testing.T) {
	t.Run("miniredis", func(t *testing.T) { inBubble(t, testNodesExclude) })
	t.Run("real", func(t *testing.T) { testNodesExclude(t, startRedis(t)) })
}

func testNodesExclude(t *testing.T, server *server) {
	const nodes, workers, times = 2, 5, 5
	increment := func(store *Store) error {
		lease, err := store.Acquire(t.Context(), "n", 10*time.Second)
		if err != nil {
			return err
		}
		n := 0
		entry, err := store.Get(t.Context(), "n")
		if err == nil {
			n, err = strconv.Atoi(string(entry.Value))
		}
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return errors.Join(err, lease.Release())
		}
		_, err = store.Put(t.Context(), "n", []byte(strconv.Itoa(n+1)), 0)
		return errors.Join(err, lease.Release())
	}
	var wg sync.WaitGroup
	for range nodes {
		store := server.newStore(t, "")
		for range workers {
			wg.Go(func() {
				for range times {
					if err := increment(store); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	entry, err := server.newStore(t, "").Get(t.Context(), "n")
	if want := strconv.Itoa(nodes * workers * times); err != nil || string(entry.Value) != want {
		t.Errorf("got %q, %v, want %s", entry.Value, err, want)
	}
}

// Two nodes, each with a queue that never ends, have to take turns: neither may
// keep the lease much longer than the other takes to ask again.
func TestNodesTakeTurns(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		const held = time.Millisecond
		var mu sync.Mutex
		var order []int
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for node := range 2 {
			store := server.newStore(t, "")
			for range 5 {
				wg.Go(func() {
					for {
						lease, err := store.Acquire(ctx, "k", time.Minute)
						if errors.Is(err, context.Canceled) {
							return
						}
						if err != nil {
							t.Error(err)
							return
						}
						mu.Lock()
						order = append(order, node)
						mu.Unlock()
						time.Sleep(held)
						if err := lease.Release(); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		time.Sleep(10 * time.Second)
		cancel()
		wg.Wait()

		turns := [2]int{}
		row, longest := 0, 0
		for i, node := range order {
			turns[node]++
			if i > 0 && node != order[i-1] {
				row = 0
			}
			row++
			longest = max(longest, row)
		}
		if time.Duration(longest)*held > 3*pollEvery || turns[0] < len(order)/3 || turns[1] < len(order)/3 {
			t.Errorf("%v turns, %d in a row", turns, longest)
		}
	})
}

// Whoever gives up waiting in the very moment in which it gets the lease must not
// keep it.
func TestGivenUpLeaseIsFree(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		a, b := server.newStore(t, ""), server.newStore(t, "")
		// Redis has to know the script, or else it asks for it in its reply.
		first, err := a.Acquire(t.Context(), "k", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Release(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		server.delay(a, 1500*time.Millisecond)
		if _, err := a.TryAcquire(ctx, "k", time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		server.delay(a, 0)
		start := time.Now()
		lease, err := b.Acquire(t.Context(), "k", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited > 10*time.Second {
			t.Errorf("a lease that nobody wanted was held for %v", waited)
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	})
}
