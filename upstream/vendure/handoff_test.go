package vendure_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// checkoutOf is what the page behind the checkout URL does with a session: it
// orders the basket as the shop's own storefront would, and fills another one.
func (s *stage) checkoutOf(page string) {
	s.Helper()
	s.behind(func(b backOffice) {
		_, session, found := strings.Cut(page, "?session=")
		if !found {
			s.Fatalf("the page %q names no session", page)
		}
		header := http.Header{"Authorization": {"Bearer " + session}}
		for _, mutation := range []string{
			`transitionOrderToState(state: "ArrangingPayment") { __typename }`,
			`addPaymentToOrder(input: { method: "test-card", metadata: {} }) { __typename }`,
			`addItemToOrder(productVariantId: 2, quantity: 1) { __typename }`,
			`setCustomerForOrder(input: { emailAddress: "guest@example.com", firstName: "Gil", lastName: "Hartley" }) { __typename }`,
			`setOrderShippingAddress(input: { streetLine1: "4 Lake Road", countryCode: "GB" }) { __typename }`,
			`setOrderShippingMethod(shippingMethodId: [2]) { __typename }`,
		} {
			data, _ := graphQL(s, b.shop, header, "mutation { done: "+mutation+" }", nil)
			if got := data.Get("done.__typename").String(); got != "Order" {
				s.Fatalf("%s: %s", mutation, data.Raw)
			}
		}
	})
}

// TestHandedOff: a basket that a person ordered on the shop's own page is that
// order, although we paid nothing and the session holds another basket by now.
func TestHandedOff(t *testing.T) {
	flow(t, func(s *stage) {
		wanted := s.family()
		applied := s.apply(upstream.Handle{}, wanted)
		s.checkoutOf(applied.Observed.HandOff)
		var kept struct{ Order string }
		if err := json.Unmarshal([]byte(applied.Handle.Reveal()), &kept); err != nil {
			s.Fatal(err)
		}
		want := upstream.Placed{Ref: upstream.OrderRef{ID: kept.Order}, Total: gbp(27455)}
		s.requests(2, func() {
			read, err := s.shop.Read(s.Context(), agent, applied.Handle)
			if err != nil || read.Ordered == nil || !samePlaced(*read.Ordered, want) {
				s.Errorf("read: %+v, %v, want the order %+v", read.Ordered, err, want)
			}
		})
		changed, err := s.shop.Apply(s.Context(), agent, applied.Handle, wanted)
		if err != nil || changed.Observed.Ordered == nil || !samePlaced(*changed.Observed.Ordered, want) {
			s.Errorf("applied: %+v, %v, want the order %+v", changed.Observed.Ordered, err, want)
		}
		if placed, err := s.shop.Place(s.Context(), agent, applied.Handle, placement(gbp(27455))); err != nil || !samePlaced(placed, want) {
			s.Errorf("placed: %+v, %v, want the order %+v", placed, err, want)
		}
		order, err := s.shop.Order(s.Context(), agent, want.Ref)
		if err != nil {
			s.Fatal(err)
		}
		s.checkOrder(order)
		if diff := cmp.Diff(want.Ref.ID, order.Ref.ID); diff != "" {
			s.Errorf("the order's number (-want +got):\n%s", diff)
		}
	}, func(c *vendure.Config) { c.CheckoutURL = "https://fell.example/checkout?session={session}" })
}
