package woocommerce_test

import (
	"slices"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// walk goes on until there is no more, and returns the handles that it saw, and
// where it goes on from when changes are wanted. between is called after each
// page.
func walk(t *testing.T, shop *woocommerce.Shop, place upstream.Place, between func()) (handles []string, whole bool, next upstream.Place) {
	t.Helper()
	for range 20 {
		walked, err := shop.Walk(t.Context(), upstream.Visit{}, place)
		if err != nil {
			t.Fatal(err)
		}
		for _, product := range walked.Products {
			handles = append(handles, product.Handle)
		}
		if place = walked.Next; !walked.More {
			return handles, walked.Whole, place
		}
		between()
	}
	t.Fatal("the walk does not end")
	return nil, false, ""
}

func TestWalk(t *testing.T) {
	clock := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	fake := wootest.New(t, wootest.Config{Now: now})
	fake.Fill("MUG-01", 230)
	shop := newShop(t, fake, at(now))
	nothing := func() {}

	all, whole, next := walk(t, shop, "", nothing)
	if len(all) != 246 || !whole || len(slices.Compact(sorted(all))) != 246 || slices.Contains(all, "hidden-sample") {
		t.Fatalf("%d products, whole: %v", len(all), whole)
	}
	clock = clock.Add(time.Hour)
	if changed, whole, _ := walk(t, shop, next, nothing); len(changed) != 0 || whole {
		t.Errorf("nothing was changed, and seen is %q", changed)
	}
	fake.SetPrice("KEY-01", 1234)
	fake.SetPrice("TEE-BLK-M", 1234) // Of which the shirt itself says nothing.
	changed, whole, later := walk(t, shop, next, nothing)
	if !slices.Equal(changed, []string{"mechanical-keyboard", "organic-cotton-t-shirt"}) || whole {
		t.Errorf("seen is %q", changed)
	}
	clock = clock.Add(time.Hour)
	_, _, later = walk(t, shop, later, nothing) // Which sees them again, for the shop's clock may be behind.
	clock = clock.Add(time.Hour)
	if changed, _, later = walk(t, shop, later, nothing); len(changed) != 0 {
		t.Errorf("seen is %q", changed)
	}
	clock = clock.Add(22 * time.Hour)
	_, _, later = walk(t, shop, later, nothing)
	if all, whole, _ = walk(t, shop, later, nothing); len(all) != 246 || !whole {
		t.Errorf("a day later %d are seen, whole: %v", len(all), whole)
	}
}

// What is removed while a walk is on its way makes it miss nothing.
func TestWalkWhileProductsGo(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	fake.Fill("MUG-01", 230)
	shop := newShop(t, fake)
	gone := []string{"BEAN-01", "LANT-01"}
	all, _, _ := walk(t, shop, "", func() {
		if len(gone) > 0 {
			fake.Unpublish(gone[0])
			gone = gone[1:]
		}
	})
	if seen := slices.Compact(sorted(all)); len(seen) < 244 {
		t.Errorf("%d products are seen", len(seen))
	}
}

func TestWalkFromNowhere(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	for _, place := range []upstream.Place{"x", `{"offset":-1}`, `{"offset":1000001}`, "[]"} {
		_, err := shop.Walk(t.Context(), upstream.Visit{}, place)
		code(t, err, upstream.CodeInvalid)
	}
}
