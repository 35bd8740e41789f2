package openai

import (
	"sync"
	"time"
)

// breaker lets no call through for a pause after failures in a row, and then one
// call at a time until one succeeds.
type breaker struct {
	failures int
	pause    time.Duration

	mu    sync.Mutex
	count int
	until time.Time
	// trying says that the one call after a pause is under way.
	trying bool
}

// allow reports whether a call may be made. What becomes of it has to be told.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count < b.failures {
		return true
	}
	if now.Before(b.until) || b.trying {
		return false
	}
	b.trying = true
	return true
}

func (b *breaker) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count, b.trying = 0, false
}

func (b *breaker) failed(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count, b.trying = min(b.count+1, b.failures), false
	b.until = now.Add(b.pause)
}

// abandoned is for a call that ended without showing how the endpoint is.
func (b *breaker) abandoned() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
}
