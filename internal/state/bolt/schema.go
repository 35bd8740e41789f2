package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/storeware/caddy-storeware/internal/state"
)

const (
	meta   = "meta"
	schema = "schema" // key in meta
)

// buckets returns the buckets of a file.
func buckets() []string {
	return []string{meta, entries, counters, expiry, queues, messages, ids, ready}
}

// upgrade changes a file from one version of the schema to the next.
type upgrade func(*bbolt.Tx) error

// upgrades returns the upgrades from version 1 to 2, from 2 to 3, and so on. This
// release writes the version after the last of them.
func upgrades() []upgrade {
	return []upgrade{
		makeBuckets, // of queues
	}
}

// prepare makes a file that is new or of an earlier release ready for this one,
// all of it or nothing, and returns how often the file has been opened.
func prepare(db *bbolt.DB, upgrades []upgrade) (opening uint64, err error) {
	err = db.Update(func(tx *bbolt.Tx) error {
		known := uint64(1 + len(upgrades))
		version, err := schemaVersion(tx, known)
		if err != nil {
			return err
		}
		if version > known {
			return fmt.Errorf("%w: the file has schema %d, this release knows up to %d", state.ErrSchema, version, known)
		}
		for ; version < known; version++ {
			if err := upgrades[version-1](tx); err != nil {
				return fmt.Errorf("upgrading from schema %d: %w", version, err)
			}
		}
		bucket := tx.Bucket([]byte(meta))
		if err := bucket.Put([]byte(schema), binary.BigEndian.AppendUint64(nil, known)); err != nil {
			return err
		}
		opening, err = bucket.NextSequence()
		return err
	})
	return opening, err
}

// schemaVersion returns the version of the file, which is known if it is new.
func schemaVersion(tx *bbolt.Tx, known uint64) (uint64, error) {
	if bucket := tx.Bucket([]byte(meta)); bucket != nil {
		if version := bucket.Get([]byte(schema)); len(version) == 8 && binary.BigEndian.Uint64(version) > 0 {
			return binary.BigEndian.Uint64(version), nil
		}
		return 0, errors.New("it is a bbolt file without a schema version of ours")
	}
	if first, _ := tx.Cursor().First(); first != nil {
		return 0, errors.New("it is a bbolt file of something else")
	}
	return known, makeBuckets(tx)
}

// makeBuckets makes what is missing.
func makeBuckets(tx *bbolt.Tx) error {
	for _, name := range buckets() {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}
