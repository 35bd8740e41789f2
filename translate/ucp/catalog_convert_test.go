package ucp

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestURIOf(t *testing.T) {
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
		if got := uriOf(text); got != want {
			t.Errorf("uriOf(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := "https://shop.example/" + rapid.String().Draw(t, "path")
		got := uriOf(text)
		u, err := url.Parse(got)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if again := uriOf(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
		if u.Host != "shop.example" {
			t.Fatalf("%q is at %q", got, u.Host)
		}
	})
}

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
		if got := cut(test.text, test.most); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, most := rapid.String().Draw(t, "text"), rapid.IntRange(4, 40).Draw(t, "most")
		got := cut(text, most)
		if len(got) > most || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("cut to %q", got)
		}
	})
}

func TestBarcodesOf(t *testing.T) {
	for code, want := range map[string]int{
		"50123456": 1, "501234567890": 1, "5012345678900": 1, "05012345678900": 1,
		"": 0, "501234567": 0, "50123456789OO": 0, "SKU-12345678": 0,
	} {
		if got := barcodesOf(code); len(got) != want {
			t.Errorf("barcodesOf(%q) = %v", code, got)
		}
	}
}

func TestRatingOf(t *testing.T) {
	for _, test := range []struct {
		rating *upstream.Rating
		want   string
	}{
		{&upstream.Rating{Hundredths: 450, Scale: 500, Count: 3}, `{"value":4.5,"scale_max":5,"count":3}`},
		{&upstream.Rating{Hundredths: 305, Scale: 1000}, `{"value":3.05,"scale_max":10,"count":0}`},
		{&upstream.Rating{Hundredths: 7, Scale: 500}, `{"value":0.07,"scale_max":5,"count":0}`},
		{&upstream.Rating{Hundredths: -1, Scale: 500}, `null`},
		{&upstream.Rating{Hundredths: 1, Scale: 5}, `null`},
		{nil, `null`},
	} {
		got, err := json.Marshal(ratingOf(test.rating))
		if err != nil || string(got) != test.want {
			t.Errorf("%+v: %s, %v, want %s", test.rating, got, err, test.want)
		}
	}
}

func TestProductIsBounded(t *testing.T) {
	p := tarnShoe()
	p.Description = strings.Repeat("wet ground ", 5000)
	for i := range 300 {
		p.Variants = append(p.Variants, shoe("Red", fmt.Sprint(100+i), 100, upstream.InStock))
	}
	s := &shelf{products: []upstream.Product{p}}
	search := ask(t, s, SearchCatalog, `{"query":"tarn"}`, upstream.Market{}).Get("products.0")
	if n, d := search.Get("variants.#").Int(), len(search.Get("description.plain").Str); n != maxListedVariants || d > maxSummary {
		t.Errorf("a search shows %d variants and %d bytes of description", n, d)
	}
	product := ask(t, s, GetProduct, `{"id":"shoe","selected":[{"name":"Colour","label":"Red"}]}`, upstream.Market{}).Get("product")
	if n, d := product.Get("variants.#").Int(), len(product.Get("description.plain").Str); n != maxShownVariants || d > maxDetails {
		t.Errorf("a product shows %d variants and %d bytes of description", n, d)
	}
}
