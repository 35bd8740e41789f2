package plaintext_test

import (
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/plaintext"
)

func TestFromHTML(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		" A plain   text. ":               "A plain text.",
		"One\r\n\r\n two":                 "One\ntwo",
		"2 < 3":                           "2 < 3",
		"Fell &amp; Ford":                 "Fell & Ford",
		"Fell &amp;amp; Ford":             "Fell &amp; Ford",
		"<p>One.</p><p>Two<br>three.</p>": "One.\nTwo\nthree.",
		"<ul>\n<li>Light</li>\n<li>Dry</li></ul>":                  "Light\nDry",
		"<b>Warm</b> and\ndry":                                     "Warm and dry",
		"<style>p{}</style><script>x()</script>So":                 "So",
		"<SCRIPT>if (a < b) x()</SCRIPT>So":                        "So",
		"<p>Unclosed":                                              "Unclosed",
		"Mug <!-- 1 > 2 --> blue":                                  "Mug blue",
		`<a title="a > b" href="https://shop.example/">A shop</a>`: "A shop",
		"a\x00b &lt;c&gt;":                                         "ab <c>",
	} {
		if got := plaintext.FromHTML(text); got != want {
			t.Errorf("FromHTML(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTidy(t *testing.T) {
	if got, want := plaintext.Tidy("  much \t space\u00a0 \n\n\x00\n <b>here</b> "), "much space\n<b>here</b>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzFromHTML: whatever a shop has there, the text is tidy and not much longer.
func FuzzFromHTML(f *testing.F) {
	for _, seed := range []string{"", "<p>a</p>", "&lt;b&gt;", "<script>", "<!-- -->", "a\x00b", "&#0;", "<" + strings.Repeat("a", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plaintext.FromHTML(text)
		if got != plaintext.Tidy(got) || strings.ContainsAny(got, "\x00\r\t") {
			t.Errorf("FromHTML(%q) = %q is not tidy", text, got)
		}
		if len(got) > 3*len(text) { // a byte that is no UTF-8 becomes three
			t.Errorf("FromHTML(%q) is longer than three times the text", text)
		}
	})
}
