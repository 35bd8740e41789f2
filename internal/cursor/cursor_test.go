package cursor_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/cursor"
)

func TestOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		search := rapid.SliceOf(rapid.String()).Draw(t, "search")
		offset := rapid.IntRange(0, cursor.MaxOffset).Draw(t, "offset")
		text := cursor.WriteOffset(search, offset)
		if got, err := cursor.ReadOffset(search, text); err != nil || got != offset {
			t.Errorf("read %d, %v; want %d", got, err, offset)
		}
		if _, err := cursor.ReadOffset(append(search, "another"), text); !errors.Is(err, cursor.ErrForeign) {
			t.Errorf("in another search: %v", err)
		}
	})
	if got, err := cursor.ReadOffset("boots", ""); got != 0 || err != nil {
		t.Errorf("without a cursor: %d, %v", got, err)
	}
	for text, want := range map[string]error{
		"?": cursor.ErrForeign, "AAAA": cursor.ErrForeign, strings.Repeat("A", 2001): cursor.ErrTooFar,
		cursor.Write("boots", []byte("abcde")):               cursor.ErrForeign,
		cursor.Write("boots", nil):                           cursor.ErrForeign,
		cursor.WriteOffset("boots", cursor.MaxOffset+1):      cursor.ErrTooFar,
		cursor.WriteOffset("boots", 5)[:12]:                  cursor.ErrForeign,
		strings.ToLower(cursor.WriteOffset("boots", 70_000)): cursor.ErrForeign,
	} {
		if _, err := cursor.ReadOffset("boots", text); !errors.Is(err, want) {
			t.Errorf("%.40q: got %v, want %v", text, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := cursor.Write("boots", []byte("eyJsYXN0IjoxMjN9"))
	if got, err := cursor.Read("boots", text); err != nil || string(got) != "eyJsYXN0IjoxMjN9" {
		t.Errorf("read %q, %v", got, err)
	}
}

// FuzzRead: a cursor leads where it says, or is refused.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "AAAA", cursor.Write("boots", []byte("x")), cursor.WriteOffset("boots", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if place, err := cursor.Read("boots", text); err == nil {
			if again, err := cursor.Read("boots", cursor.Write("boots", place)); err != nil || string(again) != string(place) {
				t.Errorf("%q leads to %q, and that to %q, %v", text, place, again, err)
			}
		}
		if offset, err := cursor.ReadOffset("boots", text); err == nil && (offset < 0 || offset > cursor.MaxOffset) {
			t.Errorf("%q leads to %d", text, offset)
		}
	})
}
