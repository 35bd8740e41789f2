package keyring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Storage is where the keys are kept: the part of certmagic.Storage that this
// package needs, with the same contract. Every node of an installation must use
// the same one.
type Storage interface {
	// Load gives the value of a key, or an error that is fs.ErrNotExist.
	Load(ctx context.Context, key string) ([]byte, error)
	// Store writes a value whole or not at all.
	Store(ctx context.Context, key string, value []byte) error
	// Lock waits for the lock of that name, which excludes all other nodes.
	Lock(ctx context.Context, name string) error
	// Unlock releases the lock.
	Unlock(ctx context.Context, name string) error
}

// CorruptError says that a stored file is not what this package wrote. The file
// is left alone, for it may hold the only copy of a key.
type CorruptError struct {
	Key string // the file's key in the storage
	Err error
}

// Error names the file and what to do about it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("the key file %s is not usable and was left as it is (%v): restore it from a backup, or delete it to start with new keys", e.Key, e.Err)
}

// Unwrap gives what is wrong with the file.
func (e *CorruptError) Unwrap() error { return e.Err }

// loadOrMake gives the file under key. The first node to find none makes it,
// under the storage's lock. What is stored in the end counts, even if the lock
// failed to keep another node out.
func loadOrMake(ctx context.Context, s Storage, key string, make func() ([]byte, error)) ([]byte, error) {
	data, err := s.Load(ctx, key)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, wrap("loading", key, err)
	}
	err = locked(ctx, s, key, func() error {
		data, err = s.Load(ctx, key)
		if !errors.Is(err, fs.ErrNotExist) {
			return wrap("loading", key, err)
		}
		made, err := make()
		if err != nil {
			return wrap("making", key, err)
		}
		if err := s.Store(ctx, key, made); err != nil {
			return wrap("storing", key, err)
		}
		data, err = s.Load(ctx, key)
		return wrap("loading", key, err)
	})
	return data, err
}

// locked runs f while no other node works on key.
func locked(ctx context.Context, s Storage, key string, f func() error) error {
	if err := s.Lock(ctx, key); err != nil {
		return wrap("locking", key, err)
	}
	err := f()
	// The lock has to go even when ctx has ended meanwhile.
	if unlock := s.Unlock(context.WithoutCancel(ctx), key); unlock != nil {
		err = errors.Join(err, wrap("unlocking", key, unlock))
	}
	return err
}

func wrap(doing, key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s the key file %s: %w", doing, key, err)
}
