package vendure_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// answer is one way to answer a request.
type answer func(*http.Request) (*http.Response, error)

// saboteur answers some operations in its own way and lets the others pass.
type saboteur struct {
	http.RoundTripper
	answers map[string]answer
}

func (s saboteur) RoundTrip(request *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(text))
	operation := gjson.GetBytes(text, "operationName").String()
	if answer := s.answers[operation]; answer != nil {
		if tape, ok := s.RoundTripper.(*tape); ok {
			tape.skip(operation)
		}
		return answer(request)
	}
	return s.RoundTripper.RoundTrip(request)
}

// spoken is something that a shop must not be quoted with.
const spoken = "Fatal error in /var/www/secret.php"

// with answers with a status and a body.
func with(status int, kind, body string) answer {
	return func(request *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: status, Header: http.Header{"Content-Type": {kind}},
			Body: io.NopCloser(strings.NewReader(body)), Request: request,
		}, nil
	}
}

// throws answers as Vendure does when a resolver throws.
func throws(code string) answer {
	return with(200, "application/json", `{"errors":[{"message":"`+spoken+`","extensions":{"code":"`+code+`"}}],"data":null}`)
}

// sabotaged returns a shop on the tape of TestPurchase, but for some answers.
func sabotaged(t *testing.T, answers map[string]answer, change ...func(*vendure.Config)) upstream.Shop {
	t.Helper()
	tape := readTape(t, filepath.Join("testdata", "tapes", "TestPurchase.json"))
	return newShop(t, &url.URL{Scheme: "http", Host: "shop.example"}, saboteur{tape, answers}, change...)
}

// TestBrokenAnswers: whatever a shop answers instead of an answer becomes a code,
// and is not quoted.
func TestBrokenAnswers(t *testing.T) {
	html := "<!doctype html><title>" + spoken + "</title>"
	answers := map[string]answer{
		"an error page":       with(500, "text/html", html),
		"a page that says OK": with(200, "text/html", html),
		"a gateway's error":   with(502, "text/plain", spoken),
		"half an answer":      with(200, "application/json", `{"data":{"activeOrder":{"code":"`+spoken),
		"nothing":             with(200, "application/json", ""),
		"JSON without data":   with(200, "application/json", `{"message":"`+spoken+`"}`),
		"null":                with(200, "application/json", `{"data":null}`),
		"10 MB":               with(200, "application/json", `{"data":"`+strings.Repeat("x", 10<<20)+`"}`),
		"a broken connection": func(*http.Request) (*http.Response, error) { return nil, errors.New(spoken) },
		"a redirect":          with(302, "text/html", html),
	}
	for _, operation := range []string{"Shop", "Lookup", "Basket", "Change", "Lock", "Pay", "Order"} {
		for name, broken := range answers {
			t.Run(operation+"/"+name, func(t *testing.T) {
				err := buy(t, sabotaged(t, map[string]answer{operation: broken}))
				want := upstream.CodeUnavailable
				if operation == "Pay" && name != "a redirect" {
					want = upstream.CodeUnknownOutcome
				}
				fails(t, err, want)
			})
		}
	}
}

// fails fails unless err has the code and does not quote the shop.
func fails(t *testing.T, err error, code upstream.Code) {
	t.Helper()
	if upstream.CodeOf(err) != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if strings.Contains(err.Error(), spoken) {
		t.Errorf("the error quotes the shop: %v", err)
	}
}

// TestThrows: an operation that Vendure threw out is tried again where that is
// safe, and a payment that threw is looked for.
func TestThrows(t *testing.T) {
	internal := throws("INTERNAL_SERVER_ERROR")
	unlocked := with(200, "application/json", `{"data":{"m0":{"__typename":"Order"}}}`)
	for name, test := range map[string]struct {
		answers map[string]answer
		want    upstream.Code
	}{
		"looking up":       {map[string]answer{"Lookup": internal}, upstream.CodeUnavailable},
		"a channel":        {map[string]answer{"Shop": throws("CHANNEL_NOT_FOUND")}, upstream.CodeUnavailable},
		"a payment":        {map[string]answer{"Pay": internal, "Outcome": throws("FORBIDDEN"), "Unlock": unlocked}, upstream.CodePaymentDeclined},
		"and no outcome":   {map[string]answer{"Pay": internal, "Outcome": internal}, upstream.CodeUnknownOutcome},
		"and then locked":  {map[string]answer{"Pay": internal, "Outcome": throws("FORBIDDEN"), "Unlock": internal}, upstream.CodePaymentDeclined},
		"a locked order":   {map[string]answer{"Lock": internal}, upstream.CodeUnavailable},
		"an order refused": {map[string]answer{"Order": throws("FORBIDDEN")}, upstream.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			fails(t, buy(t, sabotaged(t, test.answers)), test.want)
		})
	}
}

// TestPaidAndThrown: a payment that threw while its answer was read has placed the
// order.
func TestPaidAndThrown(t *testing.T) {
	shop := sabotaged(t, map[string]answer{
		"Pay": throws("INTERNAL_SERVER_ERROR"),
		"Outcome": with(200, "application/json",
			`{"data":{"orderByCode":{"orderPlacedAt":"2026-11-30T19:02:34.616Z","totalWithTax":27455,"currencyCode":"GBP"}}}`),
	})
	h, err := fill(t, shop)
	if err != nil {
		t.Fatal(err)
	}
	placed, err := shop.Place(t.Context(), agent, h, placement(gbp(27455)))
	if err != nil || placed.Total != gbp(27455) || placed.Ref.ID == "" {
		t.Errorf("got %+v, %v", placed, err)
	}
}

