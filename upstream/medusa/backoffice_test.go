package medusa_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/medusa"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// shopURL is where the shop of testdata/shop runs, and shopKey its publishable key.
// The test is skipped without them.
func shopURL(t testing.TB) *url.URL {
	t.Helper()
	address := os.Getenv("STOREWARE_MEDUSA_URL")
	if address == "" {
		t.Skip("STOREWARE_MEDUSA_URL is not set: start the shop in upstream/medusa/testdata/shop (setup.sh, start.sh) and set it to http://127.0.0.1:3102")
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// shopKey is the shop's publishable key, which its set-up wrote down.
func shopKey(t testing.TB) secret.String {
	t.Helper()
	if key := os.Getenv("STOREWARE_MEDUSA_KEY"); key != "" {
		return secret.New(key)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "shop", "data", "shop.json"))
	if err != nil {
		t.Skipf("STOREWARE_MEDUSA_KEY is not set, and the shop's set-up has not written its key down: %v", err)
	}
	return secret.New(gjson.GetBytes(text, "publishableKey").String())
}

// storeCall reads something of the shop's Store API, as any other page would.
func storeCall(t testing.TB, shop *url.URL, key secret.String, path string) gjson.Result {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, shop.JoinPath("store", path).String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-publishable-api-key", key.Reveal())
	return answered(t, request)
}

// answered sends a request and returns its answer.
func answered(t testing.TB, request *http.Request) gjson.Result {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %s", request.Method, request.URL.Path, response.StatusCode, answer)
	}
	return gjson.ParseBytes(answer)
}

// newShop returns an adapter for a shop, with its requests going through
// transport unless that is nil.
func newShop(t testing.TB, base *url.URL, key secret.String, transport http.RoundTripper, change ...func(*medusa.Config)) *medusa.Shop {
	t.Helper()
	config := medusa.Config{
		// The shop may share its machine with much else.
		Client: shopclient.Config{BaseURL: base, Transport: transport, Timeout: time.Minute},
		Key:    key, Name: "Fell & Ford", Facts: []string{"brand", "audience", "features", "activities"},
	}
	for _, c := range change {
		c(&config)
	}
	shop, err := medusa.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	return shop
}

// backOffice is the shop's administration.
type backOffice struct {
	base  *url.URL
	token string
}

// login signs a member of staff of the shop's seed in.
func login(t testing.TB, shop *url.URL) backOffice {
	t.Helper()
	b := backOffice{base: shop}
	answer := b.call(t, http.MethodPost, "auth/user/emailpass", map[string]any{
		"email": "staff@example.com", "password": "Fell-and-Ford-0",
	})
	b.token = answer.Get("token").String()
	return b
}

// call makes a call of the shop's Admin API.
func (b backOffice) call(t testing.TB, method, path string, body any) gjson.Result {
	t.Helper()
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			t.Fatal(err)
		}
	}
	address, err := b.base.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address.String(), &text)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+b.token)
	return answered(t, request)
}

// stock is an inventory level of the shop's one warehouse.
type stock struct {
	item, location    string
	stocked, reserved int64
}

// variant returns the product, the id and the stock of an SKU.
func (b backOffice) variant(t testing.TB, sku string) (product, id string, s stock) {
	t.Helper()
	variant := b.call(t, http.MethodGet, "admin/product-variants?fields=id,product_id&sku="+url.QueryEscape(sku), nil).Get("variants.0")
	item := b.call(t, http.MethodGet, "admin/inventory-items?fields=id,*location_levels&sku="+url.QueryEscape(sku), nil).Get("inventory_items.0")
	level := item.Get("location_levels.0")
	if !variant.Exists() || !level.Exists() {
		t.Fatalf("the shop has no %s", sku)
	}
	return variant.Get("product_id").String(), variant.Get("id").String(), stock{
		item: item.Get("id").String(), location: level.Get("location_id").String(),
		stocked: level.Get("stocked_quantity").Int(), reserved: level.Get("reserved_quantity").Int(),
	}
}

// setStock makes n of an SKU available.
func (b backOffice) setStock(t testing.TB, sku string, n int64) {
	t.Helper()
	_, _, s := b.variant(t, sku)
	b.call(t, http.MethodPost, "admin/inventory-items/"+s.item+"/location-levels/"+s.location,
		map[string]any{"stocked_quantity": n + s.reserved})
}

// fill fills the shelves with what the tests order.
func (b backOffice) fill(t testing.TB) {
	t.Helper()
	for _, sku := range []string{"NCK", "CAP-BLACK", "SOK-M", "RDG-SLATE-M", "PDL-RED-34"} {
		b.setStock(t, sku, 500)
	}
}

