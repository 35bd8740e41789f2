package woocommerce_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// TestShop runs the suite for all adapters against a shop of each kind.
func TestShop(t *testing.T) {
	for name, kind := range map[string]wootest.Config{
		"10.5.2":            {},
		"10.5.2 with a key": {Key: key, Secret: keySecret},
		"9.9.5":             {Old: true},
		"plain permalinks":  {Plain: true, Key: key, Secret: keySecret},
		"prices net":        {Net: true, Key: key, Secret: keySecret},
	} {
		t.Run(name, func(t *testing.T) { shoptest.Run(t, fixture(kind, withPayments)) })
	}
	t.Run("no payments", func(t *testing.T) { shoptest.Run(t, fixture(wootest.Config{}, withoutPayments)) })
}

func fixture(kind wootest.Config, payments func(*woocommerce.Config)) shoptest.Fixture {
	f := shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			shop := wootest.New(t, kind)
			shop.SetStock("TEE-BLK-M", 40)
			adapter := func(t testing.TB) upstream.Shop {
				changes := []func(*woocommerce.Config){payments}
				if kind.Key != "" {
					changes = append(changes, withKey)
				}
				return newShop(t, shop, changes...)
			}
			return adapter(t), hooks(shop, kind, adapter)
		},
		Visit:       upstream.Visit{Agent: "shoptest"},
		Single:      shoptest.Item{Handle: "enamel-mug", SKU: "MUG-01"},
		Variant:     shoptest.Item{Handle: "organic-cotton-t-shirt", SKU: "TEE-BLK-M"},
		SoldVariant: shoptest.Item{Handle: "organic-cotton-t-shirt", SKU: "TEE-BLK-L"},
		SoldOut:     shoptest.Item{Handle: "steel-water-bottle-500ml", SKU: "BOT-500"},
		Scarce:      shoptest.Item{Handle: "mechanical-keyboard", SKU: "KEY-01"},
		Few:         5,
		Words:       "mug",
		NoWords:     "zeppelin",
		Category:    "Home & Kitchen",
		Codes:       shoptest.Codes{Percent: "SAVE10", Fixed: "MIN100", Minimum: 10000, Expired: "OLD", Unknown: "NOPE"},
		Buyer:       buyer(),
		Address:     *home(),
		Abroad: &upstream.Address{
			FirstName: "Ada", LastName: "Byron", Street: "1 Market Street", City: "San Francisco", Region: "CA", PostalCode: "94105", Country: "US",
		},
		Method:     "test_card",
		Credential: secret.New("tok_visa"),
		Declined:   secret.New("declined"),
		Known: &shoptest.Known{
			Lines: []shoptest.KnownLine{
				{Item: shoptest.Item{SKU: "TEE-BLK-M"}, Quantity: 2}, {Item: shoptest.Item{SKU: "MUG-01"}, Quantity: 1},
			},
			Codes:    []string{"SAVE10"},
			Delivery: "Next-day delivery",
			Total:    money.Amount{Minor: 6130, Currency: "GBP"},
		},
		Lacks: map[string]string{
			"buyer/an e-mail address with an account": "it takes orders of guests whatever accounts there are, or of no guest at all",
			"codes/free delivery":                     "its code opens a way of delivery, which the buyer still has to choose",
			"place/ten times at once": "three requests at once place three orders there; whoever calls the adapter " +
				"holds a lock per basket",
		},
	}
	return f
}

// hooks reach behind a shop.
func hooks(shop *wootest.Shop, kind wootest.Config, adapter func(testing.TB) upstream.Shop) shoptest.Hooks {
	return shoptest.Hooks{
		ChangePrice: func(t testing.TB, sku string, minor int64) {
			if kind.Net {
				minor = (minor*6 + 2) / 5 // It is entered with tax, of a fifth.
			}
			shop.SetPrice(sku, minor)
		},
		SetStock:   func(t testing.TB, sku string, n int64) { shop.SetStock(sku, n) },
		OrderCount: func(testing.TB) int { return shop.Orders() },
		DropBasket: func(t testing.TB, h upstream.Handle) {
			token, _ := kept(t, h)
			shop.Forget(token)
		},
		LoseNextAnswer:  func(testing.TB) { shop.LoseAnswer() },
		LoseNextRequest: func(testing.TB) { shop.LoseOrder() },
		GoAway:          func(testing.TB) func() { return shop.GoAway() },
		Restart:         func(testing.TB) { shop.GoAway()() }, // PHP keeps nothing in mind from one request to the next.
		Another:         adapter,
	}
}
