package demo_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

var (
	ada  = upstream.Buyer{Email: "ada@example.com", FirstName: "Ada", LastName: "Thwaite"}
	home = upstream.Address{Street: "12 Stricklandgate", City: "Kendal", PostalCode: "LA9 4ND", Country: "GB"}
)

// socks is a basket that can be ordered.
func socks() upstream.Desired {
	return upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "1", Item: "SOK-M", Quantity: 2}},
		Buyer: ada, Address: &home, Delivery: "standard",
	}
}

func apply(t *testing.T, s *demo.Shop, h upstream.Handle, d upstream.Desired) upstream.Applied {
	t.Helper()
	applied, err := s.Apply(t.Context(), visit, h, d)
	if err != nil {
		t.Fatal(err)
	}
	return applied
}

func placement(total money.Amount, attempt string) upstream.Placement {
	return upstream.Placement{Attempt: attempt, Method: "demo-card", Expected: total}
}

func TestNewRefuses(t *testing.T) {
	parse := func(s string) *url.URL {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	good := parse("http://127.0.0.1:1")
	for name, config := range map[string]demo.Config{
		"no address":        {},
		"no scheme":         {Client: shopclient.Config{BaseURL: parse("//shop.example")}},
		"pages of no host":  {Client: shopclient.Config{BaseURL: good}, PublicURL: parse("https:///shop")},
		"pages by a query":  {Client: shopclient.Config{BaseURL: good}, PublicURL: parse("https://shop.example/?a=b")},
		"pages by a scheme": {Client: shopclient.Config{BaseURL: good}, PublicURL: parse("javascript:alert(1)")},
	} {
		if _, err := demo.New(config); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: good}}); err != nil {
		t.Error(err)
	}
}

// TestPublicURL: what people open is where people reach the shop.
func TestPublicURL(t *testing.T) {
	h := open(t, shop.Options{})
	public := &url.URL{Scheme: "https", Host: "kiln-and-cloth.example", Path: "/"}
	s, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: h.url()}, PublicURL: public})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	matches, err := s.Lookup(t.Context(), visit, []string{"tarn-wellington-boot"})
	if err != nil || len(matches) != 1 {
		t.Fatalf("%d matches, %v", len(matches), err)
	}
	p := matches[0].Product
	const page = "https://kiln-and-cloth.example/products/tarn-wellington-boot"
	if p.URL != page || p.Variants[0].URL != page+"?variant=v-TWB-4-GREEN" {
		t.Errorf("pages are %s and %s", p.URL, p.Variants[0].URL)
	}
	if got := p.Variants[1].Media; len(got) != 1 || got[0].URL != "https://kiln-and-cloth.example/pictures/wellington-blue.png" {
		t.Errorf("the blue one is pictured as %+v", got)
	}
	applied := apply(t, s, upstream.Handle{}, socks())
	if want := "https://kiln-and-cloth.example/basket/" + applied.Handle.Reveal(); applied.Observed.HandOff != want {
		t.Errorf("hand-off is %s, want %s", applied.Observed.HandOff, want)
	}
}

