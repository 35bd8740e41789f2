package bolt

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/statetest"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		writeUntilKilled(path)
		return
	}
	goleak.VerifyTestMain(m)
}

// inBubble is a harness where no real time passes: stores read the clock of the
// bubble, and so do their tickers.
func inBubble(wrap func(*testing.T, state.Store) state.Store) statetest.Harness {
	return func(t *testing.T, test func(*testing.T, statetest.Subject)) {
		synctest.Test(t, func(t *testing.T) {
			test(t, statetest.Subject{
				New:     func(t *testing.T) state.Store { return wrap(t, openFile(t, newPath(t))) },
				Advance: time.Sleep,
			})
		})
	}
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "state.db") }

func openFile(t testing.TB, path string) *Store {
	t.Helper()
	store, err := Open(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func TestStore(t *testing.T) {
	statetest.Run(t, inBubble(func(_ *testing.T, store state.Store) state.Store { return store }))
}

func TestSealed(t *testing.T) {
	statetest.Run(t, inBubble(func(t *testing.T, store state.Store) state.Store {
		sealed, err := state.Sealed(store, [32]byte{1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		return sealed
	}))
}
