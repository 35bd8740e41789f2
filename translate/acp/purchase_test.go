package acp

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// A purchase from its beginning to its order, with what is missing told all at
// once, each with its place.
func TestPurchase(t *testing.T) {
	d := newDesk(t)
	made := d.want(201, "scout", "POST", "/checkout_sessions", "{"+boots+","+spoken+"}")
	id := made.Get("id").Str
	if made.Get("status").Str != "not_ready_for_payment" || made.Get("currency").Str != "gbp" || made.Get("protocol.version").Str != Version {
		t.Errorf("the session is %s", made.text)
	}
	missing := made.Get(`messages.#(type=="error")#.param`).Raw
	if missing != `["$.buyer.email","$.buyer.first_name","$.buyer.last_name","$.fulfillment_details.address","$.selected_fulfillment_options"]` {
		t.Errorf("missing are %s", missing)
	}
	if got := made.Get("capabilities.interventions").Raw; got != `{"supported":[],"required":[]}` {
		t.Errorf("interventions are %s", got)
	}
	if got := made.Get("links.#.type").Raw; got != `["terms_of_use"]` {
		t.Errorf("links are %s", got)
	}
	half := d.want(200, "scout", "POST", "/checkout_sessions/"+id, "{"+grace+","+kendal+"}")
	if half.Get("buyer.email").Str != "grace@example.com" || half.Get("fulfillment_details.address.city").Str != "Kendal" ||
		half.Get("line_items.0.item.id").Str != "v-FJL-9-TAN" || half.Get("line_items.0.quantity").Int() != 1 {
		t.Errorf("the session is %s", half.text)
	}
	option := half.Get("fulfillment_options.1")
	whole := d.want(200, "scout", "POST", "/checkout_sessions/"+id, selecting(option.Get("id").Str))
	if whole.Get("status").Str != "ready_for_payment" || whole.Get("selected_fulfillment_options.0.option_id").Str != option.Get("id").Str ||
		whole.Get(`totals.#(type=="fulfillment").amount`).Int() != option.Get("totals.0.amount").Int() {
		t.Fatalf("the session is %s", whole.text)
	}
	if got := d.want(200, "scout", "GET", "/checkout_sessions/"+id, ""); got.text != whole.text {
		t.Errorf("the session is read as %s\nwant %s", got.text, whole.text)
	}
	done := d.want(200, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+"}")
	order := done.Get("order.id").Str
	if done.Get("status").Str != "completed" || order == "" || done.Get("order.checkout_session_id").Str != id ||
		done.Get("order.totals.0.amount").Int() != whole.Get(`totals.#(type=="total").amount`).Int() {
		t.Fatalf("the session is %s", done.text)
	}
	again := d.want(200, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+"}")
	if again.Get("order.id").Str != order {
		t.Errorf("completed again: %s", again.text)
	}
	if got := d.want(405, "scout", "POST", "/checkout_sessions/"+id+"/cancel", ""); got.Get("code").Str != "not_cancelable" || got.Header.Get("Allow") == "" {
		t.Errorf("cancelled afterwards: %s", got.text)
	}
	if got := d.want(200, "scout", "POST", "/checkout_sessions/"+id, "{"+boots+"}"); got.Get("messages.0.code").Str != "conflict" {
		t.Errorf("updated afterwards: %s", got.text)
	}
	for _, event := range d.events {
		if event.Agent != "scout" || event.Err != nil || event.Signature != "none" {
			t.Errorf("event %+v", event)
		}
	}
}

// A cart is a session, and ends when the session does.
func TestCartIsSession(t *testing.T) {
	d := newDesk(t)
	cart := d.want(201, "scout", "POST", "/carts", `{"line_items":[{"id":"v-FJL-9-TAN","quantity":2},{"id":"v-FJL-9-TAN"}]}`)
	id := cart.Get("id").Str
	if cart.Get("line_items.0.quantity").Int() > 3 || cart.Get(`messages.#(type=="error")`).Exists() {
		t.Errorf("the cart is %s", cart.text)
	}
	replaced := d.want(200, "scout", "PUT", "/carts/"+id, "{"+boots+","+grace+"}")
	if replaced.Get("line_items.0.quantity").Int() != 1 || replaced.Get("buyer.email").Str != "grace@example.com" {
		t.Errorf("the cart is %s", replaced.text)
	}
	session := d.want(200, "scout", "POST", "/checkout_sessions/"+id, "{"+kendal+"}")
	d.want(200, "scout", "POST", "/checkout_sessions/"+id, selecting(session.Get("fulfillment_options.0.id").Str))
	// The address is the session's to say, and stays.
	d.want(200, "scout", "PUT", "/carts/"+id, "{"+boots+","+grace+"}")
	if got := d.want(200, "scout", "GET", "/checkout_sessions/"+id, ""); got.Get("fulfillment_details.address.city").Str != "Kendal" {
		t.Errorf("the session is %s", got.text)
	}
	d.want(200, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+"}")
	for _, method := range []string{"GET", "PUT"} {
		body := ""
		if method == "PUT" {
			body = "{" + boots + "}"
		}
		d.want(404, "scout", method, "/carts/"+id, body)
	}
	d.want(404, "scout", "POST", "/carts/"+id+"/cancel", "")
	d.want(200, "scout", "GET", "/checkout_sessions/"+id, "")

	other := d.want(201, "scout", "POST", "/carts", "{"+boots+"}").Get("id").Str
	if got := d.want(200, "scout", "POST", "/carts/"+other+"/cancel", "{}"); got.Get("id").Str != other {
		t.Errorf("the cart was %s", got.text)
	}
	d.want(404, "scout", "GET", "/carts/"+other, "")
	if got := d.want(200, "scout", "GET", "/checkout_sessions/"+other, ""); got.Get("status").Str != "canceled" {
		t.Errorf("the session is %s", got.text)
	}

	third := d.want(201, "scout", "POST", "/carts", "{"+boots+"}").Get("id").Str
	d.advance(7 * 3600e9)
	d.want(404, "scout", "GET", "/carts/"+third, "")
	if got := d.want(200, "scout", "GET", "/checkout_sessions/"+third, ""); got.Get("status").Str != "expired" {
		t.Errorf("the session is %s", got.text)
	}
	if got := d.want(409, "scout", "POST", "/checkout_sessions/"+third+"/complete", "{"+paying+"}"); got.Get("code").Str != "conflict" {
		t.Errorf("completed: %s", got.text)
	}
}

