package mcp

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

// What a shop cannot do is no tool of it, is not told of in the instructions, and
// cannot be called.
func TestOnlyWhatTheShopCanDo(t *testing.T) {
	basketTools := []string{"cancel_basket", "create_basket", "get_basket", "update_basket"}
	for name, test := range map[string]struct {
		change func(*upstream.Capabilities)
		want   []string
		mute   []string // is not spoken of
	}{
		"everything": {
			change: func(*upstream.Capabilities) {},
			want:   append([]string{"complete_checkout", "get_order", "get_product", "search_products"}, basketTools...),
		},
		"no search": {
			change: func(can *upstream.Capabilities) { can.Search = false },
			want:   append([]string{"complete_checkout", "get_order", "get_product"}, basketTools...),
			mute:   []string{"search_products", "verdict"},
		},
		"no orders placed": {
			change: func(can *upstream.Capabilities) { can.Place, can.HandOff = false, true },
			want:   append([]string{"get_order", "get_product", "search_products"}, basketTools...),
			mute:   []string{"complete_checkout", "takes no orders through you"},
		},
		"nowhere to order": {
			change: func(can *upstream.Capabilities) { can.Place, can.HandOff = false, false },
			want:   append([]string{"get_product", "search_products"}, basketTools...),
			mute:   []string{"complete_checkout", "ready_for_complete", "to finish there", "pay themselves"},
		},
		"nothing to pay with": {
			change: func(can *upstream.Capabilities) { can.Payments = nil },
			want:   append([]string{"get_order", "get_product", "search_products"}, basketTools...),
			mute:   []string{"complete_checkout"},
		},
		"orders not readable": {
			change: func(can *upstream.Capabilities) { can.Orders = false },
			want:   append([]string{"complete_checkout", "get_product", "search_products"}, basketTools...),
		},
		"a catalogue only": {
			change: func(can *upstream.Capabilities) { can.Baskets = false },
			want:   []string{"get_product", "search_products"},
			mute:   []string{"create_basket", "checkout", "continue_url"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			shop := *d.shop
			test.change(&shop.Capabilities)
			d.shop = &shop
			var listed []string
			for _, tool := range d.send(d.message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)).json.Get("result.tools.#.name").Array() {
				listed = append(listed, tool.Str)
			}
			slices.Sort(listed)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, listed); diff != "" {
				t.Errorf("the tools (-want +got):\n%s", diff)
			}
			said := instructions(shop.Capabilities)
			for _, word := range test.mute {
				if strings.Contains(said, word) {
					t.Errorf("the instructions speak of %q: %s", word, said)
				}
			}
			for _, tool := range tools() {
				if slices.Contains(test.want, tool.name) {
					continue
				}
				got := d.call("scout", tool.name, tool.example)
				if got.json.Get("error.code").Int() != -32602 {
					t.Errorf("%s: %d %s", tool.name, got.StatusCode, got.text)
				}
			}
		})
	}
}
