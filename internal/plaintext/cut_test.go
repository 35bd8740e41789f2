package plaintext_test

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/plaintext"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"},
		{"a light shoe, for wet ground", 16, "a light shoe…"},
		{"unbreakabletext", 10, "unbreak…"},
		{"ééééé", 9, "ééé…"},
	} {
		if got := plaintext.Cut(test.text, test.most); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, most := rapid.String().Draw(t, "text"), rapid.IntRange(4, 40).Draw(t, "most")
		got := plaintext.Cut(text, most)
		if len(got) > most || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("cut to %q", got)
		}
	})
}
