package mapped_test

import (
	"cmp"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// medusas returns the same Medusa by the mapping and by the adapter made for it.
func medusas(t testing.TB) (byMapping, byHand upstream.Shop) {
	t.Helper()
	base := shopAt(t, "STOREWARE_MEDUSA_URL", "start the shop in upstream/medusa/testdata/shop (setup.sh, start.sh) and set it to http://127.0.0.1:3102")
	key := os.Getenv("STOREWARE_MEDUSA_KEY")
	if key == "" {
		t.Skip("STOREWARE_MEDUSA_KEY is not set: it is publishableKey in the shop's data/shop.json")
	}
	// What the mapping's line about facts says.
	hand, err := medusa.New(medusa.Config{
		Client: shopclient.Config{BaseURL: base}, Key: secret.New(key), Name: "Fell & Ford", Language: "en-GB",
		Facts: []string{"brand", "audience", "features", "activities"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hand.Close)
	return open(t, "medusa.map", base, nil, map[string]string{"MEDUSA_KEY": key}), hand
}

// all returns every product of a shop, by id.
func all(t testing.TB, shop upstream.Shop) []upstream.Product {
	t.Helper()
	var products []upstream.Product
	for q := (upstream.Query{Limit: 100}); ; {
		page, err := shop.Search(t.Context(), upstream.Visit{}, q)
		if err != nil {
			t.Fatal(err)
		}
		products = append(products, page.Products...)
		if q.Cursor = page.Next; q.Cursor == "" {
			slices.SortFunc(products, func(a, b upstream.Product) int { return cmp.Compare(a.ID, b.ID) })
			return products
		}
	}
}

// TestMedusaTwice: what a mapping reads of a shop is what an adapter written by
// hand reads of it.
func TestMedusaTwice(t *testing.T) {
	byMapping, byHand := medusas(t)
	want, got := all(t, byHand), all(t, byMapping)
	if len(want) == 0 {
		t.Fatal("the shop has no products")
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(),
		// The hand-written adapter makes attributes of dimensions and of options that
		// leave no choice, and gives every variant the product's picture.
		cmpopts.IgnoreFields(upstream.Product{}, "Attributes", "Media", "Categories", "Tags"),
		cmpopts.IgnoreFields(upstream.Variant{}, "Media"),
		cmpopts.SortSlices(func(a, b upstream.Choice) bool { return a.Name < b.Name }),
		cmpopts.SortSlices(func(a, b upstream.Option) bool { return a.Name < b.Name }),
		cmpopts.SortSlices(func(a, b string) bool { return a < b }),
		cmpopts.SortSlices(func(a, b upstream.Variant) bool { return a.ID < b.ID }),
	); diff != "" {
		t.Errorf("products (-by hand +by mapping):\n%.3000s", diff)
	}
	for i := range got {
		if len(want[i].Media) > 0 && (len(got[i].Media) == 0 || got[i].Media[0].URL != want[i].Media[0].URL) {
			t.Errorf("%s: the first picture is %v, by hand %v", got[i].Title, got[i].Media, want[i].Media)
		}
	}
}

// buy fills a basket with what fellAndFord says and returns what it is then.
func buy(t testing.TB, shop upstream.Shop, delivery string) (upstream.Handle, upstream.Observed) {
	t.Helper()
	known := fellAndFord()
	address := home()
	d := upstream.Desired{Codes: known.Codes, Buyer: buyer(), Address: &address}
	for i, line := range known.Lines {
		found, err := shop.Lookup(t.Context(), upstream.Visit{}, []string{line.Item.SKU})
		if err != nil || len(found) != 1 {
			t.Fatalf("Lookup of %s: %d products, %v", line.Item.SKU, len(found), err)
		}
		d.Lines = append(d.Lines, upstream.DesiredLine{Key: string(rune('a' + i)), Item: found[0].Inputs[0].Variant, Quantity: line.Quantity})
	}
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, d)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(applied.Observed.Delivery, func(o upstream.DeliveryOption) bool { return o.Title == delivery })
	if at < 0 {
		t.Fatalf("no delivery %q; notices: %+v", delivery, applied.Notices)
	}
	d.Delivery = applied.Observed.Delivery[at].ID
	if applied, err = shop.Apply(t.Context(), upstream.Visit{}, applied.Handle, d); err != nil {
		t.Fatal(err)
	}
	if len(applied.Notices) > 0 {
		t.Errorf("notices: %+v", applied.Notices)
	}
	return applied.Handle, applied.Observed
}

// TestMedusaBaskets: the same basket costs the same, and becomes an order that
// both can read.
func TestMedusaBaskets(t *testing.T) {
	byMapping, byHand := medusas(t)
	known := fellAndFord()
	handle, got := buy(t, byMapping, known.Delivery)
	_, want := buy(t, byHand, known.Delivery)
	if got.Total != known.Total {
		t.Errorf("the basket costs %s, want %s", got.Total.Display(), known.Total.Display())
	}
	if diff := gocmp.Diff(want, got,
		cmpopts.IgnoreFields(upstream.Line{}, "Choices"),
		cmpopts.IgnoreFields(upstream.Discount{}, "Title"),
		cmpopts.IgnoreFields(upstream.DeliveryOption{}, "Description"),
	); diff != "" {
		t.Errorf("baskets (-by hand +by mapping):\n%s", diff)
	}
	placed, err := byMapping.Place(t.Context(), upstream.Visit{}, handle, upstream.Placement{
		Attempt: "twice", Method: "pp_system_default", Expected: known.Total,
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := byMapping.Recover(t.Context(), upstream.Visit{}, handle, upstream.Placement{Attempt: "twice"})
	if err != nil || again.Ref.ID != placed.Ref.ID || !again.Ref.Key.Equal(placed.Ref.Key) {
		t.Errorf("Recover: order %q, %v; Place made %q", again.Ref.ID, err, placed.Ref.ID)
	}
	one, err := byMapping.Order(t.Context(), upstream.Visit{}, placed.Ref)
	if err != nil {
		t.Fatal(err)
	}
	two, err := byHand.Order(t.Context(), upstream.Visit{}, placed.Ref)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(two, one, cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(upstream.OrderLine{}, "Choices"),
		cmpopts.IgnoreFields(upstream.Order{}, "Status"),
		gocmp.Comparer(func(a, b secret.String) bool { return a.Equal(b) }),
		cmpopts.SortSlices(func(a, b upstream.OrderLine) bool { return a.ID < b.ID }),
	); diff != "" {
		t.Errorf("orders (-by hand +by mapping):\n%s", diff)
	}
}
