package mapped_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// ready returns a basket of a home-made shop that can be ordered.
func ready(t testing.TB, shop upstream.Shop) (upstream.Handle, upstream.Observed) {
	t.Helper()
	address := home()
	d := upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "a", Item: "100000", Quantity: 2}}, Buyer: buyer(), Address: &address, Delivery: "post",
	}
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, d)
	if err != nil || len(applied.Notices) > 0 || len(applied.Observed.Missing) > 0 {
		t.Fatalf("a basket: notices %+v, missing %v, %v", applied.Notices, applied.Observed.Missing, err)
	}
	return applied.Handle, applied.Observed
}

func placementOf(o upstream.Observed) upstream.Placement {
	return upstream.Placement{
		Attempt: "attempt-1", Method: "card", Credential: secret.New(`{"token":"good"}`), Expected: o.Total, Started: time.Now(),
	}
}

// TestKeptValues: a token is read once, and again when the shop does not take it
// any more.
func TestKeptValues(t *testing.T) {
	s := newHomeShop(t)
	var mu sync.Mutex
	now := time.Now()
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	pass := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	client := clientAt(t, s.URL)
	client.Now = clock
	shop, err := mapped.New(mapped.Config{
		Mapping: homeMapping(t), Client: client, Env: func(name string) (string, bool) { return "s3cret", name == "HOME_KEY" },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	handle, observed := ready(t, shop)
	ask := func(what string, wantLogins int, wantCode upstream.Code) {
		t.Helper()
		_, err := shop.Recover(t.Context(), upstream.Visit{}, handle, placementOf(observed))
		if upstream.CodeOf(err) != wantCode {
			t.Errorf("%s: %v, want %s", what, err, wantCode)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if got := s.calls["POST /v1/login"]; got != wantLogins {
			t.Errorf("%s: %d log-ins, want %d", what, got, wantLogins)
		}
	}
	revoke := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.tokens = append(s.tokens, "another one")
	}
	ask("the first time", 1, upstream.CodeUnknownOutcome)
	ask("the second time", 1, upstream.CodeUnknownOutcome)
	revoke()
	ask("with a token that is fresh and denied", 1, upstream.CodeDenied)
	pass(time.Minute)
	ask("with one that was revoked", 2, upstream.CodeNotPlaced)
	pass(2 * time.Hour)
	ask("with one that is too old", 3, upstream.CodeNotPlaced)
}

// TestAgain: a request that the shop wants again is sent again, but not for ever.
func TestAgain(t *testing.T) {
	for _, test := range []struct {
		busy int
		code upstream.Code
		sent int
	}{{0, "", 1}, {3, "", 4}, {100, upstream.CodeBusy, 5}} {
		s := newHomeShop(t)
		s.busy = test.busy
		shop := s.shopOf(t, homeMapping(t), nil)
		handle, observed := ready(t, shop)
		_, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed))
		if got := upstream.CodeOf(err); got != test.code || s.calls["POST /v1/baskets/{basket}/order"] != test.sent || (len(s.orders) == 1) != (err == nil) {
			t.Errorf("busy %d times: %v; %d requests made %d orders, want %q and %d requests", test.busy, err,
				s.calls["POST /v1/baskets/{basket}/order"], len(s.orders), test.code, test.sent)
		}
	}
}

// answering answers every request whose path has an end with something of its own.
type answering struct {
	end    string
	status int
	body   string
	http.RoundTripper
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, a.end) {
		return a.RoundTripper.RoundTrip(r)
	}
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r,
	}, nil
}

