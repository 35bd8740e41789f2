package medusa_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/medusa"
)

// The requests of a purchase, by method and path with a star for each id.
const (
	askRegions    = "GET /regions"
	askCategories = "GET /product-categories"
	askProducts   = "GET /products"
	newCart       = "POST /carts"
	askCart       = "GET /carts/*"
	changeCart    = "POST /carts/*"
	setDelivery   = "POST /carts/*/shipping-methods"
	askDelivery   = "GET /shipping-options"
	newPayment    = "POST /payment-collections"
	newSession    = "POST /payment-collections/*/payment-sessions"
	complete      = "POST /carts/*/complete"
	askOrder      = "GET /orders/*"
)

// answer is one way to answer a request.
type answer func(*http.Request) (*http.Response, error)

// saboteur answers some requests in its own way and plays the tape for the rest.
type saboteur struct {
	*tape
	answers map[string]answer
}

func (s *saboteur) RoundTrip(request *http.Request) (*http.Response, error) {
	path := regexp.MustCompile(`/(cart|pay_col|order)_\w+`).ReplaceAllString(request.URL.Path, "/*")
	if answer := s.answers[request.Method+" "+strings.TrimPrefix(path, "/store")]; answer != nil {
		return answer(request)
	}
	return s.tape.RoundTrip(request)
}

// spoken is something that a shop must not be quoted with.
const spoken = "Fatal error in /var/www/secret.js"

// with answers with a status and a body.
func with(status int, kind, body string) answer {
	return func(request *http.Request) (*http.Response, error) { return respond(request, status, kind, body), nil }
}

// says answers with a status and JSON.
func says(status int, body string) answer { return with(status, "application/json", body) }

// refuses answers as Medusa refuses.
func refuses(status int, kind string) answer {
	return says(status, `{"type":"`+kind+`","message":"`+spoken+`"}`)
}

// sabotaged returns a shop on the tape of TestPurchase, but for some answers.
func sabotaged(t *testing.T, answers map[string]answer) (*medusa.Shop, *saboteur) {
	t.Helper()
	s := &saboteur{readTape(t, filepath.Join("testdata", "tapes", "TestPurchase.json")), answers}
	return newShop(t, nowhere, anyKey, s), s
}

// fill fills a basket as TestPurchase does, up to the first error.
func fill(t *testing.T, shop upstream.Shop) (upstream.Handle, error) {
	t.Helper()
	matches, err := shop.Lookup(t.Context(), agent, []string{"RDG-SLATE-M", "SOK-M", "PDL-RED-34"})
	if err != nil {
		return upstream.Handle{}, err
	}
	var d upstream.Desired
	for i, match := range matches {
		d.Lines = append(d.Lines, upstream.DesiredLine{
			Key: match.Inputs[0].Ref, Item: match.Inputs[0].Variant, Quantity: []int64{1, 3, 1}[i],
		})
	}
	applied, err := shop.Apply(t.Context(), agent, upstream.Handle{}, d)
	if err != nil {
		return upstream.Handle{}, err
	}
	d.Buyer, d.Address, d.Codes = gil, &home, []string{"WELCOME10"}
	d.Delivery = applied.Observed.Delivery[1].ID
	applied, err = shop.Apply(t.Context(), agent, applied.Handle, d)
	if err != nil {
		return upstream.Handle{}, err
	}
	if _, err := shop.Apply(t.Context(), agent, applied.Handle, d); err != nil {
		return upstream.Handle{}, err
	}
	_, err = shop.Read(t.Context(), agent, applied.Handle)
	return applied.Handle, err
}

// buy buys as TestPurchase does, up to the first error.
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

// fails fails unless err has the code and does not quote the shop.
func fails(t *testing.T, err error, code upstream.Code) {
	t.Helper()
	var e *upstream.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if strings.Contains(err.Error(), spoken) {
		t.Errorf("the error quotes the shop: %v", err)
	}
}

