package main_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/tidwall/gjson"
)

// own calls a tool of the shop's own MCP server, which has to succeed, and returns
// what it answers.
func (a *agent) own(t *testing.T, origin, tool string, arguments object) gjson.Result {
	t.Helper()
	got := a.must(t, "POST", origin+"/mcp", object{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": tool, "arguments": arguments},
	})
	content := got.Get("result.structuredContent")
	if !content.Exists() || got.Get("result.content.0.text").String() != content.Raw {
		t.Fatalf("%s: %s", tool, got.Raw)
	}
	return content
}

// TestPurchaseAtTheShopsMCP buys at every shop system, at the shop's own MCP server.
func TestPurchaseAtTheShopsMCP(t *testing.T) {
	for name, row := range shopRows() {
		t.Run(name, func(t *testing.T) {
			a, origin := site(t, row)
			listed := a.must(t, "POST", origin+"/mcp", object{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).Get("result.tools.#.name").String()
			offered := func(tool string) bool { return gjson.Get(listed, `#(=="`+tool+`")`).Exists() }
			if offered("complete_checkout") == row.handsOff || offered("get_order") != row.readsOrders {
				t.Errorf("the tools are %s", listed)
			}
			found := a.own(t, origin, "search_products", object{"query": row.basket.words, "limit": 50, "country": "GB"})
			var items []object
			for i, g := range row.basket.goods {
				product := a.own(t, origin, "get_product", object{"sku": g.sku, "country": "GB"}).Get("product")
				items = append(items, object{"variant_id": product.Get("variant_id").String(), "quantity": g.quantity})
				if id := product.Get("id").String(); i == 0 && !found.Get(`results.#(id=="`+id+`")`).Exists() {
					t.Errorf("%q does not find %s but %s", row.basket.words, id, found.Get("results.#.title"))
				}
			}
			wanted := object{
				"items":   items,
				"buyer":   object{"email": "grace@example.com", "first_name": "Grace", "last_name": "Thwaite", "phone": "+441539000001"},
				"address": object{"street": "12 Stricklandgate", "city": "Kendal", "region": "Cumbria", "postal_code": "LA9 4ND", "country": "GB"},
			}
			if row.basket.code != "" {
				wanted["discount_codes"] = []string{row.basket.code}
			}
			ready := a.own(t, origin, "create_basket", wanted)
			id := ready.Get("basket_id").String()
			if row.basket.delivery != "" {
				wanted["basket_id"] = id
				wanted["delivery_option_id"] = ready.Get(`delivery_options.#(title=="` + row.basket.delivery + `").id`).String()
				ready = a.own(t, origin, "update_basket", wanted)
			}
			if got := ready.Get("total_minor").Int(); got != row.basket.total {
				t.Errorf("the basket costs %d, want %d: %s", got, row.basket.total, ready.Get("totals").Raw)
			}
			if row.handsOff {
				next, err := url.Parse(ready.Get("continue_url").String())
				if err != nil || next.Host == "" || ready.Get("status").String() == "ready_for_complete" {
					t.Errorf("a person goes on at %q: %v, and the basket is %s", next, err, ready.Get("status"))
				}
				return
			}
			if status := ready.Get("status").String(); status != "ready_for_complete" {
				t.Fatalf("the basket is %s: %s", status, ready.Get("messages").Raw)
			}
			paid := object{"basket_id": id, "idempotency_key": "pay", "payment": object{
				"method": ready.Get("payment_methods.0.id").String(), "credential": object{"token": "tok_demo"},
			}}
			done := a.own(t, origin, "complete_checkout", paid)
			order := done.Get("order.order_id").String()
			if done.Get("status").String() != "completed" || order == "" {
				t.Fatalf("the basket is %s", done.Raw)
			}
			if again := a.own(t, origin, "complete_checkout", paid); again.Raw != done.Raw {
				t.Errorf("the same call again: %s", again.Raw)
			}
			if !row.readsOrders {
				return
			}
			placed := a.own(t, origin, "get_order", object{"order_id": order})
			if placed.Get("total_minor").Int() != row.basket.total || placed.Get("basket_id").String() != id ||
				placed.Get("items.#").Int() != int64(len(items)) {
				t.Errorf("the order is %s", placed.Raw)
			}
		})
	}
}

// TestPurchaseOverUCPsMCP buys at every shop system, over UCP's MCP binding. Every
// answer is checked against the published schema.
func TestPurchaseOverUCPsMCP(t *testing.T) {
	for name, row := range shopRows() {
		t.Run(name, func(t *testing.T) {
			a, origin := site(t, row)
			endpoint := origin + "/ucp/mcp"
			var lines []object
			for _, g := range row.basket.goods {
				looked := a.mustTool(t, endpoint, "lookup_catalog", "", object{"catalog": object{"ids": []string{g.sku}, "context": object{"address_country": "GB"}}})
				variant := looked.Get(`products.#.variants|@flatten|#(sku=="` + g.sku + `").id`).String()
				lines = append(lines, object{"item": object{"id": variant}, "quantity": g.quantity})
			}
			wanted := purchase("")
			wanted["line_items"] = lines
			if row.basket.code != "" {
				wanted["discounts"] = object{"codes": []string{row.basket.code}}
			}
			ready := a.mustTool(t, endpoint, "create_checkout", "create", object{"checkout": wanted})
			id := ready.Get("id").String()
			if row.basket.delivery != "" {
				wanted["fulfillment"] = choice(t, ready, row.basket.delivery)
				for i := range lines {
					lines[i]["id"] = ready.Get(fmt.Sprintf("line_items.%d.id", i)).String()
				}
				ready = a.mustTool(t, endpoint, "update_checkout", "", object{"id": id, "checkout": wanted})
			}
			if got := total(ready); got != row.basket.total {
				t.Errorf("the checkout costs %d, want %d: %s", got, row.basket.total, ready.Get("totals").Raw)
			}
			if row.handsOff {
				if ready.Get("continue_url").String() == "" || ready.Get("status").String() == "ready_for_complete" {
					t.Errorf("the checkout is %s", ready.Raw)
				}
				return
			}
			done := a.mustTool(t, endpoint, "complete_checkout", "pay", object{"id": id, "checkout": payment(ready)})
			order := done.Get("order.id").String()
			if done.Get("status").String() != "completed" || order == "" {
				t.Fatalf("the checkout is %s", done.Raw)
			}
			if !row.readsOrders {
				return
			}
			placed := a.mustTool(t, endpoint, "get_order", "", object{"id": order})
			if total(placed) != row.basket.total || placed.Get("checkout_id").String() != id || placed.Get("line_items.#").Int() != int64(len(lines)) {
				t.Errorf("the order is %s", placed.Raw)
			}
		})
	}
}

// site starts a Caddy in front of a shop, and returns an agent of it and where it is.
func site(t *testing.T, row shopRow) (*agent, string) {
	t.Helper()
	upstream := row.upstream(t)
	a := newAgent(t)
	dir, address := t.TempDir(), freeAddress(t)
	serve(t, dir, address, "run", "--config", caddyfile(t, dir, address, upstream, "", a))
	origin := "http://" + address
	a.waitForShop(t, origin+"/api/ucp/v1")
	return a, origin
}
