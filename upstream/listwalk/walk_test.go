package listwalk_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/listwalk"
)

// shop is a list of products, each with the time of its last change.
type shop struct {
	clock    time.Time
	products []upstream.Product
}

func newShop(n int) *shop {
	s := &shop{clock: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	for i := range n {
		s.products = append(s.products, upstream.Product{ID: fmt.Sprintf("p%04d", i), Updated: s.clock.Add(-time.Hour), Variants: make([]upstream.Variant, 1)})
	}
	return s
}

func (s *shop) list() listwalk.List {
	return listwalk.List{Page: s.page, Whole: 6 * time.Hour, Now: func() time.Time { return s.clock }}
}

func (s *shop) page(_ context.Context, _ upstream.Visit, since time.Time, skip, take int) (listwalk.Page, error) {
	var changed []upstream.Product
	for _, p := range s.products {
		if !p.Updated.Before(since) {
			changed = append(changed, p)
		}
	}
	first := min(skip, len(changed))
	return listwalk.Page{Products: changed[first:min(first+take, len(changed))], Total: len(changed)}, nil
}

// drop removes the product at a place.
func (s *shop) drop(i int) { s.products = slices.Delete(slices.Clone(s.products), i, i+1) }

type failer interface {
	Helper()
	Fatal(args ...any)
}

// walk goes on to the end, with between called after each page.
func walk(t failer, s *shop, place upstream.Place, between func()) (seen map[string]int, gone []string, last upstream.Walked) {
	t.Helper()
	seen = map[string]int{}
	for range 200 {
		w, err := s.list().Walk(context.Background(), upstream.Visit{}, place)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range w.Products {
			seen[p.ID]++
		}
		gone = append(gone, w.Removed...)
		if place = w.Next; !w.More {
			return seen, gone, w
		}
		between()
	}
	t.Fatal("the walk does not end")
	return nil, nil, last
}

func nothing() {}

func TestWalk(t *testing.T) {
	for _, n := range []int{0, 1, 99, 100, 101, 199, 250} {
		s := newShop(n)
		seen, gone, last := walk(t, s, "", nothing)
		if len(seen) != n || len(gone) != 0 || !last.Whole {
			t.Errorf("of %d products %d are seen, %d gone, whole: %v", n, len(seen), len(gone), last.Whole)
		}
		for id, times := range seen {
			if times != 1 {
				t.Errorf("%s was seen %d times", id, times)
			}
		}
		if n < 2 {
			continue
		}
		s.clock = s.clock.Add(time.Hour)
		changed := s.clock.Add(-10 * time.Minute)
		s.products[0].Updated = changed
		s.products[1].Updated, s.products[1].Variants = changed, nil
		seen, gone, last = walk(t, s, last.Next, nothing)
		if len(seen) != 1 || seen["p0000"] != 1 || !slices.Equal(gone, []string{"p0001"}) || last.Whole {
			t.Errorf("later %v are seen, %v are gone, whole: %v", seen, gone, last.Whole)
		}
		s.clock = s.clock.Add(time.Hour)
		if seen, gone, last = walk(t, s, last.Next, nothing); len(seen)+len(gone) != 0 || last.Whole {
			t.Errorf("nothing was changed, and %v are seen, %v gone", seen, gone)
		}
		s.clock = s.clock.Add(4 * time.Hour)
		if seen, _, last = walk(t, s, last.Next, nothing); len(seen) != n-1 || !last.Whole {
			t.Errorf("six hours later %d are seen, whole: %v", len(seen), last.Whole)
		}
	}
}

// Whatever is removed during a walk, what stays is seen.
func TestWalkWhileProductsGo(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newShop(rapid.IntRange(0, 450).Draw(r, "products"))
		drops := rapid.IntRange(0, 12).Draw(r, "drops")
		seen, _, last := walk(r, s, "", func() {
			for range rapid.IntRange(0, 3).Draw(r, "now") {
				if drops > 0 && len(s.products) > 0 {
					drops--
					s.drop(rapid.IntRange(0, len(s.products)-1).Draw(r, "which"))
				}
			}
		})
		if !last.Whole {
			r.Fatal("the walk was not whole")
		}
		for _, p := range s.products {
			if seen[p.ID] == 0 {
				r.Fatalf("%s was not seen", p.ID)
			}
		}
	})
}

func TestWalkFromNowhere(t *testing.T) {
	for _, place := range []upstream.Place{"x", "[]", `{"offset":-1}`, `{"offset":1000001}`, `{"last":"p"}`} {
		if _, err := newShop(1).list().Walk(t.Context(), upstream.Visit{}, place); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("%s: %v", place, err)
		}
	}
}
