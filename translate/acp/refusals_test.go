package acp

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

const card = "4111 1111 1111 1111"

// What is wrong is said in the protocol's form, and changes nothing.
func TestRefusals(t *testing.T) {
	d := newDesk(t)
	id := d.ready("scout")
	session := "/checkout_sessions/" + id
	before := d.want(200, "scout", "GET", session, "").text
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		code, param              string
		change                   func(http.Header)
	}{
		{"no route", "GET", "/orders/1", "", 404, "not_found", "", nil},
		{"an id of nothing", "GET", "/carts/", "", 404, "not_found", "", nil},
		{"payment is not delegated", "POST", "/agentic_commerce/delegate_payment", `{"number":"` + card + `"}`, 404, "delegate_payment_not_served", "", nil},
		{"no method", "DELETE", session, "", 405, "method_not_allowed", "", nil},
		{"another version", "GET", session, "", 400, "unsupported_api_version", "API-Version", set("API-Version", "2025-09-29")},
		{"no agent key", "GET", session, "", 401, "unauthorized", "", set("Authorization", "")},
		{"another agent key", "GET", session, "", 401, "unauthorized", "", set("Authorization", "Bearer swa_nobody")},
		{"no session", "GET", "/checkout_sessions/bsk_1", "", 404, "not_found", "", nil},
		{"no idempotency key", "POST", session, "{}", 400, "idempotency_key_required", "", set("Idempotency-Key", "")},
		{"too long a key", "POST", session, "{}", 400, "invalid_request", "", set("Idempotency-Key", strings.Repeat("k", 256))},
		{"no JSON type", "POST", session, "{}", 415, "unsupported_media_type", "", set("Content-Type", "text/plain")},
		{"no JSON", "POST", session, "{", 400, "invalid", "$", nil},
		{"no body", "POST", "/carts", "", 400, "invalid", "$", nil},
		{"no items", "POST", "/checkout_sessions", "{" + spoken + "}", 400, "invalid", "$.line_items", nil},
		{"no items any more", "POST", session, `{"line_items":[]}`, 400, "invalid", "$.line_items", nil},
		{"no item's id", "POST", "/carts", `{"line_items":[{"quantity":1}]}`, 400, "invalid", "$.line_items[0].id", nil},
		{"a part of an item", "POST", "/carts", `{"line_items":[{"id":"v","quantity":1.5}]}`, 400, "invalid", "$.line_items[0].quantity", nil},
		{"items in another case", "POST", "/carts", `{"Line_Items":[{"id":"v"}]}`, 400, "invalid", "$.Line_Items", nil},
		{"a member twice", "POST", session, `{"buyer":{},"buyer":{}}`, 400, "invalid", "$.buyer", nil},
		{"notes without an end", "POST", session, `{"order_notes":"` + strings.Repeat("x", 5001) + `"}`, 400, "invalid", "$.order_notes", nil},
		{"nothing of a cart", "POST", "/carts", `{"line_items":[{"id":"nothing"}]}`, 422, "invalid_item_id", "$.line_items[0].id", nil},
		{"nothing of a session", "POST", "/checkout_sessions", `{"line_items":[{"id":"nothing"}],` + spoken + "}", 400, "invalid_item_id", "$.line_items[0].id", nil},
		{"no payment", "POST", session + "/complete", "{}", 400, "invalid", "$.payment_data", nil},
		{"an older payment", "POST", session + "/complete", `{"payment_data":{"token":"spt_1","provider":"stripe"}}`, 400, "invalid", "$.payment_data.handler_id", nil},
		{"another handler", "POST", session + "/complete", strings.Replace("{"+paying+"}", "upstream:demo-card", "card_tokenized", 1), 400, "payment_handler_unknown", "$.payment_data.handler_id", nil},
		{"a purchase order", "POST", session + "/complete", `{"payment_data":{"purchase_order_number":"7"}}`, 400, "unsupported", "$.payment_data.purchase_order_number", nil},
		{"another way to pay", "POST", session + "/complete", strings.Replace("{"+paying+"}", "demo-card", "cowries", 1), 409, "unsupported", "$.payment_data", nil},
		{"no attribution", "POST", session + "/complete", "{" + paying + `,"affiliate_attribution":{"provider":"x"}}`, 400, "invalid", "$.affiliate_attribution", nil},
		{"a deep attribution", "POST", session + "/complete", "{" + paying + `,"affiliate_attribution":{"provider":"x","token":"y","metadata":{"a":{}}}}`, 400, "invalid", "$.affiliate_attribution.metadata.a", nil},
		{"a long attribution", "POST", session + "/complete", "{" + paying + `,"affiliate_attribution":{"provider":"x","token":"` + strings.Repeat("y", 9000) + `"}}`, 400, "invalid", "$.affiliate_attribution", nil},
		{"a person", "POST", session + "/complete", "{" + paying + `,"affiliate_attribution":{"provider":"x","token":"y","metadata":{"by":"ada@example.com"}}}`, 400, "pii_not_allowed", "$.affiliate_attribution.metadata", nil},
		{"a card in a token", "POST", session + "/complete", strings.Replace("{"+paying+"}", "tok_demo", card, 1), 400, "card_number_not_accepted", "$.payment_data.instrument.credential.token", nil},
		{"a card in notes", "POST", session, `{"order_notes":"charge ` + card + `, please"}`, 400, "card_number_not_accepted", "$.order_notes", nil},
		{"a card nobody asked for", "POST", session, `{"x":[{"4111111111111111":1}]}`, 400, "card_number_not_accepted", "$.x[0]", nil},
		{"a card as a number", "POST", session + "/cancel", `{"intent_trace":{"reason_code":"other","metadata":{"n":4111111111111111}}}`, 400, "card_number_not_accepted", "$.intent_trace.metadata.n", nil},
		{"a card as a key", "POST", session, "{}", 400, "card_number_not_accepted", "Idempotency-Key", set("Idempotency-Key", "4111111111111111")},
		{"a card as an id", "GET", session, "", 400, "card_number_not_accepted", "Request-Id", set("Request-Id", "4111111111111111")},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := d.request("scout", c.method, c.path, c.body)
			if c.change != nil {
				c.change(r.Header)
			}
			got := d.send(r)
			if got.StatusCode != c.status || got.Get("code").Str != c.code || got.Get("param").Str != c.param {
				t.Errorf("HTTP %d %s", got.StatusCode, got.text)
			}
			event := d.event()
			if event.Outcome != c.code {
				t.Errorf("event %+v", event)
			}
			if strings.Contains(got.text+event.RequestID, "4111") {
				t.Errorf("a card number is repeated: %s %+v", got.text, event)
			}
		})
	}
	if after := d.want(200, "scout", "GET", session, ""); after.text != before {
		t.Errorf("the session is %s\nand was %s", after.text, before)
	}
	if got := d.send(d.request("scout", "GET", session, "")); got.Get("supported_versions").Exists() {
		t.Errorf("versions: %s", got.text)
	}
}

