package caddymodule_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// In a basket of good and bad items each blocker says which item it is about,
// whatever was asked for and through whichever door.
func TestBlockersNameTheirItems(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	server := startCaddy(t, fill(site, "SHOP", house.url(), "HASH", hash))
	agent := server.agent("shop.example", key)
	agent.awaitShop()

	const good, mixed = `{"line_items": [{"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}]}`,
		`{"line_items": [{"item": {"id": "no-such-thing"}, "quantity": 1}, {"item": {"id": "v-FJL-8-TAN"}, "quantity": 1}, {"item": {"id": "fjell-trail-gtx"}, "quantity": 2}]}`
	bad := map[string]string{"no-such-thing": "item_unavailable", "fjell-trail-gtx": "option_required"}
	check := func(t *testing.T, shown gjson.Result) {
		t.Helper()
		if got := shown.Get("line_items.#").Int(); got != 1 {
			t.Errorf("the basket holds %d lines", got)
		}
		for item, code := range bad {
			path := fmt.Sprintf("$.line_items[?@.item.id == '%s']", item)
			blocker := shown.Get(fmt.Sprintf("messages.#(path==%q)", path))
			if blocker.Get("code").Str != code || !strings.HasPrefix(blocker.Get("content").Str, "Item "+item+": ") {
				t.Errorf("%s: the blocker %s among %s", item, blocker, shown.Get("messages"))
			}
		}
	}
	call := 0
	for _, kind := range []struct{ path, tool string }{{"/carts", "cart"}, {"/checkout-sessions", "checkout"}} {
		t.Run("REST "+kind.tool, func(t *testing.T) {
			path := "/api/ucp/v1" + kind.path
			check(t, gjson.ParseBytes(agent.want(http.StatusCreated, "POST", path, mixed).body))
			id := agent.want(http.StatusCreated, "POST", path, good).get("id").String()
			check(t, gjson.ParseBytes(agent.want(http.StatusOK, "PUT", path+"/"+id, mixed).body))
			check(t, gjson.ParseBytes(agent.want(http.StatusOK, "GET", path+"/"+id, "").body))
		})
		t.Run("MCP "+kind.tool, func(t *testing.T) {
			use := func(verb, arguments string) gjson.Result {
				call++
				return agent.want(http.StatusOK, "POST", mcpPath, toolCall(call, verb+"_"+kind.tool, arguments)).get("result.structuredContent")
			}
			check(t, use("create", fmt.Sprintf("%q: %s", kind.tool, mixed)))
			id := use("create", fmt.Sprintf("%q: %s", kind.tool, good)).Get("id").String()
			check(t, use("update", fmt.Sprintf("%q: %q, %q: %s", "id", id, kind.tool, mixed)))
		})
	}
}
