package medusa

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		" A plain   text. ":               "A plain text.",
		"2 < 3":                           "2 < 3",
		"Fell &amp; Ford":                 "Fell & Ford",
		"<p>One.</p><p>Two<br>three.</p>": "One.\nTwo\nthree.",
		"<ul>\n<li>Light</li>\n<li>Dry</li></ul>":  "Light\nDry",
		"<b>Warm</b> and\ndry":                     "Warm and dry",
		"<style>p{}</style><script>x()</script>So": "So",
		"<p>Unclosed":                              "Unclosed",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"", "<p>a</p>", "&lt;b&gt;", "<script>", "<!-- -->", "a\x00b", "<" + strings.Repeat("a", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plain(text)
		if strings.TrimSpace(got) != got || strings.Contains(got, "\n\n") {
			t.Errorf("plain(%q) = %q is not tidy", text, got)
		}
		if len(got) > 2*len(text) {
			t.Errorf("plain(%q) is longer than twice the text", text)
		}
	})
}