func set(name, value string) func(http.Header) {
	return func(h http.Header) {
		if h.Del(name); value != "" {
			h.Set(name, value)
		}
	}
}

// A version that is not spoken is answered with those that are, and none with ours.
func TestVersions(t *testing.T) {
	d := newDesk(t)
	r := d.request("scout", "GET", "/carts/x", "")
	r.Header.Set("API-Version", "2020-01-01")
	if got := d.send(r); got.Get("supported_versions").Raw != `["`+Version+`"]` || got.Get("type").Str != "invalid_request" {
		t.Errorf("%s", got.text)
	}
	r = d.request("scout", "POST", "/carts", "{"+boots+"}")
	r.Header.Del("API-Version")
	if got := d.send(r); got.StatusCode != http.StatusCreated {
		t.Errorf("without a version: %s", got.text)
	}
}

// What keeps a session from being completed is all said, and which is first.
func TestNotCompleted(t *testing.T) {
	d := newDesk(t)
	id := d.want(201, "scout", "POST", "/checkout_sessions", "{"+boots+","+spoken+"}").Get("id").Str
	got := d.want(409, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+"}")
	if got.Get("code").Str != "missing" || got.Get("param").Str != "$.buyer.email" || !strings.Contains(got.Get("message").Str, "way of delivery") {
		t.Errorf("%s", got.text)
	}
	// The buyer that it named is kept.
	d.want(409, "scout", "POST", "/checkout_sessions/"+id+"/complete", "{"+paying+","+grace+"}")
	if got := d.want(200, "scout", "GET", "/checkout_sessions/"+id, ""); got.Get("buyer.first_name").Str != "Grace" {
		t.Errorf("the session is %s", got.text)
	}
	ready := d.ready("scout")
	d.till.refusal = upstream.Errorf(upstream.CodePaymentDeclined, "placing", "The bank declined the card.")
	refused := d.want(402, "scout", "POST", "/checkout_sessions/"+ready+"/complete", "{"+paying+"}")
	d.till.refusal = nil
	if refused.Get("code").Str != "payment_declined" || refused.Get("type").Str != "processing_error" {
		t.Errorf("%s", refused.text)
	}
	session := d.want(200, "scout", "GET", "/checkout_sessions/"+ready, "")
	if session.Get("status").Str != "ready_for_payment" || session.Get(`messages.#(code=="payment_declined").param`).Str != "$.payment_data" {
		t.Errorf("the session is %s", session.text)
	}
	d.want(200, "scout", "POST", "/checkout_sessions/"+ready+"/complete", "{"+paying+"}")
}

