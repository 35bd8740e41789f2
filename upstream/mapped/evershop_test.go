package mapped_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// shopAt is the address of a shop that runs, from the environment. The test is
// skipped without it.
func shopAt(t testing.TB, variable, hint string) *url.URL {
	t.Helper()
	address := os.Getenv(variable)
	if address == "" {
		t.Skipf("%s is not set: %s", variable, hint)
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// open returns the shop of one of the examples.
func open(t testing.TB, example string, base *url.URL, transport http.RoundTripper, env map[string]string, change ...func(*mapped.Config)) *mapped.Shop {
	t.Helper()
	file := "examples/" + example
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := mapped.Parse(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	config := mapped.Config{
		Mapping: mapping,
		// The shop may share its machine with much else.
		Client: shopclient.Config{BaseURL: base, Transport: transport, Timeout: time.Minute},
		Env:    func(name string) (string, bool) { value, known := env[name]; return value, known },
	}
	for _, c := range change {
		c(&config)
	}
	shop, err := mapped.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return shop
}

// staffOfEverShop is a member of staff of the seed of testdata/evershop.
func staffOfEverShop() map[string]string {
	return map[string]string{"EVERSHOP_STAFF": "staff@example.com", "EVERSHOP_PASSWORD": "Fell-and-Ford-0"}
}

func everShop(t testing.TB) *url.URL {
	t.Helper()
	return shopAt(t, "STOREWARE_EVERSHOP_URL", "start the shop in upstream/mapped/testdata/evershop (setup.sh, start.sh) and set it to http://127.0.0.1:3103")
}

// TestEverShop runs the suite for all adapters against a real EverShop.
func TestEverShop(t *testing.T) {
	base := everShop(t)
	staff := staffAt(t, base)
	// What is sold out is to be seen, and what the suite orders is to be had.
	staff.rest(t, http.MethodPost, "api/settings", map[string]any{"catalogShowOutOfStockProduct": "true"})
	for sku, n := range map[string]int64{"NCK": 500, "CAP-BLACK": 500, "TRG-115CM": 3, "RDG-SLATE-M": 50, "SOK-M": 50, "PDL-RED-34": 50} {
		staff.setStock(t, sku, n)
	}
	// The shop allows each address 120 calls a minute, and the suite asks it what it
	// is for nobody in particular.
	nobody := netip.MustParseAddr("198.18.128.0")
	shoptest.Run(t, shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			road := &road{orders: func(r *http.Request) bool { return r.URL.Path == "/api/orders" }}
			nobody = nobody.Next()
			header := http.Header{"X-Forwarded-For": {nobody.String()}}
			shop := open(t, "evershop.map", base, road, staffOfEverShop(), func(c *mapped.Config) { c.Client.Header = header })
			return shop, staff.hooks(road)
		},
		Visit:       upstream.Visit{Agent: "shoptest", Addr: netip.MustParseAddr("198.18.0.0")},
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
		Buyer:   buyer(),
		Address: home(),
		Member:  "ada@example.com",
		Abroad:  &upstream.Address{FirstName: "Gil", LastName: "Hartley", Street: "1 Rue du Lac", City: "Annecy", PostalCode: "74000", Country: "FR"},
		Method:  "cod",
		Known:   fellAndFord(),
		Lacks: map[string]string{
			"place/ten times at once":                           "EverShop makes several orders of requests at the same moment; translate/basket sends one",
			"place/a basket that changed after it was declined": "the only payment that is seeded is cash on delivery, which nobody declines",
			"place/a payment that is declined":                  "the only payment that is seeded is cash on delivery, which nobody declines",
			"recover/what was declined":                         "the only payment that is seeded is cash on delivery, which nobody declines",
		},
	})
}

func buyer() upstream.Buyer {
	return upstream.Buyer{Email: "guest@example.com", FirstName: "Gil", LastName: "Hartley", Phone: "+441539000002"}
}

func home() upstream.Address {
	return upstream.Address{
		FirstName: "Gil", LastName: "Hartley", Street: "4 Lake Road", City: "Ambleside", Region: "Cumbria",
		PostalCode: "LA22 0AD", Country: "GB", Phone: "+441539000002",
	}
}

// fellAndFord is the basket that costs the same in every shop of that catalogue.
func fellAndFord() *shoptest.Known {
	return &shoptest.Known{
		Lines: []shoptest.KnownLine{
			{Item: shoptest.Item{SKU: "RDG-SLATE-M"}, Quantity: 1},
			{Item: shoptest.Item{SKU: "SOK-M"}, Quantity: 3},
			{Item: shoptest.Item{SKU: "PDL-RED-34"}, Quantity: 1},
		},
		Codes:    []string{"WELCOME10"},
		Delivery: "Next-day delivery",
		Total:    money.Amount{Minor: 27455, Currency: "GBP"},
	}
}

// restart returns the hook that restarts the shop in the folder it was set up in,
// nil where that is not known.
func restart() func(testing.TB) {
	folder := os.Getenv("STOREWARE_EVERSHOP_DIR")
	if folder == "" {
		return nil
	}
	return func(t testing.TB) {
		for _, script := range [][]string{{"./stop.sh"}, {"./start.sh", "--keep"}} {
			command := exec.CommandContext(t.Context(), script[0], script[1:]...)
			command.Dir = folder
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", script[0], err, out)
			}
		}
	}
}

