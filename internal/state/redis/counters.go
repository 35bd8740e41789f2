package redis

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Add implements state.Store.
func (s *Store) Add(ctx context.Context, key string, delta int64, ttl time.Duration) (int64, error) {
	if err := state.CheckEntry(key, nil, ttl); err != nil {
		return 0, err
	}
	sum, err := s.add(ctx, key, delta, ttl)
	if err != nil {
		return 0, fmt.Errorf("adding to a counter: %w", err)
	}
	return sum, nil
}

func (s *Store) add(ctx context.Context, key string, delta int64, ttl time.Duration) (int64, error) {
	name := counterPrefix + key
	reply, err := s.run(ctx, s.scripts.add, []string{name, namesKey, dueKey}, name, delta, milliseconds(ttl))
	if err != nil {
		// This is how Redis words it, and all it says.
		if strings.Contains(err.Error(), "increment or decrement would overflow") {
			return 0, state.ErrOverflow
		}
		return 0, err
	}
	return parseCount(reply)
}

func parseCount(reply any) (int64, error) {
	text, _ := reply.(string)
	count, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, unavailable(fmt.Errorf("%q is no count", text))
	}
	return count, nil
}
