package mapped_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// plainShop shows its products as a list and does nothing else.
type plainShop struct {
	*httptest.Server
	mu       sync.Mutex
	products []object
}

func newPlainShop(t testing.TB) *plainShop {
	t.Helper()
	s := new(plainShop)
	s.add("tea-towel", "Tea towel", "Kitchen", "8.50", "", "Default Title")
	s.add("wool-blanket", "Wool blanket", "Bedroom", "120.00", "150.00", "Small / Grey", "Large / Grey", "Large / Green!")
	s.add("oak-board", "Oak board", "Kitchen", "34", "", "Default Title!")
	for i := range 110 {
		s.add(fmt.Sprintf("mug-%d", i), fmt.Sprintf("Mug no. %d", i), "Mugs", fmt.Sprintf("%d.95", 5+i), "", "Default Title")
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// add adds a product. A kind that ends with ! is sold out.
func (s *plainShop) add(handle, title, kind, price, was string, kinds ...string) {
	id := 400 + len(s.products)
	options := []object{{"name": "Title"}}
	if len(kinds) > 1 {
		options = []object{{"name": "Size"}, {"name": "Colour"}}
	}
	variants := []object{}
	for i, name := range kinds {
		name, sold := strings.CutSuffix(name, "!")
		first, second, _ := strings.Cut(name, " / ")
		variant := object{
			"id": 100*id + i, "title": name, "sku": strings.ToUpper(handle) + "-" + strconv.Itoa(i), "price": price,
			"compare_at_price": nil, "available": !sold, "option1": first, "option2": nil, "option3": nil,
		}
		if second != "" {
			variant["option2"] = second
		}
		if was != "" {
			variant["compare_at_price"] = was
		}
		variants = append(variants, variant)
	}
	s.products = append(s.products, object{
		"id": id, "handle": handle, "title": title, "product_type": kind, "vendor": "Plain &amp; Sons", "tags": []string{"new"},
		"body_html": "<p>A good <em>" + strings.ToLower(title) + "</em>.</p>", "options": options, "variants": variants,
		"images": []object{{"src": "//cdn.example/" + handle + ".jpg"}}, "updated_at": "2026-10-30T09:15:00+01:00",
	})
}

func (s *plainShop) serve(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if r.URL.Path != "/products.json" || page < 1 || limit < 1 {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	start := min((page-1)*limit, len(s.products))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object{"products": s.products[start:min(start+limit, len(s.products))]})
}

// change changes a variant and returns what it was.
func (s *plainShop) change(sku, field string, value any) (before any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, product := range s.products {
		for _, variant := range product["variants"].([]object) {
			if variant["sku"] == sku {
				before, variant[field] = variant[field], value
			}
		}
	}
	return before
}

func (s *plainShop) hooks(transport *road) shoptest.Hooks {
	h := transport.hooks()
	h.LoseNextAnswer, h.LoseNextRequest = nil, nil
	h.ChangePrice = func(t testing.TB, sku string, minor int64) {
		price, err := money.Amount{Minor: minor, Currency: "GBP"}.FormatDecimal()
		if err != nil {
			t.Fatal(err)
		}
		before := s.change(sku, "price", price)
		t.Cleanup(func() { s.change(sku, "price", before) })
	}
	h.SetStock = func(t testing.TB, sku string, n int64) {
		before := s.change(sku, "available", n > 0)
		t.Cleanup(func() { s.change(sku, "available", before) })
	}
	h.Another = func(t testing.TB) upstream.Shop { return s.shop(t, nil) }
	return h
}

func (s *plainShop) shop(t testing.TB, transport http.RoundTripper) *mapped.Shop {
	t.Helper()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, "products-json.map", base, transport, nil)
}

// TestPlainShop runs the suite over a shop that can do no more than list its
// products.
func TestPlainShop(t *testing.T) {
	address := home()
	abroad := address
	abroad.Country = "FR"
	shoptest.Run(t, shoptest.Fixture{
		New: func(t testing.TB) (upstream.Shop, shoptest.Hooks) {
			s, road := newPlainShop(t), new(road)
			return s.shop(t, road), s.hooks(road)
		},
		Single:      shoptest.Item{Handle: "tea-towel", SKU: "TEA-TOWEL-0"},
		Variant:     shoptest.Item{Handle: "wool-blanket", SKU: "WOOL-BLANKET-1"},
		SoldVariant: shoptest.Item{SKU: "WOOL-BLANKET-2"},
		SoldOut:     shoptest.Item{Handle: "oak-board"},
		Words:       "tea towel",
		NoWords:     "zeppelin",
		Category:    "Kitchen",
		Buyer:       buyer(),
		Address:     address,
		Abroad:      &abroad,
		Known: &shoptest.Known{
			Lines: []shoptest.KnownLine{
				{Item: shoptest.Item{SKU: "WOOL-BLANKET-0"}, Quantity: 1}, {Item: shoptest.Item{SKU: "TEA-TOWEL-0"}, Quantity: 2},
			},
			Total: pounds(13700),
		},
		Lacks: map[string]string{
			"lines/exactly as many as there are":      "the shop does not tell its stock",
			"lines/more than there are":               "the shop does not tell its stock",
			"lines/more than there are, of two lines": "the shop does not tell its stock",
		},
	})
}

// TestPlainHandOff: what was put together here is what the shop's page is asked
// for.
func TestPlainHandOff(t *testing.T) {
	shop := newPlainShop(t).shop(t, nil)
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{
		{Key: "a", Item: "40101", Quantity: 2}, {Key: "b", Item: "40000", Quantity: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	const page = "https://shop.example.com/cart/40101:2,40000:1"
	o := applied.Observed
	if o.HandOff != page || o.Total != pounds(24850) || !o.Estimated || len(applied.Notices) > 0 {
		t.Errorf("the basket costs %v (estimated: %v) and goes on at %q; notices: %+v", o.Total, o.Estimated, o.HandOff, applied.Notices)
	}
	_, err = shop.Place(t.Context(), upstream.Visit{}, applied.Handle, upstream.Placement{})
	var e *upstream.Error
	if upstream.CodeOf(err) != upstream.CodeEscalate || !errors.As(err, &e) || e.URL != page {
		t.Errorf("Place: %v, want the page to go on with", err)
	}
}

// TestCapabilitiesFollowTheMapping: what is not mapped is not offered.
func TestCapabilitiesFollowTheMapping(t *testing.T) {
	s := newHomeShop(t)
	for _, test := range []struct {
		name   string
		change []func(string) string
		want   upstream.Capabilities
	}{
		{"everything", nil, upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, HandOff: true, Place: true, Codes: upstream.CodesMany, Delivery: true, Orders: true, ExactStock: true,
			Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		}},
		{"no orders", []func(string) string{without("order", "recover", "place", "pay"), replacing(t, "payment  card Card\n", "")}, upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, HandOff: true, Codes: upstream.CodesMany, Delivery: true, ExactStock: true,
		}},
		{"no delivery and no codes", []func(string) string{without("delivery", "choose_delivery", "add_code", "remove_code")}, upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, HandOff: true, Place: true, Orders: true, ExactStock: true,
			Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		}},
		{"one code", []func(string) string{replacing(t, "codes    many", "codes    one"), replacing(t, "\tstock        left\n", "")}, upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, HandOff: true, Place: true, Codes: upstream.CodesOne, Delivery: true, Orders: true,
			Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		}},
		{"no page", []func(string) string{replacing(t, "hand_off \"https://home.example/basket?id={basket}\"\n", "")}, upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, Place: true, Codes: upstream.CodesMany, Delivery: true, Orders: true, ExactStock: true,
			Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		}},
	} {
		d, err := s.shopOf(t, homeMapping(t, test.change...), nil).Describe(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, d.Capabilities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	d, err := newPlainShop(t).shop(t, nil).Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(upstream.Capabilities{Search: true, Baskets: true, HandOff: true}, d.Capabilities); diff != "" {
		t.Errorf("a plain list (-want +got):\n%s", diff)
	}
}

// withoutBaskets takes all that is about baskets and orders out of home.map.
func withoutBaskets() func(string) string {
	return func(text string) string {
		text = without("create_basket", "basket", "add_line", "change_line", "remove_line", "set_buyer", "set_address", "delivery", "choose_delivery",
			"add_code", "remove_code", "pay", "place", "recover", "order")(text)
		text = strings.Replace(text, "payment  card Card\n", "", 1)
		return strings.Replace(text, `"https://home.example/basket?id={basket}"`, "https://home.example/buy?what={lines} line {sku}*{quantity} between ;", 1)
	}
}

// TestLocalBaskets: a basket that is kept here holds no more than there is, and
// what is sold meanwhile leaves it.
func TestLocalBaskets(t *testing.T) {
	s := newHomeShop(t)
	shop := s.shopOf(t, homeMapping(t, withoutBaskets()), nil)
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{
		{Key: "a", Item: "101000", Quantity: 2}, {Key: "b", Item: "101000", Quantity: 2}, {Key: "c", Item: "100000", Quantity: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	o := applied.Observed
	shoptest.CheckObserved(t, o)
	if len(o.Lines) != 3 || o.Lines[0].Quantity != 2 || o.Lines[1].Quantity != 1 || o.Total != pounds(3*18900+2500) {
		t.Errorf("the basket holds %+v", o.Lines)
	}
	if n := applied.Notices; len(n) != 1 || n[0].Line != "b" || n[0].Code != upstream.NoticeQuantityLowered || *n[0].Available != 3 {
		t.Errorf("notices: %+v", applied.Notices)
	}
	if want := "https://home.example/buy?what=FELL-JACKET-S-RED*2;FELL-JACKET-S-RED*1;MERINO-SCARF*1"; o.HandOff != want {
		t.Errorf("the page is %q, want %q", o.HandOff, want)
	}
	s.mu.Lock()
	s.products = s.products[1:]
	s.mu.Unlock()
	read, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
	if err != nil || len(read.Lines) != 2 || read.Total != pounds(3*18900) {
		t.Errorf("after the scarf was taken out of the shop: %+v, %v", read.Lines, err)
	}
}

// TestListsEnd: a list ends where nothing more comes, whatever its total says.
func TestListsEnd(t *testing.T) {
	s := newHomeShop(t)
	const nothing = `{"things": [], "count": 1000}`
	shop := s.shopOf(t, homeMapping(t), answering{"", http.StatusOK, nothing, nil})
	found, err := shop.Search(t.Context(), upstream.Visit{}, upstream.Query{})
	if err != nil || found.Next != "" || len(found.Products) > 0 {
		t.Errorf("an empty list: %+v, %v", found, err)
	}
	walked, err := shop.Walk(t.Context(), upstream.Visit{}, "")
	if err != nil || walked.More || !walked.Whole {
		t.Errorf("a walk through an empty list: %+v, %v", walked, err)
	}
}

// TestWalk: a walk comes through every product once, and begins anew.
func TestWalk(t *testing.T) {
	shop := newPlainShop(t).shop(t, nil)
	for range 2 {
		seen, place := map[string]bool{}, upstream.Place("")
		for pages := 1; ; pages++ {
			walked, err := shop.Walk(t.Context(), upstream.Visit{}, place)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range walked.Products {
				if seen[p.ID] {
					t.Errorf("%s is on two pages", p.ID)
				}
				seen[p.ID] = true
			}
			if place = walked.Next; walked.More == walked.Whole || walked.More == (place == "") {
				t.Fatalf("page %d: more %v, whole %v, next %q", pages, walked.More, walked.Whole, place)
			}
			if walked.Whole {
				break
			}
		}
		if len(seen) != 113 {
			t.Errorf("the walk came through %d products, want 113", len(seen))
		}
	}
	if _, err := shop.Walk(t.Context(), upstream.Visit{}, "elsewhere"); upstream.CodeOf(err) != upstream.CodeInvalid {
		t.Errorf("a place that is none: %v", err)
	}
}
