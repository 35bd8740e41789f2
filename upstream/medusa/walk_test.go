package medusa_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
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

// TestWalkOfChanges: at the real shop, a walk that goes on shows what was changed
// since, as the shop's administration knows it, and nothing else.
func TestWalkOfChanges(t *testing.T) {
	base, key := shopURL(t), shopKey(t)
	staff := login(t, base)
	// The walk looks five minutes further back, for clocks that differ. Ahead of the
	// shop by that much, it does not see what other tests have changed.
	const ahead = 5 * time.Minute
	began := time.Now().Truncate(time.Second).Add(time.Second)
	shop := newShop(t, base, key, nil, func(c *medusa.Config) { c.Client.Now = func() time.Time { return began.Add(ahead) } })
	all, next := walkOn(t, shop, "")
	if len(all) < 10 {
		t.Fatalf("the shop has %d products", len(all))
	}
	if changed, _ := walkOn(t, shop, next); len(changed) > 0 {
		t.Fatalf("nothing was changed, and these are shown: %v", changed)
	}
	<-time.After(time.Until(began)) // The shop is asked in whole seconds.

	product, _, _ := staff.variant(t, "NCK")
	path := "admin/products/" + product
	title := staff.call(t, http.MethodGet, path+"?fields=title", nil).Get("product.title").String()
	rename := func(t testing.TB, title string) {
		staff.call(t, http.MethodPost, path, map[string]any{"title": title})
	}
	t.Cleanup(func() { rename(outlive(t), title) })
	rename(t, title+", new")
	changed, _ := walkOn(t, shop, next)
	if diff := cmp.Diff(map[string]string{product: title + ", new"}, changed); diff != "" {
		t.Errorf("what was changed (-want +got):\n%s", diff)
	}
}

// walkOn walks from a place to the end of the walk, and returns the titles of what it
// has seen by their ids, and where to go on.
func walkOn(t *testing.T, shop *medusa.Shop, place upstream.Place) (map[string]string, upstream.Place) {
	t.Helper()
	titles := map[string]string{}
	for {
		walked, err := shop.Walk(t.Context(), upstream.Visit{}, place)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range walked.Products {
			titles[p.ID] = p.Title
		}
		if place = walked.Next; !walked.More {
			return titles, place
		}
	}
}
