package medusa

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// coded fails for an error that nobody can decide on.
func coded(t *testing.T, err error) {
	t.Helper()
	var e *upstream.Error
	if err != nil && !errors.As(err, &e) {
		t.Errorf("%T %v is no *upstream.Error", err, err)
	}
}

func FuzzCart(f *testing.F) {
	options := recorded(f, "35-shipping-options").Get("shipping_options").Raw
	f.Add(recorded(f, "16-cart").Get("cart").Raw, options)
	for _, name := range []string{"TestPurchase", "TestCodes", "TestMarkets"} {
		for _, held := range taped(f, name, "cart") {
			f.Add(held.Raw, options)
		}
	}
	f.Add(twoProfiles, `[{"id":"so","amount":1e400,"shipping_profile_id":"sp_small"}]`)
	f.Add(`{"currency_code":"gbp","total":9223372036854775807,"items":[{"quantity":-1,"total":-1e15,"original_total":1}]}`, `null`)
	f.Fuzz(func(t *testing.T, text, options string) {
		if !gjson.Valid(text) || !gjson.Valid(options) {
			return
		}
		kept := handle{Lines: []keptLine{{"a", gjson.Get(text, "items.0.variant_id").String(), 1}, {"b", "variant_2", 2}}}
		o, err := aShop(t).observe(&knowledge{}, cart{gjson.Parse(text)}, gjson.Parse(options).Array(), kept)
		if coded(t, err); err != nil {
			return
		}
		var sum int64
		for _, total := range o.Totals {
			sum += total.Amount.Minor
		}
		if sum != o.Total.Minor {
			t.Errorf("the totals add up to %d, the total is %d", sum, o.Total.Minor)
		}
	})
}

// taped returns what stands under a key in the answers on a tape.
func taped(t testing.TB, name, key string) []gjson.Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "tapes", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return gjson.GetBytes(text, "#.answer."+key).Array()
}

func FuzzProducts(f *testing.F) {
	for _, name := range []string{"03-products-q", "07-products-q-sku", "12-product-handle"} {
		f.Add(recorded(f, name).Get("products").Raw)
	}
	f.Add(`[{"variants":[{"calculated_price":{"calculated_amount":1,"currency_code":"gbp","original_amount":2}}],"options":[{"title":"x"}]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !gjson.Valid(text) {
			return
		}
		products, err := aShop(t).readProducts(searching, &knowledge{}, gjson.Parse(text))
		if coded(t, err); err != nil {
			return
		}
		for _, g := range products {
			for _, v := range g.Variants {
				if v.Stock != nil && *v.Stock < 0 || len(v.Options) > 0 && len(g.Variants) == 1 {
					t.Errorf("variant %+v", v)
				}
			}
		}
	})
}

func FuzzOrder(f *testing.F) {
	for _, name := range []string{"42-complete", "44-order", "77-order-delivered", "78-order-cancelled"} {
		f.Add(recorded(f, name).Get("order").Raw)
	}
	for _, order := range append(taped(f, "TestAfterwards", "order"), taped(f, "TestCanceled", "order")...) {
		f.Add(order.Raw)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !gjson.Valid(text) {
			return
		}
		order, err := aShop(t).readOrder(gjson.Parse(text))
		if coded(t, err); err != nil {
			return
		}
		for _, line := range order.Lines {
			if line.Active < 0 || line.Fulfilled > line.Active {
				t.Errorf("line %+v", line)
			}
		}
	})
}

func FuzzRegions(f *testing.F) {
	f.Add(recorded(f, "02-regions").Get("regions").Raw)
	f.Add(`[{"id":"r","currency_code":"eur","countries":[{"iso_2":"de"}],"payment_providers":[{"id":"pp","is_enabled":true}]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !gjson.Valid(text) {
			return
		}
		regions, err := aShop(t).regionsOf(gjson.Parse(text))
		if coded(t, err); err == nil && len(regions) == 0 {
			t.Error("a shop without a region passes")
		}
	})
}

func FuzzHandle(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"cart":"cart_1"}`, `{"cart":"cart_1","region":"r","lines":[{"key":"a","variant":"v","quantity":1}]}`, "null", "7"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := readHandle(readingBasket, secret.New(text))
		if coded(t, err); err != nil || text == "" {
			return
		}
		written, err := read.write()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readHandle(readingBasket, written); err != nil || read.Cart == "" {
			t.Errorf("%q becomes a handle that is none: %v", text, err)
		}
	})
}
