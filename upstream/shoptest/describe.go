package shoptest

import (
	"context"
	"errors"
	"regexp"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// country is the form of an ISO 3166-1 alpha-2 code, and language roughly that
// of a BCP 47 tag.
var (
	country  = regexp.MustCompile(`^[A-Z]{2}$`)
	language = regexp.MustCompile(`^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$`)
)

func describeCases() []testCase {
	return []testCase{
		{"who the shop is", nil, describeNames},
		{"where and in what it sells", nil, describeMarkets},
		{"what it can do agrees with itself", nil, describeCapabilities},
		{"the same when asked again", nil, describeTwice},
		{"the fixture's payment method", []need{needPlace}, describePayment},
		{"what it cannot do is unsupported", nil, describeUnsupported},
		{"a context that has ended", nil, describeCanceled},
	}
}

func describeNames(r *run) {
	if problem := badText(r.d.Name); r.d.Name == "" || problem != "" {
		r.Errorf("the name %q is empty or %s", r.d.Name, problem)
	}
	for _, link := range r.d.Links {
		if problem := badURL(link.URL); link.Type == "" || link.URL == "" || problem != "" {
			r.Errorf("link %+v: its type or URL is empty, or its URL %s", link, problem)
		}
	}
}

func describeMarkets(r *run) {
	if !slices.Contains(r.d.Currencies, r.d.Currency) {
		r.Errorf("Currencies %v do not hold Currency %q", r.d.Currencies, r.d.Currency)
	}
	for _, currency := range r.d.Currencies {
		if _, err := currency.Digits(); err != nil {
			r.Errorf("currency: %v", err)
		}
	}
	for _, code := range r.d.Countries {
		if !country.MatchString(code) {
			r.Errorf("country %q is not two capital letters", code)
		}
	}
	if len(r.d.Countries) > 0 && !slices.Contains(r.d.Countries, r.f.Address.Country) {
		r.Errorf("Countries %v do not hold that of the fixture's address, %q", r.d.Countries, r.f.Address.Country)
	}
	if !language.MatchString(r.d.Language) {
		r.Errorf("language %q is no BCP 47 tag", r.d.Language)
	}
}

func describeCapabilities(r *run) {
	c := r.d.Capabilities
	for _, rule := range []struct {
		broken bool
		text   string
	}{
		{c.PriceFilter && !c.Search, "PriceFilter without Search"},
		{c.Place && !c.Baskets, "Place without Baskets"},
		{c.Codes != upstream.CodesNone && !c.Baskets, "Codes without Baskets"},
		{c.Delivery && !c.Baskets, "Delivery without Baskets"},
		{c.Place && len(c.Payments) == 0, "Place without a way to pay"},
		{!c.Place && len(c.Payments) > 0, "a way to pay without Place"},
	} {
		if rule.broken {
			r.Errorf("the capabilities %+v have %s", c, rule.text)
		}
	}
	seen := map[string]bool{}
	for _, method := range c.Payments {
		if method.ID == "" || method.Title == "" || seen[method.ID] {
			r.Errorf("payment method %+v lacks id or title, or its id is another's", method)
		}
		seen[method.ID] = true
	}
}

func describeTwice(r *run) {
	again, err := r.shop.Describe(r.Context())
	r.must(err, "Describe")
	if diff := cmp.Diff(r.d, again, cmpopts.EquateEmpty()); diff != "" {
		r.Errorf("Describe twice (-first +second):\n%s", diff)
	}
}

func describePayment(r *run) {
	if !slices.ContainsFunc(r.d.Capabilities.Payments, func(m upstream.PaymentMethod) bool { return m.ID == r.f.Method }) {
		r.Errorf("the fixture's method %q is none of %+v", r.f.Method, r.d.Capabilities.Payments)
	}
}

// describeUnsupported: a shop that lacks a capability says so when it is used.
func describeUnsupported(r *run) {
	c, ctx, h := r.d.Capabilities, r.Context(), secret.New("handle")
	if !c.Baskets {
		_, err := r.shop.Apply(ctx, r.visit, upstream.Handle{}, upstream.Desired{})
		r.refused(err, "Apply without Baskets", upstream.CodeUnsupported)
		_, err = r.shop.Read(ctx, r.visit, h)
		r.refused(err, "Read without Baskets", upstream.CodeUnsupported)
	}
	if !c.Place && !c.Baskets {
		_, err := r.shop.Place(ctx, r.visit, h, upstream.Placement{})
		r.refused(err, "Place without Baskets", upstream.CodeUnsupported)
		_, err = r.shop.Recover(ctx, r.visit, h, upstream.Placement{})
		r.refused(err, "Recover without Baskets", upstream.CodeUnsupported)
	}
	if !c.Orders {
		_, err := r.shop.Order(ctx, r.visit, upstream.OrderRef{ID: "1"})
		r.refused(err, "Order without Orders", upstream.CodeUnsupported)
	}
}

func describeCanceled(r *run) {
	if _, err := r.shop.Describe(r.canceled()); err != nil && !errors.Is(err, context.Canceled) {
		r.Errorf("Describe: %v does not wrap the context's error", err)
	}
}
