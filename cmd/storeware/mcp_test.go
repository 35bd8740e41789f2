package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

// mcpOf is the MCP endpoint of the site whose REST endpoint is given.
func mcpOf(base string) string { return strings.TrimSuffix(base, "/api/ucp/v1") + "/ucp/mcp" }

// tool calls a tool with arguments beside meta. Its answer is the structured
// content of the result, or the data of the error.
func (a *agent) tool(ctx context.Context, endpoint, name, key string, arguments object) (answer, error) {
	meta := object{"ucp-agent": object{"profile": profileURL}}
	if key != "" {
		meta["idempotency-key"] = key
	}
	all := object{"meta": meta}
	for name, value := range arguments {
		all[name] = value
	}
	got, err := a.call(ctx, "POST", endpoint, object{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": all},
	})
	if content := got.Get("result.structuredContent"); content.Exists() {
		got.Result = content
	} else if data := got.Get("error.data"); data.Exists() {
		got.Result = data
	}
	return got, err
}

// mustTool is tool for calls that have to succeed.
func (a *agent) mustTool(t *testing.T, endpoint, name, key string, arguments object) answer {
	t.Helper()
	got, err := a.tool(t.Context(), endpoint, name, key, arguments)
	if err != nil {
		t.Fatal(err)
	}
	if got.status != 200 || got.Get("ucp.status").String() != "success" {
		t.Fatalf("%s: %d %s", name, got.status, got.Raw)
	}
	return got
}

// firstDelivery is the fulfillment of a checkout with the first way of delivery that
// it offers.
func firstDelivery(checkout gjson.Result) object {
	method := checkout.Get("fulfillment.methods.0")
	return object{"methods": []object{{
		"id": method.Get("id").String(), "type": "shipping",
		"destinations":            json.RawMessage(method.Get("destinations").Raw),
		"selected_destination_id": method.Get("selected_destination_id").String(),
		"groups":                  []object{{"id": method.Get("groups.0.id").String(), "selected_option_id": method.Get("groups.0.options.0.id").String()}},
	}}}
}

// A whole purchase over MCP, with every tool.
func TestPurchaseOverMCP(t *testing.T) {
	h := newHouse(t)
	a := newAgent(t)
	n := h.newNode(t, t.TempDir(), "", a)
	a.waitForShop(t, n.base)
	endpoint := mcpOf(n.base)

	found := a.mustTool(t, endpoint, "search_catalog", "", object{"catalog": object{"query": "Fjell Trail GTX", "context": object{"address_country": "GB"}}})
	item := found.Get(`products.#.variants|@flatten|#(availability.available==true).id`).String()
	product := a.mustTool(t, endpoint, "get_product", "", object{"catalog": object{"id": item}})
	looked := a.mustTool(t, endpoint, "lookup_catalog", "", object{"catalog": object{"ids": []string{item}}})
	if product.Get("product.id").String() != looked.Get("products.0.id").String() {
		t.Errorf("the product is %s, and looked up it is %s", product.Get("product.id"), looked.Get("products.0.id"))
	}

	lines := []object{{"item": object{"id": item}, "quantity": 1}}
	cart := a.mustTool(t, endpoint, "create_cart", "cart", object{"cart": object{"line_items": lines}})
	id := cart.Get("id").String()
	lines[0]["quantity"] = 2
	if got := a.mustTool(t, endpoint, "update_cart", "", object{"id": id, "cart": object{"line_items": lines}}); got.Get("line_items.0.quantity").Int() != 2 {
		t.Errorf("the cart is %s", got.Raw)
	}
	if got := a.mustTool(t, endpoint, "get_cart", "", object{"id": id}); got.Get("id").String() != id {
		t.Errorf("the cart is %s", got.Raw)
	}
	other := a.mustTool(t, endpoint, "create_cart", "other", object{"cart": object{"line_items": lines}})
	a.mustTool(t, endpoint, "cancel_cart", "cancel", object{"id": other.Get("id").String()})

	made := a.mustTool(t, endpoint, "create_checkout", "checkout", object{"checkout": object{"cart_id": id, "line_items": lines}})
	if got := made.Get("id").String(); got != id {
		t.Errorf("the checkout of the cart %s is %s", id, got)
	}
	wanted := purchase(item)
	first := a.mustTool(t, endpoint, "update_checkout", "", object{"id": id, "checkout": wanted})
	wanted["fulfillment"] = firstDelivery(first.Result)
	ready := a.mustTool(t, endpoint, "update_checkout", "", object{"id": id, "checkout": wanted})
	if status := ready.Get("status").String(); status != "ready_for_complete" {
		t.Fatalf("the checkout is %s: %s", status, ready.Get("messages").Raw)
	}
	done := a.mustTool(t, endpoint, "complete_checkout", "pay", object{"id": id, "checkout": payment(ready)})
	order := done.Get("order.id").String()
	if done.Get("status").String() != "completed" || order == "" {
		t.Fatalf("the checkout is %s", done.Raw)
	}
	if got := a.mustTool(t, endpoint, "get_checkout", "", object{"id": id}); got.Get("order.id").String() != order {
		t.Errorf("afterwards the checkout is %s", got.Raw)
	}
	placed := a.mustTool(t, endpoint, "get_order", "", object{"id": order})
	if placed.Get("checkout_id").String() != id ||
		placed.Get("totals.#(type==total).amount").Int() != ready.Get("totals.#(type==total).amount").Int() {
		t.Errorf("the order is %s", placed.Raw)
	}
	last := a.mustTool(t, endpoint, "create_checkout", "", object{"checkout": object{"line_items": lines}})
	if got := a.mustTool(t, endpoint, "cancel_checkout", "cancel", object{"id": last.Get("id").String()}); got.Get("status").String() != "canceled" {
		t.Errorf("the cancelled checkout is %s", got.Raw)
	}
	if n := h.orders(t); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
}

// One order (promise 1): fifty calls at once over both doors, to a shop that takes
// every order it is sent. Some share a key across the doors.
func TestOneOrderFromBothDoors(t *testing.T) {
	h := newHouse(t)
	a := newAgent(t)
	n := h.newNode(t, t.TempDir(), "", a)
	ready := a.checkout(t, n.base, "Fjell Trail GTX")
	id := ready.Get("id").String()

	var mu sync.Mutex
	orders := map[string]int{}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			key := fmt.Sprintf("key %d", i)
			if i%4 < 2 {
				key = "the same key"
			}
			var got answer
			var err error
			if i%2 == 0 {
				got, err = a.call(t.Context(), "POST", n.base+"/checkout-sessions/"+id+"/complete", payment(ready), "Idempotency-Key", key)
			} else {
				got, err = a.tool(t.Context(), mcpOf(n.base), "complete_checkout", key, object{"id": id, "checkout": payment(ready)})
			}
			if err != nil {
				t.Errorf("complete: %v", err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			switch got.status {
			case 200:
				orders[got.Get("order.id").String()]++
			case 409: // the same key is still at work
			default:
				t.Errorf("complete: %d %s", got.status, got.Raw)
			}
		})
	}
	wg.Wait()
	if n := h.orders(t); n != 1 {
		t.Errorf("the shop has %d orders", n)
	}
	if len(orders) != 1 || orders[""] != 0 {
		t.Errorf("the answers name the orders %v", orders)
	}
}

// encoded returns a payload as JSON.
func encoded(t *testing.T, payload object) []byte {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
