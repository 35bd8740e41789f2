package woocommerce_test

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// attempt orders a basket.
func attempt(shop upstream.Shop, t testing.TB, applied upstream.Applied, method, credential string) (upstream.Placed, error) {
	t.Helper()
	return shop.Place(t.Context(), upstream.Visit{Agent: "Tester"}, applied.Handle, upstream.Placement{
		Attempt: "attempt-1", Started: time.Now(), Method: method, Credential: secret.New(credential), Expected: applied.Observed.Total,
	})
}

// sent counts the requests that ordered something.
func sent(fake *wootest.Shop) int {
	n := 0
	for _, request := range fake.Requests() {
		if strings.HasPrefix(request, "POST ") && strings.HasSuffix(request, "/checkout") {
			n++
		}
	}
	return n
}

// The shop places an order for every request that comes while it is at work on
// one, so only one is sent: not again when its answer is lost, and not again by
// whoever asks later.
func TestTrapThreeOrdersForThreeCheckouts(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	fake.LoseAnswer()
	_, err := attempt(shop, t, applied, "cod", "")
	code(t, err, upstream.CodeUnknownOutcome)
	if n := sent(fake); n != 1 || fake.Orders() != 1 {
		t.Fatalf("%d requests, %d orders", n, fake.Orders())
	}
	again, err := attempt(shop, t, applied, "cod", "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := shop.Recover(t.Context(), upstream.Visit{}, applied.Handle, upstream.Placement{Attempt: "attempt-1", Started: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if again.Ref.ID != found.Ref.ID || !again.Ref.Key.Equal(found.Ref.Key) || again.Total != applied.Observed.Total {
		t.Errorf("ordered again is %+v, found was %+v", again, found)
	}
	if n := sent(fake); n != 1 || fake.Orders() != 1 {
		t.Errorf("%d requests, %d orders", n, fake.Orders())
	}
}

// What would go wrong otherwise: this is the shop's habit, not the adapter's.
func TestShopPlacesThreeOrdersForThreeRequests(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	arrived := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Add(3)
	fake.Between(func() {
		waiting.Done()
		<-arrived
	})
	var done sync.WaitGroup
	for range 3 {
		done.Go(func() {
			if _, err := attempt(shop, t, applied, "cod", ""); err != nil {
				t.Error(err)
			}
		})
	}
	waiting.Wait()
	close(arrived)
	done.Wait()
	if n := fake.Orders(); n != 3 {
		t.Errorf("there are %d orders, the recorded shop had 3", n)
	}
}

// The shop orders at whatever the basket costs by then.
func TestTrapNoPriceGuard(t *testing.T) {
	for name, change := range map[string]func(*wootest.Shop){
		"price": func(fake *wootest.Shop) { fake.SetPrice("MUG-01", 901) },
		"code":  func(fake *wootest.Shop) { fake.ExpireCode("SAVE10") },
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, wootest.Config{})
			shop := newShop(t, fake, withPayments)
			d := complete(wanted("25", 2))
			d.Codes = []string{"SAVE10"}
			applied := apply(t, shop, upstream.Handle{}, d)
			change(fake)
			_, err := attempt(shop, t, applied, "cod", "")
			code(t, err, upstream.CodePriceChanged)
			if sent(fake) != 0 {
				t.Error("an order was sent")
			}
		})
	}
}

// Asked twice in a second, the shop takes its stock for short. In the next second
// it does not.
func TestTrapFalseLackOfStockInTheSameSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := wootest.New(t, wootest.Config{})
		shop := newShop(t, fake, withPayments)
		applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
		_, err := attempt(shop, t, applied, "test_card", "declined")
		code(t, err, upstream.CodePaymentDeclined)
		before := time.Now()
		if _, err := attempt(shop, t, applied, "test_card", "tok_visa"); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(before); waited < time.Second || waited > 2*time.Second {
			t.Errorf("it took %v", waited)
		}
		if fake.Orders() != 1 {
			t.Errorf("there are %d orders", fake.Orders())
		}
	})
}

// Stock that is short in truth is said to be so, after one more look.
func TestStockShortInTruth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := wootest.New(t, wootest.Config{})
		shop := newShop(t, fake, withPayments)
		applied := apply(t, shop, upstream.Handle{}, complete(wanted("45", 5)))
		fake.Between(func() { fake.SetStock("KEY-01", 1) }) // Sold while the shop is at work.
		_, err := attempt(shop, t, applied, "cod", "")
		code(t, err, upstream.CodeOutOfStock)
		if fake.Orders() != 0 {
			t.Error("it was ordered")
		}
	})
}

// A basket whose payment was declined is there still, and is paid another way by
// the same order.
func TestTrapDeclinedThenPaidOtherwise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := wootest.New(t, wootest.Config{})
		shop := newShop(t, fake, withPayments)
		applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
		_, err := attempt(shop, t, applied, "test_card", "declined")
		code(t, err, upstream.CodePaymentDeclined)
		o, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
		if err != nil || o.Ordered != nil || len(o.Lines) != 1 {
			t.Fatalf("the basket is %+v (%v)", o, err)
		}
		placed, err := attempt(shop, t, applied, "cod", "")
		if err != nil {
			t.Fatal(err)
		}
		if placed.Ref.ID != "87" || fake.Orders() != 1 {
			t.Errorf("order %s of %d", placed.Ref.ID, fake.Orders())
		}
	})
}

