package demo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// rows are a catalogue of n products.
func rows(n int, word string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"p%d","handle":"h%d","title":"Product %d","description":%q,"price_minor":100,"currency":"GBP","attributes":{"size":["S","M"]},"variants":[{"sku":"S%d-S","size":"S"},{"sku":"S%d-M","size":"M"}]}`+"\n", i, i, i, word, i, i)
	}
	return b.String()
}

// walkOn returns the ids on the pages from a place to the end of the walk.
func walkOn(t *testing.T, s upstream.Walker, place upstream.Place) (ids map[string]int, pages int, last upstream.Walked) {
	t.Helper()
	ids = map[string]int{}
	for pages = 1; pages <= 20; pages++ {
		walked, err := s.Walk(t.Context(), visit, place)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range walked.Products {
			ids[p.ID]++
		}
		if place = walked.Next; !walked.More {
			return ids, pages, walked
		}
	}
	t.Fatal("the walk does not end")
	return nil, 0, upstream.Walked{}
}

func TestWalk(t *testing.T) {
	for _, c := range []struct{ products, pages int }{{1, 1}, {100, 1}, {101, 2}, {250, 3}} {
		s := open(t, shop.Options{Catalogue: strings.NewReader(rows(c.products, "old"))}).adapter()
		ids, pages, last := walkOn(t, s, "")
		if len(ids) != c.products || pages != c.pages || !last.Whole {
			t.Errorf("of %d products %d are on %d pages, whole: %v", c.products, len(ids), pages, last.Whole)
		}
		for range 2 {
			ids, pages, last = walkOn(t, s, last.Next)
			if len(ids) != 0 || pages != 1 || last.Whole {
				t.Errorf("nothing was changed, and %d are seen on %d pages, whole: %v", len(ids), pages, last.Whole)
			}
		}
	}
}

// A shop that is opened with another catalogue is walked anew, wherever a walk stands.
func TestWalkOfAnotherCatalogue(t *testing.T) {
	before := open(t, shop.Options{Catalogue: strings.NewReader(rows(250, "old"))}).adapter()
	after := open(t, shop.Options{Catalogue: strings.NewReader(rows(249, "new"))}).adapter()
	first, err := before.Walk(t.Context(), visit, "")
	if err != nil {
		t.Fatal(err)
	}
	_, _, ended := walkOn(t, before, "")
	for name, place := range map[string]upstream.Place{"half-way": first.Next, "at the end": ended.Next} {
		if ids, _, last := walkOn(t, after, place); len(ids) != 249 || !last.Whole {
			t.Errorf("%s: %d are seen, whole: %v", name, len(ids), last.Whole)
		}
	}
}

func TestWalkFromNowhere(t *testing.T) {
	s := open(t, shop.Options{}).adapter()
	for _, place := range []upstream.Place{"x", "[]", `{"behind":-1}`, `{"behind":3000000000}`} {
		if _, err := s.Walk(t.Context(), visit, place); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("%s: %v", place, err)
		}
	}
}
