package agents

import (
	"sync"
	"time"
)

// maxCached bounds how many look-ups of each outcome are remembered.
const maxCached = 4096

// cache remembers for a short while what look-ups in the store have found. Good
// keys and bad ones are kept apart, so that whoever tries many bad keys drives no
// good one out.
type cache struct {
	keep time.Duration

	mu      sync.Mutex
	good    map[place]answer
	bad     map[place]answer
	revoked uint64 // how many revocations there were
}

// answer is the outcome of a look-up.
type answer struct {
	agent Agent
	err   error
	until time.Time
}

func newCache(keep time.Duration) cache {
	return cache{keep: keep, good: make(map[place]answer), bad: make(map[place]answer)}
}

func (c *cache) get(at place, now time.Time) (answer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.good[at]
	if !ok {
		found, ok = c.bad[at]
	}
	return found, ok && now.Before(found.until)
}

// revocations returns a number that changes with every revocation.
func (c *cache) revocations() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revoked
}

// put remembers what was read from the store, unless there was a revocation since
// before the reading: it may not have been seen.
func (c *cache) put(at place, found answer, revocations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.revoked != revocations {
		return
	}
	delete(c.good, at)
	delete(c.bad, at)
	answers := c.good
	if found.err != nil {
		answers = c.bad
	}
	// A full map is emptied rather than searched for what to leave out: the
	// entries live for seconds only.
	if len(answers) >= maxCached {
		clear(answers)
	}
	answers[at] = found
}

// revoke forgets every good key, after one was revoked in the store.
func (c *cache) revoke() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.revoked++
	clear(c.good)
}