// Whatever is asked for at once, there is one order.
func TestConcurrentCompletes(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	orders := make(chan string, 20)
	var all sync.WaitGroup
	for range cap(orders) {
		r := d.request("scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+"}")
		all.Go(func() {
			if got := d.send(r); got.StatusCode == http.StatusOK {
				orders <- got.Get("order.id").Str
			} else if got.Get("code").Str != string(StillInProgress) {
				t.Errorf("HTTP %d %s", got.StatusCode, got.text)
			}
		})
	}
	all.Wait()
	close(orders)
	first := <-orders
	for order := range orders {
		if order != first {
			t.Errorf("orders %s and %s", first, order)
		}
	}
	if first == "" {
		t.Error("no order")
	}
}

// No agent sees another's session, cart or answers.
func TestAgentsAreKeptApart(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	for _, c := range [][3]string{
		{"GET", "/checkout_sessions/" + id, ""},
		{"POST", "/checkout_sessions/" + id, "{" + boots + "}"},
		{"POST", "/checkout_sessions/" + id + "/complete", "{" + paying + "}"},
		{"POST", "/checkout_sessions/" + id + "/cancel", ""},
		{"GET", "/carts/" + id, ""},
		{"PUT", "/carts/" + id, "{" + boots + "}"},
		{"POST", "/carts/" + id + "/cancel", ""},
	} {
		if got := d.want(404, "rival", c[0], c[1], c[2]); got.Get("code").Str != "not_found" {
			t.Errorf("%s %s: %s", c[0], c[1], got.text)
		}
	}
	mine := d.request("scout", "POST", "/carts", "{"+boots+"}")
	theirs := d.request("rival", "POST", "/carts", "{"+boots+"}")
	theirs.Header.Set("Idempotency-Key", mine.Header.Get("Idempotency-Key"))
	if a, b := d.send(mine), d.send(theirs); a.Get("id").Str == b.Get("id").Str || b.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("one key, two agents: %s and %s", a.text, b.text)
	}
}

// A sandbox key's order is none of the shop's.
func TestSandbox(t *testing.T) {
	d := newDesk(t)
	done := d.want(200, "sandbox", "POST", "/checkout_sessions/"+d.ready("sandbox")+"/complete", "{"+paying+"}")
	if !strings.HasPrefix(done.Get("order.id").Str, "test_") || !strings.Contains(done.Get("messages.#.content").Raw, "test order") {
		t.Errorf("the session is %s", done.text)
	}
}

// Who sent the buyer is kept with the basket and shown to nobody.
func TestAttribution(t *testing.T) {
	d := newDesk(t)
	touch := func(when string) string {
		return fmt.Sprintf(`"affiliate_attribution":{"provider":"impact.example","token":"atp_%s","touchpoint":%q,"metadata":{"rate":0.15,"verified":true}}`, when, when)
	}
	made := d.want(201, "scout", "POST", "/checkout_sessions", "{"+ordered+","+touch("first")+"}")
	id := made.Get("id").Str
	d.want(200, "scout", "POST", "/checkout_sessions/"+id, selecting(made.Get("fulfillment_options.0.id").Str))
	done := d.want(200, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+","+touch("last")+"}")
	if strings.Contains(made.text+done.text, "atp_") {
		t.Errorf("the attribution is shown: %s %s", made.text, done.text)
	}
	entry, err := d.store.Get(t.Context(), "basket/"+id)
	if err != nil || !strings.Contains(string(entry.Value), "atp_first") || !strings.Contains(string(entry.Value), "atp_last") {
		t.Errorf("kept is %s, %v", entry.Value, err)
	}
}
