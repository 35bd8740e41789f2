package archive

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/state"
)

func pack(t interface{ Fatal(...any) }, records []Record, fence uint64) []byte {
	var out bytes.Buffer
	w, err := newWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(fence); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(data []byte) (records []Record, fence uint64, err error) {
	in, err := newReader(bytes.NewReader(data))
	if err != nil {
		return nil, 0, err
	}
	for {
		block, err := in.next()
		if errors.Is(err, io.EOF) {
			return records, in.fence, nil
		}
		if err != nil {
			return nil, 0, err
		}
		records = append(records, block...)
	}
}

func examples() []Record {
	return []Record{
		{Kind: Entry, Key: "basket/1", Version: 0x0102030405060708, Value: []byte("value")},
		{Kind: Entry, Key: "\x00\xff", Version: math.MaxUint64, Expires: 1796000000000, Value: []byte{}},
		{Kind: Counter, Key: "n", Count: math.MinInt64},
		{Kind: Counter, Key: "n2", Count: math.MaxInt64, Expires: math.MaxInt64},
	}
}

// messages are what version 2 brought.
func messages() []Record {
	return []Record{
		{Kind: Message, Key: "event", Queue: "webhook/a", Group: "order", Seq: 1, Due: 1796000000000, Value: []byte("value")},
		{Kind: Message, Key: "\x00\xff", Queue: "q", Group: "g", Seq: maxSeq, Due: math.MaxInt64, Tries: math.MaxUint32, Value: []byte{}},
	}
}

// The archives of today must stay readable: these are kept as they were first
// written.
func TestFormatStays(t *testing.T) {
	const newest = "testdata/version2.archive"
	all := append(examples(), messages()...)
	got := pack(t, all, 77)
	if *update {
		if err := os.WriteFile(newest, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]Record{"testdata/version1.archive": examples(), newest: all} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == newest && !bytes.Equal(got, data) {
			t.Errorf("the format has changed:\n got %x\nwant %x", got, data)
		}
		records, fence, err := unpack(data)
		if err != nil || fence != 77 {
			t.Fatal(path, fence, err)
		}
		if diff := cmp.Diff(want, records); diff != "" {
			t.Error(path, diff)
		}
	}
}

var update = flag.Bool("update", false, "write the archive of the newest version anew")

func TestRoundTrip(t *testing.T) {
	key := rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 20), func(key []byte) string { return string(key) })
	expires := rapid.Int64Range(0, math.MaxInt64)
	record := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) Record {
			return Record{
				Kind:    Entry,
				Key:     key.Draw(t, "key"),
				Expires: expires.Draw(t, "expires"),
				Version: state.Version(rapid.Uint64Min(1).Draw(t, "version")),
				Value:   bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 0, 10).Draw(t, "value"), rapid.SampledFrom([]int{1, 10, 30_000}).Draw(t, "times")),
			}
		}),
		rapid.Custom(func(t *rapid.T) Record {
			return Record{Kind: Counter, Key: key.Draw(t, "key"), Expires: expires.Draw(t, "expires"), Count: rapid.Int64().Draw(t, "count")}
		}),
		rapid.Custom(func(t *rapid.T) Record {
			return Record{
				Kind: Message, Key: key.Draw(t, "key"), Queue: key.Draw(t, "queue"), Group: key.Draw(t, "group"),
				Seq: rapid.Uint64Range(1, maxSeq).Draw(t, "seq"), Due: expires.Draw(t, "due"), Tries: rapid.Uint32().Draw(t, "tries"),
				Value: rapid.SliceOfN(rapid.Byte(), 0, 10).Draw(t, "value"),
			}
		}))
	rapid.Check(t, func(t *rapid.T) {
		records, fence := rapid.SliceOf(record).Draw(t, "records"), rapid.Uint64().Draw(t, "fence")
		data := pack(t, records, fence)
		got, gotFence, err := unpack(data)
		if err != nil || gotFence != fence {
			t.Fatal(gotFence, err)
		}
		if len(got) != len(records) || !bytes.Equal(pack(t, got, fence), data) {
			t.Fatalf("packed %v, unpacked %v", records, got)
		}
		// No damage goes unnoticed, wherever it is.
		damaged := slices.Clone(data)
		damaged[rapid.IntRange(0, len(data)-1).Draw(t, "at")] ^= byte(1 << rapid.IntRange(0, 7).Draw(t, "bit"))
		if _, _, err := unpack(damaged); !errors.Is(err, ErrDamaged) && !errors.Is(err, state.ErrSchema) {
			t.Fatalf("a flipped bit: got %v", err)
		}
		if _, _, err := unpack(data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut short: got %v", err)
		}
	})
}

