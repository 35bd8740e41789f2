package statetest

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

func entryTests() []test {
	return []test{
		{"put and get", testPutGet},
		{"any bytes", testAnyBytes},
		{"bounds", testBounds},
		{"memory is not shared", testMemory},
		{"compare and swap", testCompareAndSwap},
		{"versions are never used again", testVersions},
		{"compare and delete", testCompareAndDelete},
		{"one of many creates", testOneCreates},
		{"no update is lost", testNoLostUpdate},
	}
}

func testPutGet(t *testing.T, s Subject) {
	store := s.New(t)
	wantNone(t, store, "k")
	first := put(t, store, "k", "one", 0)
	wantEntry(t, store, "k", "one", first)
	second := put(t, store, "k", "two", 0)
	wantEntry(t, store, "k", "two", second)
	if first == second {
		t.Error("two writes gave the same version")
	}
	wantNone(t, store, "kk")
	for range 2 {
		if err := store.Delete(t.Context(), "k"); err != nil {
			t.Errorf("deleting: %v", err)
		}
		wantNone(t, store, "k")
	}
}

func testAnyBytes(t *testing.T, s Subject) {
	store := s.New(t)
	for _, key := range []string{"\x00", "a\x00b", "\xff\xfe", "ключ", strings.Repeat("k", state.MaxKey)} {
		wantEntry(t, store, key, key, put(t, store, key, key, 0))
	}
	wantEntry(t, store, "empty", "", put(t, store, "empty", "", 0))
	version, err := store.Put(t.Context(), "nil", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntry(t, store, "nil", "", version)
}

func testBounds(t *testing.T, s Subject) {
	store := s.New(t)
	ctx := t.Context()
	for _, key := range []string{"", strings.Repeat("k", state.MaxKey+1)} {
		_, err := store.Get(ctx, key)
		wantError(t, "Get", err, state.ErrInvalid)
		_, err = store.Put(ctx, key, nil, 0)
		wantError(t, "Put", err, state.ErrInvalid)
		_, err = store.CompareAndSwap(ctx, key, state.Absent, nil, 0)
		wantError(t, "CompareAndSwap", err, state.ErrInvalid)
		wantError(t, "Delete", store.Delete(ctx, key), state.ErrInvalid)
		_, err = store.Add(ctx, key, 1, 0)
		wantError(t, "Add", err, state.ErrInvalid)
		_, err = store.Acquire(ctx, key, time.Second)
		wantError(t, "Acquire", err, state.ErrInvalid)
		_, err = store.TryAcquire(ctx, key, time.Second)
		wantError(t, "TryAcquire", err, state.ErrInvalid)
	}
	_, err := store.Put(ctx, "k", make([]byte, state.MaxValue+1), 0)
	wantError(t, "a large value", err, state.ErrInvalid)
	_, err = store.Put(ctx, "k", nil, -1)
	wantError(t, "a negative ttl", err, state.ErrInvalid)
	_, err = store.Add(ctx, "k", 1, -1)
	wantError(t, "a negative ttl of a counter", err, state.ErrInvalid)
	_, err = store.TryAcquire(ctx, "k", state.MinLease-1)
	wantError(t, "a short lease", err, state.ErrInvalid)
	wantNone(t, store, "k")
}

func testMemory(t *testing.T, s Subject) {
	store := s.New(t)
	value := []byte("value")
	version, err := store.Put(t.Context(), "k", value, 0)
	if err != nil {
		t.Fatal(err)
	}
	value[0] = 'X'
	wantEntry(t, store, "k", "value", version)
	got, err := store.Get(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	got.Value[0] = 'X'
	wantEntry(t, store, "k", "value", version)
}

func testCompareAndSwap(t *testing.T, s Subject) {
	store := s.New(t)
	ctx := t.Context()
	_, err := store.CompareAndSwap(ctx, "k", 1, []byte("x"), 0)
	wantError(t, "a version of nothing", err, state.ErrConflict)
	wantNone(t, store, "k")

	first, err := store.CompareAndSwap(ctx, "k", state.Absent, []byte("one"), 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntry(t, store, "k", "one", first)
	_, err = store.CompareAndSwap(ctx, "k", state.Absent, []byte("x"), 0)
	wantError(t, "creating what is there", err, state.ErrConflict)

	second, err := store.CompareAndSwap(ctx, "k", first, []byte("two"), 0)
	if err != nil {
		t.Fatal(err)
	}
	wantEntry(t, store, "k", "two", second)
	_, err = store.CompareAndSwap(ctx, "k", first, []byte("x"), 0)
	wantError(t, "an old version", err, state.ErrConflict)
	wantEntry(t, store, "k", "two", second)
}

func testVersions(t *testing.T, s Subject) {
	store := s.New(t)
	seen := make(map[state.Version]bool)
	for range 20 {
		version := put(t, store, "k", "same", 0)
		if seen[version] {
			t.Fatal("a version came twice")
		}
		seen[version] = true
		if err := store.Delete(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
	}
	for version := range seen {
		_, err := store.CompareAndSwap(t.Context(), "k", version, nil, 0)
		wantError(t, "the version of a deleted entry", err, state.ErrConflict)
	}
}

func testCompareAndDelete(t *testing.T, s Subject) {
	store := s.New(t)
	ctx := t.Context()
	wantError(t, "nothing", store.CompareAndDelete(ctx, "k", 1), state.ErrConflict)
	wantError(t, "nothing by Absent", store.CompareAndDelete(ctx, "k", state.Absent), state.ErrConflict)
	old := put(t, store, "k", "one", 0)
	current := put(t, store, "k", "two", 0)
	wantError(t, "an old version", store.CompareAndDelete(ctx, "k", old), state.ErrConflict)
	wantError(t, "something by Absent", store.CompareAndDelete(ctx, "k", state.Absent), state.ErrConflict)
	wantEntry(t, store, "k", "two", current)
	if err := store.CompareAndDelete(ctx, "k", current); err != nil {
		t.Error(err)
	}
	wantNone(t, store, "k")
}

func testOneCreates(t *testing.T, s Subject) {
	store := s.New(t)
	var created atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := store.CompareAndSwap(t.Context(), "k", state.Absent, nil, 0)
			switch {
			case err == nil:
				created.Add(1)
			case !errors.Is(err, state.ErrConflict):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := created.Load(); got != 1 {
		t.Errorf("%d of 50 created the entry, want 1", got)
	}
}

func testNoLostUpdate(t *testing.T, s Subject) {
	store := s.New(t)
	const workers, times = 10, 10
	increment := func() error {
		for {
			n, old := 0, state.Absent
			entry, err := store.Get(t.Context(), "k")
			if err == nil {
				old = entry.Version
				n, err = strconv.Atoi(string(entry.Value))
			}
			if err != nil && !errors.Is(err, state.ErrNotFound) {
				return err
			}
			_, err = store.CompareAndSwap(t.Context(), "k", old, strconv.AppendInt(nil, int64(n+1), 10), 0)
			if !errors.Is(err, state.ErrConflict) {
				return err
			}
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range times {
				if err := increment(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := store.Get(t.Context(), "k")
	if err != nil || string(got.Value) != strconv.Itoa(workers*times) {
		t.Errorf("got %q, %v after %d increments", got.Value, err, workers*times)
	}
}
