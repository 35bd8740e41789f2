package redis

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/storeware/caddy-storeware/internal/state"
)

// What a write or a removal asks of the entry that is there.
const (
	anything = "any"
	match    = "match"
)

// Get implements state.Store.
func (s *Store) Get(ctx context.Context, key string) (state.Entry, error) {
	if err := state.CheckKey(key); err != nil {
		return state.Entry{}, err
	}
	found, err := s.get(ctx, key)
	if err != nil {
		return state.Entry{}, fmt.Errorf("reading an entry: %w", err)
	}
	return found, nil
}

func (s *Store) get(ctx context.Context, key string) (state.Entry, error) {
	if err := s.ready(ctx); err != nil {
		return state.Entry{}, err
	}
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	stored, err := s.client.Get(call, s.prefix+entryPrefix+key).Bytes()
	if errors.Is(err, goredis.Nil) {
		return state.Entry{}, state.ErrNotFound
	}
	if err != nil {
		return state.Entry{}, failed(ctx, err)
	}
	return decodeEntry(stored)
}

// Put implements state.Store.
func (s *Store) Put(ctx context.Context, key string, value []byte, ttl time.Duration) (state.Version, error) {
	return s.write(ctx, key, value, ttl, anything, state.Absent)
}

// CompareAndSwap implements state.Store.
func (s *Store) CompareAndSwap(ctx context.Context, key string, old state.Version, value []byte, ttl time.Duration) (state.Version, error) {
	return s.write(ctx, key, value, ttl, match, old)
}

func (s *Store) write(ctx context.Context, key string, value []byte, ttl time.Duration, condition string, old state.Version) (state.Version, error) {
	if err := state.CheckEntry(key, value, ttl); err != nil {
		return state.Absent, err
	}
	version := newVersion()
	name := entryPrefix + key
	reply, err := s.run(ctx, s.scripts.write, []string{name, namesKey, dueKey},
		name, encodeEntry(version, value), milliseconds(ttl), condition, encodeVersion(old))
	if err == nil && reply != int64(1) {
		err = state.ErrConflict
	}
	if err != nil {
		return state.Absent, fmt.Errorf("writing an entry: %w", err)
	}
	return version, nil
}

// Delete implements state.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	return s.remove(ctx, key, anything, state.Absent)
}

// CompareAndDelete implements state.Store.
func (s *Store) CompareAndDelete(ctx context.Context, key string, old state.Version) error {
	if old == state.Absent {
		return fmt.Errorf("deleting an entry: %w", state.ErrConflict)
	}
	return s.remove(ctx, key, match, old)
}

func (s *Store) remove(ctx context.Context, key, condition string, old state.Version) error {
	if err := state.CheckKey(key); err != nil {
		return err
	}
	name := entryPrefix + key
	reply, err := s.run(ctx, s.scripts.remove, []string{name, namesKey, dueKey}, name, condition, encodeVersion(old))
	if err == nil && reply != int64(1) {
		err = state.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("deleting an entry: %w", err)
	}
	return nil
}

// versionSize is the length of the version in front of a value.
const versionSize = 8

func encodeEntry(version state.Version, value []byte) []byte {
	out := make([]byte, 0, versionSize+len(value))
	return append(binary.BigEndian.AppendUint64(out, uint64(version)), value...)
}

func decodeEntry(stored []byte) (state.Entry, error) {
	if len(stored) < versionSize {
		return state.Entry{}, unavailable(fmt.Errorf("an entry of %d bytes is damaged", len(stored)))
	}
	return state.Entry{
		Version: state.Version(binary.BigEndian.Uint64(stored)),
		Value:   stored[versionSize:],
	}, nil
}

// encodeVersion returns a version as it stands in front of a value. For Absent
// that is nothing, just as nothing stands there then.
func encodeVersion(version state.Version) []byte {
	if version == state.Absent {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(version))
}

// newVersion returns a version that was never used: at random, so that the nodes
// need not agree on it, nor keep it when a store is restored to an earlier state.
func newVersion() state.Version {
	for {
		var random [versionSize]byte
		// It never fails: see crypto/rand.
		_, _ = rand.Read(random[:])
		if version := state.Version(binary.BigEndian.Uint64(random[:])); version != state.Absent {
			return version
		}
	}
}

// milliseconds rounds up, so that only 0 becomes 0.
func milliseconds(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
