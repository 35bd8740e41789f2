package medusa

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := upstream.Query{Words: rapid.String().Draw(t, "words"), Limit: rapid.IntRange(1, 100).Draw(t, "limit")}
		skip := rapid.IntRange(0, cursor.MaxOffset).Draw(t, "skip")
		next := q
		next.Cursor = writeCursor(skip, q, upstream.Market{})
		next.Limit++ // The length of a page may change on the way.
		if got, err := readCursor(next, upstream.Market{}); err != nil || got != skip {
			t.Errorf("got %d, %v, want %d", got, err, skip)
		}
		other := next
		other.Words += "x"
		if _, err := readCursor(other, upstream.Market{}); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("the cursor of %q is one of %q: %v", q.Words, other.Words, err)
		}
		if _, err := readCursor(next, upstream.Market{Currency: "EUR"}); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("the cursor is one of another market: %v", err)
		}
	})
}

func FuzzCursor(f *testing.F) {
	f.Add("", "jacket")
	f.Add(writeCursor(7, upstream.Query{Words: "jacket"}, upstream.Market{}), "jacket")
	f.Add(writeCursor(cursor.MaxOffset+1, upstream.Query{}, upstream.Market{}), "")
	f.Fuzz(func(t *testing.T, text, words string) {
		skip, err := readCursor(upstream.Query{Words: words, Cursor: text}, upstream.Market{})
		if err != nil && upstream.CodeOf(err) != upstream.CodeInvalid || skip < 0 || skip > cursor.MaxOffset {
			t.Errorf("%q: %d, %v", text, skip, err)
		}
	})
}