// TestBrokenAnswers: whatever a shop answers instead of an answer becomes a code,
// and is not quoted.
func TestBrokenAnswers(t *testing.T) {
	html := "<!doctype html><title>" + spoken + "</title>"
	answers := map[string]answer{
		"an error page":       with(500, "text/html", html),
		"a page that says OK": with(200, "text/html", html),
		"a gateway's error":   with(502, "text/plain", spoken),
		"a failure":           refuses(500, "unknown_error"),
		"half an answer":      says(200, `{"cart":{"id":"`+spoken),
		"nothing":             says(200, ""),
		"another JSON":        says(200, `{"message":"`+spoken+`"}`),
		"null":                says(200, `null`),
		"a list":              says(200, `[{"id":"cart_1"}]`),
		"10 MB":               says(200, `{"cart":"`+strings.Repeat("x", 10<<20)+`"}`),
		"a broken connection": func(*http.Request) (*http.Response, error) { return nil, errors.New(spoken) },
		"a redirect":          with(302, "text/html", html),
	}
	for _, request := range []string{
		askRegions, askCategories, askProducts, newCart, askCart, changeCart, setDelivery, askDelivery, newPayment, newSession, complete, askOrder,
	} {
		for name, broken := range answers {
			t.Run(request+"/"+name, func(t *testing.T) {
				shop, _ := sabotaged(t, map[string]answer{request: broken})
				want := upstream.CodeUnavailable
				if request == complete && name != "a redirect" {
					want = upstream.CodeUnknownOutcome
				}
				fails(t, buy(t, shop), want)
			})
		}
	}
}

// TestRefusals: each refusal becomes the code that a caller can decide on.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		request string
		answer  answer
		want    upstream.Code
	}{
		"a wrong key":              {askRegions, refuses(400, "not_allowed"), upstream.CodeDenied},
		"a key of two channels":    {askProducts, refuses(400, "invalid_data"), upstream.CodeDenied},
		"a shop without regions":   {askRegions, says(200, `{"regions":[]}`), upstream.CodeUnavailable},
		"regions without currency": {askRegions, says(200, `{"regions":[{"id":"reg_1","currency_code":"doubloons"}]}`), upstream.CodeUnavailable},
		"a shop that is busy":      {askProducts, says(429, `{}`), upstream.CodeBusy},
		"a basket at work":         {changeCart, refuses(409, "conflict"), upstream.CodeBusy},
		"a basket that is gone":    {askDelivery, refuses(404, "not_found"), upstream.CodeBasketGone},
		"gone on the way":          {setDelivery, refuses(404, "not_found"), upstream.CodeBasketGone},
		"a shop behind a door":     {changeCart, refuses(401, "unauthorized"), upstream.CodeDenied},
		"no payment begins":        {newPayment, refuses(400, "invalid_data"), upstream.CodeInvalid},
		"the provider refuses":     {newSession, refuses(400, "invalid_data"), upstream.CodePaymentDeclined},
		"gone before the end":      {complete, refuses(404, "not_found"), upstream.CodeBasketGone},
		"at work on the order":     {complete, refuses(409, "conflict"), upstream.CodeUnknownOutcome},
		"an order unknown":         {askOrder, refuses(404, "not_found"), upstream.CodeNotFound},
		"an order without figures": {askOrder, says(200, `{"order":{"id":"order_1","display_id":1,"currency_code":"gbp"}}`), upstream.CodeUnavailable},
		"an order of another id":   {askOrder, says(200, `{"order":{"id":"order_1","display_id":99,"currency_code":"gbp","total":1,"tax_total":0}}`), upstream.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			shop, _ := sabotaged(t, map[string]answer{test.request: test.answer})
			fails(t, buy(t, shop), test.want)
		})
	}
}

// TestPlaceRefuses: what cannot be placed as it stands is refused before anything
// is paid.
func TestPlaceRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*upstream.Placement)
		want   upstream.Code
	}{
		"another total":    {func(p *upstream.Placement) { p.Expected.Minor++ }, upstream.CodePriceChanged},
		"another currency": {func(p *upstream.Placement) { p.Expected.Currency = "EUR" }, upstream.CodePriceChanged},
		"another provider": {func(p *upstream.Placement) { p.Method = "pp_stripe_stripe" }, upstream.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			shop, saboteur := sabotaged(t, nil)
			h, err := fill(t, shop)
			if err != nil {
				t.Fatal(err)
			}
			paid := func(*http.Request) (*http.Response, error) {
				t.Error("a payment was begun")
				return nil, errors.New("too late")
			}
			saboteur.answers = map[string]answer{newPayment: paid, newSession: paid, complete: paid}
			p := placement(gbp(27455))
			test.change(&p)
			_, err = shop.Place(t.Context(), agent, h, p)
			fails(t, err, test.want)
		})
	}
}

