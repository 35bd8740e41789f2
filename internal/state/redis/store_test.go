package redis

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/statetest"
)

func TestSweep(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store, client := server.newStore(t, ""), server.newClient(t)
		const dead = 2*sweepNames + 10
		for i := range dead {
			if _, err := store.Put(t.Context(), fmt.Sprint("dead/", i), nil, time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Add(t.Context(), "dead", 1, time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Add(t.Context(), "alive", 1, time.Hour); err != nil {
			t.Fatal(err)
		}
		for _, ttl := range []time.Duration{0, time.Hour} {
			if _, err := store.Put(t.Context(), fmt.Sprint("alive/", ttl), nil, ttl); err != nil {
				t.Fatal(err)
			}
		}
		count := func() (names, due int64) {
			return client.ZCard(t.Context(), namesKey).Val(), client.ZCard(t.Context(), dueKey).Val()
		}
		time.Sleep(sweepEvery - 10*time.Second)
		if names, due := count(); names != dead+4 || due != dead+3 {
			t.Fatalf("before the sweep: %d names, %d due", names, due)
		}
		time.Sleep(20 * time.Second)
		if names, due := count(); names != 3 || due != 2 {
			t.Errorf("after the sweep: %d names, %d due", names, due)
		}
	})
}

// Redis must not be made to put together a reply of any size.
func TestPagesAreBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store := server.newStore(t, "")
		large := make([]byte, pageBytes/2)
		for i := range 4 {
			if _, err := store.Put(t.Context(), fmt.Sprint("large/", i), large, 0); err != nil {
				t.Fatal(err)
			}
		}
		for i := range pageNames + 1 {
			if _, err := store.Put(t.Context(), fmt.Sprint("many/", i), nil, 0); err != nil {
				t.Fatal(err)
			}
		}
		for prefix, want := range map[string]int{entryPrefix + "large/": 2, entryPrefix + "many/": pageNames} {
			page, next, err := store.page(t.Context(), "["+prefix, endOf(prefix))
			if err != nil || len(page) != want || next == "" {
				t.Errorf("%s: a page of %d records, then %q, %v, want %d", prefix, len(page), next, err, want)
			}
		}
	})
}

// A token that another store gave out stays behind those of this one, also where
// Lua would no longer count exactly.
func TestRaiseFence(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store := server.newStore(t, "")
		last := uint64(0)
		for _, fence := range []uint64{0, 100, 99, 9, 1 << 40, 100, 1<<60 + 1, 1 << 60} {
			if err := (archived{store}).RaiseFence(t.Context(), fence); err != nil {
				t.Fatal(err)
			}
			lease, err := store.TryAcquire(t.Context(), "k", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if err := lease.Release(); err != nil {
				t.Fatal(err)
			}
			if want := max(last, fence) + 1; lease.Token() != want {
				t.Errorf("token %d follows %d and the fence %d, want %d", lease.Token(), last, fence, want)
			}
			last = lease.Token()
		}
	})
}

func TestDamagedRecords(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		store, client := server.newStore(t, ""), server.newClient(t)
		for _, key := range []string{entryPrefix + "k", counterPrefix + "k"} {
			if err := client.Set(t.Context(), key, "short", 0).Err(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Get(t.Context(), "k"); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Get: got %v", err)
		}
		if _, err := store.CompareAndSwap(t.Context(), "k", state.Absent, nil, 0); !errors.Is(err, state.ErrConflict) {
			t.Errorf("CompareAndSwap: got %v", err)
		}
		if _, err := store.Add(t.Context(), "k", 1, 0); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Add: got %v", err)
		}
		queue := store.Queue("q")
		if err := queue.Put(t.Context(), state.Message{ID: "k", Group: "g"}, 0, 1); err != nil {
			t.Fatal(err)
		}
		if err := client.HSet(t.Context(), messagePrefix+"1:q:k", "n", "many").Err(); err != nil {
			t.Fatal(err)
		}
		if _, err := queue.Take(t.Context(), 1, time.Minute); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Take: got %v", err)
		}
		for _, err := range queue.List(t.Context()) {
			if !errors.Is(err, state.ErrUnavailable) {
				t.Errorf("List: got %v", err)
			}
		}
	})
}

func Benchmark(b *testing.B) {
	statetest.Bench(b, startRedis(b).newStore(b, DefaultPrefix))
}
