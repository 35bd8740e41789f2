package spectest_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// everything is what a shop may have active beside the root of an operation.
func everything() []string {
	return []string{
		"ai.storeware.shopping.answer", "dev.ucp.common.loyalty", "dev.ucp.shopping.buyer_consent", "dev.ucp.shopping.cart",
		"dev.ucp.shopping.checkout", "dev.ucp.shopping.discount", "dev.ucp.shopping.fulfillment", "dev.ucp.shopping.payment_authentication",
	}
}

func TestRequestAccepts(t *testing.T) {
	spec := spectest.Open(t, release)
	for _, c := range []struct{ name, operation, body string }{
		{"search", "search_catalog", `{"query": "boots", "filters": {"price": {"max": 9000}, "fulfills_to": {"location": "l"}}, "pagination": {"limit": 3}}`},
		{"unknown fields", "search_catalog", `{"query": "boots", "mood": 7, "context": {"ucp": {}}}`},
		{"lookup", "lookup_catalog", `{"ids": ["p1"], "signals": {"dev.ucp.buyer_ip": "203.0.113.9"}}`},
		{"product", "get_product", `{"id": "p1", "selected": [{"name": "Size", "label": "5"}], "preferences": ["Size"]}`},
		{"cart", "create_cart", `{"line_items": [{"item": {"id": "v1"}, "quantity": 1}], "discounts": {"codes": []}}`},
		{"cart replaced", "update_cart", `{"line_items": [{"id": "l1", "item": {"id": "v1"}, "quantity": 1}]}`},
		{"cart canceled", "cancel_cart", ``},
		{"cart canceled with an object", "cancel_cart", `{}`},
		{"checkout", "create_checkout", `{"line_items": [{"item": {"id": "v1"}, "quantity": 1}], "buyer": {"email": "a@b.example"}, "attribution": {"ucp": "x"}}`},
		{"checkout of a cart", "create_checkout", `{"line_items": [], "cart_id": "b1"}`},
		{"an address at once", "create_checkout", `{"line_items": [], "fulfillment": {"methods": [{"type": "shipping", "destinations": [{"postal_code": "LA22"}]}]}}`},
		{"an address later", "update_checkout", `{"line_items": [], "fulfillment": {"methods": [{"id": "m", "type": "shipping", "line_item_ids": ["l1"], "destinations": [{"id": "d"}], "groups": [{"id": "g", "selected_option_id": "std"}]}]}}`},
		{"a store chosen", "update_checkout", `{"line_items": [], "fulfillment": {"methods": [{"type": "pickup", "line_item_ids": ["l1"], "selected_destination_id": "s1"}]}}`},
		{"payment", "complete_checkout", `{"payment": {"instruments": [{"id": "i", "handler_id": "h", "type": "card", "credential": {"type": "token", "token": "t"}}]}}`},
		{"consent with the payment", "complete_checkout", `{"payment": {}, "buyer": {"consent": {"dev.ucp.consent.marketing": {"granted": true, "source": "platform"}}}}`},
		{"reading", "get_order", ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := spec.Request(c.operation, everything(), []byte(c.body)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRequestRefuses(t *testing.T) {
	spec := spectest.Open(t, release)
	for _, c := range []struct{ name, operation, body, at string }{
		{"no ids", "lookup_catalog", `{"ids": []}`, "/ids"},
		{"no product", "get_product", `{}`, ""},
		{"a selection without label", "get_product", `{"id": "p", "selected": [{"name": "Size"}]}`, "/selected/0"},
		{"a page of nothing", "search_catalog", `{"pagination": {"limit": 0}}`, "/pagination/limit"},
		{"a negative price", "search_catalog", `{"filters": {"price": {"min": -1}}}`, "/filters/price/min"},
		{"a method that is a number", "search_catalog", `{"filters": {"methods": [1]}}`, "/filters/methods/0"},
		{"a signal of no domain", "search_catalog", `{"signals": {"ip": "203.0.113.9"}}`, "/signals"},
		{"a number in attribution", "search_catalog", `{"attribution": {"campaign": 7}}`, "/attribution/campaign"},
		{"no lines", "create_cart", `{}`, ""},
		{"quantity 0", "create_cart", `{"line_items": [{"item": {"id": "v1"}, "quantity": 0}]}`, "/line_items/0/quantity"},
		{"quantity 2^53", "create_cart", `{"line_items": [{"item": {"id": "v1"}, "quantity": 9007199254740992}]}`, "/line_items/0/quantity"},
		{"quantity in words", "create_cart", `{"line_items": [{"item": {"id": "v1"}, "quantity": "1"}]}`, "/line_items/0/quantity"},
		{"lines in a string", "create_cart", `{"line_items": "22"}`, "/line_items"},
		{"a line's id at once", "create_cart", `{"line_items": [{"id": "l1", "item": {"id": "v1"}, "quantity": 1}]}`, "/line_items/0/id"},
		{"a price", "update_cart", `{"line_items": [{"item": {"id": "v1", "price": 1}, "quantity": 1}]}`, "/line_items/0/item/price"},
		{"totals", "update_cart", `{"line_items": [], "totals": []}`, "/totals"},
		{"an id in the body", "update_checkout", `{"line_items": [], "id": "b1"}`, "/id"},
		{"a status", "update_checkout", `{"line_items": [], "status": "canceled"}`, "/status"},
		{"an envelope", "create_checkout", `{"line_items": [], "ucp": {"version": "2026-08-25"}}`, "/ucp"},
		{"discounts applied", "create_checkout", `{"line_items": [], "discounts": {"applied": []}}`, "/discounts/applied"},
		{"a cart too late", "update_checkout", `{"line_items": [], "cart_id": "b1"}`, "/cart_id"},
		{"an address for pickup", "update_checkout", `{"line_items": [], "fulfillment": {"methods": [{"type": "pickup", "line_item_ids": [], "destinations": []}]}}`, "/fulfillment/methods/0/destinations"},
		{"an address without method", "update_checkout", `{"line_items": [], "fulfillment": {"methods": [{"line_item_ids": [], "destinations": []}]}}`, "/fulfillment/methods/0/destinations"},
		{"a method without lines", "update_checkout", `{"line_items": [], "fulfillment": {"methods": [{"type": "shipping"}]}}`, "/fulfillment/methods/0"},
		{"a method without type", "create_checkout", `{"line_items": [], "fulfillment": {"methods": [{}]}}`, "/fulfillment/methods/0"},
		{"availability", "create_checkout", `{"line_items": [], "fulfillment": {"available_methods": []}}`, "/fulfillment/available_methods"},
		{"actions", "update_checkout", `{"line_items": [], "actions": {}}`, "/actions"},
		{"no payment", "complete_checkout", `{}`, ""},
		{"lines at the end", "complete_checkout", `{"payment": {}, "line_items": []}`, "/line_items"},
		{"fulfilment at the end", "complete_checkout", `{"payment": {}, "fulfillment": {}}`, "/fulfillment"},
		{"an instrument without handler", "complete_checkout", `{"payment": {"instruments": [{"id": "i", "type": "card"}]}}`, "/payment/instruments/0"},
		{"consent described by the platform", "complete_checkout", `{"payment": {}, "buyer": {"consent": {"dev.ucp.consent.marketing": {"granted": true, "source": "platform", "description": "x"}}}}`, "/buyer/consent/dev.ucp.consent.marketing/description"},
		{"a list to cancel", "cancel_cart", `[]`, ""},
		{"no UTF-8", "create_cart", "{\"line_items\": [], \"buyer\": {\"email\": \"\xff\"}}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, spec.Request(c.operation, everything(), []byte(c.body)), c.at)
		})
	}
}

// What an extension asks for holds only while it is active.
func TestRequestActive(t *testing.T) {
	spec := spectest.Open(t, release)
	body := []byte(`{"line_items": [], "discounts": {"codes": 7}}`)
	if err := spec.Request("create_cart", nil, body); err != nil {
		t.Errorf("discounts are not active, but: %v", err)
	}
	refused(t, spec.Request("create_cart", []string{"dev.ucp.shopping.discount"}, body), "/discounts/codes")

	buyer := []byte(`{"payment": {}, "buyer": {"email": "a@b.example"}}`)
	refused(t, spec.Request("complete_checkout", nil, buyer), "/buyer")
	if err := spec.Request("complete_checkout", []string{"dev.ucp.shopping.buyer_consent"}, buyer); err != nil {
		t.Errorf("buyer_consent releases the buyer, but: %v", err)
	}
}
