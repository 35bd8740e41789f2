package vendure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// The credentials of the shop in testdata/shop, on loopback only.
const staff = "superadmin"

// patience is for a shop that shares two processors with its own search index.
const patience = time.Minute

// shopURL is where the shop of testdata/shop runs. The test is skipped without it.
func shopURL(t testing.TB) *url.URL {
	t.Helper()
	address := os.Getenv("STOREWARE_VENDURE_URL")
	if address == "" {
		t.Skip("STOREWARE_VENDURE_URL is not set: start the shop in upstream/vendure/testdata/shop (setup.sh, start.sh) and set it to http://127.0.0.1:3101")
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// newShop returns an adapter for a shop, with its requests going through
// transport unless that is nil.
func newShop(t testing.TB, base *url.URL, transport http.RoundTripper, change ...func(*vendure.Config)) *vendure.Shop {
	t.Helper()
	config := vendure.Config{Client: shopclient.Config{BaseURL: base, Transport: transport, Timeout: patience}}
	for _, c := range change {
		c(&config)
	}
	shop, err := vendure.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return shop
}

// graphQL runs an operation of one of the shop's two APIs, as anybody else would.
func graphQL(t testing.TB, address *url.URL, header http.Header, document string, variables map[string]any) (gjson.Result, http.Header) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address.String(), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	if request.Header == nil {
		request.Header = make(http.Header)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	result := gjson.ParseBytes(answer.Bytes())
	if result.Get("errors").Exists() {
		t.Fatalf("%s: %s", document, result.Get("errors").Raw)
	}
	return result.Get("data"), response.Header
}

// backOffice is the shop's administration.
type backOffice struct {
	shop    *url.URL // the Shop API
	address *url.URL // the Admin API
	header  http.Header
}

// login signs staff in.
func login(t testing.TB, shop *url.URL) backOffice {
	t.Helper()
	b := backOffice{shop: shop.JoinPath("/", "shop-api"), address: shop.JoinPath("/", "admin-api")}
	data, header := graphQL(t, b.address, nil,
		`mutation($name: String!, $password: String!) { login(username: $name, password: $password) { __typename } }`,
		map[string]any{"name": staff, "password": staff})
	if data.Get("login.__typename").String() != "CurrentUser" {
		t.Fatalf("signing in: %s", data.Raw)
	}
	b.header = http.Header{"Authorization": {"Bearer " + header.Get("vendure-auth-token")}}
	return b
}

func (b backOffice) run(t testing.TB, document string, variables map[string]any) gjson.Result {
	t.Helper()
	data, _ := graphQL(t, b.address, b.header, document, variables)
	return data
}

// variant returns the id, the price and the stock of an SKU.
func (b backOffice) variant(t testing.TB, sku string) (id string, price, stock int64) {
	t.Helper()
	found := b.run(t, `query($sku: String!) {
		productVariants(options: { filter: { sku: { eq: $sku } } }) { items { id priceWithTax stockLevels { stockOnHand stockAllocated } } }
	}`, map[string]any{"sku": sku}).Get("productVariants.items.0")
	if !found.Exists() {
		t.Fatalf("the shop has no %s", sku)
	}
	level := found.Get("stockLevels.0")
	return found.Get("id").String(), found.Get("priceWithTax").Int(), level.Get("stockOnHand").Int() - level.Get("stockAllocated").Int()
}

// setStock makes n of an SKU available.
func (b backOffice) setStock(t testing.TB, sku string, n int64) {
	t.Helper()
	found := b.run(t, `query($sku: String!) {
		productVariants(options: { filter: { sku: { eq: $sku } } }) { items { id stockLevels { stockAllocated } } }
	}`, map[string]any{"sku": sku}).Get("productVariants.items.0")
	onHand := n + found.Get("stockLevels.0.stockAllocated").Int()
	b.run(t, `mutation($id: ID!, $n: Int!) { updateProductVariants(input: [{ id: $id, stockOnHand: $n }]) { id } }`,
		map[string]any{"id": found.Get("id").String(), "n": onHand})
}

// setPrice sets what an SKU costs with tax.
func (b backOffice) setPrice(t testing.TB, sku string, minor int64) {
	t.Helper()
	id, _, _ := b.variant(t, sku)
	b.run(t, `mutation($id: ID!, $price: Money!) { updateProductVariants(input: [{ id: $id, price: $price }]) { id } }`,
		map[string]any{"id": id, "price": minor})
}

// orders counts the orders that were placed.
func (b backOffice) orders(t testing.TB) int {
	t.Helper()
	return int(b.run(t, `{ orders(options: { take: 1, filter: { orderPlacedAt: { isNull: false } } }) { totalItems } }`, nil).
		Get("orders.totalItems").Int())
}

// newKey makes an API key for a role.
func (b backOffice) newKey(t testing.TB) string {
	t.Helper()
	role := b.run(t, `mutation($code: String!) {
		createRole(input: { code: $code, description: "reads orders", permissions: [ReadOrder] }) { id }
	}`, map[string]any{"code": t.Name()}).Get("createRole.id").String()
	return b.run(t, `mutation($role: ID!) {
		createApiKey(input: { roleIds: [$role], translations: [{ languageCode: en, name: "storeware" }] }) { apiKey }
	}`, map[string]any{"role": role}).Get("createApiKey.apiKey").String()
}

// outlive returns t for use in a Cleanup, when its context has ended.
func outlive(t testing.TB) testing.TB { return lasting{t} }

type lasting struct{ testing.TB }

// Context returns a context that does not end with the test.
func (l lasting) Context() context.Context { return context.WithoutCancel(l.TB.Context()) }

// checkMarks fails unless an order says who placed it.
func (b backOffice) checkMarks(t testing.TB, code string) {
	t.Helper()
	order := b.run(t, `query($code: String!) {
		orders(options: { filter: { code: { eq: $code } } }) { items { customFields { storewareAgent storewareAttempt } payments { state metadata } } }
	}`, map[string]any{"code": code}).Get("orders.items.0")
	for path, want := range map[string]string{
		"customFields.storewareAgent":         "Marvin",
		"customFields.storewareAttempt":       "attempt-1",
		"payments.0.metadata.storeware.agent": "Marvin",
		"payments.0.metadata.reference":       "agent-order-1",
	} {
		if got := order.Get(path).String(); got != want {
			t.Errorf("the order's %s is %q, want %q", path, got, want)
		}
	}
}

// lock locks a basket as Place does before it pays.
func (s *stage) lock(h upstream.Handle) {
	s.Helper()
	s.behind(func(b backOffice) {
		var kept struct{ Session struct{ Token string } }
		if err := json.Unmarshal([]byte(h.Reveal()), &kept); err != nil {
			s.Fatal(err)
		}
		data, _ := graphQL(s, b.shop, http.Header{"Authorization": {"Bearer " + kept.Session.Token}},
			`mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }`, nil)
		if got := data.Get("transitionOrderToState.__typename").String(); got != "Order" {
			s.Fatalf("locking the basket: %s", got)
		}
	})
}

// moveOn sends the jacket of an order, cancels one pair of socks and pays it back.
func (b backOffice) moveOn(t testing.TB, code string) {
	t.Helper()
	order := b.run(t, `query($code: String!) {
		orders(options: { filter: { code: { eq: $code } } }) {
			items { id lines { id productVariant { sku } } payments { id state } }
		}
	}`, map[string]any{"code": code}).Get("orders.items.0")
	line := func(sku string) []any {
		id := order.Get(`lines.#(productVariant.sku=="` + sku + `").id`).String()
		return []any{map[string]any{"orderLineId": id, "quantity": 1}}
	}
	parcel := b.run(t, `mutation($lines: [OrderLineInput!]!) {
		addFulfillmentToOrder(input: { lines: $lines, handler: { code: "manual-fulfillment", arguments: [
			{ name: "method", value: "Royal Post" }, { name: "trackingCode", value: "RP123456789GB" }
		] } }) { ... on Fulfillment { id } }
	}`, map[string]any{"lines": line("RDG-SLATE-M")}).Get("addFulfillmentToOrder.id").String()
	b.run(t, `mutation($id: ID!) { transitionFulfillmentToState(id: $id, state: "Shipped") { __typename } }`, map[string]any{"id": parcel})
	b.run(t, `mutation($order: ID!, $lines: [OrderLineInput!]) {
		cancelOrder(input: { orderId: $order, lines: $lines, reason: "too small" }) { __typename }
	}`, map[string]any{"order": order.Get("id").String(), "lines": line("SOK-M")})
	refund := b.run(t, `mutation($payment: ID!, $lines: [OrderLineInput!]) {
		refundOrder(input: { lines: $lines, reason: "too small", shipping: 0, adjustment: 0, paymentId: $payment, amount: 1980 }) { ... on Refund { id } }
	}`, map[string]any{"payment": order.Get(`payments.#(state=="Settled").id`).String(), "lines": line("SOK-M")}).Get("refundOrder.id").String()
	b.run(t, `mutation($id: ID!) { settleRefund(input: { id: $id, transactionId: "refund-1" }) { __typename } }`, map[string]any{"id": refund})
}
