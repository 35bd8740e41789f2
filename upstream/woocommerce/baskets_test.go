package woocommerce_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// noticed returns the notice of that kind, nil if there is none.
func noticed(applied upstream.Applied, code upstream.NoticeCode) *upstream.Notice {
	at := slices.IndexFunc(applied.Notices, func(n upstream.Notice) bool { return n.Code == code })
	if at < 0 {
		return nil
	}
	return &applied.Notices[at]
}

// A basket that is read later holds what is left, without a word of the shop.
func TestTrapQuantityLoweredSilently(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("45", 5)))
	fake.SetStock("KEY-01", 2)
	o, err := shop.Read(t.Context(), upstream.Visit{}, applied.Handle)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Lines[0].Quantity; got != 2 {
		t.Errorf("the basket holds %d, and there are 2", got)
	}
	_, err = shop.Place(t.Context(), upstream.Visit{}, applied.Handle, upstream.Placement{Attempt: "a", Method: "cod", Expected: applied.Observed.Total})
	code(t, err, upstream.CodePriceChanged)
	again := apply(t, shop, applied.Handle, complete(wanted("45", 5)))
	if n := noticed(again, upstream.NoticeQuantityLowered); n == nil || n.Line != "l1" || n.Available == nil || *n.Available != 2 {
		t.Errorf("the notices are %+v", again.Notices)
	}
	if fake.Orders() != 0 {
		t.Error("something was ordered")
	}
}

// What is not for sale any more leaves the basket, and so does a code that has
// expired.
func TestTrapThingsLeaveTheBasket(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	d := complete(wanted("25", 1))
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "l2", Item: "17", Quantity: 1})
	d.Codes = []string{"Save10"}
	applied := apply(t, shop, upstream.Handle{}, d)
	if len(applied.Notices) != 0 || len(applied.Observed.Discounts) != 1 || applied.Observed.Discounts[0].Code != "Save10" {
		t.Fatalf("the basket is %+v", applied)
	}
	fake.Unpublish("MUG-01")
	fake.ExpireCode("SAVE10")
	again := apply(t, shop, applied.Handle, d)
	if len(again.Observed.Lines) != 1 || again.Observed.Lines[0].Key != "l2" || len(again.Observed.Discounts) != 0 {
		t.Errorf("the basket holds %+v and %+v", again.Observed.Lines, again.Observed.Discounts)
	}
	if n := noticed(again, upstream.NoticeNotFound); n == nil || n.Line != "l1" {
		t.Errorf("nothing is said of the mug: %+v", again.Notices)
	}
	if n := noticed(again, upstream.NoticeDiscountExpired); n == nil || n.Discount != "Save10" {
		t.Errorf("nothing is said of the code: %+v", again.Notices)
	}
}

// A token that is bad, or has expired, or whose session is gone, opens a new and
// empty basket with status 200.
func TestTrapLostBasketBehindAToken(t *testing.T) {
	for name, lose := range map[string]func(fake *wootest.Shop, clock *time.Time, h upstream.Handle) upstream.Handle{
		"bad token": func(_ *wootest.Shop, _ *time.Time, h upstream.Handle) upstream.Handle {
			token, _ := kept(t, h)
			return secret.New(strings.Replace(h.Reveal(), token, token[:len(token)-3]+"AAA", 1))
		},
		"expired token": func(_ *wootest.Shop, clock *time.Time, h upstream.Handle) upstream.Handle {
			*clock = clock.Add(49 * time.Hour)
			return h
		},
		"no session": func(fake *wootest.Shop, _ *time.Time, h upstream.Handle) upstream.Handle {
			token, _ := kept(t, h)
			fake.Forget(token)
			return h
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := time.Now()
			now := func() time.Time { return clock }
			fake := wootest.New(t, wootest.Config{Now: now})
			shop := newShop(t, fake, at(now))
			first := apply(t, shop, upstream.Handle{}, complete(wanted("25", 3)))
			lost := lose(fake, &clock, first.Handle)
			_, err := shop.Read(t.Context(), upstream.Visit{}, lost)
			code(t, err, upstream.CodeBasketGone)
			_, err = shop.Place(t.Context(), upstream.Visit{}, lost, upstream.Placement{Attempt: "a", Method: "cod", Expected: first.Observed.Total})
			code(t, err, upstream.CodeBasketGone)
			renewed := apply(t, shop, lost, complete(wanted("25", 3)))
			if _, drafts := kept(t, renewed.Handle); drafts != 1 {
				t.Errorf("it may become one of %d orders", drafts)
			}
			if noticed(renewed, upstream.NoticeBasketRenewed) == nil {
				t.Errorf("the notices are %+v", renewed.Notices)
			}
			if diff := cmp.Diff(first.Observed.Lines, renewed.Observed.Lines); diff != "" {
				t.Error(diff)
			}
			if _, err = shop.Read(t.Context(), upstream.Visit{}, renewed.Handle); err != nil {
				t.Error(err)
			}
		})
	}
}

