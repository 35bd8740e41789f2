package pageurl_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/pageurl"
)

func TestTemplate(t *testing.T) {
	for _, test := range []struct {
		text, want string
		has        bool // the name "handle"
	}{
		{"", "", false},
		{"https://shop.example/p/{handle}", "https://shop.example/p/red%2Fcap%20&", true},
		{"https://shop.example/?p={handle}&id={id}#{id}", "https://shop.example/?p=red%2Fcap+%26&id=7#7", true},
		{"https://shop.example/basket", "https://shop.example/basket", false},
		{"http://127.0.0.1:3000/{id}", "http://127.0.0.1:3000/7", false},
	} {
		template, err := pageurl.Parse(test.text, "handle", "id")
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := template.Fill("handle", "red/cap &", "id", "7"); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
		if template.Has("handle") != test.has {
			t.Errorf("%q has a handle: %t", test.text, !test.has)
		}
	}
	for _, text := range []string{
		"shop.example/{handle}", "/p/{handle}", "ftp://shop.example/{handle}", "https://{handle}/p", "https://shop.example/{slug}",
		"https://shop.example/{}", "https:///p", "javascript:{handle}", "https://shop.example/%zz", "https://shop.example/{handle",
		"https://shop.example/{{handle}}",
	} {
		if _, err := pageurl.Parse(text, "handle", "id"); err == nil {
			t.Errorf("%q is a template", text)
		}
	}
}
