package demo_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// fixture is that of a demo shop with the built-in catalogue. Each case has a shop
// of its own.
func fixture(options shop.Options) shoptest.Fixture {
	address := upstream.Address{
		FirstName: "Ada", LastName: "Thwaite", Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB",
	}
	abroad := address
	abroad.Country = "BR"
	return shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			own := options
			own.DataDir = t.TempDir()
			h := open(t, own)
			return h.adapter(), h.hooks()
		},
		Visit:       visit,
		Single:      shoptest.Item{Handle: "lean-to-tarp", SKU: "LTT"},
		Variant:     shoptest.Item{Handle: "merino-hiking-socks", SKU: "SOK-M"},
		SoldVariant: shoptest.Item{Handle: "fjell-trail-gtx", SKU: "FJL-6-SLATE"},
		SoldOut:     shoptest.Item{Handle: "heron-camp-chair", SKU: "HCC-CANVAS"},
		Scarce:      shoptest.Item{Handle: "frostline-gloves", SKU: "FLG-S"},
		Few:         2,
		Words:       "waterproof tarp",
		NoWords:     "zeppelin",
		Category:    "Camping/Tents",
		Codes: shoptest.Codes{
			Percent: "WELCOME10", Fixed: "TRAIL20", Minimum: 15000, Expired: "SUMMER24", FreeDelivery: "FREESHIP",
		},
		Buyer:      upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite"},
		Address:    address,
		Member:     "ben@example.com",
		Abroad:     &abroad,
		Method:     "demo-card",
		Credential: secret.New("accepted"),
		Declined:   secret.New("decline"),
		Known: &shoptest.Known{
			Lines: []shoptest.KnownLine{
				{Item: shoptest.Item{SKU: "RDG-SLATE-M"}, Quantity: 1},
				{Item: shoptest.Item{SKU: "SOK-M"}, Quantity: 3},
				{Item: shoptest.Item{SKU: "PDL-RED-34"}, Quantity: 1},
			},
			Codes:    []string{"WELCOME10"},
			Delivery: "Next-day delivery",
			Total:    money.Amount{Minor: 27455, Currency: "GBP"},
		},
	}
}

func TestSuite(t *testing.T) { shoptest.Run(t, fixture(shop.Options{})) }

// TestSuiteInYen: the shop is as good in a currency without decimals.
func TestSuiteInYen(t *testing.T) {
	f := fixture(shop.Options{Currency: "JPY"})
	f.Codes.Minimum = 28500
	f.Known.Total = money.Amount{Minor: 52165, Currency: "JPY"}
	shoptest.Run(t, f)
}
