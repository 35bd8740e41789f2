package statetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/state"
)

func expiryTests() []test {
	return []test{
		{"an entry", testEntryExpires},
		{"is set by every write", testEntryTTL},
		{"frees the key", testExpiredIsAbsent},
		{"is rounded up", testShortTTL},
		{"hides from scans", testExpiredScan},
		{"a counter's window", testCounterExpires},
	}
}

func testEntryExpires(t *testing.T, s Subject) {
	store := s.New(t)
	version := put(t, store, "k", "v", time.Minute)
	put(t, store, "for ever", "v", 0)
	s.Advance(time.Minute - time.Second)
	wantEntry(t, store, "k", "v", version)
	s.Advance(2 * time.Second)
	wantNone(t, store, "k")
	s.Advance(5 * time.Hour)
	if got := keys(t, store, "", ""); !cmp.Equal(got, []string{"for ever"}) {
		t.Errorf("left are %q", got)
	}
}

func testEntryTTL(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, "longer", "v", time.Minute)
	longer := put(t, store, "longer", "v", time.Hour)
	put(t, store, "for ever", "v", time.Minute)
	forEver := put(t, store, "for ever", "v", 0)
	put(t, store, "shorter", "v", time.Hour)
	put(t, store, "shorter", "v", time.Minute)
	swapped, err := store.CompareAndSwap(t.Context(), "swapped", put(t, store, "swapped", "v", time.Minute), []byte("v"), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	// There are sweeps meanwhile, which must not take the living with the dead.
	s.Advance(30 * time.Minute)
	wantEntry(t, store, "longer", "v", longer)
	wantEntry(t, store, "for ever", "v", forEver)
	wantNone(t, store, "shorter")
	wantEntry(t, store, "swapped", "v", swapped)
}

func testExpiredIsAbsent(t *testing.T, s Subject) {
	store := s.New(t)
	old := put(t, store, "k", "v", time.Second)
	s.Advance(2 * time.Second)
	_, err := store.CompareAndSwap(t.Context(), "k", old, nil, 0)
	wantError(t, "swapping what has expired", err, state.ErrConflict)
	wantError(t, "deleting what has expired", store.CompareAndDelete(t.Context(), "k", old), state.ErrConflict)
	version, err := store.CompareAndSwap(t.Context(), "k", state.Absent, []byte("new"), 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Advance(time.Hour)
	wantEntry(t, store, "k", "new", version)
}

func testShortTTL(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, "k", "v", time.Nanosecond)
	add(t, store, "n", 1, time.Nanosecond, 1)
	s.Advance(10 * time.Millisecond)
	wantNone(t, store, "k")
	add(t, store, "n", 1, 0, 1)
}

func testExpiredScan(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, "a", "v", time.Second)
	put(t, store, "b", "v", time.Hour)
	put(t, store, "c", "v", time.Second)
	s.Advance(2 * time.Second)
	if diff := cmp.Diff([]string{"b"}, keys(t, store, "", "")); diff != "" {
		t.Error(diff)
	}
}

func testCounterExpires(t *testing.T, s Subject) {
	store := s.New(t)
	add(t, store, "k", 1, time.Minute, 1)
	add(t, store, "for ever", 1, 0, 1)
	s.Advance(40 * time.Second)
	add(t, store, "k", 1, time.Minute, 2)
	s.Advance(30 * time.Second)
	add(t, store, "k", 1, time.Minute, 1)
	s.Advance(40 * time.Second)
	add(t, store, "k", 1, time.Minute, 2)
	add(t, store, "for ever", 1, time.Minute, 2)
	s.Advance(time.Hour)
	add(t, store, "for ever", 1, time.Minute, 3)
}
