package woocommerce_test

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The key of the REST API that shops of these tests have.
const (
	key       = "ck_1111111111111111111111111111111111111111"
	keySecret = "cs_2222222222222222222222222222222222222222"
)

// newShop returns an adapter of a shop.
func newShop(t testing.TB, shop *wootest.Shop, change ...func(*woocommerce.Config)) *woocommerce.Shop {
	t.Helper()
	base, err := url.Parse(wootest.Home)
	if err != nil {
		t.Fatal(err)
	}
	config := woocommerce.Config{Client: shopclient.Config{BaseURL: base, Transport: shop}}
	for _, c := range change {
		c(&config)
	}
	adapter, err := woocommerce.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Close)
	return adapter
}

// withKey gives an adapter the key of the REST API.
func withKey(c *woocommerce.Config) {
	c.ConsumerKey, c.ConsumerSecret = secret.New(key), secret.New(keySecret)
}

// withPayments gives an adapter the gateways of the shop that ask nothing of a
// browser, and the two that plug-ins added.
func withPayments(c *woocommerce.Config) {
	c.Payments = []woocommerce.Payment{
		{ID: "cod"}, {ID: "bacs"}, {ID: "test_card", Title: "Card", Field: "token"}, {ID: "test_redirect", Title: "Hosted page"},
	}
}

// withoutPayments leaves paying to the shop's own page.
func withoutPayments(c *woocommerce.Config) { c.Payments = []woocommerce.Payment{} }

// at sets an adapter's clock.
func at(now func() time.Time) func(*woocommerce.Config) {
	return func(c *woocommerce.Config) { c.Client.Now = now }
}

// buyer and home are complete as the shop wants them.
func buyer() upstream.Buyer {
	return upstream.Buyer{Email: "ada@example.test", FirstName: "Ada", LastName: "Byron", Phone: "+442079460000"}
}

func home() *upstream.Address {
	return &upstream.Address{
		FirstName: "Ada", LastName: "Byron", Street: "1 St James's Square", City: "London", PostalCode: "SW1Y 4LB", Country: "GB",
	}
}

// wanted is a basket of a number of one thing.
func wanted(item string, quantity int64) upstream.Desired {
	return upstream.Desired{Lines: []upstream.DesiredLine{{Key: "l1", Item: item, Quantity: quantity}}}
}

// complete adds all that the shop wants before it takes an order.
func complete(d upstream.Desired) upstream.Desired {
	d.Buyer, d.Address, d.Delivery = buyer(), home(), "flat_rate:1"
	return d
}

// apply makes a basket.
func apply(t testing.TB, shop upstream.Shop, h upstream.Handle, d upstream.Desired) upstream.Applied {
	t.Helper()
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, h, d)
	if err != nil {
		t.Fatal(err)
	}
	shoptest.CheckObserved(t, applied.Observed)
	return applied
}

// kept reads what an adapter keeps of a basket.
func kept(t testing.TB, h upstream.Handle) (token string, drafts int) {
	t.Helper()
	var of struct {
		Token  string
		Drafts []json.RawMessage
	}
	if err := json.Unmarshal([]byte(h.Reveal()), &of); err != nil {
		t.Fatal(err)
	}
	return of.Token, len(of.Drafts)
}

// code fails the test unless an error has the code.
func code(t testing.TB, err error, want upstream.Code) {
	t.Helper()
	if got := upstream.CodeOf(err); got != want {
		t.Fatalf("got %q (%v), want %q", got, err, want)
	}
}
