package agents_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/bolt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// node is a process with a directory, whose clock and store a test controls.
type node struct {
	*agents.Directory
	store *watched
	now   atomic.Int64 // seconds after noon
}

// watched is a store that counts its reads and can be made to fail.
type watched struct {
	state.Store
	reads  atomic.Int64
	broken atomic.Bool
	before func() // runs after a read, before its result is returned
}

func (w *watched) Get(ctx context.Context, key string) (state.Entry, error) {
	w.reads.Add(1)
	if w.broken.Load() {
		return state.Entry{}, fmt.Errorf("%w: cut off", state.ErrUnavailable)
	}
	entry, err := w.Store.Get(ctx, key)
	if w.before != nil {
		w.before()
	}
	return entry, err
}

func openStore(t *testing.T) state.Store {
	t.Helper()
	store, err := bolt.Open(filepath.Join(t.TempDir(), "state.db"), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func newNode(t *testing.T, store state.Store, declared ...agents.Declaration) *node {
	t.Helper()
	n := &node{store: &watched{Store: store}}
	directory, err := agents.NewDirectory(n.store, agents.Options{
		Declared: declared,
		Now:      func() time.Time { return noon.Add(time.Duration(n.now.Load()) * time.Second) },
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Directory = directory
	return n
}

func add(t *testing.T, n *node, r agents.Registration) (agents.Agent, secret.String) {
	t.Helper()
	agent, key, err := n.Add(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return agent, key
}
