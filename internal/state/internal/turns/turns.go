// Package turns gives out named rights to one holder at a time, in the order in
// which they were asked for.
package turns

import (
	"context"
	"slices"
	"sync"
)

// Turns keeps the names that are held and who waits for them. Its zero value is
// ready to use; its methods are safe for concurrent use. A name that nobody holds
// takes no memory.
type Turns struct {
	mu sync.Mutex
	// Each channel belongs to a waiter, who holds the name once it is closed.
	waiters map[string][]chan struct{}
}

// TryTake takes name if nobody holds it.
func (t *Turns) TryTake(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.take(name)
}

// Take waits for its turn to hold name, or returns the error of ctx when that is
// over first, and reports whether it had to wait for another holder.
func (t *Turns) Take(ctx context.Context, name string) (waited bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	t.mu.Lock()
	if t.take(name) {
		t.mu.Unlock()
		return false, nil
	}
	turn := make(chan struct{})
	t.waiters[name] = append(t.waiters[name], turn)
	t.mu.Unlock()

	select {
	case <-turn:
		return true, nil
	case <-ctx.Done():
		t.leave(name, turn)
		return true, ctx.Err()
	}
}

// Give passes name, which the caller must hold, to whoever has waited longest.
func (t *Turns) Give(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.give(name)
}

func (t *Turns) take(name string) bool {
	if _, held := t.waiters[name]; held {
		return false
	}
	if t.waiters == nil {
		t.waiters = make(map[string][]chan struct{})
	}
	t.waiters[name] = nil
	return true
}

func (t *Turns) give(name string) {
	waiting := t.waiters[name]
	if len(waiting) == 0 {
		delete(t.waiters, name)
		return
	}
	t.waiters[name] = waiting[1:]
	close(waiting[0])
}

// leave gives up on a turn, which may have come at the same moment.
func (t *Turns) leave(name string, turn chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting := t.waiters[name]
	if i := slices.Index(waiting, turn); i >= 0 {
		t.waiters[name] = slices.Delete(waiting, i, i+1)
		return
	}
	t.give(name)
}

// Join returns a context that is over as soon as one of the two is, and a
// function that the caller must call when done with it.
func Join(ctx, other context.Context) (context.Context, context.CancelFunc) {
	joined, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(other, cancel)
	return joined, func() {
		stop()
		cancel()
	}
}