// A way of delivery that is not there is answered like any other, and the first
// one put in its place.
func TestTrapUnknownRateIsAnswered200(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	d := complete(wanted("25", 1))
	d.Delivery = "flat_rate:9"
	applied := apply(t, shop, upstream.Handle{}, d)
	if noticed(applied, upstream.NoticeDeliveryUnknown) == nil || applied.Observed.Chosen != "flat_rate:1" {
		t.Errorf("%q is in force, and said is %+v", applied.Observed.Chosen, applied.Notices)
	}
	d.Delivery = "flat_rate:2"
	if applied = apply(t, shop, applied.Handle, d); len(applied.Notices) != 0 || applied.Observed.Chosen != "flat_rate:2" {
		t.Errorf("%q is in force, and said is %+v", applied.Observed.Chosen, applied.Notices)
	}
}

// Where nothing is delivered to there are no ways of delivery, and no tax.
func TestTrapNoRateForThePlace(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	d := complete(wanted("25", 1))
	d.Address.Country, d.Address.Region, d.Address.PostalCode = "US", "CA", "94105"
	applied := apply(t, shop, upstream.Handle{}, d)
	if noticed(applied, upstream.NoticeNoDelivery) == nil || !slices.Contains(applied.Observed.Missing, upstream.MissingDelivery) {
		t.Errorf("missing is %v, and said is %+v", applied.Observed.Missing, applied.Notices)
	}
	if got := applied.Observed.Total.Minor; got != 750 {
		t.Errorf("the total is %d, want it without tax", got)
	}
}

// A code that stands no other beside it takes the others off without a word.
func TestTrapCodeReplacesOthersSilently(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	d := wanted("25", 2)
	d.Codes = []string{"SAVE10", "SOLO"}
	applied := apply(t, shop, upstream.Handle{}, d)
	if len(applied.Observed.Discounts) != 1 || applied.Observed.Discounts[0].Code != "SOLO" {
		t.Errorf("the discounts are %+v", applied.Observed.Discounts)
	}
	if n := noticed(applied, upstream.NoticeDiscountNotCombinable); n == nil || n.Discount != "SAVE10" {
		t.Errorf("the notices are %+v", applied.Notices)
	}
}

// Only the shop's words tell why it refuses a code.
func TestTrapOneCodeForAllReasons(t *testing.T) {
	for given, want := range map[string]upstream.NoticeCode{
		"OLD": upstream.NoticeDiscountExpired, "USEDUP": upstream.NoticeDiscountExpired, "NOPE": upstream.NoticeDiscountUnknown,
		"MIN100": upstream.NoticeDiscountNotMet, "<b>": upstream.NoticeDiscountUnknown, " ": upstream.NoticeDiscountUnknown,
	} {
		shop := newShop(t, wootest.New(t, wootest.Config{}))
		d := wanted("25", 1)
		d.Codes = []string{given}
		if n := noticed(apply(t, shop, upstream.Handle{}, d), want); n == nil || n.Discount != given {
			t.Errorf("%q is not said to be %q", given, want)
		}
	}
}

// An empty basket takes any code, whether there is such a one or not.
func TestTrapEmptyBasketTakesAnyCode(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	applied := apply(t, shop, upstream.Handle{}, upstream.Desired{Codes: []string{"SAVE10"}})
	if len(applied.Observed.Discounts) != 0 || noticed(applied, upstream.NoticeDiscountNotMet) == nil {
		t.Errorf("an empty basket has %+v, and said is %+v", applied.Observed.Discounts, applied.Notices)
	}
	d := wanted("25", 1)
	d.Codes = []string{"SAVE10"}
	if again := apply(t, shop, applied.Handle, d); len(again.Observed.Discounts) != 1 || len(again.Notices) != 0 {
		t.Errorf("the basket has %+v, and said is %+v", again.Observed.Discounts, again.Notices)
	}
}

// Where discount codes are switched off nobody is offered any.
func TestCodesOff(t *testing.T) {
	for _, kind := range []wootest.Config{{NoCodes: true}, {NoCodes: true, Key: key, Secret: keySecret}} {
		shop := newShop(t, wootest.New(t, kind))
		if kind.Key != "" {
			shop = newShop(t, wootest.New(t, kind), withKey)
		}
		about, err := shop.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if about.Capabilities.Codes != upstream.CodesNone {
			t.Error("the shop is said to take codes")
		}
		d := wanted("25", 1)
		d.Codes = []string{"SAVE10"}
		if applied := apply(t, shop, upstream.Handle{}, d); noticed(applied, upstream.NoticeDiscountUnknown) == nil {
			t.Errorf("the notices are %+v", applied.Notices)
		}
	}
}

// An e-mail address that is none is dropped without a word.
func TestTrapInvalidEMailIsDropped(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	d := complete(wanted("25", 1))
	d.Buyer.Email = "nobody"
	applied := apply(t, shop, upstream.Handle{}, d)
	if noticed(applied, upstream.NoticeBuyerRefused) == nil || !slices.Contains(applied.Observed.Missing, upstream.MissingEmail) {
		t.Errorf("missing is %v, and said is %+v", applied.Observed.Missing, applied.Notices)
	}
	d.Buyer = buyer()
	if applied = apply(t, shop, applied.Handle, d); len(applied.Notices) != 0 || len(applied.Observed.Missing) != 0 {
		t.Errorf("missing is %v, and said is %+v", applied.Observed.Missing, applied.Notices)
	}
}

