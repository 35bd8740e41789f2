package shopify_test

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shopify"
	"github.com/storeware/caddy-storeware/upstream/shopify/fakeshop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// version is the one that these tests run in.
const version = "2026-07"

// modules is where Node modules are installed, empty where they are not.
func modules() string { return os.Getenv("STOREWARE_NODE_MODULES") }

// unvalidated is what tests say aloud without Shopify's schema.
const unvalidated = "SKIPPED: documents are NOT VALIDATED against Shopify's schema. Set STOREWARE_NODE_MODULES to Node modules with @shopify/dev-mcp."

// schema loads one of Shopify's schemas, nil where there is none.
func schema(t testing.TB, api, version string) *ast.Schema {
	t.Helper()
	if modules() == "" {
		return nil
	}
	loaded, err := fakeshop.LoadSchema(modules(), api, version)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// storefront is the schema that nearly all tests want. Nobody changes it.
var storefront = sync.OnceValues(func() (*ast.Schema, error) {
	return fakeshop.LoadSchema(modules(), fakeshop.Storefront, version)
})

// TestDocumentsAreValidated is skipped where they are not.
func TestDocumentsAreValidated(t *testing.T) {
	if modules() == "" {
		t.Skip(unvalidated)
	}
	schema(t, fakeshop.Storefront, version)
	schema(t, fakeshop.Admin, version)
}

// house is a fake shop with the way to it.
type house struct {
	*fakeshop.Shop
	road *road
	// refused counts documents and variables that Shopify would refuse.
	refused *atomic.Int64
}

// newHouse opens a shop. Whatever Shopify would refuse fails the test.
func newHouse(t testing.TB, options fakeshop.Options) house {
	t.Helper()
	if options.Storefront == nil && modules() != "" {
		var err error
		if options.Storefront, err = storefront(); err != nil {
			t.Fatal(err)
		}
	}
	h := house{refused: new(atomic.Int64)}
	options.Refused = func(err error) { h.refused.Add(1) }
	h.Shop = fakeshop.New(options)
	h.road = &road{to: h.Shop}
	t.Cleanup(func() {
		if n := h.refused.Load(); n > 0 {
			t.Errorf("Shopify would have refused %d requests", n)
		}
	})
	return h
}

// adapter returns an adapter of the shop.
func (h house) adapter(t testing.TB, changes ...func(*shopify.Config)) *shopify.Shop {
	t.Helper()
	config := shopify.Config{
		Client:       shopclient.Config{BaseURL: &url.URL{Scheme: "https", Host: "fell-and-ford.myshopify.example"}, Transport: h.road},
		PrivateToken: secret.New(fakeshop.PrivateToken),
	}
	for _, change := range changes {
		change(&config)
	}
	shop, err := shopify.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return shop
}

// withOrders gives an adapter the token for orders.
func withOrders(c *shopify.Config) { c.AdminToken = secret.New(fakeshop.AdminToken) }

// road is the way to a shop in the same process.
type road struct {
	to     http.Handler
	closed atomic.Bool
	// watch is shown every request, nil for nobody.
	watch func(*http.Request)
}

// RoundTrip implements http.RoundTripper.
func (r *road) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.watch != nil {
		r.watch(request)
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	if r.closed.Load() {
		return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	}
	answer := httptest.NewRecorder()
	r.to.ServeHTTP(answer, request)
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	return answer.Result(), nil
}

// agent is on whose behalf the tests call.
var agent = upstream.Visit{Agent: "test agent", Addr: netip.MustParseAddr("192.0.2.1")}

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// cartOf is the id of the cart that a handle holds.
func cartOf(t testing.TB, h upstream.Handle) string {
	t.Helper()
	var kept struct{ Cart string }
	if err := json.Unmarshal([]byte(h.Reveal()), &kept); err != nil {
		t.Fatal(err)
	}
	return kept.Cart
}

// item is the id of the variant with an SKU.
func item(t testing.TB, shop upstream.Shop, sku string) string {
	t.Helper()
	matches, err := shop.Lookup(t.Context(), agent, []string{sku})
	if err != nil || len(matches) != 1 {
		t.Fatalf("Lookup(%q): %v, %v", sku, matches, err)
	}
	return matches[0].Inputs[0].Variant
}

// wants is a basket with one of each SKU, keyed by it.
func wants(t testing.TB, shop upstream.Shop, skus ...string) upstream.Desired {
	t.Helper()
	var d upstream.Desired
	for _, sku := range skus {
		d.Lines = append(d.Lines, upstream.DesiredLine{Key: sku, Item: item(t, shop, sku), Quantity: 1})
	}
	return d
}

func apply(t testing.TB, shop upstream.Shop, h upstream.Handle, d upstream.Desired) upstream.Applied {
	t.Helper()
	applied, err := shop.Apply(t.Context(), agent, h, d)
	if err != nil {
		t.Fatal(err)
	}
	return applied
}

// fails fails unless err has the code and does not quote the shop.
func fails(t testing.TB, err error, code upstream.Code) {
	t.Helper()
	if upstream.CodeOf(err) != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if strings.Contains(err.Error(), spoken) {
		t.Errorf("the error quotes the shop: %v", err)
	}
}

// spoken is something that a shop must not be quoted with.
const spoken = "Fatal error in /var/www/secret.rb"