// TestOutcomesOfPlacing: only a clear answer is an outcome.
func TestOutcomesOfPlacing(t *testing.T) {
	for _, test := range []struct {
		name, body string
		status     int
		want       upstream.Code
	}{
		{"sold meanwhile", `{"error": {"code": "too_few"}}`, 409, upstream.CodeOutOfStock},
		{"declined", `{"error": {"code": "declined"}}`, 402, upstream.CodePaymentDeclined},
		{"incomplete", `{"error": {"code": "incomplete"}}`, 422, upstream.CodeIncomplete},
		{"gone", `{"error": {"code": "no_basket"}}`, 410, upstream.CodeBasketGone},
		{"a refusal that is not mapped", `{"error": {"code": "moon"}}`, 400, upstream.CodeNotPlaced},
		{"a refusal without JSON", `No.`, 400, upstream.CodeUnknownOutcome},
		{"denied", `{}`, 403, upstream.CodeDenied},
		{"a failure", `{"error": {"code": "oops"}}`, 500, upstream.CodeUnknownOutcome},
		{"a failure without JSON", `<h1>Oops</h1>`, 502, upstream.CodeUnknownOutcome},
		{"a conflict that is not mapped", `{"error": {"code": "moon"}}`, 409, upstream.CodeUnknownOutcome},
		{"a page", `<html>Sign in</html>`, 200, upstream.CodeUnknownOutcome},
		{"an answer without an order", `{"hello": 1}`, 200, upstream.CodeUnknownOutcome},
		{"an order without a number", `{"order": {"figures": {"total": 1}}}`, 200, upstream.CodeUnknownOutcome},
		{"an order whose total is no number", `{"order": {"number": "1", "figures": {"total": "much"}}}`, 200, upstream.CodeUnknownOutcome},
		{"too many requests", `{}`, 429, upstream.CodeBusy},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newHomeShop(t)
			shop := s.shopOf(t, homeMapping(t), answering{"/order", test.status, test.body, http.DefaultTransport})
			handle, observed := ready(t, shop)
			_, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed))
			var e *upstream.Error
			if !errors.As(err, &e) || e.Code != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if test.want == upstream.CodeUnknownOutcome && !errors.Is(err, shopclient.ErrLost) {
				t.Errorf("%v does not say that the request may have been received", err)
			}
		})
	}
}

// TestEscalation: an order that wants a person becomes a page, where there is one.
func TestEscalation(t *testing.T) {
	for _, test := range []struct {
		change func(string) string
		want   upstream.Code
	}{
		{and("refuse escalate error.code is confirm\n"), upstream.CodeEscalate},
		{func(text string) string {
			return replacing(t, `hand_off "https://home.example/basket?id={basket}"`, "")(text) + "refuse escalate error.code is confirm\n"
		}, upstream.CodePaymentDeclined},
	} {
		s := newHomeShop(t)
		shop := s.shopOf(t, homeMapping(t, test.change), answering{"/payment", 402, `{"error": {"code": "confirm"}}`, http.DefaultTransport})
		handle, observed := ready(t, shop)
		_, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed))
		var e *upstream.Error
		if !errors.As(err, &e) || e.Code != test.want || (test.want == upstream.CodeEscalate) != (e.URL == observed.HandOff && e.URL != "") {
			t.Errorf("got %v (page %q), want %s", err, e.URL, test.want)
		}
	}
}

// TestErrorsTellNothing: what the shop wrote and what is secret stays out of
// errors.
func TestErrorsTellNothing(t *testing.T) {
	const marker = "mark3r"
	for _, body := range []string{
		`{"error": {"code": "mark3r", "text": "mark3r"}}`, `{"things": "mark3r"}`, `mark3r`, `<p>mark3r`, `{"things": [{"id": 1, "name": "mark3r", "kinds": [{"id": 1}], "cents": "mark3r"}]}`,
		`{"basket": {"total": "mark3r", "lines": [{"count": "mark3r"}]}}`, `{"order": {"number": "mark3r", "figures": {"total": "mark3r"}}}`,
	} {
		for _, status := range []int{200, 400, 404, 409, 500, 503} {
			s := newHomeShop(t)
			shop := s.shopOf(t, homeMapping(t), answering{"", status, body, nil})
			ctx, visit := t.Context(), upstream.Visit{}
			handle := secret.New(`mapped1 {"basket":"mark3r"}`)
			var failed []error
			for _, call := range []func() error{
				func() error { _, err := shop.Describe(ctx); return err },
				func() error { _, err := shop.Search(ctx, visit, upstream.Query{Words: "x"}); return err },
				func() error { _, err := shop.Lookup(ctx, visit, []string{"x"}); return err },
				func() error { _, err := shop.Read(ctx, visit, handle); return err },
				func() error { _, err := shop.Place(ctx, visit, handle, upstream.Placement{Method: "card"}); return err },
				func() error { _, err := shop.Recover(ctx, visit, handle, upstream.Placement{Attempt: "a"}); return err },
				func() error {
					_, err := shop.Order(ctx, visit, upstream.OrderRef{ID: "x", Key: secret.New(marker)})
					return err
				},
			} {
				failed = append(failed, call())
			}
			for i, err := range failed {
				if err != nil && (strings.Contains(err.Error(), marker) || strings.Contains(err.Error(), "s3cret")) {
					t.Errorf("%d %s: the error of call %d is %q", status, body, i, err)
				}
			}
		}
	}
}

