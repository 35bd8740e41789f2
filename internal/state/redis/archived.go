package redis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/storeware/caddy-storeware/internal/state/archive"
)

// archived is the store as package archive sees it.
type archived struct{ *Store }

var _ archive.Store = archived{}

// Records implements archive.Store.
func (s archived) Records(ctx context.Context) iter.Seq2[archive.Record, error] {
	return func(yield func(archive.Record, error) bool) {
		now, err := s.now(ctx)
		if err != nil {
			yield(archive.Record{}, err)
			return
		}
		read := time.Now()
		for r, err := range s.records(ctx, "", "") {
			var out archive.Record
			if err == nil {
				// The clock of Redis, carried on by ours.
				out, err = r.archived(now.Add(time.Since(read)))
			}
			if !yield(out, err) || err != nil {
				return
			}
		}
		for info, err := range s.Queues(ctx, "") {
			if err != nil {
				yield(archive.Record{}, err)
				return
			}
			for m, err := range (&queue{s.Store, info.Name}).messages(ctx) {
				if !yield(m.Record, err) || err != nil {
					return
				}
			}
		}
	}
}

func (r record) archived(now time.Time) (archive.Record, error) {
	var out archive.Record
	if r.left >= 0 {
		out.Expires = now.Add(r.left).UnixMilli()
	}
	if key, ok := strings.CutPrefix(r.name, counterPrefix); ok {
		count, err := parseCount(r.stored)
		out.Kind, out.Key, out.Count = archive.Counter, key, count
		return out, err
	}
	entry, err := decodeEntry([]byte(r.stored))
	out.Kind, out.Key, out.Version, out.Value = archive.Entry, strings.TrimPrefix(r.name, entryPrefix), entry.Version, entry.Value
	return out, err
}

// Load implements archive.Store.
func (s archived) Load(ctx context.Context, records []archive.Record) error {
	now, err := s.now(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		var ttl time.Duration
		if r.Expires != 0 {
			if ttl = time.UnixMilli(r.Expires).Sub(now); ttl <= 0 {
				continue
			}
		}
		switch r.Kind {
		case archive.Counter:
			_, err = s.add(ctx, r.Key, r.Count, ttl)
		case archive.Message:
			q := &queue{s.Store, r.Queue}
			err = q.change(ctx, "putting into a queue", s.scripts.putMessage, r.Key, r.Group, r.Value,
				r.Due-now.UnixMilli(), math.MaxInt32, r.Seq, r.Tries)
		default:
			name := entryPrefix + r.Key
			_, err = s.run(ctx, s.scripts.write, []string{name, namesKey, dueKey},
				name, encodeEntry(r.Version, r.Value), milliseconds(ttl), anything, "")
		}
		if err != nil {
			return fmt.Errorf("writing records: %w", err)
		}
	}
	return nil
}

// Clear implements archive.Store.
func (s archived) Clear(ctx context.Context) error {
	if err := s.clear(ctx, s.scripts.clear, namesKey, dueKey); err != nil {
		return err
	}
	return s.clear(ctx, s.scripts.clearQueues, queuesKey)
}

// clear runs a script until there is nothing left for it to remove.
func (s archived) clear(ctx context.Context, script *goredis.Script, keys ...string) error {
	for {
		reply, err := s.run(ctx, script, keys, s.prefix, sweepNames)
		if err != nil {
			return fmt.Errorf("clearing the store: %w", err)
		}
		if reply == int64(0) {
			return nil
		}
	}
}

// Fence implements archive.Store.
func (s archived) Fence(ctx context.Context) (uint64, error) {
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	fence, err := s.client.Get(call, s.prefix+fenceKey).Uint64()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return 0, fmt.Errorf("reading the fence: %w", failed(ctx, err))
	}
	return fence, nil
}

// RaiseFence implements archive.Store.
func (s archived) RaiseFence(ctx context.Context, fence uint64) error {
	if _, err := s.run(ctx, s.scripts.raiseFence, []string{fenceKey}, fence); err != nil {
		return fmt.Errorf("raising the fence: %w", err)
	}
	return nil
}

// now returns the time of Redis, by which everything in it expires.
func (s *Store) now(ctx context.Context) (time.Time, error) {
	if err := s.ready(ctx); err != nil {
		return time.Time{}, err
	}
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	now, err := s.client.Time(call).Result()
	if err != nil {
		return time.Time{}, failed(ctx, err)
	}
	return now, nil
}
