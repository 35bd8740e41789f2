package caddymodule

import "testing"

func TestContactURL(t *testing.T) {
	for contact, want := range map[string]string{
		"":                           "",
		"https://shop.example/agent": "https://shop.example/agent",
		"keys@shop.example":          "mailto:keys@shop.example",
		"Keys <keys@shop.example>":   "mailto:keys@shop.example",
		`"a?cc=b"@shop.example`:      "mailto:a%3Fcc=b@shop.example",
		"ask in the shop":            "",
		"javascript:alert(1)":        "",
		"//shop.example":             "",
	} {
		if got := contactURL(contact); got != want {
			t.Errorf("%q leads to %q, want %q", contact, got, want)
		}
	}
}