// TestRequestsOfApply: a basket that is as desired is only read.
func TestRequestsOfApply(t *testing.T) {
	s := newHomeShop(t)
	road := new(road)
	shop := s.shopOf(t, homeMapping(t), road)
	address := home()
	d := upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "a", Item: "100000", Quantity: 2}}, Buyer: buyer(), Address: &address, Delivery: "post", Codes: []string{"TEN"},
	}
	applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, d)
	if err != nil {
		t.Fatal(err)
	}
	road.requests.Store(0)
	again, err := shop.Apply(t.Context(), upstream.Visit{}, applied.Handle, d)
	if err != nil {
		t.Fatal(err)
	}
	if got := road.requests.Load(); got != 2 {
		t.Errorf("the same again takes %d requests, want one for the products and one for the basket", got)
	}
	if diff := cmp.Diff(applied.Observed, again.Observed); diff != "" {
		t.Errorf("the same again (-first +second):\n%s", diff)
	}
}

// TestUnknownNames: a name that is nobody's is not looked for in the whole list
// every time, and a new product is found before long.
func TestUnknownNames(t *testing.T) {
	s := newHomeShop(t)
	var mu sync.Mutex
	now := time.Now()
	client := clientAt(t, s.URL)
	client.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	shop, err := mapped.New(mapped.Config{Mapping: homeMapping(t), Client: client, Env: func(string) (string, bool) { return "x", true }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shop.Close)
	lookup := func(ref string) (found, lists int) {
		t.Helper()
		s.mu.Lock()
		before := s.calls["GET /v1/products"]
		s.mu.Unlock()
		matches, err := shop.Lookup(t.Context(), upstream.Visit{}, []string{ref})
		if err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(matches), s.calls["GET /v1/products"] - before
	}
	// One request is by SKU, and the list has four pages.
	if found, lists := lookup("late-hat"); found != 0 || lists != 5 {
		t.Errorf("the first time: %d found in %d requests, want none in 5", found, lists)
	}
	s.mu.Lock()
	s.add("late-hat", "Late hat", "Wool", 1500, 0, 5, "")
	s.mu.Unlock()
	if found, lists := lookup("late-hat"); found != 0 || lists != 1 {
		t.Errorf("right after that: %d found in %d requests, want none in 1", found, lists)
	}
	mu.Lock()
	now = now.Add(time.Minute)
	mu.Unlock()
	if found, lists := lookup("late-hat"); found != 1 || lists != 5 {
		t.Errorf("a minute later: %d found in %d requests, want one in 5", found, lists)
	}
	if found, lists := lookup("late-hat"); found != 1 || lists != 0 {
		t.Errorf("and then: %d found in %d requests of the list, want one by its id", found, lists)
	}
}

// TestOrderInFull: what happens to an order is read with it.
func TestOrderInFull(t *testing.T) {
	s := newHomeShop(t)
	shop := s.shopOf(t, homeMapping(t), nil)
	handle, observed := ready(t, shop)
	placed, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed))
	if err != nil {
		t.Fatal(err)
	}
	if want := "https://home.example/orders/" + placed.Ref.ID; placed.URL != want {
		t.Errorf("the order's page is %q, want %q", placed.URL, want)
	}
	s.orders[0].body["state"] = "X"
	s.orders[0].body["parcels"] = []object{{
		"no": 1, "sent": "2026-11-30 10:00:00", "by": "Royal Mail", "code": "RM1", "contents": []object{{"no": "1", "count": 2}},
	}, {"no": 2, "sent": nil}}
	s.orders[0].body["refunds"] = []object{{"no": 9, "when": "2026-11-30T11:00:00Z", "cents": 100, "why": "Late &amp; wet"}}
	order, err := shop.Order(t.Context(), upstream.Visit{}, placed.Ref)
	if err != nil {
		t.Fatal(err)
	}
	day := func(hour int) time.Time { return time.Date(2026, 11, 30, hour, 0, 0, 0, time.UTC) }
	if diff := cmp.Diff([]upstream.FulfillmentEvent{{
		ID: "1-shipped", Type: "shipped", At: day(10), Carrier: "Royal Mail", Tracking: "RM1", Lines: []upstream.LineQuantity{{Line: "1", Quantity: 2}},
	}}, order.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]upstream.Adjustment{{
		ID: "9-refund", Type: "refund", At: day(11), Status: "completed", Amount: pounds(-100), Text: "Late & wet",
	}}, order.Adjustments); diff != "" {
		t.Errorf("adjustments (-want +got):\n%s", diff)
	}
	if !order.Canceled || order.Status != "canceled" || order.Lines[0].Active != 0 || order.Address.PostalCode != "LA22 0AD" || order.Address.Country != "GB" {
		t.Errorf("the order is %+v", order)
	}
}

