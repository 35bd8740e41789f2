package woocommerce

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// Who buys, as the shop is told: an address for the goods and one for the bill,
// each with the buyer's name and number unless it has its own.
func TestCustomer(t *testing.T) {
	buyer := upstream.Buyer{Email: " ada@example.test ", FirstName: "Ada", LastName: "Byron", Phone: "+44"}
	for name, test := range map[string]struct {
		desired           upstream.Desired
		market            upstream.Market
		shipping, billing address
		email             string
	}{
		"nobody": {
			shipping: address{Country: "GB"}, billing: address{Country: "GB"},
		},
		"a market": {
			market:   upstream.Market{Country: "US", Region: "CA", PostalCode: "94105"},
			shipping: address{Country: "US", State: "CA", Postcode: "94105"}, billing: address{Country: "US", State: "CA", Postcode: "94105"},
		},
		"a market of no country": {
			market:   upstream.Market{Country: "us", Region: "CA"},
			shipping: address{Country: "GB"}, billing: address{Country: "GB"},
		},
		"a buyer": {
			desired:  upstream.Desired{Buyer: buyer},
			shipping: address{FirstName: "Ada", LastName: "Byron", Phone: "+44", Country: "GB"},
			billing:  address{FirstName: "Ada", LastName: "Byron", Phone: "+44", Country: "GB"}, email: "ada@example.test",
		},
		"an address": {
			desired:  upstream.Desired{Buyer: buyer, Address: &upstream.Address{FirstName: "Bob", Country: "US", Street: "1", Extended: "2", Company: "3"}},
			market:   upstream.Market{Country: "DE"},
			shipping: address{FirstName: "Bob", LastName: "Byron", Phone: "+44", Country: "US", Address1: "1", Address2: "2", Company: "3"},
			billing:  address{FirstName: "Bob", LastName: "Byron", Phone: "+44", Country: "US", Address1: "1", Address2: "2", Company: "3"},
			email:    "ada@example.test",
		},
		"two addresses": {
			desired: upstream.Desired{
				Address: &upstream.Address{FirstName: "Bob", Country: "US", City: "x"},
				Billing: &upstream.Address{LastName: "Cy", Country: "FR", Region: "y", PostalCode: "z", Phone: "+33"},
			},
			shipping: address{FirstName: "Bob", Country: "US", City: "x"},
			billing:  address{LastName: "Cy", Country: "FR", State: "y", Postcode: "z", Phone: "+33"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := customer{Shipping: test.shipping, Billing: billing{test.billing, test.email}}
			if diff := cmp.Diff(want, newCustomer(test.desired, test.market, "GB"), cmp.AllowUnexported(billing{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What the shop refuses of a customer is left out, one thing after the other, and
// nothing else.
func TestCustomerRefused(t *testing.T) {
	whole := newCustomer(upstream.Desired{
		Buyer:   upstream.Buyer{Email: "ada@example.test", FirstName: "Ada", Phone: "+44"},
		Address: &upstream.Address{Country: "US", City: "x"},
	}, upstream.Market{}, "GB")
	for reason, test := range map[string]struct {
		email, phone, city string
		noEmail, noAddress bool
		notices            int
	}{
		`"billing_address":{"code":"invalid_email"}`:  {"", "+44", "x", true, false, 0},
		`"shipping_address":{"code":"invalid_phone"}`: {"ada@example.test", "", "x", false, false, 1},
		`"billing_address":{"code":"invalid_phone"}`:  {"ada@example.test", "", "x", false, false, 1},
		`"shipping_address":{"code":"invalid_state"}`: {"ada@example.test", "+44", "", false, true, 0},
		``: {"ada@example.test", "+44", "", false, true, 0},
	} {
		a := &apply{facts: recordedFacts(t), desired: upstream.Desired{Address: &upstream.Address{}}}
		a.facts.country = "GB"
		c := a.leaveOut(whole, answer{status: 400, body: parse(`{"data":{"details":{` + reason + `}}}`)})
		if c.Billing.Email != test.email || c.Billing.Phone != test.phone || c.Shipping.Phone != test.phone || c.Shipping.City != test.city || c.Billing.City != test.city ||
			c.Shipping.FirstName != "Ada" || a.handle.NoEmail != test.noEmail || a.handle.NoAddress != test.noAddress || len(a.notices) != test.notices {
			t.Errorf("%s: %+v, %+v, %+v", reason, c, a.handle, a.notices)
		}
	}
}

// A discount is made to come to what was taken off the lines.
func TestDiscountsAreSettled(t *testing.T) {
	b := bill{purse: &purse{currency: "GBP", decimals: 2}, included: true}
	code := func(name string, minor int64) upstream.Discount {
		return upstream.Discount{Code: name, Amount: gbp(minor)}
	}
	for name, test := range map[string]struct {
		all  []upstream.Discount
		left int64
		want []upstream.Discount
	}{
		"even":                    {[]upstream.Discount{code("a", 5)}, 0, []upstream.Discount{code("a", 5)}},
		"a unit more":             {[]upstream.Discount{code("a", 5), code("b", 7)}, 1, []upstream.Discount{code("a", 6), code("b", 7)}},
		"a unit less":             {[]upstream.Discount{code("a", 5), code("b", 7)}, -1, []upstream.Discount{code("a", 5), code("b", 6)}},
		"less than the last":      {[]upstream.Discount{code("a", 5), code("b", 7)}, -9, []upstream.Discount{code("a", 3)}},
		"less than all":           {[]upstream.Discount{code("a", 5), code("b", 7)}, -20, []upstream.Discount{}},
		"without a code":          {nil, 4, []upstream.Discount{{Title: "Discount", Amount: gbp(4)}}},
		"nothing without a code":  {nil, 0, nil},
		"too much without a code": {nil, -3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, b.settle(test.all, gbp(test.left))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The numbers in which an item can be bought.
func TestPacks(t *testing.T) {
	for _, test := range []struct {
		limits       string
		wanted, most int64
		counted      bool
	}{
		{`{"minimum":1,"maximum":5,"multiple_of":1}`, 3, 3, true},
		{`{"minimum":1,"maximum":5,"multiple_of":1}`, 9, 5, true},
		{`{"minimum":1,"maximum":9999,"multiple_of":1}`, 9, 9, false},
		{`{"minimum":1,"maximum":1,"multiple_of":1}`, 9, 1, false},
		{`{"minimum":6,"maximum":60,"multiple_of":6}`, 17, 12, true},
		{`{"minimum":6,"maximum":60,"multiple_of":6}`, 5, 0, true},
		{`{"minimum":6,"maximum":64,"multiple_of":6}`, 99, 60, true},
		{`{}`, 5_000_000, maxQuantity, false},
		{`{"maximum":-1}`, 7, 7, false},
	} {
		p := readPacks(parse(test.limits))
		if got := p.atMost(test.wanted); got != test.most || p.counted() != test.counted {
			t.Errorf("of %s %d are %d, counted: %v", test.limits, test.wanted, got, p.counted())
		}
	}
}

// An order goes by its number as buyers read it, or by its id where it has none.
func TestNumberOfAnOrder(t *testing.T) {
	for _, test := range []struct {
		draft draft
		want  string
	}{{draft{ID: 87, Number: "A-87"}, "A-87"}, {draft{ID: 87}, "87"}} {
		placed, err := test.draft.placed(money.Amount{})
		if err != nil || placed.Ref.ID != test.want {
			t.Errorf("%+v is %q (%v)", test.draft, placed.Ref.ID, err)
		}
	}
}