// TestMark: an order is placed with its mark or not at all.
func TestMark(t *testing.T) {
	held := func(more string) answer { return says(200, `{"cart":{"id":"cart_1"`+more+`}}`) }
	for name, test := range map[string]struct {
		cart answer
		want upstream.Code
	}{
		"refused":      {held(""), upstream.CodeInvalid},
		"closed":       {held(`,"completed_at":"2026-11-30T20:29:21.704Z"`), upstream.CodeBasketGone},
		"and gone":     {refuses(404, "not_found"), upstream.CodeBasketGone},
		"ordered":      {held(`,"order":{"id":"order_1","display_id":7,"currency_code":"gbp","total":274.55}`), ""},
		"and then off": {says(503, `{}`), upstream.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			shop, saboteur := sabotaged(t, nil)
			h, err := fill(t, shop)
			if err != nil {
				t.Fatal(err)
			}
			saboteur.answers = map[string]answer{changeCart: refuses(400, "invalid_data"), askCart: test.cart}
			placed, err := shop.Place(t.Context(), agent, h, placement(gbp(27455)))
			if test.want != "" {
				fails(t, err, test.want)
			} else if err != nil || placed.Ref.ID != "7" {
				t.Errorf("got %+v, %v", placed, err)
			}
		})
	}
}

// TestCredential: what the payment provider is given.
func TestCredential(t *testing.T) {
	for credential, want := range map[string]string{
		"":                           `{}`,
		"tok_1":                      `{"token":"tok_1"}`,
		"null":                       `{"token":"null"}`,
		`{"n":12345678901234567890}`: `{"n":12345678901234567890}`,
	} {
		shop, saboteur := sabotaged(t, nil)
		h, err := fill(t, shop)
		if err != nil {
			t.Fatal(err)
		}
		saboteur.answers = map[string]answer{newSession: func(r *http.Request) (*http.Response, error) {
			asked, err := read(r)
			if got := gjson.GetBytes(asked.Body, "data").Raw; got != want {
				t.Errorf("%q is sent as %s, want %s", credential, got, want)
			}
			return respond(r, 400, "application/json", `{"type":"invalid_data"}`), err
		}}
		p := placement(gbp(27455))
		p.Credential = secret.New(credential)
		_, err = shop.Place(t.Context(), agent, h, p)
		fails(t, err, upstream.CodePaymentDeclined)
	}
}

// TestCompletion: what a shop says of an order that it did not take, or took and
// did not say so.
func TestCompletion(t *testing.T) {
	held := func(more string) answer {
		return says(200, `{"cart":{"id":"cart_1","region_id":"reg_1","currency_code":"gbp","total":274.55`+more+`}}`)
	}
	session := func(status string) answer {
		return held(`,"payment_collection":{"payment_sessions":[{"status":"` + status + `"}]}`)
	}
	hats := held(`,"items":[{"variant_id":"variant_1","quantity":5}],"payment_collection":{"payment_sessions":[{"status":"pending"}]}`)
	ordered := held(`,"order":{"id":"order_1","display_id":7,"currency_code":"gbp","total":274.55}`)
	notAllowed, invalid := refuses(400, "not_allowed"), refuses(400, "invalid_data")
	cartAndError := func(kind string) answer { return says(200, `{"type":"cart","cart":{},"error":{"type":"`+kind+`"}}`) }
	for name, test := range map[string]struct {
		complete, cart answer
		want           upstream.Code
	}{
		"declined":                     {notAllowed, session("error"), upstream.CodePaymentDeclined},
		"canceled by the provider":     {notAllowed, session("canceled"), upstream.CodePaymentDeclined},
		"the buyer has to confirm":     {notAllowed, session("requires_more"), upstream.CodePaymentDeclined},
		"declined, older":              {cartAndError("payment_authorization_error"), session("pending"), upstream.CodePaymentDeclined},
		"to be confirmed, older":       {cartAndError("payment_requires_more_error"), session("pending"), upstream.CodePaymentDeclined},
		"not complete":                 {invalid, session("pending"), upstream.CodeIncomplete},
		"sold, in words only":          {notAllowed, hats, upstream.CodeOutOfStock},
		"for no known reason":          {notAllowed, session("pending"), upstream.CodeNotPlaced},
		"and then the shop is away":    {notAllowed, says(503, `{}`), upstream.CodeNotPlaced},
		"ordered after all":            {invalid, ordered, ""},
		"sold":                         {says(400, `{"type":"not_allowed","code":"insufficient_inventory"}`), nil, upstream.CodeOutOfStock},
		"an order nobody can read":     {says(200, `{"type":"order","order":{"id":"order_1"}}`), nil, upstream.CodeUnknownOutcome},
		"an answer of an unknown kind": {says(200, `{"type":"quote"}`), nil, upstream.CodeUnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			shop, saboteur := sabotaged(t, nil)
			h, err := fill(t, shop)
			if err != nil {
				t.Fatal(err)
			}
			saboteur.answers = map[string]answer{
				complete: test.complete, askCart: test.cart, askProducts: says(200, fmt.Sprintf(fourHats, "variant_1")),
			}
			placed, err := shop.Place(t.Context(), agent, h, placement(gbp(27455)))
			if test.want != "" {
				fails(t, err, test.want)
			} else if err != nil || placed.Ref.ID != "7" || placed.Total != gbp(27455) {
				t.Errorf("got %+v, %v", placed, err)
			}
		})
	}
}

