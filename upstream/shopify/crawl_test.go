package shopify_test

import (
	"slices"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

// TestWalk: everything at first, then what changed, and everything again after a
// day.
func TestWalk(t *testing.T) {
	h := newHouse(t, fakeshop.Options{Extra: 150})
	now := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	shop := h.adapter(t, func(c *shopify.Config) { c.Client.Now = func() time.Time { return now } })
	const all = 163
	place := upstream.Place("")
	h.Asked()
	walk := func() (handles []string, whole bool) {
		t.Helper()
		for {
			walked, err := shop.Walk(t.Context(), agent, place)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range walked.Products {
				handles = append(handles, p.Handle)
			}
			place = walked.Next
			if !walked.More {
				return handles, walked.Whole
			}
		}
	}
	if first, whole := walk(); len(first) != all || !whole {
		t.Errorf("the first walk saw %d of %d products, whole %v", len(first), all, whole)
	}
	if asked := h.Asked(); !slices.Equal(asked, []string{"Shop", "Probe", "Products", "MoreVariants", "Products"}) {
		t.Errorf("the first walk asked %v", asked)
	}
	now = now.Add(time.Hour)
	if none, whole := walk(); len(none) > 0 || whole {
		t.Errorf("nothing has changed, and the walk saw %v", none)
	}
	h.Touch("oat-bars", now)
	// Shopify's clock may be behind.
	h.Touch("gift-card", now.Add(-2*time.Minute))
	now = now.Add(time.Hour)
	if changed, whole := walk(); !slices.Equal(changed, []string{"gift-card", "oat-bars"}) || whole {
		t.Errorf("the walk saw %v, whole %v", changed, whole)
	}
	now = now.Add(23 * time.Hour)
	if again, whole := walk(); len(again) != all || !whole {
		t.Errorf("after a day the walk saw %d, whole %v", len(again), whole)
	}
	if _, err := shop.Walk(t.Context(), agent, "{"); upstream.CodeOf(err) != upstream.CodeInvalid {
		t.Errorf("a place of nowhere: %v", err)
	}
}
