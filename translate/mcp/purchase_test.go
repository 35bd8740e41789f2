package mcp

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// The parts of a basket that can be ordered.
const (
	buyer   = `"buyer":{"email":"grace@example.com","first_name":"Grace","last_name":"Thwaite","phone":"+441539000001"}`
	kendal  = `"address":{"street":"12 Stricklandgate","city":"Kendal","region":"Cumbria","postal_code":"LA9 4ND","country":"GB"}`
	boots   = `"items":[{"variant_id":"v-FJL-9-TAN"}]`
	paying  = `"payment":{"method":"demo-card","credential":{"token":"tok_demo"}}`
	ordered = boots + "," + buyer + "," + kendal
)

// ready returns the id of a basket that can be ordered.
func (d *desk) ready(agent string) string {
	d.t.Helper()
	made := d.must(agent, "create_basket", "{"+ordered+"}").content()
	got := d.must(agent, "update_basket", fmt.Sprintf(`{"basket_id":%q,%s,"delivery_option_id":%q}`,
		made.Get("basket_id").Str, ordered, made.Get("delivery_options.0.id").Str)).content()
	if got.Get("status").Str != string(ReadyForComplete) {
		d.t.Fatalf("the basket is %s", got.Raw)
	}
	return got.Get("basket_id").Str
}

// complete returns the arguments that order a basket.
func complete(id, key string) string {
	return fmt.Sprintf(`{"basket_id":%q,%s,"idempotency_key":%q}`, id, paying, key)
}

// Every tool once, in the order of a purchase. Each answer fits its schema, and says
// in words what is needed to go on.
func TestPurchase(t *testing.T) {
	d := newDesk(t)
	found := d.must("scout", "search_products", `{"query":"waterproof walking boots under £150"}`)
	if got := found.content().Get("results.#.handle").Raw; got != `["fjell-trail-gtx"]` {
		t.Errorf("the search found %s", got)
	}
	product := d.must("scout", "get_product", fmt.Sprintf(`{"id":%q,"selected":[{"name":"Size","value":"9"},{"name":"colour","value":"tan"}]}`,
		found.content().Get("results.0.id").Str)).content()
	variant := product.Get("product.variant_id").Str
	if variant != "v-FJL-9-TAN" || product.Get("product.price_minor").Int() != 12000 {
		t.Errorf("the product is %s", product.Raw)
	}
	made := d.must("scout", "create_basket", fmt.Sprintf(`{"items":[{"variant_id":%q,"quantity":2}],"idempotency_key":"b"}`, variant))
	id := made.content().Get("basket_id").Str
	if got := made.content(); got.Get("status").Str != "incomplete" || got.Get("total_minor").Int() != 24000 || !got.Get("estimated").Bool() {
		t.Errorf("the basket is %s", got.Raw)
	}
	// All that is missing, at once, each with the argument that mends it.
	var missing []string
	for _, m := range made.content().Get(`messages.#(type=="error")#`).Array() {
		missing = append(missing, m.Get("argument").Str)
		if m.Get("mended_by").Str != "agent" {
			t.Errorf("%s", m.Raw)
		}
	}
	if got := strings.Join(missing, " "); got != "buyer.email buyer.first_name buyer.last_name address delivery_option_id" {
		t.Errorf("missing are %s", got)
	}
	for _, needed := range []string{id, variant, "buyer.email", "£240.00", "demo-card", made.content().Get("continue_url").Str} {
		if !strings.Contains(made.words(), needed) {
			t.Errorf("%q is not in %s", needed, made.words())
		}
	}
	read := d.must("scout", "get_basket", fmt.Sprintf(`{"basket_id":%q}`, id))
	if read.content().Raw != made.content().Raw {
		t.Errorf("the basket is read as %s", read.content().Raw)
	}
	half := d.must("scout", "update_basket", fmt.Sprintf(`{"basket_id":%q,%s,"discount_codes":["NOPE"]}`, id, ordered)).content()
	if half.Get("address.city").Str != "Kendal" || half.Get(`messages.#(code=="code_unknown").argument`).Str != "discount_codes[0]" ||
		half.Get(`messages.#(code=="code_unknown").type`).Str != "warning" {
		t.Errorf("the basket is %s", half.Raw)
	}
	whole := d.must("scout", "update_basket", fmt.Sprintf(`{"basket_id":%q,%s,"delivery_option_id":%q}`,
		id, ordered, half.Get("delivery_options.1.id").Str)).content()
	if whole.Get("status").Str != "ready_for_complete" || whole.Get("estimated").Bool() {
		t.Fatalf("the basket is %s", whole.Raw)
	}
	done := d.must("scout", "complete_checkout", complete(id, "pay"))
	order := done.content().Get("order.order_id").Str
	if done.content().Get("status").Str != "completed" || order == "" || !strings.Contains(done.words(), order) {
		t.Fatalf("the basket is %s", done.text)
	}
	placed := d.must("scout", "get_order", fmt.Sprintf(`{"order_id":%q}`, order))
	if got := placed.content(); got.Get("basket_id").Str != id || got.Get("total_minor").Int() != whole.Get("total_minor").Int() ||
		got.Get("items.0.variant_id").Str != variant || got.Get("items.0.quantity").Int() != 1 {
		t.Errorf("the order is %s", got.Raw)
	}
	again := d.must("scout", "cancel_basket", fmt.Sprintf(`{"basket_id":%q}`, id)).content()
	if again.Get("status").Str != "completed" || again.Get("messages.0.code").Str != "already_completed" {
		t.Errorf("after it was ordered, the basket is %s", again.Raw)
	}
	other := d.must("scout", "create_basket", "{"+boots+"}").content().Get("basket_id").Str
	if got := d.must("scout", "cancel_basket", fmt.Sprintf(`{"basket_id":%q}`, other)).content().Get("status").Str; got != "canceled" {
		t.Errorf("a basket that was given up is %s", got)
	}
	for _, event := range d.events {
		if event.Agent != "scout" || event.Err != nil || event.Status != 200 {
			t.Errorf("event %+v", event)
		}
	}
}

