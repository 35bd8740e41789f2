package woocommerce_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// What a shop answers otherwise than one would think, and the tests of it. TestShop
// meets most of them too, and TestAllRecordings reads every answer they were learned
// from. The numbers are those of the recordings.
//
//	decimals are a setting, not ISO 4217 (704-707)      TestTrapDecimalsAreNotISO, TestTrapDecimalsAreRounded
//	values that are null or change their type           TestTrapTypesChange
//	an empty map is a list; data with "0": 400          TestTrapEmptyMapIsAList, TestTrapTypesChange
//	entities and tags in texts                          TestTrapEntitiesAndTags
//	pages: past the end, per_page 0; no Link is read     TestTrapPagesOfLists
//	search is one phrase, no SKU of a variation (104-8) TestTrapSearchIsForOnePhrase
//	hidden products in lists (136, 137)                 TestTrapHiddenProducts
//	grouped and external products                       TestTrapGroupedAndExternalProducts
//	variations with "any" (139, 211, 212)               TestTrapVariationsWithAny
//	stock is a maximum, not a text (733)                TestTrapStockFigure
//	sold-out things that lists leave out (710-712)      TestShop
//	a basket lost behind a token (610-612)              TestTrapLostBasketBehindAToken
//	a quantity lowered in silence (503, 504)            TestTrapQuantityLoweredSilently
//	lines and codes that leave (505, 509, 512)          TestTrapThingsLeaveTheBasket
//	one code for all reasons                            TestTrapOneCodeForAllReasons
//	a code that replaces the others (245)               TestTrapCodeReplacesOthersSilently
//	an empty basket takes any code (515)                TestTrapEmptyBasketTakesAnyCode
//	an address that is refused (252-254)                TestTrapAddressRefused
//	an e-mail address dropped in silence (256)          TestTrapInvalidEMailIsDropped
//	no rate for the place, and no tax (255)             TestTrapNoRateForThePlace
//	an unknown rate is answered 200 (259, 260)          TestTrapUnknownRateIsAnswered200
//	simultaneous changes are lost; batches (350, 353)   TestTrapSimultaneousChangesAreLost
//	totals off by one                                   TestTrapTotalsOffByOne, TestTrapTotalsOffByOneInABasket
//	net figures, shown with or without tax (700-703)    TestTrapTaxOfFiguresAndPrices
//	three orders for three checkouts                    TestTrapThreeOrdersForThreeCheckouts
//	no price guard (504, 508, 510)                      TestTrapNoPriceGuard
//	short of stock in the same second (683)             TestTrapFalseLackOfStockInTheSameSecond
//	declined, then paid otherwise (684, 685)            TestTrapDeclinedThenPaidOtherwise
//	a gateway with a page of its own (680, 682)         TestTrapGatewayWithAPageOfItsOwn
//	a gateway that breaks off                           TestTrapGatewayBreaksOff
//	an account is wanted                                TestTrapAccountWanted
//	an order counts otherwise (313)                     TestTrapOrderCountsOtherwise
//	statuses of orders                                  TestTrapOrderStatuses
//	somebody else's order (401, 403, 404)               TestOrderOfSomebodyElse
//	a key over plain HTTP (401-408)                     TestTrapSignatureOverHTTP
//	a limit that is a 400 (635)                         TestTrapRateLimitIsA400
//	HTML with status 200                                TestTrapHTMLWithStatus200

// Requests that change a basket at the same moment lose each other's changes. So
// there is never more than one, and what is put in together is one request.
func TestTrapSimultaneousChangesAreLost(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	if _, err := shop.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := len(fake.Requests())
	d := wanted("25", 1)
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "l2", Item: "17", Quantity: 1}, upstream.DesiredLine{Key: "l3", Item: "45", Quantity: 2})
	applied := apply(t, shop, upstream.Handle{}, d)
	if len(applied.Observed.Lines) != 3 || len(applied.Notices) != 0 {
		t.Errorf("the basket is %+v", applied)
	}
	changes := slices.DeleteFunc(slices.Clone(fake.Requests()[before:]), func(r string) bool { return !strings.HasPrefix(r, "POST") })
	if len(changes) != 1 || !strings.HasSuffix(changes[0], "/batch") {
		t.Errorf("three lines were put in by %q", changes)
	}
}