// TestOrderOfAnother: a shop that shows another order than was asked for shows
// none.
func TestOrderOfAnother(t *testing.T) {
	const order = `{"order": {"number": "HS-1", "secret": "key", "figures": {"total": 100, "lines": []}}}`
	s := newHomeShop(t)
	shop := s.shopOf(t, homeMapping(t), answering{"", 200, order, nil})
	for _, test := range []struct {
		id, key string
		want    upstream.Code
	}{{"HS-1", "key", ""}, {"HS-2", "key", upstream.CodeNotFound}, {"HS-1", "other", upstream.CodeNotFound}, {"HS-1", "", upstream.CodeNotFound}} {
		_, err := shop.Order(t.Context(), upstream.Visit{}, upstream.OrderRef{ID: test.id, Key: secret.New(test.key)})
		if upstream.CodeOf(err) != test.want {
			t.Errorf("order %s with key %q: %v, want %q", test.id, test.key, err, test.want)
		}
	}
}

// TestCheck shows what each value came to, and names the line of each that is
// nowhere.
func TestCheck(t *testing.T) {
	s := newHomeShop(t)
	address := home()
	check := func(change ...func(string) string) (string, error) {
		var out bytes.Buffer
		err := mapped.Check(t.Context(), s.shopOf(t, homeMapping(t, change...), nil), &address, &out)
		return out.String(), err
	}
	text, err := os.ReadFile("testdata/home.map")
	if err != nil {
		t.Fatal(err)
	}
	lineOf := func(field string) string {
		before, _, found := strings.Cut(string(text), field)
		if !found {
			t.Fatalf("home.map has no %q", field)
		}
		return "home.map:" + strconv.Itoa(1+strings.Count(before, "\n"))
	}
	has := func(report string, parts ...string) {
		t.Helper()
		for line := range strings.Lines(report) {
			if !strings.Contains(line, parts[0]) {
				continue
			}
			for _, part := range parts[1:] {
				if !strings.Contains(line, part) {
					t.Errorf("the line of %s lacks %q: %s", parts[0], part, line)
				}
			}
			return
		}
		t.Errorf("the report has no line with %q:\n%s", parts[0], report)
	}
	report, err := check()
	if err != nil {
		t.Errorf("Check: %v\n%s", err, report)
	}
	has(report, "✓ list: 13 products")
	has(report, "✓ look-up by sku", `"MERINO-SCARF"`)
	has(report, "✓ delivery: 2 ways", `with "Post" it costs £29.95`)
	has(report, "basket.chosen", "post")
	has(report, lineOf("brand        maker_id")+" ", "product.brand", "maker_id", "Stanning")
	has(report, lineOf("total        total\n\ttax_total    vat")+" ", "basket.total", "2500")
	has(report, lineOf("secret\n\ttotal figures.total")+" ", "place.key", "(not tried)")
	if strings.Contains(report, "s3cret") || len(s.orders) > 0 {
		t.Error("Check shows a secret, or orders")
	}

	report, err = check(replacing(t, "brand        maker_id", "brand        maker_idd"))
	if err != nil {
		t.Errorf("a wrong path of what is optional: %v", err)
	}
	has(report, lineOf("brand        maker_id")+" ", "product.brand", "maker_idd", "✗ found nothing")

	report, err = check(replacing(t, "price        ^cents", "price        ^name"))
	if !errors.Is(err, mapped.ErrMapping) {
		t.Errorf("a wrong price: %v", err)
	}
	has(report, "✗ list", lineOf("price        ^cents")+": there is no number of money there")

	report, err = check(replacing(t, "\t\titem     kind\n\t\ttitle    name\n\t\tquantity count\n\t\tunit     each\n\t\tsubtotal sum\n\t\ttotal    pay\n\t\turl", "\t\titem     no\n\t\ttitle    name\n\t\tquantity count\n\t\tunit     each\n\t\tsubtotal sum\n\t\ttotal    pay\n\t\turl"))
	if !errors.Is(err, mapped.ErrMapping) {
		t.Errorf("a wrong item of a line: %v", err)
	}
	has(report, "✗ basket", "a line of the basket names its variant by something else")

	report, err = check(replacing(t, "chosen       way", "chosen       wayy"))
	if !errors.Is(err, mapped.ErrMapping) {
		t.Errorf("a wrong way of delivery: %v", err)
	}
	has(report, "✗ delivery", lineOf("chosen       way")+": the basket does not have the way of delivery that was chosen")

	s.Server.Close()
	if report, err = check(); !errors.Is(err, mapped.ErrMapping) {
		t.Errorf("a shop that is away: %v", err)
	}
	has(report, "✗ list", "unavailable")
}