// While the shop has not said what it is, and while the store is away, nothing is
// done, and it is said when to come back.
func TestAway(t *testing.T) {
	d := newDesk(t)
	known := d.shop
	d.shop = nil
	got := d.want(503, "scout", "POST", "/carts", "{"+boots+"}")
	if got.Get("type").Str != "service_unavailable" || got.Header.Get("Retry-After") == "" {
		t.Errorf("%v %s", got.Header, got.text)
	}
	d.shop = known
	d.store.broken = true
	if got := d.want(503, "scout", "POST", "/carts", "{"+boots+"}"); got.Header.Get("Retry-After") == "" {
		t.Errorf("%v %s", got.Header, got.text)
	}
	d.store.broken = false
	// An answer that was none is not given again.
	d.want(201, "scout", "POST", "/carts", "{"+boots+"}")
}

// What is missing and what is refused has its place in the answer.
func TestMessages(t *testing.T) {
	d := newDesk(t)
	made := d.want(201, "scout", "POST", "/checkout_sessions",
		`{"line_items":[{"id":"v-FJL-9-TAN","quantity":500},{"id":"fjell-trail-gtx"}],"coupons":["NOPE"],"order_notes":"ring twice",`+
			`"fulfillment_groups":[{"id":"g","item_ids":[],"destination_type":"pickup"}],"currency":"usd","capabilities":{}}`)
	for _, want := range [][3]string{
		{"warning", "discount_code_invalid", "$.discounts.codes[0]"},
		{"warning", "limited_availability", "$.line_items[0].quantity"},
		{"error", "unsupported", "$.fulfillment_groups"},
		{"info", "", "$.order_notes"},
		{"info", "", "$.currency"},
	} {
		found := false
		for _, m := range made.Get("messages").Array() {
			found = found || m.Get("type").Str == want[0] && m.Get("code").Str == want[1] && m.Get("param").Str == want[2]
		}
		if !found {
			t.Errorf("no message %v in %s", want, made.Get("messages").Raw)
		}
	}
	if made.Get("discounts.rejected.0.reason").Str != "discount_code_invalid" || made.Get("discounts.codes.0").Str != "NOPE" {
		t.Errorf("discounts are %s", made.Get("discounts").Raw)
	}
	// An agent that does not know the extension is not shown it.
	plain := d.want(201, "scout", "POST", "/checkout_sessions", "{"+boots+`,"currency":"gbp","capabilities":{"extensions":[]}}`)
	if plain.Get("discounts").Exists() || plain.Get("capabilities.extensions").Exists() {
		t.Errorf("the session is %s", plain.text)
	}
}

// A shop that takes no orders advertises no way to pay.
func TestNoOrdersHere(t *testing.T) {
	d := newDesk(t)
	without := *d.shop
	without.Capabilities.Place = false
	d.shop = &without
	made := d.want(201, "scout", "POST", "/checkout_sessions", "{"+ordered+"}")
	if got := made.Get("capabilities.payment.handlers").Raw; got != "[]" {
		t.Errorf("handlers are %s", got)
	}
	if got := made.Get("status").Str; got != "requires_escalation" && got != "not_ready_for_payment" || made.Get("continue_url").Str == "" {
		t.Errorf("the session is %s", made.text)
	}
	d.shop = &upstream.Description{Currency: "GBP"}
	if handler, err := Discovery("https://shop.example/api/acp", d.shop); err != nil || handler == nil {
		t.Errorf("%v", err)
	}
}
