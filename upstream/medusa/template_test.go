package medusa

import "testing"

func TestTemplate(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"https://shop.example/p/{handle}", "https://shop.example/p/red%2Fcap%20&"},
		{"https://shop.example/?p={handle}&id={id}#{id}", "https://shop.example/?p=red%2Fcap+%26&id=7#7"},
		{"https://shop.example/basket", "https://shop.example/basket"},
	} {
		template, err := newTemplate(test.text, "handle", "id")
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if got := template.fill("handle", "red/cap &", "id", "7"); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
	for _, text := range []string{
		"shop.example/{handle}", "/p/{handle}", "ftp://shop.example/{handle}", "https://{handle}/p", "https://shop.example/{slug}",
		"https://shop.example/{}", "https:///p", "javascript:{handle}", "https://shop.example/%zz",
	} {
		if _, err := newTemplate(text, "handle", "id"); err == nil {
			t.Errorf("%q is a template", text)
		}
	}
}
