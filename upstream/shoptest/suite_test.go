package shoptest

import (
	"net/netip"
	"testing"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// right is the adapter that does everything right.
func right(s *store) upstream.Shop { return memory{s} }

// fixture is that of a store whose adapter wrap makes. Every case has a store of
// its own.
func fixture(wrap func(*store) upstream.Shop) Fixture {
	address := upstream.Address{FirstName: "Ada", LastName: "Thwaite", Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB"}
	abroad := address
	abroad.Country = "US"
	return Fixture{
		New: func(testing.TB) (upstream.Shop, Hooks) {
			s := newStore()
			return wrap(s), s.hooks(wrap)
		},
		Visit:       upstream.Visit{Addr: netip.MustParseAddr("198.18.0.0")},
		Single:      Item{Handle: "ember-gas-stove", SKU: "EMBERGASSTOVE"},
		Variant:     Item{Handle: "ridge-jacket", SKU: "RIDGEJACKET-M"},
		SoldVariant: Item{SKU: "RIDGEJACKET-L"},
		SoldOut:     Item{Handle: "approach-shoes"},
		Scarce:      Item{SKU: "RIDGEJACKET-S"},
		Few:         3,
		Words:       "gas stove",
		NoWords:     "zeppelin",
		Category:    "Camping/Stoves",
		Codes: Codes{
			Percent: "TEN", Fixed: "TWENTY", Minimum: 15000, Expired: "OLD", FreeDelivery: "FREE", Unknown: "NEVER",
		},
		Buyer:      upstream.Buyer{Email: "ada@example.com"},
		Address:    address,
		Member:     member,
		Abroad:     &abroad,
		Method:     "card",
		Credential: secret.New("accepted"),
		Declined:   secret.New("declined"),
		Known: &Known{
			Lines:    []KnownLine{{Item{SKU: "EMBERGASSTOVE"}, 2}, {Item{SKU: "RIDGEJACKET-M"}, 1}},
			Codes:    []string{"TEN"},
			Delivery: "Express",
			Total:    money.Amount{Minor: 26645, Currency: "GBP"},
		},
	}
}

// TestRightShop runs the suite as adapters do: nothing fails, and nothing but
// what the shop is not for is skipped.
func TestRightShop(t *testing.T) {
	Run(t, fixture(right))
}

// TestOneShopForAll: the cases leave a shop as the next one needs it, and order
// no more of it than the fixture has to have.
func TestOneShopForAll(t *testing.T) {
	s, f := newStore(), fixture(right)
	f.New = func(testing.TB) (upstream.Shop, Hooks) { return memory{s}, s.hooks(right) }
	for _, sku := range []string{f.Single.SKU, f.Variant.SKU} {
		s.stock(sku, 25)
	}
	if failed := failures(record(t, f)); len(failed) > 0 {
		t.Errorf("one after the other, these fail: %v", failed)
	}
}
