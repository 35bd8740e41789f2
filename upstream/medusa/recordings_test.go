package medusa

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// recorded returns an answer of the shop in testdata/shop that was recorded with
// more fields than this package asks for.
func recorded(t testing.TB, name string) gjson.Result {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "recordings", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return gjson.ParseBytes(text).Get("response.body")
}

// TestRecordedProduct reads a product with all that there can be of one.
func TestRecordedProduct(t *testing.T) {
	answer := recorded(t, "12-product-handle")
	k := &knowledge{categories: categories{answer.Get("products.0.categories.0.id").String(): {name: "Jackets"}}}
	s := aShop(t, func(c *Config) {
		c.Facts = []string{"brand", "features", "nothing"}
		c.ProductURL = "https://shop.example/p/{handle}"
	})
	products, err := s.readProducts(searching, k, answer.Get("products"))
	if err != nil || len(products) != 1 {
		t.Fatalf("%d products, %v", len(products), err)
	}
	p := products[0]
	want := upstream.Product{
		ID: answer.Get("products.0.id").String(), Handle: "ridge-3l-waterproof-jacket", Title: "Women's Ridge 3L Waterproof Jacket",
		URL: "https://shop.example/p/ridge-3l-waterproof-jacket", Brand: "Fellgate", Categories: []string{"Jackets"},
		Tags: []string{"Women", "Waterproof", "Windproof", "Breathable", "Hillwalking", "Mountaineering"},
		Attributes: []upstream.Attribute{
			{Key: "collection", Values: []string{"Fellgate"}},
			{Key: "material", Values: []string{"Recycled polyester"}},
			{Key: "weight", Values: []string{"410"}},
			{Key: "brand", Values: []string{"Fellgate"}},
			{Key: "features", Values: []string{"Waterproof", "Windproof", "Breathable"}},
		},
		Options: []upstream.Option{{Name: "Colour", Values: []string{"Slate", "Moss"}}, {Name: "Size", Values: []string{"S", "M", "L"}}},
	}
	got := p.Product
	got.Description, got.Media, got.Variants, got.Updated = "", nil, nil, want.Updated
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("product (-want +got):\n%s", diff)
	}
	if len(p.Variants) != 6 || len(p.Media) != 1 || p.Description == "" || p.Updated.IsZero() {
		t.Errorf("%d variants, %d pictures, %d bytes of text, changed %v", len(p.Variants), len(p.Media), len(p.Description), p.Updated)
	}
	variant := p.Variants[0]
	stock := int64(14)
	if diff := cmp.Diff(upstream.Variant{
		ID: variant.ID, SKU: "RDG-SLATE-S", Barcode: "2000000100012", Title: "Slate / S",
		Options: []upstream.Choice{{Name: "Colour", Value: "Slate"}, {Name: "Size", Value: "S"}},
		Price:   gbp(18900), Tax: upstream.TaxIncluded, Availability: upstream.InStock, Stock: &stock,
	}, variant); diff != "" {
		t.Errorf("variant (-want +got):\n%s", diff)
	}
}

// TestRecordedOrders reads an order that arrived and of which a part was paid
// back, and one that was canceled.
func TestRecordedOrders(t *testing.T) {
	s := aShop(t)
	arrived, err := s.readOrder(recorded(t, "77-order-delivered").Get("order"))
	if err != nil {
		t.Fatal(err)
	}
	// Medusa takes what is paid back off the order's total.
	if arrived.Total != gbp(27455) || arrived.Status != "delivered" || arrived.Canceled || arrived.Ref.ID != "1" || arrived.Ref.Key.IsZero() {
		t.Errorf("%+v", arrived)
	}
	var events []string
	for _, e := range arrived.Events {
		events = append(events, e.Type+" "+e.Tracking)
	}
	if diff := cmp.Diff([]string{"processing ", "shipped RP123456789GB", "delivered RP123456789GB"}, events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	canceled, err := s.readOrder(recorded(t, "78-order-cancelled").Get("order"))
	if err != nil {
		t.Fatal(err)
	}
	if !canceled.Canceled || canceled.Lines[0].Active != 0 || canceled.Lines[0].Ordered != 3 || len(canceled.Adjustments) != 1 {
		t.Errorf("%+v", canceled)
	}
	for _, order := range []upstream.Order{arrived, canceled} {
		var amounts []money.Amount
		for _, total := range order.Totals {
			amounts = append(amounts, total.Amount)
		}
		if sum, err := money.Sum(amounts...); err != nil || sum != order.Total {
			t.Errorf("the totals of order %s add up to %v, %v; the total is %v", order.Ref.ID, sum, err, order.Total)
		}
	}
}
