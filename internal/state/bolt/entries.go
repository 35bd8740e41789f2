package bolt

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Get implements state.Store.
func (s *Store) Get(ctx context.Context, key string) (state.Entry, error) {
	if err := state.CheckKey(key); err != nil {
		return state.Entry{}, err
	}
	var out state.Entry
	err := s.view(ctx, func(t *txn) error {
		_, found, err := t.entry(key)
		if err != nil {
			return err
		}
		if found.version == state.Absent {
			return state.ErrNotFound
		}
		out = state.Entry{Value: bytes.Clone(found.value), Version: found.version}
		return nil
	})
	if err != nil {
		return state.Entry{}, fmt.Errorf("reading an entry: %w", err)
	}
	return out, nil
}

// Put implements state.Store.
func (s *Store) Put(ctx context.Context, key string, value []byte, ttl time.Duration) (state.Version, error) {
	return s.write(ctx, key, value, ttl, func(entry) error { return nil })
}

// CompareAndSwap implements state.Store.
func (s *Store) CompareAndSwap(ctx context.Context, key string, old state.Version, value []byte, ttl time.Duration) (state.Version, error) {
	return s.write(ctx, key, value, ttl, func(found entry) error {
		if found.version != old {
			return state.ErrConflict
		}
		return nil
	})
}

// write puts an entry, unless allow refuses in view of what is there.
func (s *Store) write(ctx context.Context, key string, value []byte, ttl time.Duration, allow func(entry) error) (state.Version, error) {
	if err := state.CheckEntry(key, value, ttl); err != nil {
		return state.Absent, err
	}
	next := entry{version: newVersion(), expires: deadline(s.now(), ttl), value: value}
	record := next.encode()
	err := s.update(ctx, func(t *txn) error {
		stored, found, err := t.entry(key)
		if err != nil {
			return err
		}
		if err := allow(found); err != nil {
			return err
		}
		t.put(entries, []byte(key), record)
		t.index(kindEntry, []byte(key), stored.expires, next.expires)
		return nil
	})
	if err != nil {
		return state.Absent, fmt.Errorf("writing an entry: %w", err)
	}
	return next.version, nil
}

// Delete implements state.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	return s.remove(ctx, key, func(entry) error { return nil })
}

// CompareAndDelete implements state.Store.
func (s *Store) CompareAndDelete(ctx context.Context, key string, old state.Version) error {
	return s.remove(ctx, key, func(found entry) error {
		if found.version == state.Absent || found.version != old {
			return state.ErrConflict
		}
		return nil
	})
}

// remove deletes an entry, unless allow refuses in view of what is there.
func (s *Store) remove(ctx context.Context, key string, allow func(entry) error) error {
	if err := state.CheckKey(key); err != nil {
		return err
	}
	err := s.update(ctx, func(t *txn) error {
		stored, found, err := t.entry(key)
		if err != nil {
			return err
		}
		if err := allow(found); err != nil {
			return err
		}
		if stored.version != state.Absent {
			t.delete(entries, []byte(key))
			t.index(kindEntry, []byte(key), stored.expires, 0)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("deleting an entry: %w", err)
	}
	return nil
}

// entry returns the entry that is stored at key, and what is to be found there:
// the same, or nothing once it has expired. Nothing has the version Absent.
func (t *txn) entry(key string) (stored, found entry, err error) {
	record := t.bucket(entries).Get([]byte(key))
	if record == nil {
		return entry{}, entry{}, nil
	}
	stored, err = decodeEntry(record)
	if err != nil || !t.live(stored.expires) {
		return stored, entry{}, err
	}
	return stored, stored, nil
}

// newVersion returns a version that was never used: at random, so that it need
// not be agreed on with anybody, nor kept when a store is restored to an earlier
// state.
func newVersion() state.Version {
	for {
		var random [8]byte
		// It never fails: see crypto/rand.
		_, _ = rand.Read(random[:])
		if version := state.Version(binary.BigEndian.Uint64(random[:])); version != state.Absent {
			return version
		}
	}
}
