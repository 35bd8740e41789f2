package bolt

import (
	"encoding/binary"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/storeware/caddy-storeware/internal/state"
)

// The buckets that hold records, and what stands for them in the expiry bucket.
const (
	entries  = "entries"
	counters = "counters"
	expiry   = "expiry"

	kindEntry   = 'e'
	kindCounter = 'c'
)

// txn is a view of the file, or a commit to it. The first write that fails
// spoils the commit and makes the later ones do nothing.
type txn struct {
	tx      *bbolt.Tx
	now     int64
	changed bool
	err     error
}

func (t *txn) bucket(name string) *bbolt.Bucket { return t.tx.Bucket([]byte(name)) }

func (t *txn) put(bucket string, key, value []byte) {
	t.write(func() error { return t.bucket(bucket).Put(key, value) })
}

func (t *txn) delete(bucket string, key []byte) {
	t.write(func() error { return t.bucket(bucket).Delete(key) })
}

func (t *txn) write(do func() error) {
	if t.err == nil {
		t.changed = true
		t.err = do()
	}
}

// live reports whether something that expires then is still there.
func (t *txn) live(expires int64) bool { return expires == 0 || t.now < expires }

// deadline returns when something that was written at now expires.
func deadline(now time.Time, ttl time.Duration) int64 {
	if ttl == 0 {
		return 0
	}
	end := now.Add(ttl)
	ms := end.UnixMilli()
	if end.After(time.UnixMilli(ms)) {
		ms++
	}
	return ms
}

// entry is a record of the entries bucket.
type entry struct {
	version state.Version
	expires int64
	value   []byte
}

const entryHeader = 8 + 8

func (e entry) encode() []byte {
	out := make([]byte, 0, entryHeader+len(e.value))
	out = binary.BigEndian.AppendUint64(out, uint64(e.version))
	out = binary.BigEndian.AppendUint64(out, uint64(e.expires))
	return append(out, e.value...)
}

func decodeEntry(record []byte) (entry, error) {
	if len(record) < entryHeader {
		return entry{}, unavailable(fmt.Errorf("an entry of %d bytes is damaged", len(record)))
	}
	return entry{
		version: state.Version(binary.BigEndian.Uint64(record)),
		expires: int64(binary.BigEndian.Uint64(record[8:])),
		value:   record[entryHeader:],
	}, nil
}

// counter is a record of the counters bucket.
type counter struct {
	expires int64
	count   int64
}

const counterSize = 8 + 8

func (c counter) encode() []byte {
	out := make([]byte, 0, counterSize)
	out = binary.BigEndian.AppendUint64(out, uint64(c.expires))
	return binary.BigEndian.AppendUint64(out, uint64(c.count))
}

func decodeCounter(record []byte) (counter, error) {
	if len(record) != counterSize {
		return counter{}, unavailable(fmt.Errorf("a counter of %d bytes is damaged", len(record)))
	}
	return counter{
		expires: int64(binary.BigEndian.Uint64(record)),
		count:   int64(binary.BigEndian.Uint64(record[8:])),
	}, nil
}

// expiryKey is the key in the expiry bucket for a record.
func expiryKey(expires int64, kind byte, key []byte) []byte {
	out := binary.BigEndian.AppendUint64(make([]byte, 0, 9+len(key)), uint64(expires))
	return append(append(out, kind), key...)
}

// index makes the sweep find a record at its new time of expiry, and no more at
// its old one.
func (t *txn) index(kind byte, key []byte, before, after int64) {
	if before == after {
		return
	}
	if before != 0 {
		t.delete(expiry, expiryKey(before, kind, key))
	}
	if after != 0 {
		t.put(expiry, expiryKey(after, kind, key), nil)
	}
}
