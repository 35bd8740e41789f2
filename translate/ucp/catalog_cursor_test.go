package ucp

import (
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/upstream"
)

func randomQuery(t *rapid.T) upstream.Query {
	bound := rapid.Ptr(rapid.Int64Range(0, 1000), true)
	return upstream.Query{
		Words:      rapid.String().Draw(t, "words"),
		Categories: rapid.SliceOfN(rapid.StringN(0, 3, 8), 0, 2).Draw(t, "categories"),
		MinPrice:   bound.Draw(t, "min"),
		MaxPrice:   bound.Draw(t, "max"),
		Limit:      rapid.IntRange(1, 50).Draw(t, "limit"),
	}
}

// A cursor comes back as it went, for the same search and whatever the size of
// its pages, and for no other search.
func TestCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, shops := randomQuery(t), rapid.StringN(1, 20, 60).Draw(t, "shop's")
		sealed := sealCursor(q, shops)
		if strings.Trim(sealed, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			t.Fatalf("%q does not fit into a URL", sealed)
		}
		q.Limit++
		if got, err := openCursor(q, sealed); got != shops || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		q.Words += "!"
		if _, err := openCursor(q, sealed); err == nil {
			t.Fatal("opened for another search")
		}
		changed := []byte(sealed)
		i := rapid.IntRange(0, len(changed)-1).Draw(t, "changed")
		changed[i] = map[bool]byte{true: 'A', false: 'B'}[changed[i] == 'B']
		q.Words = strings.TrimSuffix(q.Words, "!")
		if got, err := openCursor(q, string(changed)); err == nil && got != shops {
			t.Fatalf("opened a changed cursor as %q", got)
		}
	})
}

// Parts of a search that look alike when they are put together are told apart.
func TestCursorTellsSearchesApart(t *testing.T) {
	zero, one := int64(0), int64(1)
	queries := []upstream.Query{
		{},
		{Words: "ab"},
		{Words: "a", Categories: []string{"b"}},
		{Categories: []string{"ab"}},
		{Categories: []string{"a", "b"}},
		{MinPrice: &zero},
		{MaxPrice: &zero},
		{MinPrice: &one},
		{MinPrice: &zero, MaxPrice: &one},
	}
	for i, q := range queries {
		for j, other := range queries {
			if _, err := openCursor(other, sealCursor(q, "10")); (err == nil) != (i == j) {
				t.Errorf("%+v and %+v: %v", q, other, err)
			}
		}
	}
}

// A cursor of a format that is no longer, or not yet, ours is refused.
func TestCursorOfAnotherFormat(t *testing.T) {
	sealed, err := base64.RawURLEncoding.DecodeString(sealCursor(upstream.Query{}, "10"))
	if err != nil {
		t.Fatal(err)
	}
	sealed[0]++
	if got, err := openCursor(upstream.Query{}, base64.RawURLEncoding.EncodeToString(sealed)); err == nil {
		t.Errorf("opened as %q", got)
	}
}

func FuzzOpenCursor(f *testing.F) {
	q := upstream.Query{Words: "tarn"}
	f.Add(sealCursor(q, "10"))
	f.Add("AQ")
	f.Add("")
	f.Fuzz(func(t *testing.T, cursor string) {
		if shops, err := openCursor(q, cursor); err == nil && sealCursor(q, shops) != cursor {
			t.Errorf("%q opens as %q, which is sealed otherwise", cursor, shops)
		}
	})
}
