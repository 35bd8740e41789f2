package vendure_test

import (
	"encoding/json"
	"errors"
	"io"
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

// TestShop runs the suite for all adapters against the real shop.
func TestShop(t *testing.T) {
	base := shopURL(t)
	staff := login(t, base)
	for _, sku := range []string{"NCK", "CAP-BLACK"} {
		staff.setStock(t, sku, 500) // The suite orders them.
	}
	staff.setStock(t, "TRG-115CM", 3)
	shoptest.Run(t, shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			road := &road{}
			return newShop(t, base, road), hooks(base, staff, road)
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
		},
		Buyer: upstream.Buyer{Email: "guest@example.com", FirstName: "Gil", LastName: "Hartley", Phone: "+441539000002"},
		Address: upstream.Address{
			FirstName: "Gil", LastName: "Hartley", Street: "4 Lake Road", City: "Ambleside", Region: "Cumbria",
			PostalCode: "LA22 0AD", Country: "GB", Phone: "+441539000002",
		},
		Member:     "ada@example.com",
		Abroad:     &upstream.Address{FirstName: "Gil", LastName: "Hartley", Street: "1 Rue du Lac", City: "Annecy", PostalCode: "74000", Country: "FR"},
		Method:     "test-card",
		Credential: secret.New(`{"reference":"shoptest"}`),
		Declined:   secret.New(`{"shouldDecline":true}`),
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
func hooks(base *url.URL, staff backOffice, road *road) shoptest.Hooks {
	return shoptest.Hooks{
		Restart: restart(),
		ChangePrice: func(t testing.TB, sku string, minor int64) {
			_, before, _ := staff.variant(t, sku)
			staff.setPrice(t, sku, minor)
			t.Cleanup(func() { staff.setPrice(outlive(t), sku, before) })
		},
		SetStock: func(t testing.TB, sku string, n int64) {
			_, _, before := staff.variant(t, sku)
			staff.setStock(t, sku, n)
			t.Cleanup(func() { staff.setStock(outlive(t), sku, before) })
		},
		OrderCount: func(t testing.TB) int { return staff.orders(t) },
		DropBasket: func(t testing.TB, h upstream.Handle) {
			var kept struct{ Session struct{ Token string } }
			if err := json.Unmarshal([]byte(h.Reveal()), &kept); err != nil {
				t.Fatal(err)
			}
			graphQL(t, base.JoinPath("/", "shop-api"), http.Header{"Authorization": {"Bearer " + kept.Session.Token}},
				`mutation { transitionOrderToState(state: "Cancelled") { __typename } }`, nil)
		},
		LoseNextAnswer:  func(testing.TB) { road.loseAnswer.Store(true) },
		LoseNextRequest: func(testing.TB) { road.loseRequest.Store(true) },
		GoAway: func(testing.TB) func() {
			road.closed.Store(true)
			return func() { road.closed.Store(false) }
		},
		Another: func(t testing.TB) upstream.Shop { return newShop(t, base, nil) },
	}
}

// restart returns the hook that restarts the shop, nil unless it is told in which
// folder it was set up.
func restart() func(testing.TB) {
	dir := os.Getenv("STOREWARE_VENDURE_DIR")
	if dir == "" {
		return nil
	}
	return func(t testing.TB) {
		t.Helper()
		for _, command := range [][]string{{"./stop.sh"}, {"./start.sh", "--keep"}} {
			run := exec.CommandContext(t.Context(), command[0], command[1:]...)
			run.Dir = dir
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command[0], err, out)
			}
		}
	}
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
	body, err := request.GetBody()
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	pays := strings.Contains(string(text), "addPaymentToOrder")
	if pays && r.loseRequest.CompareAndSwap(true, false) {
		return nil, errors.New("connection reset")
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if pays && err == nil && r.loseAnswer.CompareAndSwap(true, false) {
		response.Body.Close()
		return nil, errors.New("connection reset")
	}
	return response, err
}
