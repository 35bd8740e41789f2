package ucp

import (
	"testing"
)

const (
	oneBootCart     = `"cart":` + oneBoot
	oneBootCheckout = `"checkout":` + oneBoot
	payingCheckout  = `"checkout":` + onePaying
)

// Every operation once, in the order of a purchase. The client validates every
// answer.
func TestMCPPurchase(t *testing.T) {
	d := newDesk(t, nil)
	for _, step := range []struct {
		op             Operation
		key, arguments string
		paths          map[string]string
	}{
		{SearchCatalog, "", `"catalog":{"query":"tarn"}`, map[string]string{"products.0.id": "shoe"}},
		{LookupCatalog, "", `"catalog":{"ids":["mug"]}`, map[string]string{"products.0.id": "mug"}},
		{GetProduct, "", `"catalog":{"id":"shoe-red-9"}`, map[string]string{"product.variants.0.id": "shoe-red-9"}},
		{CreateCart, "", oneBootCart, map[string]string{"id": "bsk_1"}},
		{GetCart, "", `"id":"bsk_1"`, map[string]string{"id": "bsk_1"}},
		{UpdateCart, "", `"id":"bsk_1",` + oneBootCart, map[string]string{"id": "bsk_1"}},
		{CancelCart, "k1", `"id":"bsk_1"`, map[string]string{"id": "bsk_1"}},
		{CreateCheckout, "", oneBootCheckout, map[string]string{"id": "bsk_2", "status": "ready_for_complete"}},
		{GetCheckout, "", `"id":"bsk_2"`, map[string]string{"id": "bsk_2"}},
		{UpdateCheckout, "", `"id":"bsk_2",` + oneBootCheckout, map[string]string{"id": "bsk_2"}},
		{CompleteCheckout, "k2", `"id":"bsk_2",` + payingCheckout, map[string]string{"status": "completed", "order.id": "A-bsk_2"}},
		{GetOrder, "", `"id":"A-bsk_2"`, map[string]string{"id": "A-bsk_2", "checkout_id": "bsk_2"}},
		{CreateCheckout, "", oneBootCheckout, map[string]string{"id": "bsk_3"}},
		{CancelCheckout, "k3", `"id":"bsk_3"`, map[string]string{"status": "canceled"}},
	} {
		got := d.call("scout", step.op, step.key, step.arguments)
		if got.StatusCode != 200 || !got.content().Exists() {
			t.Fatalf("%s: %d %s", step.op, got.StatusCode, got.text)
		}
		for path, want := range step.paths {
			if value := got.content().Get(path).String(); value != want {
				t.Errorf("%s: %s is %q, want %q", step.op, path, value, want)
			}
		}
		if event := d.event(); event.Operation != string(step.op) || event.Outcome != "ok" || event.Agent != "scout" || event.Status != 200 || event.Err != nil || event.Signature != "none" {
			t.Errorf("%s: event %+v", step.op, event)
		}
	}
}
