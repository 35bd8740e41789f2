package woocommerce_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// recover asks for the order of the attempt that began then.
func recoverOf(t testing.TB, shop upstream.Shop, h upstream.Handle, started time.Time) (upstream.Placed, error) {
	t.Helper()
	return shop.Recover(t.Context(), upstream.Visit{}, h, upstream.Placement{Attempt: "attempt-1", Started: started, Method: "cod"})
}

// withoutDrafts is a handle from before the shop opened an order.
func withoutDrafts(t testing.TB, h upstream.Handle) upstream.Handle {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(h.Reveal()), &all); err != nil {
		t.Fatal(err)
	}
	delete(all, "drafts")
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return secret.New(string(text))
}

// A request that was lost may still arrive for as long as the shop may be at work
// on one. After that the attempt has failed, for certain.
func TestRecoverLostRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := wootest.New(t, wootest.Config{})
		shop := newShop(t, fake, withPayments)
		applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
		started := time.Now()
		fake.LoseOrder()
		_, err := attempt(shop, t, applied, "cod", "")
		code(t, err, upstream.CodeUnknownOutcome)
		_, err = recoverOf(t, shop, applied.Handle, started)
		code(t, err, upstream.CodeUnknownOutcome)
		e, ok := err.(*upstream.Error)
		if !ok || e.RetryAfter < 5*time.Minute || e.RetryAfter > 6*time.Minute {
			t.Errorf("to be asked again after %v", e.RetryAfter)
		}
		time.Sleep(e.RetryAfter)
		_, err = recoverOf(t, shop, applied.Handle, started)
		code(t, err, upstream.CodeNotPlaced)
		if _, err := attempt(shop, t, applied, "cod", ""); err != nil || fake.Orders() != 1 {
			t.Errorf("ordered again: %v, %d orders", err, fake.Orders())
		}
	})
}

// An order whose answer was lost is found at once, by the number that it had
// before.
func TestRecoverLostAnswer(t *testing.T) {
	for name, kind := range map[string]wootest.Config{"10.5.2": {}, "9.9.5": {Old: true}} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, kind)
			shop := newShop(t, fake, withPayments)
			applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
			fake.LoseAnswer()
			_, err := attempt(shop, t, applied, "bacs", "")
			code(t, err, upstream.CodeUnknownOutcome)
			placed, err := recoverOf(t, shop, applied.Handle, time.Now())
			if err != nil || placed.Total != applied.Observed.Total || placed.Ref.ID != "87" {
				t.Fatalf("found is %+v (%v)", placed, err)
			}
			order, err := shop.Order(t.Context(), upstream.Visit{}, placed.Ref)
			if err != nil || order.Total != applied.Observed.Total || order.Status != "on-hold" {
				t.Errorf("the order is %+v (%v)", order, err)
			}
		})
	}
}

// Where the number is not known, the key finds the order by the attempt's name.
func TestRecoverByNote(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	shop := newShop(t, fake, withPayments, withKey)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	applied.Handle = withoutDrafts(t, applied.Handle)
	fake.LoseAnswer()
	_, err := attempt(shop, t, applied, "cod", "")
	code(t, err, upstream.CodeUnknownOutcome)
	placed, err := recoverOf(t, shop, applied.Handle, time.Now())
	if err != nil || placed.Total != applied.Observed.Total {
		t.Fatalf("found is %+v (%v)", placed, err)
	}
	// Another attempt's name is no name of this one.
	_, err = shop.Recover(t.Context(), upstream.Visit{}, applied.Handle, upstream.Placement{Attempt: "attempt-11", Started: time.Now()})
	code(t, err, upstream.CodeUnknownOutcome)
}

// Without number and key only the basket tells: one that holds something was not
// ordered. One that is empty proves nothing, however long ago it was.
func TestRecoverByBasketAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := wootest.New(t, wootest.Config{})
		shop := newShop(t, fake, withPayments)
		applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
		applied.Handle = withoutDrafts(t, applied.Handle)
		started := time.Now()
		fake.LoseOrder()
		_, err := attempt(shop, t, applied, "cod", "")
		code(t, err, upstream.CodeUnknownOutcome)
		time.Sleep(time.Hour)
		_, err = recoverOf(t, shop, applied.Handle, started)
		code(t, err, upstream.CodeNotPlaced)
		fake.LoseAnswer()
		_, err = attempt(shop, t, applied, "cod", "")
		code(t, err, upstream.CodeUnknownOutcome)
		time.Sleep(time.Hour)
		_, err = recoverOf(t, shop, applied.Handle, started)
		code(t, err, upstream.CodeUnknownOutcome)
		token, _ := kept(t, applied.Handle)
		fake.Forget(token)
		_, err = recoverOf(t, shop, applied.Handle, started)
		code(t, err, upstream.CodeUnknownOutcome)
	})
}

