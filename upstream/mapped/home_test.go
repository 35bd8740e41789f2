package mapped_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// homeMapping reads testdata/home.map, with changes to its text.
func homeMapping(t testing.TB, change ...func(string) string) *mapped.Mapping {
	t.Helper()
	text, err := os.ReadFile("testdata/home.map")
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	for _, c := range change {
		changed = c(changed)
	}
	m, err := mapped.Parse("home.map", changed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shopOf returns a home-made shop as a mapping says.
func (s *homeShop) shopOf(t testing.TB, m *mapped.Mapping, transport http.RoundTripper) *mapped.Shop {
	t.Helper()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := mapped.New(mapped.Config{
		Mapping: m, Client: shopclient.Config{BaseURL: base, Transport: transport},
		Env: func(name string) (string, bool) { return "s3cret", name == "HOME_KEY" },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return shop
}

// homeFixture is that of home-made shops which change makes.
func homeFixture(change func(*homeShop), text ...func(string) string) shoptest.Fixture {
	address := home()
	address.Region = ""
	abroad := address
	abroad.Country = "FR"
	return shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			s := newHomeShop(t)
			change(s)
			m := homeMapping(t, text...)
			road, hooks := s.hooks(func(t testing.TB) upstream.Shop { return s.shopOf(t, m, nil) })
			return s.shopOf(t, m, road), hooks
		},
		Single:      shoptest.Item{Handle: "merino-scarf", SKU: "MERINO-SCARF"},
		Variant:     shoptest.Item{Handle: "fell-jacket", SKU: "FELL-JACKET-M-RED"},
		SoldVariant: shoptest.Item{SKU: "FELL-JACKET-L-RED"},
		SoldOut:     shoptest.Item{Handle: "tarn-boots"},
		Scarce:      shoptest.Item{SKU: "FELL-JACKET-S-RED"},
		Few:         3,
		Words:       "scarf",
		NoWords:     "zeppelin",
		Category:    "Outdoor/Wool",
		Codes:       shoptest.Codes{Percent: "TEN", Fixed: "TWENTY", Minimum: 15000, Expired: "OLD", FreeDelivery: "FREE", Unknown: "NOPE"},
		Buyer:       buyer(),
		Address:     address,
		Abroad:      &abroad,
		Method:      "card",
		Credential:  secret.New(`{"token":"good"}`),
		Declined:    secret.New(`{"token":"bad"}`),
		Known: &shoptest.Known{
			Lines: []shoptest.KnownLine{
				{Item: shoptest.Item{SKU: "FELL-JACKET-M-RED"}, Quantity: 1}, {Item: shoptest.Item{SKU: "MERINO-SCARF"}, Quantity: 3},
			},
			Codes: []string{"TEN", "TWENTY"}, Delivery: "Courier", Total: pounds(22785),
		},
		Lacks: map[string]string{"buyer/an e-mail address with an account": "it has no accounts"},
	}
}

func pounds(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// without takes a block out of a mapping.
func without(blocks ...string) func(string) string {
	return func(text string) string {
		for _, block := range blocks {
			text = regexp.MustCompile(`(?ms)^`+block+` \{$.*?^\}\n`).ReplaceAllString(text, "")
		}
		return text
	}
}

// replacing writes new for old, which must be there.
func replacing(t testing.TB, old, new string) func(string) string {
	return func(text string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("the mapping has no %q", old)
		}
		return strings.ReplaceAll(text, old, new)
	}
}

// and adds to a mapping.
func and(more string) func(string) string { return func(text string) string { return text + more } }

// TestHomeShop runs the suite for all adapters over a home-made shop that does all
// that can be mapped, in each way that it can be mapped in.
func TestHomeShop(t *testing.T) {
	t.Run("each thing by itself", func(t *testing.T) { shoptest.Run(t, homeFixture(func(*homeShop) {})) })
	t.Run("by cookie", func(t *testing.T) {
		shoptest.Run(t, homeFixture(func(s *homeShop) { s.cookie = true },
			without("create_basket"), and("session cookie\n"), replacing(t, "/{basket}", "/mine"), replacing(t, "\tbasket   basket\n", "")))
	})
	t.Run("begun with a line, and dropped without one", func(t *testing.T) {
		shoptest.Run(t, homeFixture(func(s *homeShop) { s.dropEmpty = true },
			replacing(t, "POST   /v1/baskets\n", "POST   /v1/baskets\n\tset    first {item}\n")))
	})
	t.Run("all lines at once", func(t *testing.T) {
		shoptest.Run(t, homeFixture(func(*homeShop) {}, without("add_line", "change_line", "remove_line"), and(`
			set_lines {
				PUT  /v1/baskets/{basket}/lines
				body `+"`"+`{"lines": []}`+"`"+`
				set  lines.#.kind  {variant.id}
				set  lines.#.count {quantity}
			}
		`)))
	})
	t.Run("quantities that cannot be changed", func(t *testing.T) {
		shoptest.Run(t, homeFixture(func(*homeShop) {}, without("change_line")))
	})
}

// clientAt is the configuration of a client for an address.
func clientAt(t testing.TB, address string) shopclient.Config {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return shopclient.Config{BaseURL: base}
}