// An address that the shop does not know is left out, and the rest of the basket
// is as it was asked for.
func TestTrapAddressRefused(t *testing.T) {
	for name, spoil := range map[string]func(*upstream.Address){
		"post code": func(a *upstream.Address) { a.PostalCode = "XXXXXXXX" },
		"country":   func(a *upstream.Address) { a.Country = "ZZ" },
		"region":    func(a *upstream.Address) { a.Country, a.Region, a.PostalCode = "US", "ZZ", "94107" },
	} {
		t.Run(name, func(t *testing.T) {
			shop := newShop(t, wootest.New(t, wootest.Config{}))
			d := complete(wanted("25", 1))
			spoil(d.Address)
			applied := apply(t, shop, upstream.Handle{}, d)
			if noticed(applied, upstream.NoticeAddressRefused) == nil || !slices.Contains(applied.Observed.Missing, upstream.MissingAddress) {
				t.Errorf("missing is %v, and said is %+v", applied.Observed.Missing, applied.Notices)
			}
			if len(applied.Observed.Lines) != 1 || slices.Contains(applied.Observed.Missing, upstream.MissingEmail) {
				t.Errorf("the basket is %+v", applied.Observed)
			}
			d.Address = home()
			if applied = apply(t, shop, applied.Handle, d); len(applied.Notices) != 0 || len(applied.Observed.Missing) != 0 {
				t.Errorf("missing is %v, and said is %+v", applied.Observed.Missing, applied.Notices)
			}
		})
	}
}

// Totals that do not add up are explained to the last unit.
func TestTrapTotalsOffByOneInABasket(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{Uneven: true}))
	d := complete(wanted("25", 3))
	d.Codes = []string{"SAVE10"}
	applied := apply(t, shop, upstream.Handle{}, d)
	sum := int64(0)
	for _, total := range applied.Observed.Totals {
		sum += total.Amount.Minor
	}
	if sum != applied.Observed.Total.Minor || applied.Observed.Total.Minor != 2430+499+1 {
		t.Errorf("%+v come to %d, the total is %v", applied.Observed.Totals, sum, applied.Observed.Total)
	}
	placed, err := placeIt(t, shop, applied)
	if err != nil {
		t.Fatal(err)
	}
	if placed.Total != applied.Observed.Total {
		t.Errorf("charged is %v, agreed was %v", placed.Total, applied.Observed.Total)
	}
}

// placeIt orders a basket by cash on delivery.
func placeIt(t testing.TB, shop upstream.Shop, applied upstream.Applied) (upstream.Placed, error) {
	t.Helper()
	return shop.Place(t.Context(), upstream.Visit{Agent: "Tester"}, applied.Handle, upstream.Placement{
		Attempt: "attempt-1", Started: time.Now(), Method: "cod", Expected: applied.Observed.Total,
	})
}

// A product that is left with one variation is that one.
func TestOneVariationNeedsNoChoice(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	fake.Unpublish("CMUG-NO")
	shop := newShop(t, fake)
	applied := apply(t, shop, upstream.Handle{}, wanted("77", 2))
	if len(applied.Notices) != 0 || len(applied.Observed.Lines) != 1 || applied.Observed.Lines[0].Item != "77.78" || applied.Observed.Lines[0].Quantity != 2 {
		t.Errorf("the basket is %+v", applied)
	}
	if again := apply(t, shop, applied.Handle, wanted("77", 3)); len(again.Notices) != 0 || again.Observed.Lines[0].Quantity != 3 {
		t.Errorf("the basket is %+v", again)
	}
}

// What the shop charges in the end is said, though it be another total than was
// agreed a moment ago.
func TestPlacedAtWhatTheShopCharges(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	applied := apply(t, shop, upstream.Handle{}, complete(wanted("25", 1)))
	fake.Between(func() { fake.SetPrice("MUG-01", 1000) })
	placed, err := placeIt(t, shop, applied)
	if err != nil || placed.Total.Minor != 1499 || applied.Observed.Total.Minor != 1399 {
		t.Errorf("placed is %+v (%v)", placed, err)
	}
}

// The same basket once more changes nothing: what the shop was told it is not told
// again.
func TestNothingIsToldTwice(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	d := complete(wanted("25", 1))
	d.Codes = []string{"SAVE10"}
	applied := apply(t, shop, upstream.Handle{}, d)
	before := len(fake.Requests())
	again := apply(t, shop, applied.Handle, d)
	if diff := cmp.Diff(applied.Observed.Totals, again.Observed.Totals); diff != "" {
		t.Error(diff)
	}
	// One for the draft, one for the basket.
	if asked := fake.Requests()[before:]; len(asked) != 2 || slices.ContainsFunc(asked, func(r string) bool { return strings.HasPrefix(r, "POST") }) {
		t.Errorf("asked was %q", asked)
	}
}