// An answer that nobody understands is one that was lost.
func TestPlaceAnsweredOddly(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		body   string
		want   upstream.Code
	}{
		"HTML with status 200":     {http.StatusOK, "<html>Fatal error", upstream.CodeUnknownOutcome},
		"nothing":                  {http.StatusOK, "", upstream.CodeUnknownOutcome},
		"no order":                 {http.StatusOK, `{"status":"processing"}`, upstream.CodeUnknownOutcome},
		"an order of no key":       {http.StatusOK, `{"order_id":87,"status":"processing"}`, upstream.CodeUnknownOutcome},
		"an order of no number":    {http.StatusOK, `{"order_key":"wc_order_x","status":"processing"}`, upstream.CodeUnknownOutcome},
		"an order of no status":    {http.StatusOK, `{"order_id":87,"order_key":"wc_order_x"}`, upstream.CodeUnknownOutcome},
		"server error":             {http.StatusInternalServerError, `{"code":"invalid_order_update_status"}`, upstream.CodeUnknownOutcome},
		"gateway error":            {http.StatusBadGateway, "<html>nginx", upstream.CodeUnknownOutcome},
		"refusal without a code":   {http.StatusBadRequest, `{}`, upstream.CodeUnknownOutcome},
		"refusal of an address":    {http.StatusBadRequest, `{"code":"woocommerce_rest_invalid_address"}`, upstream.CodeIncomplete},
		"refusal of a delivery":    {http.StatusBadRequest, `{"code":"woocommerce_rest_invalid_shipping_option"}`, upstream.CodeIncomplete},
		"refusal of a gateway":     {http.StatusBadRequest, `{"code":"rest_invalid_param","data":{"params":{"payment_method":"x"}}}`, upstream.CodeInvalid},
		"refusal of a parameter":   {http.StatusBadRequest, `{"code":"rest_invalid_param","data":{"params":{"billing_address":"x"}}}`, upstream.CodeIncomplete},
		"refusal for an empty one": {http.StatusConflict, `{"code":"woocommerce_rest_cart_empty"}`, upstream.CodeBasketGone},
		"refusal for a code":       {http.StatusConflict, `{"code":"woocommerce_rest_cart_coupon_errors"}`, upstream.CodePriceChanged},
		"refusal of a plug-in":     {http.StatusBadRequest, `{"code":"vat_number_wanted"}`, upstream.CodeEscalate},
		"limit of requests":        {http.StatusBadRequest, `{"code":"rate_limit_exceeded"}`, upstream.CodeBusy},
		"too many requests":        {http.StatusTooManyRequests, `{"code":"too_many"}`, upstream.CodeBusy},
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, wootest.Config{})
			shop := newShop(t, fake, withPayments)
			applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
			fake.Answer("POST /wc/store/v1/checkout", answer.status, http.Header{"Content-Type": {"application/json"}}, answer.body)
			_, err := attempt(shop, t, applied, "cod", "")
			code(t, err, answer.want)
		})
	}
}

// A gateway may break off after it has taken the money. The order knows.
func TestTrapGatewayBreaksOff(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	placed, err := attempt(shop, t, applied, "test_card", "broken")
	if err != nil || placed.Ref.ID != "87" {
		t.Errorf("placed is %+v (%v)", placed, err)
	}
}

// A draft that the shop does not open is no reason not to show the basket. One
// without a number or a key is no draft.
func TestDraftThatIsNotOpened(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   upstream.Code
	}{
		"refused":   {http.StatusForbidden, `{"code":"woocommerce_rest_guest_checkout_disabled"}`, ""},
		"no number": {http.StatusOK, `{"order_key":"wc_order_1","status":"checkout-draft"}`, upstream.CodeUnavailable},
		"no key":    {http.StatusOK, `{"order_id":87,"status":"checkout-draft"}`, upstream.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, wootest.Config{})
			shop := newShop(t, fake)
			fake.Answer("GET /wc/store/v1/checkout", test.status, http.Header{"Content-Type": {"application/json"}}, test.body)
			applied, err := shop.Apply(t.Context(), upstream.Visit{}, upstream.Handle{}, complete(wanted("25", 1)))
			code(t, err, test.want)
			if err != nil {
				return
			}
			if _, drafts := kept(t, applied.Handle); drafts != 0 || len(applied.Observed.Lines) != 1 {
				t.Errorf("%d drafts, and the basket is %+v", drafts, applied.Observed)
			}
		})
	}
}

// The draft is opened once, and the same for as long as it is one.
func TestDraftIsOpenedOnce(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	opened := func() int {
		n := 0
		for _, r := range fake.Requests() {
			if strings.HasPrefix(r, "GET ") && strings.HasSuffix(r, "/checkout") {
				n++
			}
		}
		return n
	}
	applied := apply(t, shop, upstream.Handle{}, wanted("25", 1))
	if opened() != 0 {
		t.Error("a basket that lacks something has a draft")
	}
	for quantity := int64(1); quantity < 4; quantity++ {
		applied = apply(t, shop, applied.Handle, complete(wanted("25", quantity)))
	}
	if _, drafts := kept(t, applied.Handle); drafts != 1 || opened() != 1 {
		t.Errorf("%d drafts, opened %d times", drafts, opened())
	}
	placed, err := placeIt(t, shop, applied)
	if err != nil || placed.Ref.ID != "87" || placed.Total != applied.Observed.Total {
		t.Errorf("placed is %+v (%v)", placed, err)
	}
}
