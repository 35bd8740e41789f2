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
	})
}

func Benchmark(b *testing.B) {
	statetest.Bench(b, startRedis(b).newStore(b, DefaultPrefix))
}
