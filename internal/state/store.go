package state

import (
	"context"
	"io"
	"iter"
	"time"
)

// Limits that every Store enforces, in bytes.
const (
	MaxKey   = 1 << 10 // a key or the name of a lease
	MaxValue = 8 << 20 // the value of an entry
)

// Version is the state of one entry at one moment. Every write gives the entry a
// new one, which was never in use before and will not be again, so two entries
// of the same key with the same version hold the same value. Versions have no
// order.
type Version uint64

// Absent is the version of a key that holds nothing. No entry has it.
const Absent Version = 0

// Entry is a value and its version. The value belongs to whoever received it.
type Entry struct {
	Value   []byte
	Version Version
}

// Item is an entry found by a scan.
type Item struct {
	Key string
	Entry
}

// Store keeps entries, counters, leases and queues. It is safe for concurrent use.
//
// An entry or counter with a ttl is gone for every method as soon as the ttl is
// over; a ttl of 0 means that it stays. Each method returns an error that wraps
// [ErrUnavailable] when the store could not do its work, and that wraps the
// error of ctx as well when ctx ended first.
type Store interface {
	// Get returns the entry at key, or [ErrNotFound].
	Get(ctx context.Context, key string) (Entry, error)

	// Put writes value at key, whatever stood there, and returns its version.
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) (Version, error)

	// CompareAndSwap writes value at key if the entry still has the version
	// old, and returns the new version; old is [Absent] if there must be no
	// entry. Otherwise nothing changes and the error is [ErrConflict]. The ttl
	// starts anew.
	CompareAndSwap(ctx context.Context, key string, old Version, value []byte, ttl time.Duration) (Version, error)

	// Delete removes the entry at key. Nothing to remove is no error.
	Delete(ctx context.Context, key string) error

	// CompareAndDelete removes the entry at key if it still has the version
	// old; otherwise, or if there is none, the error is [ErrConflict].
	CompareAndDelete(ctx context.Context, key string, old Version) error

	// Scan yields the entries whose key starts with prefix and comes after the
	// key after ("" for the first), ordered by key. The loop may stop at any
	// item, and a later scan goes on after its key; it may also write to the
	// store.
	//
	// Entries are read in pages of bounded count and size, so a scan holds
	// nothing open and needs little memory. Each entry is current as of its
	// page: one that is written during the scan may be seen or not. After an
	// error, which comes with a zero Item, the scan ends.
	Scan(ctx context.Context, prefix, after string) iter.Seq2[Item, error]

	// Add adds delta, which may be negative or 0, to the counter at key and
	// returns the sum. A counter comes to be, at 0, when it is first added to;
	// its ttl starts then, and later calls do not change it. A sum that does
	// not fit an int64 is refused with [ErrOverflow] and changes nothing.
	Add(ctx context.Context, key string, delta int64, ttl time.Duration) (int64, error)

	// Acquire waits until nobody holds a lease on name or ctx is over, in which
	// case the error wraps [ErrLocked] and the error of ctx. Waiters of one
	// process are served in order; between processes every one gets its turn.
	//
	// The lease is renewed in the background until it is released, and outlives
	// ctx. The ttl, at least [MinLease], says how long others wait for a holder
	// that died without releasing: at most one ttl.
	Acquire(ctx context.Context, name string, ttl time.Duration) (*Lease, error)

	// TryAcquire is Acquire without waiting: a name that is held, or waited
	// for, is [ErrLocked] at once.
	TryAcquire(ctx context.Context, name string, ttl time.Duration) (*Lease, error)

	// Queue returns the queue with a name.
	Queue(name string) Queue

	// Queues yields the queues that are not empty and whose name starts with
	// prefix, ordered by name, under the terms of Scan.
	Queues(ctx context.Context, prefix string) iter.Seq2[QueueInfo, error]

	// Backup writes all entries, counters and queues to w, in the format of package
	// archive, which every implementation can restore. Like a scan it reads
	// page by page and is no picture of one moment.
	Backup(ctx context.Context, w io.Writer) error

	// Restore reads what Backup wrote, by whichever implementation. What has
	// expired since is left out. Nobody else may use the store meanwhile. After
	// an error the store is empty, unless it was refused with [ErrNotEmpty] or
	// the archive was unreadable from its first block on: then nothing was
	// touched.
	Restore(ctx context.Context, r io.Reader, mode RestoreMode) error

	// Ping reports whether the store can serve.
	Ping(ctx context.Context) error

	// Close ends what runs in the background and waits for it. Leases that are
	// still held are lost, and every later call returns [ErrUnavailable].
	// Closing again does nothing.
	Close() error
}

// RestoreMode says what Restore does with a store that is not empty.
type RestoreMode int

const (
	IntoEmpty RestoreMode = iota // refuse it with ErrNotEmpty
	Replace                      // remove all entries, counters and queues first
)