// prices returns where the prices of an SKU are kept, and what they are.
func (b backOffice) prices(t testing.TB, sku string) (path string, prices []gjson.Result) {
	t.Helper()
	product, id, _ := b.variant(t, sku)
	path = "admin/products/" + product + "/variants/" + id
	return path, b.call(t, http.MethodGet, path+"?fields=id,*prices", nil).Get("variant.prices").Array()
}

// setPrice sets what an SKU costs in pounds, and returns what it cost.
func (b backOffice) setPrice(t testing.TB, sku string, pounds json.Number) (before json.Number) {
	t.Helper()
	path, prices := b.prices(t, sku)
	var after []map[string]any
	for _, price := range prices {
		amount := json.Number(price.Get("amount").Raw)
		if price.Get("currency_code").String() == "gbp" {
			before, amount = amount, pounds
		}
		after = append(after, map[string]any{
			"id": price.Get("id").String(), "currency_code": price.Get("currency_code").String(), "amount": amount,
		})
	}
	b.call(t, http.MethodPost, path, map[string]any{"prices": after})
	return before
}

// orders counts the shop's orders.
func (b backOffice) orders(t testing.TB) int {
	t.Helper()
	return int(b.call(t, http.MethodGet, "admin/orders?fields=id&limit=1", nil).Get("count").Int())
}

// dropCart makes the shop forget a cart.
func (b backOffice) dropCart(t testing.TB, id string) {
	t.Helper()
	b.call(t, http.MethodDelete, "admin/carts/"+id, nil)
}

// outlive returns t for use in a Cleanup, when its context has ended.
func outlive(t testing.TB) testing.TB { return lasting{t} }

type lasting struct{ testing.TB }

// Context returns a context that does not end with the test.
func (l lasting) Context() context.Context { return context.WithoutCancel(l.TB.Context()) }

// giveAway sees that there is a code that makes all goods free.
func (b backOffice) giveAway(t testing.TB, code string) {
	t.Helper()
	if b.call(t, http.MethodGet, "admin/promotions?fields=id&code="+code, nil).Get("count").Int() > 0 {
		return
	}
	b.call(t, http.MethodPost, "admin/promotions", map[string]any{
		"code": code, "type": "standard", "status": "active", "is_automatic": false, "application_method": map[string]any{
			"type": "percentage", "target_type": "items", "allocation": "across", "value": 100, "currency_code": "gbp",
		},
	})
}

// fulfil takes an order all its way: paid, packed, sent and delivered. A pair of
// socks comes back, and £10 go back.
func (b backOffice) fulfil(t testing.TB, order string) {
	t.Helper()
	path := "admin/orders/" + order
	before := b.call(t, http.MethodGet, path+"?fields=*items,*payment_collections.payments,*shipping_methods", nil).Get("order")
	payment := before.Get("payment_collections.0.payments.0.id").String()
	b.call(t, http.MethodPost, "admin/payments/"+payment+"/capture", map[string]any{})
	var items []map[string]any
	for _, item := range before.Get("items").Array() {
		items = append(items, map[string]any{"id": item.Get("id").String(), "quantity": item.Get("quantity").Int()})
	}
	packed := b.call(t, http.MethodPost, path+"/fulfillments?fields=*fulfillments", map[string]any{"items": items})
	parcel := path + "/fulfillments/" + packed.Get("order.fulfillments.0.id").String()
	b.call(t, http.MethodPost, parcel+"/shipments", map[string]any{"items": items, "labels": []map[string]any{{
		"tracking_number": "RP123456789GB", "tracking_url": "http://127.0.0.1/track/RP123456789GB", "label_url": "#",
	}}})
	b.call(t, http.MethodPost, parcel+"/mark-as-delivered", map[string]any{})
	b.takeBack(t, order, before.Get(`items.#(variant_sku=="SOK-M").id`).String())
	b.call(t, http.MethodPost, "admin/payments/"+payment+"/refund", map[string]any{"amount": 10})
}

// takeBack returns one of an item to the shop.
func (b backOffice) takeBack(t testing.TB, order, item string) {
	t.Helper()
	one := []map[string]any{{"id": item, "quantity": 1}}
	warehouse := b.call(t, http.MethodGet, "admin/stock-locations?fields=id", nil).Get("stock_locations.0.id").String()
	begun := b.call(t, http.MethodPost, "admin/returns", map[string]any{"order_id": order, "location_id": warehouse})
	path := "admin/returns/" + begun.Get("return.id").String()
	b.call(t, http.MethodPost, path+"/request-items", map[string]any{"items": one})
	b.call(t, http.MethodPost, path+"/request", map[string]any{})
	b.call(t, http.MethodPost, path+"/receive", map[string]any{})
	b.call(t, http.MethodPost, path+"/receive-items", map[string]any{"items": one})
	b.call(t, http.MethodPost, path+"/receive/confirm", map[string]any{})
}
