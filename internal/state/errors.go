package state

import (
	"errors"
	"fmt"
	"time"
)

// The errors that callers decide on. They arrive wrapped.
var (
	ErrNotFound    = errors.New("state: not found")
	ErrConflict    = errors.New("state: entry has changed")
	ErrLocked      = errors.New("state: somebody else holds the lease")
	ErrLeaseLost   = errors.New("state: lease was lost")
	ErrUnavailable = errors.New("state: store is unavailable")
	ErrOverflow    = errors.New("state: counter does not fit 64 bits")
	ErrNotEmpty    = errors.New("state: store is not empty")
	ErrInvalid     = errors.New("state: argument out of bounds")
	ErrExists      = errors.New("state: message is in the queue already")
	ErrFull        = errors.New("state: queue is full")

	// ErrSealed means that a value was sealed under another key, was not
	// sealed at all, or was changed since.
	ErrSealed = errors.New("state: value cannot be unsealed")

	// ErrSchema means that a store or a backup was written by a newer release,
	// which alone can read it.
	ErrSchema = errors.New("state: written by a newer release")
)

// CheckEntry returns [ErrInvalid] unless the arguments of a write are in bounds.
// It is for implementations of [Store].
func CheckEntry(key string, value []byte, ttl time.Duration) error {
	if len(value) > MaxValue {
		return fmt.Errorf("%w: a value of %d bytes, where %d are the most", ErrInvalid, len(value), MaxValue)
	}
	if ttl < 0 {
		return fmt.Errorf("%w: a ttl of %v", ErrInvalid, ttl)
	}
	return CheckKey(key)
}

// CheckKey returns [ErrInvalid] unless key is in bounds. It is for
// implementations of [Store].
func CheckKey(key string) error {
	if key == "" || len(key) > MaxKey {
		return fmt.Errorf("%w: a key of %d bytes, where 1 to %d are allowed", ErrInvalid, len(key), MaxKey)
	}
	return nil
}

// CheckLease returns [ErrInvalid] unless the arguments of Acquire are in bounds.
// It is for implementations of [Store].
func CheckLease(name string, ttl time.Duration) error {
	if ttl < MinLease {
		return fmt.Errorf("%w: a lease of %v, where %v is the least", ErrInvalid, ttl, MinLease)
	}
	return CheckKey(name)
}
