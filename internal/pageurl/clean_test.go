package pageurl_test

import (
	"net/url"
	"testing"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/pageurl"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"https://shop.example/a?b=c#d":   "https://shop.example/a?b=c#d",
		"http://shop.example/":           "http://shop.example/",
		"https://shop.example/a b/é":     "https://shop.example/a%20b/%C3%A9",
		"https://shop.example/a%20b%zz%": "https://shop.example/a%20b%25zz%25",
		"https://shop.example/<\"\x00":   "https://shop.example/%3C%22%00",
		"":                               "",
		"/a":                             "",
		"javascript:alert(1)":            "",
		"//shop.example/":                "",
	} {
		if got := pageurl.Clean(text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := "https://shop.example/" + rapid.String().Draw(t, "path")
		got := pageurl.Clean(text)
		u, err := url.Parse(got)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if again := pageurl.Clean(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
		if u.Host != "shop.example" {
			t.Fatalf("%q is at %q", got, u.Host)
		}
	})
}