// fill fills a basket as TestPurchase does, up to the first error.
func fill(t *testing.T, shop upstream.Shop) (upstream.Handle, error) {
	t.Helper()
	d := upstream.Desired{Codes: []string{"welcome10"}, Buyer: gil, Address: &home, Delivery: express}
	for _, line := range []struct {
		key, sku string
		quantity int64
	}{{"jacket", "RDG-SLATE-M", 1}, {"socks", "SOK-M", 3}, {"coat", "PDL-RED-34", 1}} {
		matches, err := shop.Lookup(t.Context(), agent, []string{line.sku})
		if err != nil {
			return upstream.Handle{}, err
		}
		d.Lines = append(d.Lines, upstream.DesiredLine{Key: line.key, Item: matches[0].Inputs[0].Variant, Quantity: line.quantity})
	}
	bare, err := shop.Apply(t.Context(), agent, upstream.Handle{}, upstream.Desired{Lines: d.Lines})
	if err != nil {
		return upstream.Handle{}, err
	}
	applied, err := shop.Apply(t.Context(), agent, bare.Handle, d)
	if err != nil {
		return upstream.Handle{}, err
	}
	if _, err := shop.Apply(t.Context(), agent, applied.Handle, d); err != nil {
		return upstream.Handle{}, err
	}
	if _, err := shop.Read(t.Context(), agent, applied.Handle); err != nil {
		return upstream.Handle{}, err
	}
	return applied.Handle, nil
}

// buy does what TestPurchase does, up to the first error.
func buy(t *testing.T, shop upstream.Shop) error {
	t.Helper()
	h, err := fill(t, shop)
	if err != nil {
		return err
	}
	placed, err := shop.Place(t.Context(), agent, h, placement(gbp(27455)))
	if err != nil {
		return err
	}
	_, err = shop.Order(t.Context(), agent, placed.Ref)
	return err
}

// TestSlowPayment: a payment that takes longer than we wait may have been made.
func TestSlowPayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := buy(t, sabotaged(t, map[string]answer{"Pay": func(request *http.Request) (*http.Response, error) {
			<-request.Context().Done()
			return nil, request.Context().Err()
		}}))
		fails(t, err, upstream.CodeUnknownOutcome)
	})
}

// TestNoWayToPay: a shop whose payments need its own page hands over.
func TestNoWayToPay(t *testing.T) {
	none := map[string]answer{"Payments": with(200, "application/json", `{"data":{"activePaymentMethods":[]}}`)}
	fails(t, buy(t, sabotaged(t, none)), upstream.CodeUnsupported)

	err := buy(t, sabotaged(t, none, func(c *vendure.Config) {
		c.CheckoutURL = "https://fell.example/checkout/{order}?session={session}"
	}))
	fails(t, err, upstream.CodeEscalate)
	var e *upstream.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.URL, "https://fell.example/checkout/") || !strings.HasSuffix(e.URL, "?session=session-1") {
		t.Errorf("the page is %+v", e)
	}
}

// TestShopThatTellsLittle buys in a shop that refuses all that not every Vendure
// has: its schema, its ways to pay, a search plugin.
func TestShopThatTellsLittle(t *testing.T) {
	base := shopURL(t)
	invalid := with(400, "application/json", `{"errors":[{"message":"no","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`)
	shop := newShop(t, base, saboteur{http.DefaultTransport, map[string]answer{
		"Schema": invalid, "Payments": invalid, "Probe": throws("INTERNAL_SERVER_ERROR"), "Search": throws("INTERNAL_SERVER_ERROR"),
	}}, func(c *vendure.Config) { c.Payments = []string{"test-card"} })
	results, err := shop.Search(t.Context(), agent, upstream.Query{Words: "gaiter", Limit: 5})
	if err != nil || len(results.Products) != 1 {
		t.Fatalf("searching: %+v, %v", results, err)
	}
	applied, err := shop.Apply(t.Context(), agent, upstream.Handle{}, upstream.Desired{
		Lines: []upstream.DesiredLine{{Key: "one", Item: results.Products[0].ID, Quantity: 1}},
		Buyer: gil, Address: &home, Delivery: express,
	})
	if err != nil || len(applied.Notices) > 0 {
		t.Fatalf("applying: %+v, %v", applied.Notices, err)
	}
	p := placement(applied.Observed.Total)
	p.Credential = secret.New("a token")
	placed, err := shop.Place(t.Context(), agent, applied.Handle, p)
	if err != nil {
		t.Fatal(err)
	}
	payment := login(t, base).run(t, `query($code: String!) {
		orders(options: { filter: { code: { eq: $code } } }) { items { payments { metadata } } }
	}`, map[string]any{"code": placed.Ref.ID}).Get("orders.items.0.payments.0.metadata")
	if payment.Get("storeware.agent").String() != "Marvin" || payment.Get("token").String() != "a token" {
		t.Errorf("the payment's metadata is %s", payment.Raw)
	}
}