// fourHats are products with a variant of which there are four.
const fourHats = `{"products":[{"id":"prod_1","variants":[{"id":%q,"manage_inventory":true,"inventory_quantity":4,
	"calculated_price":{"calculated_amount":10,"currency_code":"gbp"}}]}]}`

// TestRecover: what a cart tells of an attempt, and when it is final.
func TestRecover(t *testing.T) {
	now := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)
	const timeout, ends = time.Minute, 3 * time.Minute // newShop's, and Medusa's own.
	order := `,"order":{"id":"order_1","display_id":7,"currency_code":"gbp","total":274.55}`
	paid, unpaid := `,"payment_collection":{"status":"authorized"}`, `,"payment_collection":{"status":"not_paid"}`
	mine, other := `,"metadata":{"storeware_attempt":"attempt-1"}`, `,"metadata":{"storeware_attempt":"attempt-0"}`
	for name, test := range map[string]struct {
		cart string
		ago  time.Duration
		want upstream.Code
		wait time.Duration
	}{
		"ordered and paid":             {order + paid + mine, 0, "", 0},
		"ordered by another attempt":   {order + paid + other, 0, "", 0},
		"ordered, the payment is open": {order + unpaid + mine, time.Minute, upstream.CodeUnknownOutcome, ends},
		"ordered for nothing":          {order + unpaid + mine + `,"currency_code":"gbp","total":0`, 0, "", 0},
		"and stays open":               {order + unpaid + mine, timeout + ends, "", 0},
		"not ordered yet":              {unpaid + mine, time.Minute, upstream.CodeUnknownOutcome, ends},
		"not ordered any more":         {unpaid + mine, timeout + ends, upstream.CodeNotPlaced, 0},
		"never got that far":           {unpaid + other, 0, upstream.CodeNotPlaced, 0},
		"never placed":                 {unpaid, 0, upstream.CodeNotPlaced, 0},
	} {
		t.Run(name, func(t *testing.T) {
			saboteur := &saboteur{answers: map[string]answer{askCart: says(200, `{"cart":{"id":"cart_1"`+test.cart+`}}`)}}
			shop := newShop(t, nowhere, anyKey, saboteur, func(c *medusa.Config) { c.Client.Now = func() time.Time { return now } })
			p := placement(gbp(27455))
			p.Started = now.Add(-test.ago)
			placed, err := shop.Recover(t.Context(), agent, secret.New(`{"cart":"cart_1"}`), p)
			if test.want == "" {
				if err != nil || placed.Ref.ID != "7" || placed.Ref.Key.Reveal() != "order_1" || placed.Total != gbp(27455) {
					t.Errorf("got %+v, %v", placed, err)
				}
				return
			}
			fails(t, err, test.want)
			var e *upstream.Error
			if errors.As(err, &e) && e.RetryAfter != test.wait {
				t.Errorf("to be asked again in %v, want %v", e.RetryAfter, test.wait)
			}
		})
	}
}

// TestNothingStays: no call leaves a goroutine behind, whether it succeeds or one
// of two requests at the same time fails.
func TestNothingStays(t *testing.T) {
	before := goleak.IgnoreCurrent()
	shop, _ := sabotaged(t, nil)
	if err := buy(t, shop); err != nil {
		t.Fatal(err)
	}
	broken, _ := sabotaged(t, map[string]answer{askCategories: refuses(500, "unknown_error")})
	fails(t, buy(t, broken), upstream.CodeUnavailable)
	goleak.VerifyNone(t, before)
}