// FuzzAnswers: whatever a shop answers, what is made of it adds up, and what
// cannot be made of it is an error with a code.
func FuzzAnswers(f *testing.F) {
	s := newHomeShop(f)
	m := homeMapping(f)
	var seeds recorder
	shop := s.shopOf(f, m, &seeds)
	handle, observed := ready(f, shop)
	if placed, err := shop.Place(f.Context(), upstream.Visit{}, handle, placementOf(observed)); err != nil {
		f.Fatal(err)
	} else if _, err := shop.Order(f.Context(), upstream.Visit{}, placed.Ref); err != nil {
		f.Fatal(err)
	}
	for _, seed := range seeds.bodies {
		f.Add(seed)
	}
	for _, seed := range []string{"", "{}", "[]", "null", `{"basket":{"total":-1,"lines":[{"count":1,"kind":1,"each":9223372036854775807}]}}`, `{"basket":{"money":"XXX"}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if !gjson.Valid(body) {
			t.Skip("what is no JSON is the client's matter")
		}
		shop := s.shopOf(t, m, answering{"", 200, body, nil})
		ctx, visit := t.Context(), upstream.Visit{}
		known := func(what string, err error) bool {
			var e *upstream.Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%s: %T %v has no code", what, err, err)
			}
			return err == nil
		}
		_, err := shop.Search(ctx, visit, upstream.Query{Words: "x", Limit: 5})
		known("Search", err)
		_, err = shop.Lookup(ctx, visit, []string{"t-100", "MERINO-SCARF"})
		known("Lookup", err)
		basket := secret.New(`mapped1 {"basket":"1","lines":[{"key":"a","item":"100000","product":"t-100","quantity":1}],"address":{"Country":"GB"}}`)
		if o, err := shop.Read(ctx, visit, basket); known("Read", err) && o.Ordered == nil {
			sum := int64(0)
			for _, total := range o.Totals {
				sum += total.Amount.Minor
			}
			if sum != o.Total.Minor {
				t.Fatalf("Totals add up to %d, Total is %v: %s", sum, o.Total, body)
			}
		}
		_, err = shop.Apply(ctx, visit, basket, upstream.Desired{Codes: []string{"TEN"}})
		known("Apply", err)
		_, err = shop.Order(ctx, visit, upstream.OrderRef{ID: "HS-1000", Key: secret.New("x")})
		known("Order", err)
	})
}

// recorder keeps what a shop answers.
type recorder struct {
	mu     sync.Mutex
	bodies []string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bodies = append(r.bodies, string(body))
	return response, nil
}

// TestWholeBasketsAddUp runs the suite's checks over baskets of many lines and
// codes.
func TestWholeBasketsAddUp(t *testing.T) {
	s := newHomeShop(t)
	shop := s.shopOf(t, homeMapping(t), nil)
	address := home()
	for _, codes := range [][]string{nil, {"TEN"}, {"TWENTY"}, {"FREE"}, {"TEN", "TWENTY"}, {"FREE", "TEN", "TWENTY"}} {
		for _, delivery := range []string{"", "post", "courier"} {
			d := upstream.Desired{Codes: codes, Buyer: buyer(), Address: &address, Delivery: delivery}
			for i, item := range []string{"100000", "101001", "101002", "103000", "104000", "105000"} {
				d.Lines = append(d.Lines, upstream.DesiredLine{Key: strconv.Itoa(i), Item: item, Quantity: int64(i + 1)})
			}
			applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, d)
			if err != nil {
				t.Fatal(err)
			}
			shoptest.CheckObserved(t, applied.Observed)
			if len(applied.Observed.Lines) != len(d.Lines) || len(applied.Notices) > 0 {
				t.Errorf("codes %v, delivery %q: %d lines, notices %+v", codes, delivery, len(applied.Observed.Lines), applied.Notices)
			}
		}
	}
}
