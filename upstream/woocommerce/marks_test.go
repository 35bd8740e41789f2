package woocommerce_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// The orders of a shop are read once for all baskets, and not at every look at
// one of them.
func TestOrdersAreLookedThroughOnce(t *testing.T) {
	clock := time.Now()
	now := func() time.Time { return clock }
	fake := wootest.New(t, wootest.Config{Now: now, Key: key, Secret: keySecret})
	shop := newShop(t, fake, withKey, at(now))
	looks := func() int {
		n := 0
		for _, r := range fake.Requests() {
			if strings.HasSuffix(r, "/wc/v3/orders") {
				n++
			}
		}
		return n
	}
	var baskets []upstream.Applied
	for range 5 {
		baskets = append(baskets, apply(t, shop, upstream.Handle{}, wanted("25", 1)))
	}
	if n := looks(); n != 1 { // To see whether the key may.
		t.Errorf("%d looks before there was anything to look for", n)
	}
	read := func() (seen int) {
		for _, basket := range baskets {
			o, err := shop.Read(t.Context(), upstream.Visit{}, basket.Handle)
			if err != nil {
				t.Fatal(err)
			}
			if o.Ordered != nil {
				seen++
			}
		}
		return seen
	}
	if seen := read(); seen != 0 || looks() != 2 {
		t.Errorf("%d baskets were ordered, %d looks", seen, looks())
	}
	fake.Buy(baskets[3].Observed.HandOff)
	if seen := read(); seen != 0 || looks() != 2 {
		t.Errorf("in the same moment: %d baskets were ordered, %d looks", seen, looks())
	}
	clock = clock.Add(11 * time.Second)
	if seen := read(); seen != 1 || looks() != 3 {
		t.Errorf("seconds later: %d baskets were ordered, %d looks", seen, looks())
	}
	// Ordering one takes a look in any case.
	fake.Buy(baskets[4].Observed.HandOff)
	baskets[4] = apply(t, shop, baskets[4].Handle, complete(wanted("25", 1)))
	placed, err := placeIt(t, shop, baskets[4])
	if err != nil || placed.Ref.ID != "88" || fake.Orders() != 2 {
		t.Errorf("placed is %+v (%v), of %d orders", placed, err, fake.Orders())
	}
}

// An answer that was no good leaves no gap.
func TestOrdersAreLookedThroughAgainAfterAFailure(t *testing.T) {
	clock := time.Now()
	now := func() time.Time { return clock }
	fake := wootest.New(t, wootest.Config{Now: now, Key: key, Secret: keySecret})
	shop := newShop(t, fake, withKey, at(now))
	basket := apply(t, shop, upstream.Handle{}, wanted("25", 1))
	clock = clock.Add(time.Minute)
	fake.Buy(basket.Observed.HandOff)
	fake.Answer("GET /wc/v3/orders", http.StatusForbidden, nil, `{"code":"rest_forbidden"}`)
	_, err := shop.Read(t.Context(), upstream.Visit{}, basket.Handle)
	code(t, err, upstream.CodeDenied)
	o, err := shop.Read(t.Context(), upstream.Visit{}, basket.Handle)
	if err != nil || o.Ordered == nil {
		t.Errorf("the basket is %+v (%v)", o, err)
	}
}
