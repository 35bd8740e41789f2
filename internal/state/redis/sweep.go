package redis

import (
	"context"
	"time"
)

const (
	// sweepEvery is how often the names of what has expired are removed. Redis
	// itself removes the rest.
	sweepEvery = time.Minute

	// sweepNames is how many names one script looks at, so that others get to
	// use Redis in between.
	sweepNames = 500
)

// sweepUntilClosed sweeps now and then. Every node does, and it does no harm if
// two meet. A sweep that fails is made up for by the next.
func (s *Store) sweepUntilClosed() {
	for pause(s.open, sweepEvery) {
		_ = s.sweep(s.open)
	}
}

// sweep removes the names of what has expired.
func (s *Store) sweep(ctx context.Context) error {
	for {
		reply, err := s.run(ctx, s.scripts.sweep, []string{namesKey, dueKey}, s.prefix, sweepNames)
		if err != nil || reply != int64(sweepNames) {
			return err
		}
	}
}
