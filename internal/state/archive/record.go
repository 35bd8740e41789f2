package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/storeware/caddy-storeware/internal/state"
)

// ErrDamaged means that something is no archive, or not a whole one.
var ErrDamaged = errors.New("archive: damaged or incomplete")

const (
	kindEntry   = 'e'
	kindCounter = 'c'
)

// Record is an entry or a counter.
type Record struct {
	Key     string
	Expires int64 // Unix milliseconds, 0 for never
	Counter bool

	// Of an entry:
	Version state.Version
	Value   []byte

	// Of a counter:
	Count int64
}

func (r Record) append(out []byte) []byte {
	kind := byte(kindEntry)
	if r.Counter {
		kind = kindCounter
	}
	out = append(out, kind)
	out = binary.AppendUvarint(out, uint64(len(r.Key)))
	out = append(out, r.Key...)
	out = binary.AppendUvarint(out, uint64(r.Expires))
	if r.Counter {
		return binary.AppendVarint(out, r.Count)
	}
	out = binary.BigEndian.AppendUint64(out, uint64(r.Version))
	out = binary.AppendUvarint(out, uint64(len(r.Value)))
	return append(out, r.Value...)
}

// decoder reads a payload. The first thing it cannot read makes it fail, and
// everything after that is zero.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) take(n uint64) []byte {
	if d.failed || n > uint64(len(d.rest)) {
		d.failed = true
		return nil
	}
	taken := d.rest[:n:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *decoder) uvarint() uint64 {
	n, size := binary.Uvarint(d.rest)
	return n * d.varintSize(size)
}

func (d *decoder) varint() int64 {
	n, size := binary.Varint(d.rest)
	return n * int64(d.varintSize(size))
}

// varintSize skips a varint of size bytes and returns 1, or 0 if there was none.
func (d *decoder) varintSize(size int) uint64 {
	if d.failed || size <= 0 {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return 1
}

// records decodes the payload of a data block. Values share its memory.
func records(payload []byte) ([]Record, error) {
	d := decoder{rest: payload}
	var out []Record
	for len(d.rest) > 0 {
		record, err := d.record()
		if err != nil {
			return nil, err
		}
		out = append(out, record)
	}
	return out, nil
}

func (d *decoder) record() (Record, error) {
	kind := d.take(1)
	key := d.take(d.uvarint())
	expires := d.uvarint()
	r := Record{Key: string(key), Expires: int64(expires)}
	switch {
	case d.failed || expires > math.MaxInt64:
		return Record{}, fmt.Errorf("%w: a record is cut short", ErrDamaged)
	case kind[0] == kindCounter:
		r.Counter = true
		r.Count = d.varint()
	case kind[0] == kindEntry:
		if version := d.take(8); !d.failed {
			r.Version = state.Version(binary.BigEndian.Uint64(version))
		}
		r.Value = d.take(d.uvarint())
	default:
		return Record{}, fmt.Errorf("%w: a record of unknown kind %q", ErrDamaged, kind)
	}
	if d.failed || (!r.Counter && r.Version == state.Absent) {
		return Record{}, fmt.Errorf("%w: a record is cut short", ErrDamaged)
	}
	if err := state.CheckEntry(r.Key, r.Value, 0); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}
