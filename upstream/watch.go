package upstream

import (
	"context"
	"sync"
	"time"
)

// The pace of a Watch: how soon a shop that is away is asked again, and how
// often one that is there.
const (
	watchAway  = 2 * time.Second
	watchThere = 5 * time.Minute
)

// Watch keeps a shop's description at hand. A shop that is down when its host
// starts is asked again until it is there; meanwhile [Watch.Description] says
// unavailable.
//
// A Watch has no goroutine of its own: [Watch.Run] is run by its owner.
type Watch struct {
	shop    Shop
	changed func(Description, error)

	mu    sync.Mutex
	known bool
	now   Description
	err   error
}

// NewWatch returns a Watch over shop. changed, if not nil, is told the outcome of
// every look at the shop, one after the other.
func NewWatch(shop Shop, changed func(Description, error)) *Watch {
	return &Watch{shop: shop, changed: changed}
}

// Run looks at the shop until the context ends.
func (w *Watch) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		pause := watchThere
		if w.Look(ctx) != nil {
			pause = watchAway
		}
		timer.Reset(pause)
	}
}

// Look asks the shop now.
func (w *Watch) Look(ctx context.Context) error {
	d, err := w.shop.Describe(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.mu.Lock()
	w.err = err
	if err == nil {
		w.known, w.now = true, d
	}
	w.mu.Unlock()
	if w.changed != nil {
		w.changed(d, err)
	}
	return err
}

// Description returns what the shop said last. While it has not said anything
// yet the error is an [*Error] with CodeUnavailable and a RetryAfter.
func (w *Watch) Description() (Description, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.known {
		return Description{}, &Error{Code: CodeUnavailable, Op: "asking the shop what it is", RetryAfter: watchAway, Err: w.err}
	}
	return w.now, nil
}

// Err is what came of the last look, nil before the first.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
