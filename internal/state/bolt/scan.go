package bolt

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/storeware/caddy-storeware/internal/state"
)

// A page ends once it has this many records or bytes. Between pages nothing is
// held open: bbolt cannot reuse space, or grow the file, while somebody reads.
const (
	pageRecords = 256
	pageBytes   = 1 << 20
)

// Scan implements state.Store.
func (s *Store) Scan(ctx context.Context, prefix, after string) iter.Seq2[state.Item, error] {
	return func(yield func(state.Item, error) bool) {
		decode := func(_ *txn, key, record []byte) (state.Item, int64, error) {
			found, err := decodeEntry(record)
			return state.Item{
				Key:   string(key),
				Entry: state.Entry{Value: bytes.Clone(found.value), Version: found.version},
			}, found.expires, err
		}
		for item, err := range scan(ctx, s, entries, prefix, after, decode) {
			if err != nil {
				yield(state.Item{}, fmt.Errorf("scanning: %w", err))
				return
			}
			if !yield(item, nil) {
				return
			}
		}
	}
}

// scan yields the records of a bucket that have not expired, page by page. The
// function decode also returns when a record expires.
func scan[T any](ctx context.Context, s *Store, bucket, prefix, after string, decode func(t *txn, key, record []byte) (T, int64, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		start := []byte(prefix)
		if after >= prefix {
			start = append([]byte(after), 0) // the first key that is greater
		}
		for start != nil {
			var page []T
			err := s.view(ctx, func(t *txn) (err error) {
				page, start, err = readPage(t, bucket, []byte(prefix), start, decode)
				return err
			})
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// readPage returns the records from start on, and where the next page starts, or
// nil if this is the last one.
func readPage[T any](t *txn, bucket string, prefix, start []byte, decode func(t *txn, key, record []byte) (T, int64, error)) (page []T, next []byte, err error) {
	cursor := t.bucket(bucket).Cursor()
	records, size := 0, 0
	for key, record := cursor.Seek(start); key != nil && bytes.HasPrefix(key, prefix); key, record = cursor.Next() {
		if records == pageRecords || size >= pageBytes {
			return page, bytes.Clone(key), nil
		}
		item, expires, err := decode(t, key, record)
		if err != nil {
			return nil, nil, err
		}
		records++
		if t.live(expires) {
			size += len(key) + len(record)
			page = append(page, item)
		}
	}
	return page, nil, nil
}