// TestProduct holds one whole product to what the catalogue says of it.
func TestProduct(t *testing.T) {
	h := open(t, shop.Options{})
	matches, err := h.adapter().Lookup(t.Context(), visit, []string{"DRZ-NAVY-M", "drizzle-rain-jacket", "nothing"})
	if err != nil || len(matches) != 1 {
		t.Fatalf("%d matches, %v", len(matches), err)
	}
	wantInputs := []upstream.Input{{Ref: "DRZ-NAVY-M", Variant: "v-DRZ-NAVY-M"}, {Ref: "drizzle-rain-jacket"}}
	if diff := cmp.Diff(wantInputs, matches[0].Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	got := matches[0].Product
	pounds := func(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }
	was := pounds(9500)
	base := h.url().String()
	few := int64(3)
	want := upstream.Variant{
		ID: "v-DRZ-YELLOW-S", SKU: "DRZ-YELLOW-S", Title: "Yellow / S", URL: base + "/products/drizzle-rain-jacket?variant=v-DRZ-YELLOW-S",
		Options: []upstream.Choice{{Name: "colour", Value: "Yellow"}, {Name: "size", Value: "S"}},
		Price:   pounds(7500), ListPrice: &was, Tax: upstream.TaxIncluded, Availability: upstream.LowStock, Stock: &few,
		Media: []upstream.Media{{URL: base + "/pictures/jacket-yellow.png", Alt: "Drizzle Rain Jacket"}},
	}
	if diff := cmp.Diff(want, got.Variants[0]); diff != "" {
		t.Errorf("first variant (-want +got):\n%s", diff)
	}
	got.Variants = nil
	wantProduct := upstream.Product{
		ID: got.ID, Handle: "drizzle-rain-jacket", Title: "Drizzle Rain Jacket", Description: got.Description,
		URL: base + "/products/drizzle-rain-jacket", Brand: "Brackenfold", Tags: []string{"sale"},
		Categories: []string{"Clothing", "Clothing/Jackets"},
		Attributes: []upstream.Attribute{
			{Key: "waterproof", Values: []string{"true"}},
			{Key: "hydrostatic_head_mm", Values: []string{"10000"}},
			{Key: "packable", Values: []string{"true"}},
			{Key: "hood", Values: []string{"fixed"}},
			{Key: "material", Values: []string{"recycled nylon"}},
			{Key: "gender", Values: []string{"unisex"}},
			{Key: "activity", Values: []string{"walking", "travel"}},
			{Key: "colour", Values: []string{"Yellow", "Navy"}},
			{Key: "weight_g", Values: []string{"230"}},
		},
		Options: []upstream.Option{{Name: "colour", Values: []string{"Yellow", "Navy"}}, {Name: "size", Values: []string{"S", "M", "L"}}},
		Media:   []upstream.Media{{URL: base + "/pictures/jacket-yellow.png", Alt: "Drizzle Rain Jacket"}},
		Rating:  &upstream.Rating{Hundredths: 430, Scale: 5, Count: 190},
	}
	if diff := cmp.Diff(wantProduct, got); diff != "" {
		t.Errorf("product (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(got.Description, "A thin waterproof jacket") {
		t.Errorf("the description is %q", got.Description)
	}
}

// TestMarkets: where tax is put on top, nothing says that it is included.
func TestMarkets(t *testing.T) {
	h := open(t, shop.Options{})
	s := h.adapter()
	v := visit
	v.Market.Country = "US"
	results, err := s.Search(t.Context(), v, upstream.Query{Words: "socks", Limit: 1})
	if err != nil || results.Products[0].Variants[0].Tax != upstream.TaxExcluded {
		t.Errorf("for the United States: %+v, %v", results.Products, err)
	}
	d := socks()
	d.Address = &upstream.Address{Street: "1 Main Street", City: "Springfield", Region: "IL", PostalCode: "62701", Country: "US"}
	o := apply(t, s, upstream.Handle{}, d).Observed
	want := []upstream.Total{
		{Kind: upstream.TotalSubtotal, Amount: money.Amount{Minor: 4400, Currency: "GBP"}},
		{Kind: upstream.TotalFulfillment, Amount: money.Amount{Minor: 1895, Currency: "GBP"}},
		{Kind: upstream.TotalTax, Amount: money.Amount{Minor: 308, Currency: "GBP"}},
	}
	if diff := cmp.Diff(want, o.Totals); diff != "" || o.Tax != upstream.TaxExcluded || o.Total.Minor != 6603 {
		t.Errorf("tax %v, total %v, totals (-want +got):\n%s", o.Tax, o.Total, diff)
	}
}

// TestOrderedOnThePage: a person finishes what an agent began, and the agent hears
// of the order.
func TestOrderedOnThePage(t *testing.T) {
	h := open(t, shop.Options{})
	s := h.adapter()
	applied := apply(t, s, upstream.Handle{}, socks())
	form := url.Values{
		"do": {"order"}, "key": {"1"}, "item": {"v-SOK-M"}, "quantity": {"2"}, "email": {ada.Email}, "first_name": {"Ada"}, "last_name": {"Thwaite"},
		"street": {home.Street}, "city": {home.City}, "postal_code": {home.PostalCode}, "country": {"GB"},
		"delivery": {"standard"}, "method": {"invoice"}, "total": {"4895"}, "attempt": {"page-1"},
	}
	response, err := http.PostForm(applied.Observed.HandOff, form)
	if err != nil {
		t.Fatal(err)
	}
	page := drain(t, response)
	http.DefaultClient.CloseIdleConnections()
	if response.StatusCode != http.StatusOK || response.Request.URL.Path != "/orders/KC10001" || page == 0 {
		t.Fatalf("ordering led to %d %s", response.StatusCode, response.Request.URL)
	}
	observed, err := s.Read(t.Context(), visit, applied.Handle)
	if err != nil || observed.Ordered == nil || observed.Ordered.Ref.ID != "KC10001" || observed.Ordered.URL != response.Request.URL.String() {
		t.Fatalf("read: %+v, %v", observed.Ordered, err)
	}
	again := apply(t, s, applied.Handle, socks())
	if again.Observed.Ordered == nil || !again.Handle.Equal(applied.Handle) {
		t.Errorf("applied: %+v", again)
	}
	placed, err := s.Place(t.Context(), visit, applied.Handle, placement(applied.Observed.Total, "agent-1"))
	if err != nil || placed.Ref.ID != "KC10001" || h.orders() != 1 {
		t.Errorf("placing what is an order: %+v, %v; %d orders", placed, err, h.orders())
	}
	if order, err := s.Order(t.Context(), visit, observed.Ordered.Ref); err != nil || order.Total.Minor != 4895 {
		t.Errorf("the order is %+v, %v", order, err)
	}
}

func TestEscalates(t *testing.T) {
	h := open(t, shop.Options{})
	s := h.adapter()
	applied := apply(t, s, upstream.Handle{}, socks())
	p := placement(applied.Observed.Total, "a")
	p.Credential = secret.New("challenge")
	_, err := s.Place(t.Context(), visit, applied.Handle, p)
	var e *upstream.Error
	if !errors.As(err, &e) || e.Code != upstream.CodeEscalate || e.URL != applied.Observed.HandOff {
		t.Errorf("got %v, want to go on at %s", err, applied.Observed.HandOff)
	}
}

// TestMerchantSees: the back office shows who placed an order, and from where.
func TestMerchantSees(t *testing.T) {
	h := open(t, shop.Options{})
	s := h.adapter()
	v := visit
	v.Addr = netip.MustParseAddr("2001:db8::7")
	applied, err := s.Apply(t.Context(), v, upstream.Handle{}, socks())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Place(t.Context(), v, applied.Handle, placement(applied.Observed.Total, "attempt-9")); err != nil {
		t.Fatal(err)
	}
	var office struct {
		Orders []struct{ Agent, Attempt, Caller string }
	}
	if err := json.Unmarshal(h.call(t.Context(), http.MethodGet, "/api/backoffice/orders", nil, nil), &office); err != nil {
		t.Fatal(err)
	}
	want := struct{ Agent, Attempt, Caller string }{"Test agent", "attempt-9", "2001:db8::7"}
	if len(office.Orders) != 1 || office.Orders[0] != want {
		t.Errorf("the back office sees %+v, want %+v", office.Orders, want)
	}
}

// TestOneRequest: an operation is one request.
func TestOneRequest(t *testing.T) {
	h := open(t, shop.Options{})
	var calls []string
	s, err := demo.New(demo.Config{Client: shopclient.Config{
		BaseURL: h.url(), Observe: func(c shopclient.Call) { calls = append(calls, c.Op) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	first := apply(t, s, upstream.Handle{}, socks())
	apply(t, s, first.Handle, socks())
	if _, err := s.Read(t.Context(), visit, first.Handle); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lookup(t.Context(), visit, make([]string, 500)); err != nil {
		t.Fatal(err)
	}
	placed, err := s.Place(t.Context(), visit, first.Handle, placement(first.Observed.Total, "1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Order(t.Context(), visit, placed.Ref); err != nil {
		t.Fatal(err)
	}
	want := []string{"filling the basket", "filling the basket", "reading the basket", "placing the order", "reading the order"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// TestOrderMovesOn follows an order by the shop's clock.
func TestOrderMovesOn(t *testing.T) {
	now := time.Date(2026, time.October, 7, 12, 0, 0, 0, time.UTC)
	clock := make(chan time.Time, 1)
	clock <- now
	h := open(t, shop.Options{Now: func() time.Time {
		at := <-clock
		clock <- at
		return at
	}})
	s := h.adapter()
	applied := apply(t, s, upstream.Handle{}, socks())
	placed, err := s.Place(t.Context(), visit, applied.Handle, placement(applied.Observed.Total, "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after     time.Duration
		status    string
		fulfilled int64
		events    int
	}{{0, "processing", 0, 1}, {2 * time.Minute, "shipped", 2, 2}, {5 * time.Minute, "delivered", 2, 3}} {
		<-clock
		clock <- now.Add(step.after)
		order, err := s.Order(t.Context(), visit, placed.Ref)
		if err != nil {
			t.Fatal(err)
		}
		if order.Status != step.status || order.Lines[0].Fulfilled != step.fulfilled || len(order.Events) != step.events || !order.PlacedAt.Equal(now) {
			t.Errorf("after %s: %s, %d sent, events %+v", step.after, order.Status, order.Lines[0].Fulfilled, order.Events)
		}
		last := order.Events[len(order.Events)-1]
		if step.after > 0 && (last.Carrier == "" || last.Tracking == "" || !strings.HasPrefix(last.TrackingURL, h.url().String()+"/track/")) {
			t.Errorf("the parcel cannot be followed: %+v", last)
		}
	}
	h.call(t.Context(), http.MethodPost, "/api/backoffice/orders/"+placed.Ref.ID+"/refunds",
		map[string]any{"lines": []map[string]any{{"id": "1", "quantity": 1}}, "reason": "too small"}, nil)
	order, err := s.Order(t.Context(), visit, placed.Ref)
	if err != nil {
		t.Fatal(err)
	}
	want := []upstream.Adjustment{{
		ID: placed.Ref.ID + "-r1", Type: "refund", At: now.Add(5 * time.Minute), Status: "completed",
		Lines:  []upstream.LineQuantity{{Line: "1", Quantity: 1}},
		Amount: money.Amount{Minor: -2200, Currency: "GBP"}, Text: "too small",
	}}
	if diff := cmp.Diff(want, order.Adjustments); diff != "" || order.Lines[0].Active != 1 {
		t.Errorf("%d are kept, adjustments (-want +got):\n%s", order.Lines[0].Active, diff)
	}
}
