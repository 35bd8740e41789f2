package ucp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

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
