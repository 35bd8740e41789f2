package mcp

import (
	"fmt"
	"testing"
)

// Every tool once, in the order of a purchase.
func TestPurchase(t *testing.T) {
	d := newDesk(t)
	found := d.must("scout", "search_products", `{"query":"waterproof walking boots under £150"}`)
	t.Logf("%s", found.words())
	product := d.must("scout", "get_product", fmt.Sprintf(`{"id":%q}`, found.content().Get("results.0.id").Str))
	t.Logf("%s", product.words())
	variant := product.content().Get("product.variant_id").Str
	made := d.must("scout", "create_basket", fmt.Sprintf(`{"items":[{"variant_id":%q}]}`, variant))
	t.Logf("%s", made.words())
}
