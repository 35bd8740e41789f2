package spectest_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

const release = "2026-08-25"

// edit is one change of a body: a value to set in sjson's path language, or a
// field to remove.
type edit struct {
	path   string
	raw    string
	remove bool
}

func (e edit) apply(t *testing.T, body string) []byte {
	t.Helper()
	out, err := body, error(nil)
	switch {
	case e.remove:
		out, err = sjson.Delete(body, e.path)
	case e.path != "":
		out, err = sjson.SetRaw(body, e.path, e.raw)
	}
	if err != nil {
		t.Fatalf("editing %s: %v", e.path, err)
	}
	return []byte(out)
}

// refused checks that err names a problem at a JSON Pointer.
func refused(t *testing.T, err error, at string) {
	t.Helper()
	problems, ok := errors.AsType[spectest.Problems](err)
	if !ok {
		t.Fatalf("got %v, want problems", err)
	}
	if !slices.ContainsFunc(problems, func(p spectest.Problem) bool { return p.At == at }) {
		t.Errorf("no problem at %q in %v", at, err)
	}
}

func TestResponseAccepts(t *testing.T) {
	spec := spectest.Open(t, release)
	withAction := string(edit{path: "actions", raw: `{"com.example.verification": [{"id": "a1"}]}`}.apply(t, checkoutAnswer))
	forBuyer := string(edit{path: "messages.0.severity", raw: `"requires_buyer_review"`}.apply(t, checkoutAnswer))
	for _, c := range []struct {
		name, operation string
		status          int
		body            string
		edit            edit
	}{
		{name: "search", operation: "search_catalog", body: searchAnswer},
		{name: "nothing found", operation: "search_catalog", body: searchAnswer, edit: edit{path: "products", raw: `[]`}},
		{name: "a vendor's field", operation: "search_catalog", body: searchAnswer, edit: edit{path: `ai\.storeware\.shopping\.answer`, raw: `{"passes": 1}`}},
		{name: "a vendor's capability", operation: "search_catalog", body: searchAnswer, edit: edit{path: `ucp.capabilities.ai\.storeware\.shopping\.answer`, raw: `[{"version": "2026-11-01"}]`}},
		{name: "lookup with fulfilment", operation: "lookup_catalog", body: lookupAnswer},
		{name: "product", operation: "get_product", body: productAnswer},
		{name: "product not found", operation: "get_product", body: notFound},
		{name: "cart", operation: "create_cart", status: 201, body: cartAnswer},
		{name: "cart canceled", operation: "cancel_cart", body: cartAnswer},
		{name: "cart not created", operation: "create_cart", body: notFound},
		{name: "checkout", operation: "create_checkout", status: 201, body: checkoutAnswer},
		{name: "checkout updated", operation: "update_checkout", body: checkoutAnswer},
		{name: "checkout ready, update rejected", operation: "update_checkout", body: checkoutAnswer, edit: edit{path: "status", raw: `"ready_for_complete"`}},
		{name: "checkout with an action", operation: "get_checkout", body: withAction, edit: edit{path: "messages.0.severity", raw: `"requires_buyer_input"`}},
		{name: "checkout for the buyer", operation: "get_checkout", body: forBuyer, edit: edit{path: "status", raw: `"requires_escalation"`}},
		{name: "order", operation: "get_order", body: orderAnswer},
		{name: "key missing", operation: "get_order", status: 401, body: `{"code": "unauthorized", "content": "Send a key"}`},
		{name: "profile unreachable", operation: "get_order", status: 424, body: `{"code": "profile_unreachable", "content": "timeout", "continue_url": "https://shop.example/"}`},
		{name: "identity required", operation: "get_order", status: 401, body: notFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.status == 0 {
				c.status = http.StatusOK
			}
			if err := spec.Response(c.operation, nil, c.status, c.edit.apply(t, c.body)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestResponseRefuses(t *testing.T) {
	spec := spectest.Open(t, release)
	ready := string(edit{path: "status", raw: `"ready_for_complete"`}.apply(t, checkoutAnswer))
	for _, c := range []struct {
		name, operation string
		status          int
		body            string
		edit            edit
		at              string
	}{
		// What the schemas say.
		{"no products", "search_catalog", 200, searchAnswer, edit{path: "products", remove: true}, ""},
		{"no next page", "search_catalog", 200, searchAnswer, edit{path: "pagination.cursor", remove: true}, "/pagination"},
		{"currency in small letters", "search_catalog", 200, searchAnswer, edit{path: "products.0.variants.0.price.currency", raw: `"gbp"`}, "/products/0/variants/0/price/currency"},
		{"price with a fraction", "search_catalog", 200, searchAnswer, edit{path: "products.0.variants.0.price.amount", raw: `45.5`}, "/products/0/variants/0/price/amount"},
		{"description a string", "search_catalog", 200, searchAnswer, edit{path: "products.0.description", raw: `"A boot."`}, "/products/0/description"},
		{"no inputs in a lookup", "lookup_catalog", 200, lookupAnswer, edit{path: "products.0.variants.0.inputs", remove: true}, "/products/0/variants/0"},
		{"an option's title missing", "lookup_catalog", 200, lookupAnswer, edit{path: "products.0.variants.0.fulfillment.methods.0.options.0.title", remove: true}, "/products/0/variants/0/fulfillment/methods/0/options/0"},
		{"no payment handlers", "create_checkout", 201, checkoutAnswer, edit{path: "ucp.payment_handlers", remove: true}, "/ucp"},
		{"a status of our own", "create_checkout", 201, checkoutAnswer, edit{path: "status", raw: `"open"`}, "/status"},
		{"an option's description a string", "create_checkout", 201, checkoutAnswer, edit{path: "fulfillment.methods.0.groups.0.options.0.description", raw: `"In 3 days"`}, "/fulfillment/methods/0/groups/0/options/0/description"},
		{"a destination without type", "create_checkout", 201, checkoutAnswer, edit{path: "fulfillment.methods.0.destinations.0.type", remove: true}, "/fulfillment/methods/0/destinations/0"},
		{"an error without severity", "create_checkout", 201, checkoutAnswer, edit{path: "messages.0.severity", remove: true}, "/messages/0"},
		{"expires_at no timestamp", "create_checkout", 201, checkoutAnswer, edit{path: "expires_at", raw: `"tomorrow"`}, "/expires_at"},
		{"continue_url no URL", "create_checkout", 201, checkoutAnswer, edit{path: "continue_url", raw: `"/basket/b1"`}, "/continue_url"},
		{"a discount of 0", "create_cart", 201, cartAnswer, edit{path: "totals.1.amount", raw: `0`}, "/totals/1/amount"},
		{"an own total without text", "create_cart", 201, cartAnswer, edit{path: "totals.1.type", raw: `"gift"`}, "/totals/1"},
		{"a negative discount applied", "create_cart", 201, cartAnswer, edit{path: "discounts.applied.0.amount", raw: `-800`}, "/discounts/applied/0/amount"},
		{"an order without permalink", "get_order", 200, orderAnswer, edit{path: "permalink_url", remove: true}, ""},
		{"more than an error response holds", "get_cart", 200, notFound, edit{path: "id", raw: `"b1"`}, ""},
		{"an error response without messages", "get_cart", 200, notFound, edit{path: "messages", raw: `[]`}, "/messages"},

		// What the prose says.
		{"the wrong release", "search_catalog", 200, searchAnswer, edit{path: "ucp.version", raw: `"2026-04-08"`}, "/ucp/version"},
		{"root capability missing", "search_catalog", 200, searchAnswer, edit{path: "ucp.capabilities", raw: `{}`}, "/ucp/capabilities"},
		{"a capability of another operation", "create_cart", 201, cartAnswer, edit{path: `ucp.capabilities.dev\.ucp\.shopping\.fulfillment`, raw: `[{"version": "2026-08-25"}]`}, "/ucp/capabilities/dev.ucp.shopping.fulfillment"},
		{"cart in a checkout", "create_checkout", 201, checkoutAnswer, edit{path: `ucp.capabilities.dev\.ucp\.shopping\.cart`, raw: `[{"version": "2026-08-25"}]`}, "/ucp/capabilities/dev.ucp.shopping.cart"},
		{"a capability's version", "search_catalog", 200, searchAnswer, edit{path: `ucp.capabilities.dev\.ucp\.shopping\.catalog\.search.0.version`, raw: `"2026-04-08"`}, "/ucp/capabilities/dev.ucp.shopping.catalog.search/0/version"},
		{"created with 200", "create_checkout", 200, checkoutAnswer, edit{}, ""},
		{"error response with 201", "create_cart", 201, notFound, edit{}, ""},
		{"error response without error", "get_cart", 200, notFound, edit{path: "messages.0", raw: `{"type": "info", "content": "Gone"}`}, "/messages"},
		{"a path that is no JSONPath", "create_checkout", 201, checkoutAnswer, edit{path: "messages.0.path", raw: `"/buyer/email"`}, "/messages/0/path"},
		{"escalation without a reason", "get_checkout", 200, checkoutAnswer, edit{path: "status", raw: `"requires_escalation"`}, "/status"},
		{"incomplete, but for the buyer alone", "get_checkout", 200, checkoutAnswer, edit{path: "messages.0.severity", raw: `"requires_buyer_input"`}, "/status"},
		{"nothing to act on, yet a checkout", "get_checkout", 200, ready, edit{path: "messages.0.severity", raw: `"unrecoverable"`}, "/messages/0/severity"},
		{"completed without an order", "get_checkout", 200, checkoutAnswer, edit{path: "status", raw: `"completed"`}, "/status"},
		{"an order before completion", "get_checkout", 200, checkoutAnswer, edit{path: "order", raw: `{"id": "o1", "permalink_url": "https://shop.example/o1"}`}, "/status"},
		{"a credential handed back", "get_checkout", 200, checkoutAnswer, edit{path: "payment", raw: `{"instruments": [{"id": "i", "handler_id": "h", "type": "card", "credential": {"type": "token"}}]}`}, "/payment/instruments/0/credential"},
		{"a destination substituted", "get_checkout", 200, checkoutAnswer, edit{path: "fulfillment.methods.0.selected_destination_id", raw: `"d2"`}, "/fulfillment/methods/0/selected_destination_id"},
		{"an option that is not offered", "get_checkout", 200, checkoutAnswer, edit{path: "fulfillment.methods.0.groups.0.selected_option_id", raw: `"exp"`}, "/fulfillment/methods/0/groups/0/selected_option_id"},
		{"a group of unknown lines", "get_checkout", 200, checkoutAnswer, edit{path: "fulfillment.methods.0.groups.0.line_item_ids.0", raw: `"l2"`}, "/fulfillment/methods/0/groups/0/line_item_ids/0"},
		{"allocations that fall short", "get_cart", 200, cartAnswer, edit{path: "discounts.applied.0.allocations.0.amount", raw: `799`}, "/discounts/applied/0"},
		{"totals that do not add up", "get_cart", 200, cartAnswer, edit{path: "totals.2.amount", raw: `3201`}, "/totals"},
		{"options without selected", "get_product", 200, productAnswer, edit{path: "product.selected", remove: true}, "/product"},
		{"available without existing", "get_product", 200, productAnswer, edit{path: "product.options.0.values.1.available", raw: `true`}, "/product/options/0/values/1"},
		{"an option selected twice", "get_product", 200, productAnswer, edit{path: "product.selected.1", raw: `{"name": "Size", "label": "6"}`}, "/product/selected/1/name"},
		{"a line's status", "get_order", 200, orderAnswer, edit{path: "line_items.0.status", raw: `"fulfilled"`}, "/line_items/0/status"},
		{"an event of an unknown line", "get_order", 200, orderAnswer, edit{path: "fulfillment.events.0.line_items.0.id", raw: `"l2"`}, "/fulfillment/events/0/line_items/0/id"},

		// Protocol errors.
		{"no code", "get_order", 401, `{"content": "Send a key"}`, edit{}, "/code"},
		{"an envelope instead of a code", "get_order", 404, cartAnswer, edit{}, ""},
		{"the wrong status for a code", "get_order", 400, `{"code": "version_unsupported", "content": "no"}`, edit{}, "/code"},
		{"a relative continue_url", "get_order", 401, `{"code": "x", "content": "y", "continue_url": "/"}`, edit{}, "/continue_url"},
		{"no JSON", "get_order", 500, `Internal Server Error`, edit{}, ""},
		{"an array", "get_order", 200, `[]`, edit{}, ""},
		{"two documents", "get_order", 200, orderAnswer + `{}`, edit{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, spec.Response(c.operation, nil, c.status, c.edit.apply(t, c.body)), c.at)
		})
	}
}

// Named capabilities take the place of the body's own.
func TestResponseActive(t *testing.T) {
	spec := spectest.Open(t, release)
	body := edit{path: "fulfillment.methods.0.id", raw: `7`}.apply(t, checkoutAnswer)
	if err := spec.Response("get_checkout", []string{"dev.ucp.shopping.checkout"}, 200, body); err != nil {
		t.Errorf("fulfilment is not active, but: %v", err)
	}
	err := spec.Response("get_checkout", []string{"dev.ucp.shopping.checkout", "dev.ucp.shopping.fulfillment"}, 200, body)
	refused(t, err, "/fulfillment/methods/0/id")
}

func TestUnknownOperation(t *testing.T) {
	spec := spectest.Open(t, release)
	if err := spec.Response("delete_cart", nil, 200, []byte(cartAnswer)); err == nil {
		t.Error("Response knows delete_cart")
	}
	if err := spec.Request("delete_cart", nil, nil); err == nil {
		t.Error("Request knows delete_cart")
	}
}

// Of alternatives that all fail, the one that was meant is told: a message of
// one type what that type lacks, a field that another type alone may have that
// it is not allowed, a dictionary which name is wrong.
func TestProblemsAreToThePoint(t *testing.T) {
	spec := spectest.Open(t, release)
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			spec.Response("get_checkout", nil, 200, edit{path: "messages.0.severity", remove: true}.apply(t, checkoutAnswer)),
			"/messages/0: missing property 'severity'",
		},
		{
			spec.Request("update_checkout", everything(), []byte(`{"line_items": [], "fulfillment": {"methods": [{"type": "drone", "line_item_ids": [], "destinations": []}]}}`)),
			"/fulfillment/methods/0/destinations: this field is not allowed here",
		},
		{
			spec.Request("create_cart", nil, []byte(`{"line_items": [], "signals": {"ip": "203.0.113.9"}, "id": "b1"}`)),
			"2 problems:\n\t/id: this field is not allowed here\n\t/signals: invalid propertyName 'ip'",
		},
		{
			spec.Request("create_cart", nil, []byte(`{}`)),
			"(root): missing property 'line_items'",
		},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}