// A gateway with a page of its own gets the buyer there; the order that was paid
// on it is the basket's.
func TestTrapGatewayWithAPageOfItsOwn(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	_, err := attempt(shop, t, applied, "test_redirect", "")
	code(t, err, upstream.CodeEscalate)
	if page := page(err); !strings.HasPrefix(page, "https://pay.example/") {
		t.Errorf("the page is %q", page)
	}
	o, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
	if err != nil || o.Ordered != nil || !strings.Contains(o.HandOff, "/checkout/order-pay/87/?key=") {
		t.Fatalf("the basket is %+v (%v)", o, err)
	}
	fake.Buy(o.HandOff)
	again := apply(t, shop, applied.Handle, complete(wanted("25", 1)))
	if placed := again.Observed.Ordered; placed == nil || placed.Ref.ID != "87" || placed.Total != applied.Observed.Total {
		t.Errorf("the basket's order is %+v", placed)
	}
}

// page is where an error sends a person.
func page(err error) string {
	if e, ok := err.(*upstream.Error); ok {
		return e.URL
	}
	return ""
}

// What only the shop's own page can ask for is asked for there.
func TestTrapAccountWanted(t *testing.T) {
	fake := wootest.New(t, wootest.Config{NoGuests: true})
	shop := newShop(t, fake, withPayments)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	_, err := attempt(shop, t, applied, "cod", "")
	code(t, err, upstream.CodeEscalate)
	if page(err) == "" || page(err) != applied.Observed.HandOff {
		t.Errorf("the page is %q, want %q", page(err), applied.Observed.HandOff)
	}
}

// A way to pay that the shop has, and agents have not, is none.
func TestPaymentThatIsNotForAgents(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake) // Which pays as WooCommerce itself lets it.
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	for _, method := range []string{"test_card", "cheque", "", "nothing"} {
		_, err := attempt(shop, t, applied, method, "")
		code(t, err, upstream.CodeUnsupported)
	}
	about, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids := func(m upstream.PaymentMethod) string { return m.ID + " " + m.Title }
	var got []string
	for _, m := range about.Capabilities.Payments {
		got = append(got, ids(m))
	}
	if want := []string{"bacs Direct bank transfer", "cod Cash on delivery"}; !slices.Equal(got, want) {
		t.Errorf("the ways to pay are %q, want %q", got, want)
	}
}

// A person who was sent to the shop with a basket orders a copy of it. The key
// sees which order that was.
func TestHandOffIsFollowed(t *testing.T) {
	for name, test := range map[string]struct {
		kind wootest.Config
		item string
		path string
	}{
		"10.5.2":                 {wootest.Config{Key: key, Secret: keySecret}, "25", "/checkout/"},
		"9.9.5":                  {wootest.Config{Old: true, Key: key, Secret: keySecret}, "25", "/"},
		"9.9.5 with a variation": {wootest.Config{Old: true, Key: key, Secret: keySecret}, "65.67", "/product/organic-cotton-t-shirt/"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := wootest.New(t, test.kind)
			shop := newShop(t, fake, withKey, withPayments)
			applied := apply(t, shop, upstream.Handle{}, wanted(test.item, 2))
			u, err := url.Parse(applied.Observed.HandOff)
			if err != nil || u.Path != test.path {
				t.Fatalf("the page is %q (%v)", applied.Observed.HandOff, err)
			}
			id := fake.Buy(applied.Observed.HandOff)
			o, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
			if err != nil || o.Ordered == nil {
				t.Fatalf("the basket is %+v (%v)", o, err)
			}
			order, err := shop.Order(t.Context(), upstream.Visit{}, o.Ordered.Ref)
			if err != nil || order.Total != o.Ordered.Total || order.Lines[0].Ordered != 2 {
				t.Errorf("order %d is %+v (%v)", id, order, err)
			}
		})
	}
}

// Without a key nobody hears of an order that a person made, and nothing is made
// up.
func TestHandOffWithoutAKey(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	applied := apply(t, shop, upstream.Handle{}, wanted("25", 2))
	fake.Buy(applied.Observed.HandOff)
	o, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
	if err != nil || o.Ordered != nil || len(o.Lines) != 1 {
		t.Errorf("the basket is %+v (%v)", o, err)
	}
}

// An older shop can be handed one product, and no basket of several.
func TestHandOffOfSeveralToAnOldShop(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{Old: true}))
	d := wanted("25", 1)
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "l2", Item: "17", Quantity: 1})
	if page := apply(t, shop, upstream.Handle{}, d).Observed.HandOff; page != "" {
		t.Errorf("the page is %q", page)
	}
}