// everStaff is the administration of an EverShop.
type everStaff struct {
	base  *url.URL
	token string
}

func staffAt(t testing.TB, base *url.URL) everStaff {
	t.Helper()
	s := everStaff{base: base}
	env := staffOfEverShop()
	s.token = s.rest(t, http.MethodPost, "api/user/tokens", map[string]any{
		"email": env["EVERSHOP_STAFF"], "password": env["EVERSHOP_PASSWORD"],
	}).Get("accessToken").String()
	return s
}

// rest makes a call of the administration and returns its data.
func (s everStaff) rest(t testing.TB, method, path string, body any) gjson.Result {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, s.base.JoinPath(path).String(), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("198.19.%d.%d", rand.IntN(250), rand.IntN(250)))
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	all := gjson.ParseBytes(answer.Bytes())
	if response.StatusCode != http.StatusOK || all.Get("errors").Exists() {
		t.Fatalf("%s %s: %d %.500s", method, path, response.StatusCode, answer.String())
	}
	return all.Get("data")
}

// query runs a GraphQL query of the administration.
func (s everStaff) query(t testing.TB, document string, variables map[string]any) gjson.Result {
	t.Helper()
	return s.rest(t, http.MethodPost, "api/admin/graphql", map[string]any{"query": document, "variables": variables})
}

// product returns the uuid, the price and the stock of an SKU.
func (s everStaff) product(t testing.TB, sku string) gjson.Result {
	t.Helper()
	const document = `query ($f: [FilterInput]) { products(filters: $f) { items { uuid sku category { categoryId } price { regular { value } } inventory { qty } } } }`
	all := s.query(t, document, map[string]any{"f": []map[string]any{{"key": "sku", "operation": "in", "value": sku}}})
	found := all.Get(`products.items.#(sku=="` + sku + `")`)
	if !found.Exists() {
		t.Fatalf("the shop has no %s", sku)
	}
	return found
}

func (s everStaff) setStock(t testing.TB, sku string, n int64) {
	t.Helper()
	s.update(t, sku, map[string]any{"qty": n})
}

func (s everStaff) setPrice(t testing.TB, sku, pounds string) {
	t.Helper()
	s.update(t, sku, map[string]any{"price": pounds})
}

// update changes a product, which loses its category if that is not repeated.
func (s everStaff) update(t testing.TB, sku string, change map[string]any) {
	t.Helper()
	product := s.product(t, sku)
	change["category_id"] = product.Get("category.categoryId").Int()
	s.rest(t, http.MethodPatch, "api/products/"+product.Get("uuid").String(), change)
}

// hooks reach behind the shop by way of its administration.
func (s everStaff) hooks(road *road) shoptest.Hooks {
	h := road.hooks()
	h.ChangePrice = func(t testing.TB, sku string, minor int64) {
		before := s.product(t, sku).Get("price.regular.value").Raw
		pounds, err := money.Amount{Minor: minor, Currency: "GBP"}.FormatDecimal()
		if err != nil {
			t.Fatal(err)
		}
		s.setPrice(t, sku, pounds)
		t.Cleanup(func() { s.setPrice(t, sku, before) })
	}
	h.SetStock = func(t testing.TB, sku string, n int64) {
		before := s.product(t, sku).Get("inventory.qty").Int()
		s.setStock(t, sku, n)
		t.Cleanup(func() { s.setStock(t, sku, before) })
	}
	h.OrderCount = func(t testing.TB) int {
		return int(s.query(t, `{ orders { total } }`, nil).Get("orders.total").Int())
	}
	// EverShop drops a cart in which nothing is left.
	h.DropBasket = func(t testing.TB, h upstream.Handle) {
		var kept struct{ Basket string }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(h.Reveal(), "mapped1 ")), &kept); err != nil {
			t.Fatal(err)
		}
		cart := s.query(t, `query ($id: String!) { cart(id: $id) { items { uuid } } }`, map[string]any{"id": kept.Basket})
		for _, item := range cart.Get("cart.items.#.uuid").Array() {
			s.rest(t, http.MethodDelete, "api/cart/"+kept.Basket+"/items/"+item.String(), nil)
		}
	}
	h.Restart = restart()
	h.Another = func(t testing.TB) upstream.Shop { return open(t, "evershop.map", s.base, nil, staffOfEverShop()) }
	return h
}
