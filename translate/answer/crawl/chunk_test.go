package crawl

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestPack(t *testing.T) {
	raw, err := encode(&upstream.Product{ID: "1", Title: "Boots", Tags: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	want := &chunk{
		position:  position{Place: "x", More: true, Walk: 3, Pages: 2, Began: time.Unix(1, 0).UTC(), At: time.Unix(2, 0).UTC(), Doubted: true},
		Documents: []json.RawMessage{raw}, Seen: []string{"2"}, Removed: []string{"3"},
	}
	packed, err := want.pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(chunk{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnpackRefuses(t *testing.T) {
	whole, err := (&chunk{}).pack()
	if err != nil {
		t.Fatal(err)
	}
	for name, stored := range map[string][]byte{
		"nothing": nil, "another format": append([]byte{2}, whole[1:]...), "cut off": whole[:len(whole)-3], "no JSON": {format, 0x03, 0x00},
	} {
		if _, err := unpack(stored); !errors.Is(err, errStored) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDocumentIsBounded(t *testing.T) {
	p := upstream.Product{ID: "1", Description: strings.Repeat("ü", 1<<20), Title: strings.Repeat("x", 1<<20)}
	for range 2000 {
		p.Variants = append(p.Variants, upstream.Variant{SKU: strings.Repeat("s", 2000)})
		p.Attributes = append(p.Attributes, upstream.Attribute{Key: "k", Values: []string{strings.Repeat("v", 2000)}})
	}
	raw, err := encode(&p)
	if err != nil || len(raw) > maxDocument {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	back, err := decode(raw)
	if err != nil || len(back.Description) != maxText || len(back.Variants) == 0 {
		t.Errorf("%d bytes of description, %d variants, %v", len(back.Description), len(back.Variants), err)
	}
}

func FuzzUnpack(f *testing.F) {
	raw, err := encode(&upstream.Product{ID: "1", Title: "Boots", Variants: []upstream.Variant{{SKU: "B"}}})
	if err != nil {
		f.Fatal(err)
	}
	packed, err := (&chunk{Documents: []json.RawMessage{raw}, Removed: []string{"1", "2"}}).pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add([]byte{format, 0x03, 0x00})
	f.Fuzz(func(t *testing.T, stored []byte) {
		c, err := unpack(stored)
		if err != nil {
			return
		}
		r := newRecords()
		if err := r.apply(1, c, nil); err != nil && !errors.Is(err, errStored) {
			t.Errorf("an error of another kind: %v", err)
		}
	})
}

func FuzzDocument(f *testing.F) {
	f.Add("1", "Boots", "good", "S")
	f.Add("ü", "\xffa\x00", "<&>\u2028", "")
	f.Fuzz(func(t *testing.T, id, title, description, value string) {
		if id != "" && !usable(id) {
			return
		}
		p := upstream.Product{ID: id, Title: title, Description: description, Options: []upstream.Option{{Name: value, Values: []string{value}}}}
		raw, err := encode(&p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decode(raw)
		if (err != nil) != (id == "") {
			t.Fatalf("%q: %v", id, err)
		}
		if err == nil {
			again, err := encode(&back)
			if err != nil || string(again) != string(raw) {
				t.Fatalf("kept as %s, then as %s (%v)", raw, again, err)
			}
		}
	})
}
