package caddymodule

import (
	"sync"
	"time"
)

// tenancy is the time for which a configuration needs what it shares with others:
// until it is over, and has no guests any more. The guests are requests. The zero
// value has begun, and has no guests.
type tenancy struct {
	mu     sync.Mutex
	guests int
	over   bool
	// vacate is called once, when the tenancy is over and the last guest has left.
	vacate func()
}

// enter lets a guest in, who must leave. It reports false if the tenancy is over
// and nobody is there any more.
func (t *tenancy) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over && t.guests == 0 {
		return false
	}
	t.guests++
	return true
}

// leave lets a guest go.
func (t *tenancy) leave() {
	t.mu.Lock()
	t.guests--
	last := t.over && t.guests == 0
	t.mu.Unlock()
	if last {
		t.vacate()
	}
}

// end ends the tenancy. It must be called once, and returns at once: guests who are
// there may stay, and others may come for some time. When all are gone, vacate is
// called.
func (t *tenancy) end(after time.Duration, vacate func()) {
	t.mu.Lock()
	t.vacate, t.over = vacate, true
	t.guests++ // who stays for that time
	t.mu.Unlock()
	if after <= 0 {
		t.leave()
		return
	}
	time.AfterFunc(after, t.leave)
}
