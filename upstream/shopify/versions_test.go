package shopify_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

// TestVersions: every document fits the schema of every version that can be
// configured. The fake fails the test for one that does not.
func TestVersions(t *testing.T) {
	if modules() == "" {
		t.Skip(unvalidated)
	}
	for _, version := range []string{"2026-07", "2026-10", "unstable"} {
		t.Run(version, func(t *testing.T) {
			h := newHouse(t, fakeshop.Options{
				Version: version, Storefront: schema(t, fakeshop.Storefront, version), Admin: schema(t, fakeshop.Admin, version),
			})
			shop := h.adapter(t, withOrders, func(c *shopify.Config) {
				c.Version, c.Metafields = version, []string{"facts.waterproof"}
			})
			everything(t, h, shop)
		})
	}
}

// TestRefusedDocument: what does not fit the schema is refused, and does not pass
// for something else.
func TestRefusedDocument(t *testing.T) {
	if modules() == "" {
		t.Skip(unvalidated)
	}
	h := newHouse(t, fakeshop.Options{})
	shop := h.adapter(t)
	v := agent
	d := wants(t, shop, "NCK")
	d.Lines[0].Item = "gid://shopify/ProductVariant/1"
	if applied := apply(t, shop, upstream.Handle{}, d); len(applied.Notices) != 1 {
		t.Errorf("notices: %+v", applied.Notices)
	}
	// Were the country passed on as it stands, it would be no CountryCode.
	v.Market = upstream.Market{Country: "XX", Language: "tlh-Latn"}
	if _, err := shop.Search(t.Context(), v, upstream.Query{Words: "merino"}); err != nil {
		t.Error(err)
	}
	if n := h.refused.Load(); n != 0 {
		t.Fatalf("Shopify would have refused %d requests", n)
	}
	refused := h.Ask(`query Search($words: Int!) { search(query: $words) { nothing } }`, "Search", map[string]any{"words": "merino"})
	if n := h.refused.Swap(0); n != 1 || refused["data"] != nil {
		t.Errorf("a wrong document: refused %d times, answered %v", n, refused)
	}
}

// everything asks the shop for all that it can be asked, so that each document is
// sent.
func everything(t *testing.T, h house, shop *shopify.Shop) {
	t.Helper()
	ctx := t.Context()
	if _, err := shop.Describe(ctx); err != nil {
		t.Fatal(err)
	}
	low, high := int64(100), int64(100_000)
	v := agent
	v.Market = upstream.Market{Country: "IE", Language: "pt-BR"}
	for _, q := range []upstream.Query{
		{},
		{Words: "merino", Available: true},
		{Categories: []string{"Outerwear"}, MinPrice: &low},
		{Categories: []string{"Jackets"}, MaxPrice: &high},
		{Words: "jacket", Categories: []string{"Jackets"}, MinPrice: &low, MaxPrice: &high},
		{Words: "sky hooks"},
	} {
		for _, v := range []upstream.Visit{agent, v} {
			if _, err := shop.Search(ctx, v, q); err != nil {
				t.Errorf("%+v: %v", q, err)
			}
		}
	}
	d := wants(t, shop, "SOK-M", "EMB")
	applied := apply(t, shop, upstream.Handle{}, d)
	d.Lines, d.Codes, d.Buyer, d.Address = append(d.Lines[:1], wants(t, shop, "NCK").Lines...), []string{"WELCOME10"}, upstream.Buyer{Email: "ada@example.com"}, &ada
	d.Lines[0].Quantity, d.Delivery = 2, "9b07-express"
	applied = apply(t, shop, applied.Handle, d)
	if len(applied.Notices) > 0 || applied.Observed.Chosen != d.Delivery {
		t.Errorf("chosen %q, notices %+v", applied.Observed.Chosen, applied.Notices)
	}
	d.Address = nil
	applied = apply(t, shop, applied.Handle, d)
	if _, err := shop.Read(ctx, agent, applied.Handle); err != nil {
		t.Error(err)
	}
	sold, err := h.Buy(cartOf(t, applied.Handle))
	if err != nil {
		t.Fatal(err)
	}
	sold.Send(1)
	observed, err := shop.Read(ctx, agent, applied.Handle)
	if err != nil || observed.Ordered == nil {
		t.Fatal(observed, err)
	}
	if _, err := shop.Order(ctx, agent, observed.Ordered.Ref); err != nil {
		t.Error(err)
	}
}
