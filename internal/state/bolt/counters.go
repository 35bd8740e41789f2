package bolt

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Add implements state.Store.
func (s *Store) Add(ctx context.Context, key string, delta int64, ttl time.Duration) (int64, error) {
	if err := state.CheckEntry(key, nil, ttl); err != nil {
		return 0, err
	}
	var sum int64
	expires := deadline(s.now(), ttl)
	err := s.update(ctx, func(t *txn) error {
		stored, found, err := t.counter(key, expires)
		if err != nil {
			return err
		}
		if delta > 0 && found.count > math.MaxInt64-delta || delta < 0 && found.count < math.MinInt64-delta {
			return state.ErrOverflow
		}
		found.count += delta
		t.put(counters, []byte(key), found.encode())
		t.index(kindCounter, []byte(key), stored.expires, found.expires)
		sum = found.count
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("adding to a counter: %w", err)
	}
	return sum, nil
}

// counter returns the counter that is stored at key, and what is to be found
// there: the same or, if there is none or it has expired, a new one that expires
// when said.
func (t *txn) counter(key string, expires int64) (stored, found counter, err error) {
	fresh := counter{expires: expires}
	record := t.bucket(counters).Get([]byte(key))
	if record == nil {
		return counter{}, fresh, nil
	}
	stored, err = decodeCounter(record)
	if err != nil || !t.live(stored.expires) {
		return stored, fresh, err
	}
	return stored, stored, nil
}
