package bolt

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/storeware/caddy-storeware/internal/state/archive"
)

// archived is the store as package archive sees it.
type archived struct{ *Store }

var _ archive.Store = archived{}

// Records implements archive.Store.
func (s archived) Records(ctx context.Context) iter.Seq2[archive.Record, error] {
	return func(yield func(archive.Record, error) bool) {
		for _, part := range []iter.Seq2[archive.Record, error]{
			scan(ctx, s.Store, entries, "", "", archivedEntry),
			scan(ctx, s.Store, counters, "", "", archivedCounter),
			scan(ctx, s.Store, messages, "", "", archivedMessage),
		} {
			for record, err := range part {
				if !yield(record, err) || err != nil {
					return
				}
			}
		}
	}
}

func archivedEntry(_ *txn, key, record []byte) (archive.Record, int64, error) {
	found, err := decodeEntry(record)
	return archive.Record{
		Kind:    archive.Entry,
		Key:     string(key),
		Expires: found.expires,
		Version: found.version,
		Value:   bytes.Clone(found.value),
	}, found.expires, err
}

func archivedCounter(_ *txn, key, record []byte) (archive.Record, int64, error) {
	found, err := decodeCounter(record)
	return archive.Record{
		Kind:    archive.Counter,
		Key:     string(key),
		Expires: found.expires,
		Count:   found.count,
	}, found.expires, err
}

func archivedMessage(_ *txn, key, record []byte) (archive.Record, int64, error) {
	found, err := decodeMessage(key, record)
	return archive.Record{
		Kind:  archive.Message,
		Key:   found.id,
		Value: bytes.Clone(found.value),
		Queue: found.queue,
		Group: found.group,
		Seq:   found.seq,
		Due:   found.due,
		Tries: found.tries,
	}, 0, err
}

// Load implements archive.Store.
func (s archived) Load(ctx context.Context, records []archive.Record) error {
	err := s.update(ctx, func(t *txn) error {
		for _, r := range records {
			key := []byte(r.Key)
			switch {
			case !t.live(r.Expires):
			case r.Kind == archive.Message:
				t.append(message{
					queue: r.Queue, group: r.Group, seq: r.Seq,
					due: r.Due, tries: r.Tries, id: r.Key, value: r.Value,
				})
			case r.Kind == archive.Counter:
				t.put(counters, key, counter{expires: r.Expires, count: r.Count}.encode())
				t.index(kindCounter, key, 0, r.Expires)
			default:
				t.put(entries, key, entry{version: r.Version, expires: r.Expires, value: r.Value}.encode())
				t.index(kindEntry, key, 0, r.Expires)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing records: %w", err)
	}
	return nil
}

// Clear implements archive.Store.
func (s archived) Clear(ctx context.Context) error {
	err := s.update(ctx, func(t *txn) error {
		for _, name := range buckets() {
			if name == meta {
				continue
			}
			t.write(func() error { return t.tx.DeleteBucket([]byte(name)) })
			t.write(func() error { _, err := t.tx.CreateBucket([]byte(name)); return err })
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("clearing the store: %w", err)
	}
	return nil
}

// Fence implements archive.Store.
func (s archived) Fence(context.Context) (uint64, error) { return s.token.Load(), nil }

// RaiseFence implements archive.Store: it counts as another opening of the file,
// later than the one that gave out the token fence.
func (s archived) RaiseFence(ctx context.Context, fence uint64) error {
	var opening uint64
	err := s.update(ctx, func(t *txn) error {
		bucket := t.bucket(meta)
		opening = max(bucket.Sequence(), openingOf(fence)) + 1
		t.write(func() error { return bucket.SetSequence(opening) })
		return nil
	})
	if err != nil {
		return fmt.Errorf("raising the fence: %w", err)
	}
	s.token.Store(firstToken(opening))
	return nil
}
