package shopify_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

var ada = upstream.Address{
	FirstName: "Ada", LastName: "Thwaite", Street: "12 Stricklandgate", City: "Kendal", Region: "Cumbria", PostalCode: "LA9 4ND", Country: "GB",
}

// fixture is that of a fake shop of which each case has its own.
func fixture(t *testing.T, options fakeshop.Options) shoptest.Fixture {
	if modules() == "" {
		t.Log(unvalidated)
	}
	options.Storefront, options.Admin = schema(t, fakeshop.Storefront, version), schema(t, fakeshop.Admin, version)
	abroad := ada
	abroad.Country, abroad.PostalCode = "FR", "74000"
	known := gbp(27455)
	return shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			h := newHouse(t, options)
			return h.adapter(t, withOrders), h.hooks()
		},
		Visit:       agent,
		Single:      shoptest.Item{Handle: "merino-neck-gaiter", SKU: "NCK"},
		Variant:     shoptest.Item{Handle: "merino-hiking-socks", SKU: "SOK-M"},
		SoldVariant: shoptest.Item{Handle: "ridge-3l-waterproof-jacket", SKU: "RDG-SLATE-L"},
		SoldOut:     shoptest.Item{Handle: "beck-approach-shoes", SKU: "BCK-6"},
		Scarce:      shoptest.Item{Handle: "trig-carbon-poles", SKU: "TRG-115CM"},
		Few:         3,
		Words:       "merino",
		NoWords:     "zeppelin",
		Category:    "Accessories",
		Codes: shoptest.Codes{
			Percent: "WELCOME10", Fixed: "TRAIL20", Minimum: 15000, Expired: "SUMMER24", FreeDelivery: "FREESHIP", Unknown: "NOPE",
		},
		Buyer:   upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite", Phone: "+44 1539 000001"},
		Address: ada,
		Abroad:  &abroad,
		Known: &shoptest.Known{
			Lines: []shoptest.KnownLine{
				{Item: shoptest.Item{SKU: "RDG-SLATE-M"}, Quantity: 1},
				{Item: shoptest.Item{SKU: "SOK-M"}, Quantity: 3},
				{Item: shoptest.Item{SKU: "PDL-RED-34"}, Quantity: 1},
			},
			Codes:    []string{"WELCOME10"},
			Delivery: "Next-day delivery",
			Total:    known,
		},
	}
}

// hooks reach behind the shop.
func (h house) hooks() shoptest.Hooks {
	return shoptest.Hooks{
		ChangePrice: func(t testing.TB, sku string, minor int64) {
			before := h.SetPrice(sku, minor)
			t.Cleanup(func() { h.SetPrice(sku, before) })
		},
		SetStock: func(t testing.TB, sku string, n int64) {
			before := h.SetStock(sku, n)
			t.Cleanup(func() { h.SetStock(sku, before) })
		},
		DropBasket: func(t testing.TB, handle upstream.Handle) { h.Drop(cartOf(t, handle)) },
		GoAway: func(testing.TB) func() {
			h.road.closed.Store(true)
			return func() { h.road.closed.Store(false) }
		},
		Another: func(t testing.TB) upstream.Shop { return h.adapter(t, withOrders) },
	}
}

func TestShop(t *testing.T) { shoptest.Run(t, fixture(t, fakeshop.Options{})) }

// TestOtherShop: the shop is as good where its totals leave the delivery out, the
// token may not read stock and tags, and the ways of delivery come late.
func TestOtherShop(t *testing.T) {
	shoptest.Run(t, fixture(t, fakeshop.Options{GoodsOnly: true, HideStock: true, HideTags: true, Hesitates: true}))
}
