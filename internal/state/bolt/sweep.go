package bolt

import (
	"context"
	"encoding/binary"
	"time"
)

const (
	// sweepEvery is how often what has expired is removed from the file. It is
	// gone for readers all along.
	sweepEvery = time.Minute

	// sweepRecords is how many records one commit of a sweep removes, so that
	// others get to write in between.
	sweepRecords = 1000
)

func (s *Store) sweepUntilClosed() {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.open.Done():
			return
		case <-ticker.C:
			err := s.sweep(s.open)
			if err == nil {
				s.sweeping.Store(nil)
			} else if s.open.Err() == nil {
				s.sweeping.Store(&err)
			}
		}
	}
}

// sweep removes what has expired.
func (s *Store) sweep(ctx context.Context) error {
	for {
		removed := 0
		err := s.update(ctx, func(t *txn) error {
			expired := t.expired(sweepRecords)
			for _, key := range expired {
				t.delete(expiry, key)
				// A record that is written anew is moved in the expiry
				// bucket, so what is still there has expired.
				if kind := key[8]; kind == kindEntry {
					t.delete(entries, key[9:])
				} else {
					t.delete(counters, key[9:])
				}
			}
			removed = len(expired)
			return nil
		})
		if err != nil || removed < sweepRecords {
			return err
		}
	}
}

// expired returns up to limit keys of the expiry bucket whose time has come.
func (t *txn) expired(limit int) [][]byte {
	var keys [][]byte
	cursor := t.bucket(expiry).Cursor()
	for key, _ := cursor.First(); key != nil && len(keys) < limit; key, _ = cursor.Next() {
		if t.live(int64(binary.BigEndian.Uint64(key))) {
			break
		}
		keys = append(keys, append([]byte(nil), key...))
	}
	return keys
}
