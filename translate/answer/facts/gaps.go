package facts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
)

// Limits of what is counted.
const (
	maxGaps = 500
	maxKey  = 64 // bytes
)

// Gap is an attribute that was asked for.
type Gap struct {
	Key string `json:"key"`
	// Asked counts the products that it was asked of, Unknown those of them of which
	// nobody has recorded it.
	Asked   int64 `json:"asked"`
	Unknown int64 `json:"unknown"`
}

// Gaps counts what is asked for and recorded nowhere. It is safe for concurrent
// use.
type Gaps struct {
	store state.Store
	key   string

	mu    sync.Mutex
	fresh map[string]Gap // since the last Save
}

// NewGaps returns the gaps of a shop.
func NewGaps(store state.Store, shop string) *Gaps {
	return &Gaps{store: store, key: "gaps/" + shop, fresh: map[string]Gap{}}
}

// Note counts the verdicts of a product.
func (g *Gaps) Note(verdicts []verdict.Verdict) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, v := range verdicts {
		if v.Key == "" || len(v.Key) > maxKey {
			continue
		}
		key := strings.ToLower(v.Key)
		gap, known := g.fresh[key]
		if !known && len(g.fresh) >= maxGaps {
			continue
		}
		gap.Key = key
		gap.Asked++
		if v.Source == verdict.NotRecorded || v.Source == verdict.Unenriched {
			gap.Unknown++
		}
		g.fresh[key] = gap
	}
}

// Save adds what was counted since the last time to what is stored.
func (g *Gaps) Save(ctx context.Context) error {
	g.mu.Lock()
	fresh := g.fresh
	g.fresh = map[string]Gap{}
	g.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	err := g.add(ctx, fresh)
	if err != nil { // the next time, then
		g.mu.Lock()
		merge(g.fresh, fresh)
		g.mu.Unlock()
	}
	return err
}

// add adds counts to the stored ones. Another node may do the same just now.
func (g *Gaps) add(ctx context.Context, fresh map[string]Gap) error {
	for {
		stored, version, err := g.load(ctx)
		if err != nil {
			return err
		}
		merge(stored, fresh)
		encoded, err := json.Marshal(sorted(stored))
		if err != nil {
			return fmt.Errorf("encoding gaps: %w", err)
		}
		_, err = g.store.CompareAndSwap(ctx, g.key, version, encoded, 0)
		if !errors.Is(err, state.ErrConflict) {
			return err
		}
	}
}

func (g *Gaps) load(ctx context.Context) (map[string]Gap, state.Version, error) {
	stored := map[string]Gap{}
	entry, err := g.store.Get(ctx, g.key)
	if errors.Is(err, state.ErrNotFound) {
		return stored, state.Absent, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("loading gaps: %w", err)
	}
	var all []Gap
	if err := json.Unmarshal(entry.Value, &all); err != nil {
		return nil, 0, fmt.Errorf("loading gaps: %w", err)
	}
	for _, gap := range all {
		stored[gap.Key] = gap
	}
	return stored, entry.Version, nil
}

// merge adds counts, of as many keys as there is room for.
func merge(to, from map[string]Gap) {
	for key, gap := range from {
		sum, known := to[key]
		if !known && len(to) >= maxGaps {
			continue
		}
		sum.Key, sum.Asked, sum.Unknown = key, sum.Asked+gap.Asked, sum.Unknown+gap.Unknown
		to[key] = sum
	}
}

// sorted puts first what is asked for most and recorded least.
func sorted(gaps map[string]Gap) []Gap {
	return slices.SortedFunc(maps.Values(gaps), func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Unknown, a.Unknown), cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Key, b.Key))
	})
}

// Report returns what was asked for, the widest gap first.
func (g *Gaps) Report(ctx context.Context) ([]Gap, error) {
	if err := g.Save(ctx); err != nil {
		return nil, err
	}
	stored, _, err := g.load(ctx)
	if err != nil {
		return nil, err
	}
	return sorted(stored), nil
}
