package statetest

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/storeware/caddy-storeware/internal/state"
)

func endTests() []test {
	return []test{
		{"of the context", testContextEnds},
		{"of the store", testClose},
		{"not yet", testPing},
	}
}

// calls are one call of every method.
func calls(ctx context.Context, store state.Store) map[string]func() error {
	return map[string]func() error{
		"Get": func() error { _, err := store.Get(ctx, "k"); return err },
		"Put": func() error { _, err := store.Put(ctx, "k", nil, 0); return err },
		"CompareAndSwap": func() error {
			_, err := store.CompareAndSwap(ctx, "k", state.Absent, nil, 0)
			return err
		},
		"Delete":           func() error { return store.Delete(ctx, "k") },
		"CompareAndDelete": func() error { return store.CompareAndDelete(ctx, "k", 1) },
		"Scan": func() error {
			for _, err := range store.Scan(ctx, "", "") {
				return err
			}
			return nil
		},
		"Add":        func() error { _, err := store.Add(ctx, "k", 1, 0); return err },
		"TryAcquire": func() error { _, err := store.TryAcquire(ctx, "k", ttl); return err },
		"Put into a queue": func() error {
			return store.Queue("q").Put(ctx, state.Message{ID: "k", Group: "g"}, 0, 10)
		},
		"Take": func() error { _, err := store.Queue("q").Take(ctx, 1, ttl); return err },
		"Done": func() error { return store.Queue("q").Done(ctx, state.Task{Message: state.Message{ID: "k"}}) },
		"Retry": func() error {
			return store.Queue("q").Retry(ctx, state.Task{Message: state.Message{ID: "k", Group: "g"}}, 0)
		},
		"Reschedule": func() error { return store.Queue("q").Reschedule(ctx, "k", 0) },
		"Remove":     func() error { return store.Queue("q").Remove(ctx, "k") },
		"List": func() error {
			for _, err := range store.Queue("q").List(ctx) {
				return err
			}
			return nil
		},
		"Queues": func() error {
			for _, err := range store.Queues(ctx, "") {
				return err
			}
			return nil
		},
		"Backup": func() error { return store.Backup(ctx, io.Discard) },
		"Ping":   func() error { return store.Ping(ctx) },
	}
}

func testContextEnds(t *testing.T, s Subject) {
	store := s.New(t)
	var backup bytes.Buffer
	if err := store.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls(ctx, store) {
		err := call()
		wantError(t, name, err, state.ErrUnavailable)
		wantError(t, name, err, context.Canceled)
	}
	wantError(t, "Restore", store.Restore(ctx, &backup, state.IntoEmpty), context.Canceled)
	wantNone(t, store, "k")
}

func testClose(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, "k", "v", 0)
	for range 2 {
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, call := range calls(t.Context(), store) {
		wantError(t, name, call(), state.ErrUnavailable)
	}
	_, err := store.Acquire(t.Context(), "k", ttl)
	wantError(t, "Acquire", err, state.ErrUnavailable)
}

func testPing(t *testing.T, s Subject) {
	if err := s.New(t).Ping(t.Context()); err != nil {
		t.Error(err)
	}
}
