package redis

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// appending is an upgrade that adds to the value of "k", in its own time.
func appending(text string, runs *atomic.Int32) upgrade {
	return func(ctx context.Context, s *Store) error {
		runs.Add(1)
		time.Sleep(time.Second) // in a bubble
		return s.client.Append(ctx, s.prefix+entryPrefix+"k", text).Err()
	}
}

func fillVersion1(t *testing.T, server *server) {
	t.Helper()
	store := server.newStore(t, "")
	if _, err := store.Put(t.Context(), "k", []byte("v"), 0); err != nil {
		t.Fatal(err)
	}
}

func wantValue(t *testing.T, store *Store, want string) {
	t.Helper()
	if entry, err := store.Get(t.Context(), "k"); err != nil || string(entry.Value) != want {
		t.Errorf("got %q, %v, want %q", entry.Value, err, want)
	}
}

func TestUpgrade(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		fillVersion1(t, server)
		var runs atomic.Int32
		to2, to3 := appending(" 2", &runs), appending(" 3", &runs)
		// Many calls on two nodes find the old version at once.
		nodes := []*Store{server.newStore(t, "", to2, to3), server.newStore(t, "", to2, to3)}
		var wg sync.WaitGroup
		for _, node := range nodes {
			for range 5 {
				wg.Go(func() { wantValue(t, node, "v 2 3") })
			}
		}
		wg.Wait()
		if got := runs.Load(); got != 2 {
			t.Errorf("%d upgrades were run, want 2", got)
		}
	})
}

func TestUpgradeFails(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		fillVersion1(t, server)
		var runs atomic.Int32
		broken := errors.New("broken")
		to2 := appending(" 2", &runs)
		node := server.newStore(t, "", to2, func(context.Context, *Store) error { return broken })
		if _, err := node.Get(t.Context(), "k"); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
		// The next attempt goes on where the first one failed.
		wantValue(t, server.newStore(t, "", to2, appending(" 3", &runs)), "v 2 3")
		if got := runs.Load(); got != 2 {
			t.Errorf("%d upgrades were run, want 2", got)
		}
	})
}

func TestNewerSchema(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		newer := server.newStore(t, "", appending("", new(atomic.Int32)))
		if err := newer.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		store := server.newStore(t, "")
		err := store.Ping(t.Context())
		if !errors.Is(err, state.ErrSchema) || !strings.Contains(err.Error(), "schema 2") || !strings.Contains(err.Error(), "up to 1") {
			t.Errorf("Ping says %v", err)
		}
		if _, err := store.Put(t.Context(), "k", nil, 0); !errors.Is(err, state.ErrSchema) {
			t.Errorf("Put says %v", err)
		}
		if _, err := newer.Get(t.Context(), "k"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("something was written to a newer store: %v", err)
		}
	})
}

func TestForeignSchema(t *testing.T) {
	inBubble(t, func(t *testing.T, server *server) {
		if err := server.newClient(t).Set(t.Context(), schemaKey, "theirs", 0).Err(); err != nil {
			t.Fatal(err)
		}
		if err := server.newStore(t, "").Ping(t.Context()); !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("Ping says %v", err)
		}
	})
}
