package statetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state"
)

// model is a store as simple as can be, for one key space.
type model struct {
	now     time.Duration
	entries map[string]modelEntry
	counts  map[string]modelCount
}

type modelEntry struct {
	value   string
	version state.Version
	expires time.Duration // 0 for never
}

type modelCount struct {
	count   int64
	expires time.Duration
}

func (m *model) deadline(ttl time.Duration) time.Duration {
	if ttl == 0 {
		return 0
	}
	return m.now + ttl
}

// advance makes time pass and forgets what has expired.
func (m *model) advance(d time.Duration) {
	m.now += d
	for key, entry := range m.entries {
		if entry.expires != 0 && entry.expires <= m.now {
			delete(m.entries, key)
		}
	}
	for key, count := range m.counts {
		if count.expires != 0 && count.expires <= m.now {
			delete(m.counts, key)
		}
	}
}

// testModel does the same to a store and to a model of it, at random, and
// compares what they say.
func testModel(t *testing.T, s Subject) {
	store := s.New(t)
	round := 0
	// Without its wrapping rapid asks t for its deadline, which is not allowed in
	// a bubble.
	rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
		round++
		prefix := fmt.Sprintf("%d/", round)
		m := &model{entries: make(map[string]modelEntry), counts: make(map[string]modelCount)}
		key := rapid.Map(rapid.SampledFrom([]string{"a", "b", "\xff"}), func(key string) string { return prefix + key })
		value := rapid.StringN(0, 3, -1)
		// Whole seconds pass, so nothing is asked in the moment when it expires.
		ttl := rapid.SampledFrom([]time.Duration{0, 2500 * time.Millisecond, 6500 * time.Millisecond, 80500 * time.Millisecond})
		stale := rapid.SampledFrom([]state.Version{state.Absent, 1})

		version := func(key string) state.Version {
			if rapid.Bool().Draw(t, "current") {
				return m.entries[key].version
			}
			return stale.Draw(t, "stale")
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, v, ttl := key.Draw(t, "key"), value.Draw(t, "value"), ttl.Draw(t, "ttl")
				version, err := store.Put(t.Context(), k, []byte(v), ttl)
				if err != nil {
					t.Fatal(err)
				}
				m.entries[k] = modelEntry{v, version, m.deadline(ttl)}
			},
			"swap": func(t *rapid.T) {
				k, v, ttl := key.Draw(t, "key"), value.Draw(t, "value"), ttl.Draw(t, "ttl")
				old := version(k)
				version, err := store.CompareAndSwap(t.Context(), k, old, []byte(v), ttl)
				if m.entries[k].version != old {
					wantConflict(t, err)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				m.entries[k] = modelEntry{v, version, m.deadline(ttl)}
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				if err := store.Delete(t.Context(), k); err != nil {
					t.Fatal(err)
				}
				delete(m.entries, k)
			},
			"compare and delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				old := version(k)
				err := store.CompareAndDelete(t.Context(), k, old)
				if old == state.Absent || m.entries[k].version != old {
					wantConflict(t, err)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				delete(m.entries, k)
			},
			"add": func(t *rapid.T) {
				k, delta, ttl := key.Draw(t, "key"), rapid.Int64Range(-5, 5).Draw(t, "delta"), ttl.Draw(t, "ttl")
				count, found := m.counts[k]
				if !found {
					count.expires = m.deadline(ttl)
				}
				count.count += delta
				m.counts[k] = count
				if got, err := store.Add(t.Context(), k, delta, ttl); err != nil || got != count.count {
					t.Fatalf("adding %d to %q: got %d, %v, want %d", delta, k, got, err, count.count)
				}
			},
			"advance": func(t *rapid.T) {
				d := rapid.SampledFrom([]time.Duration{time.Second, 3 * time.Second, 61 * time.Second}).Draw(t, "by")
				s.Advance(d)
				m.advance(d)
			},
			"": func(t *rapid.T) { m.compare(t, store, prefix) },
		})
	})
}

func wantConflict(t *rapid.T, err error) {
	if !errors.Is(err, state.ErrConflict) {
		t.Fatalf("got error %v, want ErrConflict", err)
	}
}

// compare checks that a scan, and Get, find what the model holds.
func (m *model) compare(t *rapid.T, store state.Store, prefix string) {
	var got []string
	for item, err := range store.Scan(t.Context(), prefix, "") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, item.Key)
		want := m.entries[item.Key]
		entry, err := store.Get(t.Context(), item.Key)
		if err != nil || item.Version != want.version || entry.Version != want.version ||
			string(item.Value) != want.value || string(entry.Value) != want.value {
			t.Fatalf("%q: a scan finds %v, Get %v, %v, want %v", item.Key, item, entry, err, want)
		}
	}
	var want []string
	for key := range m.entries {
		want = append(want, key)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("found %q, want %q", got, want)
	}
}