// A retry gets the first result, whatever its JSON-RPC id and the order of its
// arguments; another call with the same key is refused.
func TestRetries(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	first := d.must("scout", "complete_checkout", complete(id, "k"))
	again := d.send(d.message("scout", toolMessage(2, "complete_checkout", fmt.Sprintf(`{"idempotency_key":"k",%s,"basket_id":%q}`, paying, id))))
	if again.json.Get("id").Int() != 2 || again.content().Raw != first.content().Raw || again.words() != first.words() ||
		again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %v %s\nfirst: %s", again.Header, again.text, first.text)
	}
	if event := d.event(); !event.Replayed || event.Outcome != "replayed" {
		t.Errorf("event %+v", event)
	}
	other := d.call("scout", "complete_checkout", complete(d.ready("scout"), "k"))
	if !other.json.Get("result.isError").Bool() || !strings.Contains(other.words(), "idempotency_key_reused") {
		t.Errorf("another basket with the same key: %s", other.text)
	}
	// Without the first result, too, a basket becomes one order.
	if got := d.must("scout", "complete_checkout", complete(id, "l")).content(); got.Get("order.order_id").Str != first.content().Get("order.order_id").Str {
		t.Errorf("with another key: %s", got.Raw)
	}
	// The key is the agent's own.
	mine := d.must("scout", "create_basket", "{"+boots+`,"idempotency_key":"b"}`).content().Get("basket_id").Str
	theirs := d.must("rival", "create_basket", "{"+boots+`,"idempotency_key":"b"}`).content().Get("basket_id").Str
	if mine == theirs {
		t.Error("the rival got the scout's basket")
	}
}

// Whatever is repeated, at once and with whatever keys, a basket becomes one order.
func TestOneOrder(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	var mu sync.Mutex
	orders := map[string]bool{}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			got := d.send(d.message("scout", toolMessage(i, "complete_checkout", complete(id, fmt.Sprint("key ", i%4)))))
			if got.json.Get("result.isError").Bool() && strings.Contains(got.words(), "in_progress") {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			orders[got.content().Get("order.order_id").Str] = true
		})
	}
	wg.Wait()
	if len(orders) != 1 || orders[""] {
		t.Errorf("the orders are %v", orders)
	}
}

