package medusa_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// long is a shop with so many products, none of which was changed lately.
type long struct {
	products int
	asked    []url.Values
}

// RoundTrip implements http.RoundTripper.
func (l *long) RoundTrip(r *http.Request) (*http.Response, error) {
	switch strings.TrimPrefix(r.URL.Path, "/store") {
	case "/regions":
		return respond(r, 200, "application/json", `{"regions":[{"id":"reg_1","currency_code":"gbp","countries":[{"iso_2":"gb"}]}]}`), nil
	case "/product-categories":
		return respond(r, 200, "application/json", `{"product_categories":[]}`), nil
	case "/products":
	default:
		return respond(r, 404, "application/json", `{"type":"not_found"}`), nil
	}
	query := r.URL.Query()
	if !query.Has("offset") { // The adapter asks how the shop writes prices.
		return respond(r, 200, "application/json", `{"count":0,"products":[]}`), nil
	}
	l.asked = append(l.asked, query)
	skip, err := strconv.Atoi(query.Get("offset"))
	if err != nil {
		return nil, err
	}
	count := l.products
	if query.Has("updated_at[$gte]") {
		count = 0
	}
	var products []string
	for i := skip; i < min(skip+100, count); i++ {
		price := `"calculated_price":{"calculated_amount":10,"currency_code":"gbp","is_calculated_price_tax_inclusive":true}`
		if i == 7 {
			price = `"calculated_price":null` // It is not sold in this region.
		}
		products = append(products, fmt.Sprintf(`{"id":"prod_%03d","title":"Hat","variants":[{"id":"variant_%d",%s}]}`, i, i, price))
	}
	return respond(r, 200, "application/json", fmt.Sprintf(`{"count":%d,"products":[%s]}`, count, strings.Join(products, ","))), nil
}

func TestWalk(t *testing.T) {
	l := &long{products: 250}
	shop := newShop(t, &url.URL{Scheme: "http", Host: "shop.example"}, secret.New("pk_1"), l)
	seen := map[string]bool{}
	var walked upstream.Walked
	var err error
	for pages := 0; pages == 0 || walked.More && pages < 10; pages++ {
		if walked, err = shop.Walk(t.Context(), upstream.Visit{}, walked.Next); err != nil {
			t.Fatal(err)
		}
		for _, p := range walked.Products {
			seen[p.ID] = true
		}
	}
	if len(seen) != 249 || seen["prod_007"] || !walked.Whole || len(l.asked) != 3 {
		t.Errorf("%d products are seen in %d requests, whole: %v", len(seen), len(l.asked), walked.Whole)
	}
	for _, query := range l.asked {
		if strings.Contains(query.Get("fields"), "inventory_quantity") || query.Has("updated_at[$gte]") || query.Get("order") != "id" {
			t.Errorf("asked for %v", query)
		}
	}
	walked, err = shop.Walk(t.Context(), upstream.Visit{}, walked.Next)
	if err != nil || len(walked.Products) != 0 || walked.More || walked.Whole || !l.asked[3].Has("updated_at[$gte]") {
		t.Errorf("later: %+v, %v", walked, err)
	}
}
