package medusa_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// stubborn is a shop with one thing in stock, which it does not sell as it says.
type stubborn struct {
	stock  []int64 // what it says there are, at the first asking and later
	sells  int64   // how many it puts into a cart
	refuse string  // how it refuses more
	deaf   bool    // it says yes and does nothing
	asked  int
	held   int64
}

// RoundTrip implements http.RoundTripper.
func (s *stubborn) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, "/store")
	body := ""
	if r.Body != nil {
		asked, err := read(r)
		if err != nil {
			return nil, err
		}
		body = string(asked.Body)
	}
	switch {
	case path == "/regions":
		return respond(r, 200, "application/json", `{"regions":[{"id":"reg_1","currency_code":"gbp","countries":[{"iso_2":"gb"}]}]}`), nil
	case path == "/product-categories":
		return respond(r, 200, "application/json", `{"product_categories":[]}`), nil
	case path == "/products":
		return respond(r, 200, "application/json", s.product()), nil
	case path == "/carts/cart_0":
		return respond(r, 200, "application/json", `{"cart":{"id":"cart_0","completed_at":"2026-11-30T20:29:21.704Z"}}`), nil
	case path == "/shipping-options":
		return respond(r, 200, "application/json", `{"shipping_options":[]}`), nil
	}
	var wanted int64
	if at := strings.Index(body, `"quantity":`); at >= 0 {
		if _, err := fmt.Sscanf(body[at:], `"quantity":%d`, &wanted); err != nil {
			return nil, err
		}
	}
	if wanted > s.sells && !s.deaf {
		return respond(r, 400, "application/json", s.refuse), nil
	}
	if !s.deaf {
		s.held = max(s.held, wanted)
	}
	return respond(r, 200, "application/json", s.cart()), nil
}

func (s *stubborn) product() string {
	n := s.stock[min(s.asked, len(s.stock)-1)]
	s.asked++
	return fmt.Sprintf(`{"count":1,"products":[{"id":"prod_1","title":"Hat","variants":[{"id":"variant_1","manage_inventory":true,
		"inventory_quantity":%d,"calculated_price":{"calculated_amount":10,"currency_code":"gbp","is_calculated_price_tax_inclusive":true}}]}]}`, n)
}

func (s *stubborn) cart() string {
	items := ""
	if s.held > 0 {
		items = fmt.Sprintf(`{"id":"cali_1","variant_id":"variant_1","product_id":"prod_1","product_title":"Hat","quantity":%d,
			"unit_price":10,"is_tax_inclusive":true,"requires_shipping":true,"total":%d,"original_total":%d}`, s.held, 10*s.held, 10*s.held)
	}
	return fmt.Sprintf(`{"cart":{"id":"cart_1","region_id":"reg_1","currency_code":"gbp","total":%d,"tax_total":0,
		"shipping_address":{"country_code":"gb"},"items":[%s]}}`, 10*s.held, items)
}

// TestStubborn: what is refused in spite of the stock that the shop told does not
// keep the basket from coming to rest, and has a notice.
func TestStubborn(t *testing.T) {
	inventory, invalid := `{"type":"not_allowed","code":"insufficient_inventory"}`, `{"type":"invalid_data"}`
	for name, test := range map[string]struct {
		shop stubborn
		held int64
		want upstream.NoticeCode
	}{
		"enough":                         {stubborn{stock: []int64{0, 9}, sells: 9}, 3, ""},
		"sold meanwhile":                 {stubborn{stock: []int64{0, 9, 2}, sells: 2, refuse: inventory}, 2, upstream.NoticeQuantityLowered},
		"sold out meanwhile":             {stubborn{stock: []int64{0, 9, 0}, refuse: inventory}, 0, upstream.NoticeOutOfStock},
		"stock that it does not sell":    {stubborn{stock: []int64{9}, refuse: inventory}, 0, upstream.NoticeNotBuyable},
		"an item that it does not sell":  {stubborn{stock: []int64{9}, refuse: invalid}, 0, upstream.NoticeNotBuyable},
		"an item that does not go in":    {stubborn{stock: []int64{9}, deaf: true}, 0, upstream.NoticeNotBuyable},
		"less every time that one looks": {stubborn{stock: []int64{0, 9, 8, 7, 6, 5}, sells: 1, refuse: inventory}, 0, upstream.NoticeNotBuyable},
	} {
		t.Run(name, func(t *testing.T) {
			shop := newShop(t, nowhere, anyKey, &test.shop)
			if _, err := shop.Describe(t.Context()); err != nil {
				t.Fatal(err)
			}
			d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "a", Item: "variant_1", Quantity: 3}}}
			if strings.HasPrefix(name, "less") {
				d.Lines[0].Quantity = 9
			}
			applied, err := shop.Apply(t.Context(), agent, upstream.Handle{}, d)
			if err != nil {
				t.Fatal(err)
			}
			var held int64
			for _, line := range applied.Observed.Lines {
				held += line.Quantity
			}
			var want []upstream.NoticeCode
			if test.want != "" {
				want = append(want, test.want)
			}
			if diff := cmp.Diff(want, codesOf(applied)); diff != "" || held != test.held {
				t.Errorf("the basket holds %d, want %d; notices (-want +got):\n%s", held, test.held, diff)
			}
		})
	}
}

// TestClosed: a cart that the shop has closed, and that is no order, is as good as
// gone.
func TestClosed(t *testing.T) {
	shop := newShop(t, nowhere, anyKey, &stubborn{stock: []int64{9}, sells: 9})
	closed := secret.New(`{"cart":"cart_0"}`)
	d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "a", Item: "variant_1", Quantity: 3}}}
	applied, err := shop.Apply(t.Context(), agent, closed, d)
	if err != nil || len(applied.Observed.Lines) != 1 || cartOf(t, applied.Handle) != "cart_1" {
		t.Fatalf("%+v, %v", applied, err)
	}
	if diff := cmp.Diff([]upstream.NoticeCode{upstream.NoticeBasketRenewed}, codesOf(applied)); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
}
