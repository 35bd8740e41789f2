package medusa_test

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// method is the payment provider of testdata/shop/src/modules/test-card.
const method = "pp_test-card_test"

// TestShop runs the suite for all adapters against the real shop.
func TestShop(t *testing.T) {
	base, key := shopURL(t), shopKey(t)
	staff := login(t, base)
	staff.fill(t)
	shoptest.Run(t, shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			road := &road{}
			return newShop(t, base, key, road), hooks(base, key, staff, road)
		},
		Visit:       upstream.Visit{Agent: "shoptest"},
		Single:      shoptest.Item{Handle: "merino-neck-gaiter", SKU: "NCK"},
		Variant:     shoptest.Item{Handle: "sunpath-cap", SKU: "CAP-BLACK"},
		SoldVariant: shoptest.Item{Handle: "ridge-3l-waterproof-jacket", SKU: "RDG-SLATE-L"},
		SoldOut:     shoptest.Item{Handle: "beck-approach-shoes", SKU: "BCK-6"},
		Scarce:      shoptest.Item{Handle: "trig-carbon-poles", SKU: "TRG-115CM"},
		Few:         3,
		Words:       "merino",
		NoWords:     "zeppelin",
		Category:    "Accessories",
		Codes: shoptest.Codes{
			Percent: "WELCOME10", Fixed: "TRAIL20", Minimum: 15000, Expired: "SUMMER24", FreeDelivery: "FREESHIP", Unknown: "NOPE",
			Vague: true,
		},
		Buyer: upstream.Buyer{Email: "guest@example.com", FirstName: "Gil", LastName: "Hartley", Phone: "+441539000002"},
		Address: upstream.Address{
			FirstName: "Gil", LastName: "Hartley", Street: "4 Lake Road", City: "Ambleside", Region: "Cumbria",
			PostalCode: "LA22 0AD", Country: "GB", Phone: "+441539000002",
		},
		Member:     "ada@example.com",
		Abroad:     &upstream.Address{FirstName: "Gil", LastName: "Hartley", Street: "1 Rue du Lac", City: "Annecy", PostalCode: "74000", Country: "FR"},
		Method:     method,
		Credential: secret.New(`{"outcome":"paid"}`),
		Declined:   secret.New(`{"outcome":"declined"}`),
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
	})
}

// hooks reach behind the shop by way of its administration.
func hooks(base *url.URL, key secret.String, staff backOffice, road *road) shoptest.Hooks {
	return shoptest.Hooks{
		ChangePrice: func(t testing.TB, sku string, minor int64) {
			amount, err := money.Amount{Minor: minor, Currency: "GBP"}.FormatDecimal()
			if err != nil {
				t.Fatal(err)
			}
			before := staff.setPrice(t, sku, json.Number(amount))
			t.Cleanup(func() { staff.setPrice(outlive(t), sku, before) })
		},
		SetStock: func(t testing.TB, sku string, n int64) {
			_, _, before := staff.variant(t, sku)
			staff.setStock(t, sku, n)
			t.Cleanup(func() { staff.setStock(outlive(t), sku, before.stocked-before.reserved) })
		},
		OrderCount:      func(t testing.TB) int { return staff.orders(t) },
		DropBasket:      func(t testing.TB, h upstream.Handle) { staff.dropCart(t, cartOf(t, h)) },
		LoseNextAnswer:  func(testing.TB) { road.loseAnswer.Store(true) },
		LoseNextRequest: func(testing.TB) { road.loseRequest.Store(true) },
		GoAway: func(testing.TB) func() {
			road.closed.Store(true)
			return func() { road.closed.Store(false) }
		},
		Another: func(t testing.TB) upstream.Shop { return newShop(t, base, key, nil) },
		Restart: restart(),
	}
}

// restart stops the shop and starts it again, if the test is told in which folder
// it was set up.
func restart() func(testing.TB) {
	folder := os.Getenv("STOREWARE_MEDUSA_FOLDER")
	if folder == "" {
		return nil
	}
	return func(t testing.TB) {
		for _, script := range [][]string{{"./stop.sh"}, {"./start.sh", "--keep"}} {
			c := exec.CommandContext(t.Context(), script[0], script[1:]...)
			c.Dir = folder
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", script[0], err, out)
			}
		}
	}
}

// cartOf returns the id of the cart behind a handle.
func cartOf(t testing.TB, h upstream.Handle) string {
	t.Helper()
	var kept struct{ Cart string }
	if err := json.Unmarshal([]byte(h.Reveal()), &kept); err != nil {
		t.Fatal(err)
	}
	return kept.Cart
}

// road is the way to the shop, on which things get lost.
type road struct {
	closed, loseAnswer, loseRequest atomic.Bool
}

// RoundTrip implements http.RoundTripper.
func (r *road) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.closed.Load() {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	}
	orders := strings.HasSuffix(request.URL.Path, "/complete")
	if orders && r.loseRequest.CompareAndSwap(true, false) {
		return nil, errors.New("connection reset")
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if orders && err == nil && r.loseAnswer.CompareAndSwap(true, false) {
		response.Body.Close()
		return nil, errors.New("connection reset")
	}
	return response, err
}
