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

// Kind says what a record is.
type Kind byte

// The kinds of records, as they are written.
const (
	Entry   Kind = 'e'
	Counter Kind = 'c'
	Message Kind = 'q'
)

// maxSeq is how far every store counts exactly.
const maxSeq = 1 << 53

// Record is an entry, a counter or a message in a queue.
type Record struct {
	Kind    Kind
	Key     string // the id of a message
	Expires int64  // Unix milliseconds, 0 for never; not of a message

	// Of an entry, and the value of a message too:
	Version state.Version
	Value   []byte

	// Of a counter:
	Count int64

	// Of a message:
	Queue string
	Group string
	Seq   uint64 // the order in which messages were put, from 1
	Due   int64  // Unix milliseconds; the end of its lease if it has one
	Tries uint32
}

func (r Record) append(out []byte) []byte {
	out = append(out, byte(r.Kind))
	out = appendBytes(out, []byte(r.Key))
	out = binary.AppendUvarint(out, uint64(r.Expires))
	switch r.Kind {
	case Counter:
		return binary.AppendVarint(out, r.Count)
	case Message:
		out = appendBytes(out, []byte(r.Queue))
		out = appendBytes(out, []byte(r.Group))
		out = binary.AppendUvarint(out, r.Seq)
		out = binary.AppendUvarint(out, uint64(r.Due))
		out = binary.AppendUvarint(out, uint64(r.Tries))
	default:
		out = binary.BigEndian.AppendUint64(out, uint64(r.Version))
	}
	return appendBytes(out, r.Value)
}

func appendBytes(out, b []byte) []byte {
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
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
	r := Record{Key: string(key), Expires: d.time()}
	if d.failed {
		return Record{}, fmt.Errorf("%w: a record is cut short", ErrDamaged)
	}
	switch r.Kind = Kind(kind[0]); r.Kind {
	case Counter:
		r.Count = d.varint()
	case Entry:
		if version := d.take(8); !d.failed {
			r.Version = state.Version(binary.BigEndian.Uint64(version))
		}
		r.Value = d.take(d.uvarint())
		d.failed = d.failed || r.Version == state.Absent
	case Message:
		d.message(&r)
	default:
		return Record{}, fmt.Errorf("%w: a record of unknown kind %q", ErrDamaged, kind)
	}
	if d.failed {
		return Record{}, fmt.Errorf("%w: a record is cut short", ErrDamaged)
	}
	if err := r.check(); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}

// message reads what a message has.
func (d *decoder) message(r *Record) {
	r.Queue = string(d.take(d.uvarint()))
	r.Group = string(d.take(d.uvarint()))
	r.Seq = d.uvarint()
	r.Due = d.time()
	tries := d.uvarint()
	r.Tries = uint32(tries)
	r.Value = d.take(d.uvarint())
	d.failed = d.failed || r.Seq == 0 || r.Seq > maxSeq || r.Expires != 0 || tries > math.MaxUint32
}

// time reads Unix milliseconds.
func (d *decoder) time() int64 {
	ms := d.uvarint()
	d.failed = d.failed || ms > math.MaxInt64
	return int64(ms)
}

func (r Record) check() error {
	if r.Kind == Message {
		return state.CheckMessage(r.Queue, state.Message{ID: r.Key, Group: r.Group, Value: r.Value}, 0)
	}
	return state.CheckEntry(r.Key, r.Value, 0)
}
