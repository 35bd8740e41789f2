package crawl

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// run follows the log, and walks whenever nobody else does.
func (c *Crawl) run(ctx context.Context) {
	pause := leastPause
	for ctx.Err() == nil {
		err := c.follow(ctx)
		if err == nil || errors.Is(err, errStored) {
			// Who leads can begin the log anew.
			if led, failed := c.lead(ctx); led || failed != nil {
				err = failed
			}
		}
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			pause = leastPause
			c.told(nil)
			sleep(ctx, jitter(followEvery))
		default:
			c.told(err)
			sleep(ctx, jitter(pause))
			pause = min(2*pause, c.interval)
		}
	}
}

// follow takes in what was appended to the log.
func (c *Crawl) follow(ctx context.Context) error {
	r := c.records
	first, any, err := c.log.first(ctx)
	if err != nil {
		return err
	}
	if any && first > r.last || !any && r.last > 0 {
		// Chunks are gone that were not read, or the log was begun anew.
		r.anew()
	}
	for number, s := range c.log.from(ctx, r.last+1) {
		err := s.err
		if err == nil {
			err = r.apply(number, s.chunk, c.sinks)
		}
		if err != nil {
			return err
		}
	}
	if r.before != nil {
		r.settled(c.sinks)
	}
	c.told(nil)
	return nil
}

// lead walks for as long as it has the lease, and reports whether it had it.
func (c *Crawl) lead(ctx context.Context) (led bool, err error) {
	lease, err := c.log.store.TryAcquire(ctx, c.lease, leaseTime)
	if errors.Is(err, state.ErrLocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, released(lease)) }()
	leased, cancel := lease.Context(ctx)
	defer cancel()
	c.setLeading(true)
	defer c.setLeading(false)
	// The one before may have appended after we looked.
	if err := c.follow(leased); errors.Is(err, errStored) {
		if err := c.log.clear(leased); err != nil {
			return true, err
		}
		c.records.anew()
		c.records.settled(c.sinks)
	} else if err != nil {
		return true, err
	}
	return true, c.walk(leased)
}

// released gives a lease back. To have lost it is how leading ends.
func released(lease *state.Lease) error {
	if err := lease.Release(); !errors.Is(err, state.ErrLeaseLost) {
		return err
	}
	return nil
}

// walk reads pages, and then changes, until the context ends or the store fails.
// A shop that is away is asked again.
func (c *Crawl) walk(ctx context.Context) error {
	pause := leastPause
	wait := c.due()
	for {
		if !sleep(ctx, wait) {
			return nil
		}
		err := c.page(ctx)
		var refusal *upstream.Error
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			pause, wait = leastPause, 0
			if !c.records.at.More {
				wait = jitter(c.interval)
			}
		case errors.Is(err, state.ErrConflict), errors.Is(err, state.ErrUnavailable), errors.Is(err, errStored):
			return err
		default:
			wait = jitter(pause)
			if errors.As(err, &refusal) {
				wait = max(wait, min(refusal.RetryAfter, c.interval))
			}
			pause = min(2*pause, c.interval)
		}
		c.told(err)
	}
}

// due is how long to wait before the next page.
func (c *Crawl) due() time.Duration {
	at := c.records.at
	if at.More || at.Walk == 0 {
		return 0
	}
	return min(max(at.At.Add(jitter(c.interval)).Sub(c.now()), 0), c.interval)
}

// jitter returns a duration a tenth more or less, so that nodes and shops that
// started together do not go on together.
func jitter(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1)
}

// sleep reports whether the context has lasted that long.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