// Nobody reads, changes or orders what is another agent's.
func TestAgentsApart(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	for tool, arguments := range map[string]string{
		"get_basket": fmt.Sprintf(`{"basket_id":%q}`, id), "cancel_basket": fmt.Sprintf(`{"basket_id":%q}`, id),
		"update_basket": fmt.Sprintf(`{"basket_id":%q,%s}`, id, boots), "complete_checkout": complete(id, "k"),
	} {
		if got := d.call("rival", tool, arguments); !got.json.Get("result.isError").Bool() || !strings.Contains(got.words(), "(not_found)") || strings.Contains(got.text, "Kendal") {
			t.Errorf("%s: %s", tool, got.text)
		}
	}
	order := d.must("scout", "complete_checkout", complete(id, "k")).content().Get("order.order_id").Str
	if got := d.call("rival", "get_order", fmt.Sprintf(`{"order_id":%q}`, order)); !strings.Contains(got.words(), "(not_found)") {
		t.Errorf("the order: %s", got.text)
	}
	const asking = `{"query":%q,"conversation":{"id":"the same"}}`
	d.must("scout", "search_products", fmt.Sprintf(asking, "waterproof boots under £150"))
	if got := d.must("scout", "search_products", fmt.Sprintf(asking, "in brown")).content(); got.Get("understood.remembered.#").Int() == 0 {
		t.Errorf("the scout's conversation is forgotten: %s", got.Get("understood").Raw)
	}
	if got := d.must("rival", "search_products", fmt.Sprintf(asking, "in brown")).content(); got.Get("understood.remembered").Exists() {
		t.Errorf("the rival is told of the scout's conversation: %s", got.Get("understood").Raw)
	}
}

// A sandbox key's orders never reach the shop.
func TestSandbox(t *testing.T) {
	d := newDesk(t)
	done := d.must("sandbox", "complete_checkout", complete(d.ready("sandbox"), "k")).content()
	order := done.Get("order.order_id").Str
	if !done.Get("order.test").Bool() || !strings.HasPrefix(order, "test_") || done.Get(`messages.#(code=="test_order")`).Raw == "" {
		t.Errorf("the order is %s", done.Raw)
	}
	if got := d.must("sandbox", "get_order", fmt.Sprintf(`{"order_id":%q}`, order)).content(); !got.Get("test").Bool() {
		t.Errorf("the order is %s", got.Raw)
	}
}

// What cannot be had says what can, and a declined card orders nothing.
func TestOutcomes(t *testing.T) {
	d := newDesk(t)
	product := d.must("scout", "get_product", `{"handle":"fjell-trail-gtx"}`).content().Get("product.id").Str
	for _, test := range []struct{ arguments, want string }{
		{`{"items":[{"variant_id":"nothing"}]}`, "nothing_to_buy"},
		{fmt.Sprintf(`{"items":[{"variant_id":%q}]}`, product), "v-FJL-9-TAN"},
	} {
		if got := d.call("scout", "create_basket", test.arguments); !got.json.Get("result.isError").Bool() || !strings.Contains(got.words(), test.want) {
			t.Errorf("%s: %s", test.arguments, got.text)
		}
	}
	mixed := d.must("scout", "create_basket", fmt.Sprintf(`{"items":[{"variant_id":"v-FJL-9-TAN"},{"variant_id":%q}]}`, product)).content()
	message := mixed.Get(`messages.#(code=="option_needed")`)
	if message.Get("argument").Str != "items[1]" || message.Get("choices.0.id").Str == "" || message.Get("variant_id").Str != product {
		t.Errorf("the basket is %s", mixed.Raw)
	}
	id := d.ready("scout")
	declined := d.must("scout", "complete_checkout", fmt.Sprintf(`{"basket_id":%q,"payment":{"method":"nothing"},"idempotency_key":"k"}`, id)).content()
	if declined.Get("order").Exists() || declined.Get(`messages.#(code=="payment_unknown").argument`).Str != "payment.method" {
		t.Errorf("the basket is %s", declined.Raw)
	}
}

// The rows of a sum add up to it (promise 5), whatever is bought.
func TestTotalsAddUp(t *testing.T) {
	d := newDesk(t)
	variants := []string{"v-FJL-9-TAN", "v-TWB-4-GREEN", "v-ICE-6", "v-ASG-7"}
	rapid.Check(t, func(t *rapid.T) {
		var items []string
		for _, v := range rapid.SliceOfNDistinct(rapid.SampledFrom(variants), 1, 3, rapid.ID[string]).Draw(t, "variants") {
			items = append(items, fmt.Sprintf(`{"variant_id":%q,"quantity":%d}`, v, rapid.IntRange(1, 3).Draw(t, "quantity")))
		}
		arguments := `{"items":[` + strings.Join(items, ",") + `]`
		if rapid.Bool().Draw(t, "addressed") {
			arguments += "," + kendal
		}
		if rapid.Bool().Draw(t, "with a code") {
			arguments += `,"discount_codes":["WELCOME10"]`
		}
		got := d.must("scout", "create_basket", arguments+"}").content()
		var sum int64
		for _, row := range got.Get("totals").Array() {
			sum += row.Get("amount_minor").Int()
		}
		if total := got.Get("total_minor").Int(); sum != total {
			t.Fatalf("the rows come to %d, the total is %d: %s", sum, total, got.Raw)
		}
	})
}
