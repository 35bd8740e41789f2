package statetest

import (
	"math"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/internal/state"
)

func counterTests() []test {
	return []test{
		{"add", testAdd},
		{"whole range", testAddRange},
		{"at once", testAddConcurrent},
	}
}

func testAdd(t *testing.T, s Subject) {
	store := s.New(t)
	put(t, store, "k", "an entry is something else", 0)
	add(t, store, "k", 0, 0, 0)
	add(t, store, "k", 5, 0, 5)
	add(t, store, "k", -7, 0, -2)
	add(t, store, "k", 0, 0, -2)
	add(t, store, "other", 1, 0, 1)
	if err := store.Delete(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	add(t, store, "k", 0, 0, -2)
}

func testAddRange(t *testing.T, s Subject) {
	store := s.New(t)
	add(t, store, "max", math.MaxInt64, 0, math.MaxInt64)
	add(t, store, "max", -1, 0, math.MaxInt64-1)
	add(t, store, "max", 1, 0, math.MaxInt64)
	_, err := store.Add(t.Context(), "max", 1, 0)
	wantError(t, "above the greatest", err, state.ErrOverflow)
	add(t, store, "max", 0, 0, math.MaxInt64)

	add(t, store, "min", math.MinInt64, 0, math.MinInt64)
	_, err = store.Add(t.Context(), "min", -1, 0)
	wantError(t, "below the least", err, state.ErrOverflow)
	add(t, store, "min", math.MaxInt64, 0, -1)
}

func testAddConcurrent(t *testing.T, s Subject) {
	store := s.New(t)
	const workers, times = 20, 10
	seen := make([]bool, workers*times+1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range times {
				n, err := store.Add(t.Context(), "k", 1, 0)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if seen[n] {
					t.Errorf("the sum %d came twice", n)
				}
				seen[n] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	add(t, store, "k", 0, 0, workers*times)
}