// A value of the greatest size fits, whatever is in the block before it.
func TestLargestRecord(t *testing.T) {
	name := string(make([]byte, state.MaxKey))
	largest := Record{
		Kind:  Message,
		Key:   name,
		Queue: name,
		Group: name,
		Seq:   maxSeq,
		Due:   math.MaxInt64,
		Tries: math.MaxUint32,
		Value: make([]byte, state.MaxValue),
	}
	almost := Record{Kind: Entry, Key: "k", Version: 1, Value: make([]byte, blockSize-100)}
	got, _, err := unpack(pack(t, []Record{almost, largest, largest}, 0))
	if err != nil || len(got) != 3 {
		t.Errorf("got %d records, %v", len(got), err)
	}
}

// Blocks that are whole in themselves, but missing, doubled or in another order.
func TestBlocksOutOfPlace(t *testing.T) {
	big := func(key string) Record {
		return Record{Kind: Entry, Key: key, Version: 1, Value: make([]byte, blockSize)}
	}
	data := pack(t, []Record{big("a"), big("b")}, 0)
	const start = len(magic) + 1
	size := (len(data) - start) / 2
	// The two data blocks are of one size, and the end is shorter than that.
	first := data[start : start+blockLength(data[start:])]
	second := data[start+len(first) : start+2*len(first)]
	end := data[start+2*len(first):]
	if len(first) < size/2 || len(end) >= len(first) {
		t.Fatalf("blocks of %d, %d and %d bytes", len(first), len(second), len(end))
	}
	for name, blocks := range map[string][][]byte{
		"missing":  {second, end},
		"doubled":  {first, first, second, end},
		"swapped":  {second, first, end},
		"only end": {end},
		"no end":   {first, second},
		"two ends": {first, second, end, end},
	} {
		out := slices.Concat(append([][]byte{data[:start]}, blocks...)...)
		if _, _, err := unpack(out); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v, want ErrDamaged", name, err)
		}
	}
}

func blockLength(block []byte) int {
	return blockHeader + int(block[1])<<24 + int(block[2])<<16 + int(block[3])<<8 + int(block[4]) + 32
}

// Payloads that are wrong although their digest is right.
func TestBadPayloads(t *testing.T) {
	for name, payload := range map[string]string{
		"unknown kind":       "x\x01k\x00\x00",
		"no key":             "c\x00\x00\x00",
		"a key too long":     "c\xff\x7fk",
		"cut short":          "e\x01k\x00\x00\x00",
		"version 0":          "e\x01k\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"a value too long":   "e\x01k\x00\x00\x00\x00\x00\x00\x00\x00\x01\x05v",
		"a negative time":    "c\x01k\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
		"an endless varint":  "c\x01k\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
		"something after it": "c\x01k\x00\x00c",
		"a message's end":    "q\x01i\x00\x01q\x01g\x01\x00\x00\x01",
		"a message 0":        "q\x01i\x00\x01q\x01g\x00\x00\x00\x00",
		"no queue":           "q\x01i\x00\x00\x01g\x01\x00\x00\x00",
		"no group":           "q\x01i\x00\x01q\x00\x01\x00\x00\x00",
		"an expiring one":    "q\x01i\x01\x01q\x01g\x01\x00\x00\x00",
		"too many tries":     "q\x01i\x00\x01q\x01g\x01\x00\xff\xff\xff\xff\x1f\x00",
	} {
		var out bytes.Buffer
		w, err := newWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		w.block = append(w.block, payload...)
		if err := errors.Join(w.end(blockData), w.close(0)); err != nil {
			t.Fatal(err)
		}
		if records, _, err := unpack(out.Bytes()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v, %v, want ErrDamaged", name, records, err)
		}
	}
}

// What is read without an error is written again as it was.
func FuzzRecords(f *testing.F) {
	var all []byte
	for _, r := range append(examples(), messages()...) {
		f.Add(r.append(nil))
		all = r.append(all)
	}
	f.Add(all)
	f.Fuzz(func(t *testing.T, payload []byte) {
		got, err := records(payload)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
			return
		}
		var again []byte
		for _, r := range got {
			again = r.append(again)
		}
		// A varint may be written longer than it must be.
		if reread, err := records(again); err != nil || !cmp.Equal(reread, got) {
			t.Errorf("read %v, and then %v, %v", got, reread, err)
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add(pack(f, append(examples(), messages()...), 77))
	f.Add(pack(f, nil, 0))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, err := unpack(data)
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, state.ErrSchema) {
			t.Errorf("got %v", err)
		}
		if found := Check(bytes.NewReader(data)); (found == nil) != (err == nil) {
			t.Errorf("Check says %v, and reading it %v", found, err)
		}
	})
}
