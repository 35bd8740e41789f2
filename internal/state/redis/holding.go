package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// holding is a lease in Redis that this process holds.
type holding struct {
	store *Store
	key   string
	id    string
	ttl   time.Duration
	until time.Time // when it expires, unless it is renewed

	lease *state.Lease
	stop  context.CancelFunc
	ended chan struct{} // closed when nothing renews it any more
}

// renewUntilReleased starts renewing the lease in the background, and reports
// false if the store is closed.
func (h *holding) renewUntilReleased(lease *state.Lease, lose func()) bool {
	ctx, stop := context.WithCancel(h.store.open)
	h.lease, h.stop, h.ended = lease, stop, make(chan struct{})
	started := h.store.inBackground(func() {
		defer close(h.ended)
		h.renew(ctx)
		// After a release this does nothing.
		lose()
	})
	if !started {
		stop()
	}
	return started
}

// renew renews the lease until ctx is over or the lease is lost: because Redis
// says so, or because it may have expired while Redis could not be asked.
func (h *holding) renew(ctx context.Context) {
	for wait := h.ttl / 3; pause(ctx, wait); {
		asked := time.Now()
		kept, err := h.renewOnce(ctx)
		switch {
		case err == nil && kept:
			h.until = asked.Add(h.ttl)
			wait = h.ttl / 3
		case err != nil && time.Now().Before(h.until):
			// It may take a few attempts, the last of them in time.
			wait = min(h.ttl/10, time.Until(h.until))
		default:
			return
		}
	}
}

func (h *holding) renewOnce(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithDeadline(ctx, h.until)
	defer cancel()
	reply, err := h.store.eval(ctx, h.store.scripts.renew, []string{h.key}, h.id, milliseconds(h.ttl))
	return reply == int64(1), err
}

// release ends the renewal, gives the lease back to Redis and passes the turn to
// the next in this process.
func (h *holding) release(name string) error {
	h.stop()
	<-h.ended
	defer h.store.turns.Give(name)
	if errors.Is(h.lease.Err(), state.ErrLeaseLost) {
		return nil // there is nothing to give back
	}
	kept, err := h.giveBack()
	if err == nil && !kept {
		err = state.ErrLeaseLost
	}
	if err != nil {
		return fmt.Errorf("releasing a lease: %w", err)
	}
	return nil
}

// giveBack removes the lease from Redis, and reports whether it was still ours.
func (h *holding) giveBack() (bool, error) {
	reply, err := h.store.eval(context.Background(), h.store.scripts.release, []string{h.key}, h.id)
	return reply == int64(1), err
}
