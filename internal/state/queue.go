package state

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// Message is something to be done later, at least once. Its id and group are
// plain in every store; its value may be sealed.
type Message struct {
	ID    string // unique in its queue, 1 to MaxKey bytes
	Group string // messages of one group keep their order, 1 to MaxKey bytes
	Value []byte // at most MaxValue bytes
}

// Task is a message that was given out to be worked on.
type Task struct {
	Message
	Tries int    // how often it was put back by Retry
	Token uint64 // says which lease this is; no two have the same
}

// Queued is a message as it stands in a queue.
type Queued struct {
	Message
	Tries  int       // how often it was put back by Retry
	Due    time.Time // when it may be given out (again), if none of its group is before it
	Leased bool      // it is being worked on until Due
}

// QueueInfo is what a store says of a queue that is not empty.
type QueueInfo struct {
	Name string
	Len  int
	Wait time.Duration // until the next message may be given out, at most 0 if one may now
}

// Queue is a durable queue. Each message is given out again and again until it
// is done or removed, whoever dies meanwhile, and always with the same id.
//
// At any time one message of a group can be given out, which is the one that was
// put first: while it is being worked on, or waits to be tried again, those
// behind it wait too. A worker that wants no order names the id as the group.
//
// Giving a message out is a lease, which ends by itself when the worker dies.
// Done and Retry are refused with [ErrLeaseLost] once the message was given to
// somebody else, or is no longer there. A lease that has run out but was not
// given to anybody else still counts.
//
// Names of queues follow the rules of keys. A queue needs no making, and one
// that is empty takes no room.
type Queue interface {
	// Put appends a message, which is not given out before the time after has
	// passed. The error is [ErrExists] if a message with this id is in the
	// queue, so a caller that does not know whether its message arrived may put
	// it again; and [ErrFull] if there are limit messages or more.
	Put(ctx context.Context, m Message, after time.Duration, limit int) error

	// Take gives out up to n messages that are due, the longest due first, each
	// for the time lease, which is at least [MinLease]. It may return fewer if
	// they are large, and none if none is due.
	Take(ctx context.Context, n int, lease time.Duration) ([]Task, error)

	// Done removes a message that was worked on.
	Done(ctx context.Context, t Task) error

	// Retry puts a message back in its place, with the value that t holds now.
	// It is given out again once the time after has passed.
	Retry(ctx context.Context, t Task, after time.Duration) error

	// Reschedule changes when a message is given out. The error is
	// [ErrNotFound] if it is not there, and [ErrLocked] while somebody works on
	// it.
	Reschedule(ctx context.Context, id string, after time.Duration) error

	// Remove removes a message, even while somebody works on it. The error is
	// [ErrNotFound] if it is not there.
	Remove(ctx context.Context, id string) error

	// List yields the messages: those of a group one after another, in their
	// order. Like a scan of entries it reads page by page, and the loop may
	// stop at any message or write to the store.
	List(ctx context.Context) iter.Seq2[Queued, error]
}

// CheckMessage returns [ErrInvalid] unless the arguments of Put are in bounds. It
// is for implementations of [Queue].
func CheckMessage(queue string, m Message, after time.Duration) error {
	if err := CheckKey(queue); err != nil {
		return err
	}
	if err := CheckKey(m.Group); err != nil {
		return err
	}
	return CheckEntry(m.ID, m.Value, after)
}

// CheckTake returns [ErrInvalid] unless the arguments of Take are in bounds. It
// is for implementations of [Queue].
func CheckTake(queue string, n int, lease time.Duration) error {
	if n < 1 {
		return fmt.Errorf("%w: to take %d messages", ErrInvalid, n)
	}
	return CheckLease(queue, lease)
}
