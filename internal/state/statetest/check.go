package statetest

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

func wantError(t *testing.T, doing string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got error %v, want %v", doing, err, want)
	}
}

func put(t *testing.T, store state.Store, key, value string, ttl time.Duration) state.Version {
	t.Helper()
	version, err := store.Put(t.Context(), key, []byte(value), ttl)
	if err != nil {
		t.Fatalf("putting %q: %v", key, err)
	}
	if version == state.Absent {
		t.Fatalf("putting %q: an entry with version Absent", key)
	}
	return version
}

// putAll puts many values, some of them at once, and returns their versions.
func putAll(t *testing.T, store state.Store, values map[string]string, ttl func(key string) time.Duration) map[string]state.Version {
	t.Helper()
	var mu sync.Mutex
	versions := make(map[string]state.Version, len(values))
	for some := range slices.Chunk(slices.Collect(maps.Keys(values)), 50) {
		var wg sync.WaitGroup
		for _, key := range some {
			wg.Go(func() {
				version, err := store.Put(t.Context(), key, []byte(values[key]), ttl(key))
				if err != nil {
					t.Errorf("putting %q: %v", key, err)
				}
				mu.Lock()
				defer mu.Unlock()
				versions[key] = version
			})
		}
		wg.Wait()
	}
	return versions
}

func forEver(string) time.Duration { return 0 }

func wantEntry(t *testing.T, store state.Store, key, value string, version state.Version) {
	t.Helper()
	got, err := store.Get(t.Context(), key)
	if err != nil {
		t.Errorf("getting %q: %v", key, err)
		return
	}
	if !bytes.Equal(got.Value, []byte(value)) {
		t.Errorf("%q holds %.40q, want %.40q", key, got.Value, value)
	}
	if got.Version != version {
		t.Errorf("%q has version %d, want that of the write, %d", key, got.Version, version)
	}
}

func wantNone(t *testing.T, store state.Store, key string) {
	t.Helper()
	got, err := store.Get(t.Context(), key)
	if !errors.Is(err, state.ErrNotFound) {
		t.Errorf("getting %q: got %v and error %v, want ErrNotFound", key, got, err)
	}
}

func add(t *testing.T, store state.Store, key string, delta int64, ttl time.Duration, want int64) {
	t.Helper()
	got, err := store.Add(t.Context(), key, delta, ttl)
	if err != nil {
		t.Fatalf("adding to %q: %v", key, err)
	}
	if got != want {
		t.Errorf("adding %d to %q: got %d, want %d", delta, key, got, want)
	}
}

// keys returns the keys that a scan finds.
func keys(t *testing.T, store state.Store, prefix, after string) []string {
	t.Helper()
	var out []string
	for item, err := range store.Scan(t.Context(), prefix, after) {
		if err != nil {
			t.Fatalf("scanning %q: %v", prefix, err)
		}
		out = append(out, item.Key)
	}
	return out
}
