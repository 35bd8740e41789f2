package shopclient

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// errFull says that no slot came free.
var errFull = errors.New("too many requests to the shop are under way")

// gate lets a number of requests through at once and a number of others wait.
type gate struct {
	slots    chan struct{}
	waiting  atomic.Int64
	places   int64
	patience time.Duration
}

func newGate(concurrent int, patience time.Duration) *gate {
	return &gate{
		slots:    make(chan struct{}, concurrent),
		places:   int64(concurrent) * waitingPerSlot,
		patience: patience,
	}
}

// enter takes a slot. The error is ctx.Err() or errFull.
func (g *gate) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.places {
		return errFull
	}
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-timer.C:
		return errFull
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave gives the slot back.
func (g *gate) leave() { <-g.slots }
