package bolt

import (
	"context"
	"errors"
	"sync"

	"go.etcd.io/bbolt"
)

// maxChanges is how many changes share one commit, at most.
const maxChanges = 1000

// errUnchanged rolls back a commit that would change nothing.
var errUnchanged = errors.New("bolt: nothing to commit")

// errAborted is the outcome of a change whose commit ended in a panic.
var errAborted = errors.New("bolt: the commit was aborted")

// commits gathers changes that come while a commit is being written to disk, and
// writes them together with the next one.
//
// bbolt's own Batch waits for a timer before each commit, which costs a lone
// writer more than a millisecond here; this waits for nothing, and the busier
// the disk, the larger the commits. Measured on two cores, per write of 2 kB
// with 1, 16 and 64 writers: Update 0.50, 0.69 and 0.65 ms; Batch with 200 µs
// 1.86, 0.16 and 0.14 ms; this 0.55, 0.14 and 0.09 ms.
type commits struct {
	db   *bbolt.DB
	turn chan struct{} // holds one element while somebody commits

	mu      sync.Mutex
	waiting []*change
}

// change is one caller's part of a commit.
type change struct {
	apply func(*txn) error
	err   error
	done  chan struct{}
}

// do applies a change, and returns once it is on disk or refused. A refusal is
// an error of apply, which must not have changed anything then.
//
// Of those who wait, one at a time commits for all.
func (c *commits) do(ctx context.Context, apply func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	own := &change{apply: apply, done: make(chan struct{})}
	c.mu.Lock()
	c.waiting = append(c.waiting, own)
	c.mu.Unlock()
	for {
		select {
		case <-own.done:
			return own.err
		case c.turn <- struct{}{}:
			c.commit()
		case <-ctx.Done():
			if c.withdraw(own) {
				return unavailable(ctx.Err())
			}
			// It is being written, and cannot be called back.
			<-own.done
			return own.err
		}
	}
}

// commit writes what is waiting, and passes the turn on.
func (c *commits) commit() {
	defer func() { <-c.turn }()
	changes := c.take()
	if len(changes) == 0 {
		return
	}
	failed := errAborted
	defer func() {
		for _, change := range changes {
			// Even a refusal does not stand: it may have been made in view
			// of a change that is now lost.
			if failed != nil {
				change.err = unavailable(failed)
			}
			close(change.done)
		}
	}()
	err := c.db.Update(func(tx *bbolt.Tx) error {
		t := &txn{tx: tx}
		for _, change := range changes {
			change.err = change.apply(t)
		}
		if t.err == nil && !t.changed {
			return errUnchanged
		}
		return t.err
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	failed = err
}

func (c *commits) take() []*change {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(c.waiting), maxChanges)
	taken := c.waiting[:n:n]
	c.waiting = c.waiting[n:]
	return taken
}

// withdraw takes back a change that nobody has begun to commit.
func (c *commits) withdraw(own *change) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, change := range c.waiting {
		if change == own {
			c.waiting = append(c.waiting[:i:i], c.waiting[i+1:]...)
			return true
		}
	}
	return false
}
