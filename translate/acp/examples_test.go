package acp

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// examples reads a file of the specification's published examples.
func examples(t *testing.T, name string) gjson.Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(spectest.Find(t), "acp", Version, "examples", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return gjson.ParseBytes(text)
}

// here makes an example one of the demo shop's: its items and ways are other ones.
func here(body gjson.Result) string {
	return strings.NewReplacer("item_123", "v-FJL-9-TAN", "item_456", "v-FJL-8-TAN", "item_laptop", "v-FJL-9-TAN", "item_mouse", "v-FJL-8-TAN", "item_shirt", "v-FJL-9-TAN", "item_pants", "v-FJL-8-TAN",
		"fulfillment_option_456", "express", "card_tokenized", "upstream:demo-card", "seller_pm_123", "upstream:demo-card").Replace(body.Raw)
}

// The published example requests, one after the other, are a purchase.
func TestPublishedExamples(t *testing.T) {
	d := newDesk(t)
	all := examples(t, "examples.agentic_checkout.json")
	example := func(name string) string { return here(all.Get(name)) }
	for _, complete := range []string{
		"complete_checkout_session_request", "complete_checkout_session_request_seller_backed",
		"complete_checkout_session_request_with_last_touch_attribution", "complete_session_with_authentication_result_request",
		"complete_session_with_denied_authentication_request",
	} {
		made := d.want(201, "scout", "POST", "/checkout_sessions", example("create_checkout_session_request"))
		path := "/checkout_sessions/" + made.Get("id").Str
		ready := d.want(200, "scout", "POST", path, example("update_checkout_session_request"))
		if ready.Get("status").Str != "ready_for_payment" || ready.Get("selected_fulfillment_options.0.option_id").Str != "express" {
			t.Fatalf("the session is %s", ready.text)
		}
		done := d.want(200, "scout", "POST", path+"/complete", example(complete))
		if done.Get("buyer.email").Str != gjson.Get(example(complete), "buyer.email").Str || done.Get("status").Str != "completed" {
			t.Errorf("%s: %s", complete, done.text)
		}
	}
	for _, cancel := range []string{"cancel_checkout_session_request", "cancel_checkout_session_request_timing_deferred"} {
		made := d.want(201, "scout", "POST", "/checkout_sessions", example("create_checkout_session_request_with_first_touch_attribution"))
		if got := d.want(200, "scout", "POST", "/checkout_sessions/"+made.Get("id").Str+"/cancel", example(cancel)); got.Get("status").Str != "canceled" {
			t.Errorf("%s: %s", cancel, got.text)
		}
	}
	many := here(examples(t, "examples.multi_item_checkout.json").Get("create_multi_item_checkout_request"))
	if got := d.want(201, "scout", "POST", "/checkout_sessions", many); got.Get("line_items.#").Int() != 2 {
		t.Errorf("many items: %s", got.text)
	}
	for _, name := range []string{"stacked-discounts", "rejected-discount-code", "order-level-discount", "percentage-discount-with-allocations"} {
		request := examples(t, "discount-extension/"+name+".json").Get("request")
		got := d.want(201, "scout", "POST", "/checkout_sessions", here(request))
		if got.Get("discounts.codes").Raw != request.Get("discounts.codes|@ugly").Raw || got.Get("discounts.rejected.#").Int() != request.Get("discounts.codes.#").Int() {
			t.Errorf("%s: %s", name, got.text)
		}
	}
}

// The forms of the OpenAPI description's examples are taken, too.
func TestOlderForms(t *testing.T) {
	d := newDesk(t)
	made := d.want(201, "scout", "POST", "/checkout_sessions", `{"items":[{"id":"v-FJL-9-TAN","quantity":1}],`+kendal+"}")
	got := d.want(200, "scout", "POST", "/checkout_sessions/"+made.Get("id").Str,
		`{"selected_fulfillment_options":[{"type":"shipping","shipping":{"option_id":"next-day","item_ids":["v-FJL-9-TAN"]}}]}`)
	if got.Get("selected_fulfillment_options.0.option_id").Str != "next-day" {
		t.Errorf("the session is %s", got.text)
	}
	// What is null is cleared, and what is not named stays.
	got = d.want(200, "scout", "POST", "/checkout_sessions/"+made.Get("id").Str, `{"fulfillment_details":null,"selected_fulfillment_options":null}`)
	if got.Get("fulfillment_details").Exists() || got.Get("line_items.#").Int() != 1 {
		t.Errorf("the session is %s", got.text)
	}
}

// Discovery says what is there, to everybody, and can be kept.
func TestDiscovery(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		name string
		shop bool
		want string
	}{
		{"a shop", true, `["checkout","carts"]`},
		{"a shop that has not said what it is", false, `[]`},
	} {
		described := d.shop
		if !c.shop {
			described = nil
		}
		handler, err := Discovery("https://shop.example/api/acp", described)
		if err != nil {
			t.Fatal(err)
		}
		get := func(method, etag string) (int, http.Header, string) {
			w := newRecorder()
			r, err := http.NewRequestWithContext(t.Context(), method, "https://shop.example/.well-known/acp.json", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("If-None-Match", etag)
			handler.ServeHTTP(w, r)
			return w.Code, w.Header(), w.Body.String()
		}
		status, header, body := get("GET", "")
		if status != 200 || gjson.Get(body, "capabilities.services").Raw != c.want || !strings.Contains(header.Get("Cache-Control"), "public") {
			t.Errorf("%s: HTTP %d %v %s", c.name, status, header, body)
		}
		if err := d.spec.Discovery([]byte(body)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if status, _, body := get("GET", header.Get("ETag")); status != http.StatusNotModified || body != "" {
			t.Errorf("%s: with its tag HTTP %d %s", c.name, status, body)
		}
		if status, header, body := get("POST", ""); status != 405 || header.Get("Allow") == "" || gjson.Get(body, "type").Str != "invalid_request" {
			t.Errorf("%s: POST is HTTP %d %s", c.name, status, body)
		}
	}
}
