package idempotency

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/internal/state/redis"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a store that survives its processes, and time that passes when told.
type world struct {
	start   func(t *testing.T) state.Store // another process, after a killed one
	advance func(d time.Duration)
	now     func() time.Time
}

// inWorlds runs a test on each kind of store.
func inWorlds(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("bolt", func(t *testing.T) {
		clock := newClock()
		path := filepath.Join(t.TempDir(), "state.db")
		test(t, &world{
			start: func(t *testing.T) state.Store {
				store, err := bolt.Open(path, clock.now)
				return sealAndClose(t, store, err)
			},
			advance: clock.advance,
			now:     clock.now,
		})
	})
	t.Run("redis", func(t *testing.T) {
		clock := newClock()
		server := miniredis.RunT(t)
		test(t, &world{
			start: func(t *testing.T) state.Store {
				store, err := redis.New(secret.New("redis://"+server.Addr()), redis.DefaultPrefix)
				return sealAndClose(t, store, err)
			},
			advance: func(d time.Duration) {
				clock.advance(d)
				server.FastForward(d)
			},
			now: clock.now,
		})
	})
}

func sealAndClose(t *testing.T, store state.Store, err error) state.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	sealed, err := state.Sealed(store, [32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

type clock struct {
	mu   sync.Mutex
	time time.Time
}

func newClock() *clock {
	return &clock{time: time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("CET", 3600))}
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
}
