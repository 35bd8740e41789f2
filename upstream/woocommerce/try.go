package woocommerce

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// probeCode is a discount code that no shop has.
const probeCode = "storeware-probe-2f9c"

// try finds out what the shop can do: from its settings where there is a key that
// may read them, otherwise with a basket of its own, which is empty afterwards.
func (s *Shop) try(ctx context.Context, v upstream.Visit, f *facts) error {
	f.tried = s.now()
	a, err := s.ask(ctx, v, f, call{op: asking, path: "cart", safe: true})
	if err != nil {
		return err
	}
	if a.refused() {
		return s.tryCatalogue(ctx, v, f)
	}
	f.baskets = true
	purse := newPurse(a.body.Get("totals"))
	f.currency, f.decimals = purse.currency, purse.decimals
	if err := purse.failed(asking); err != nil {
		return err
	}
	f.country = a.body.Get("shipping_address.country").String()
	token := a.header.Get(tokenHeader)
	if session(token) == "" {
		return upstream.Errorf(upstream.CodeUnavailable, asking, "the shop's baskets have no token; is something caching its API?")
	}
	f.sessions = opensPages(token)
	coupon, err := s.optional(ctx, v, f, call{
		op: asking, path: "cart/apply-coupon", token: token, body: map[string]string{"code": probeCode},
	})
	if err != nil {
		return err
	}
	f.codes = coupon.code() != "woocommerce_rest_cart_coupon_disabled"
	var titles map[string]string
	if s.key.given() {
		if titles, err = s.readSettings(ctx, v, f); err != nil {
			return err
		}
	}
	for _, id := range a.body.Get("payment_methods").Array() {
		f.enabled = append(f.enabled, id.String())
	}
	f.payments = s.allowed(a.body.Get("payment_methods"), titles)
	if f.tax != upstream.TaxUnknown {
		return nil
	}
	return s.tryTax(ctx, v, f, token)
}

// tryCatalogue is try for a shop that lets nobody build a basket.
func (s *Shop) tryCatalogue(ctx context.Context, v upstream.Visit, f *facts) error {
	a, err := s.ask(ctx, v, f, call{op: asking, path: "products", query: url.Values{"per_page": {"1"}, "_fields": {"prices"}}, safe: true})
	if err != nil {
		return err
	}
	if err := a.err(); err != nil {
		return err
	}
	purse := newPurse(a.body.Get("0.prices"))
	f.currency, f.decimals = purse.currency, purse.decimals
	return purse.failed(asking)
}

// tryTax finds out whether the shop shows its prices with tax. The totals of a
// basket are without, always; the price of one is as the shop shows it.
func (s *Shop) tryTax(ctx context.Context, v upstream.Visit, f *facts, token string) error {
	list, err := s.optional(ctx, v, f, call{op: asking, path: "products", query: url.Values{
		"type": {"simple"}, "stock_status[0]": {"instock"}, "per_page": {"20"}, "_fields": {"id,is_purchasable,prices"},
	}, safe: true})
	if err != nil || list.refused() {
		return err
	}
	for _, product := range list.body.Array() {
		if !product.Get("is_purchasable").Bool() || product.Get("prices.price").Int() <= 0 {
			continue
		}
		a, err := s.optional(ctx, v, f, call{
			op: asking, path: "cart/add-item", token: token, body: addition{ID: product.Get("id").Int(), Quantity: 1},
		})
		if err != nil {
			return err
		}
		f.tax = shownTax(a.body.Get("items").Array())
		_, err = s.optional(ctx, v, f, call{op: asking, method: http.MethodDelete, path: "cart/items", token: token})
		return err
	}
	return nil
}

// readSettings reads what only a key may see. It returns the titles of the ways
// to pay by their ids. A key that may not read settings is none the worse for
// it; one that may not read orders is refused here, where an operator looks.
func (s *Shop) readSettings(ctx context.Context, v upstream.Visit, f *facts) (titles map[string]string, err error) {
	orders, err := s.manage(ctx, v, f, call{op: asking, path: "orders", query: url.Values{"per_page": {"1"}, "_fields": {"id"}}, safe: true})
	if err != nil {
		return nil, err
	}
	if orders.refused() {
		return nil, upstream.Errorf(upstream.CodeDenied, asking, "the shop does not let the consumer key read its orders")
	}
	fields := url.Values{"_fields": {"id,value"}}
	general, err := s.manage(ctx, v, f, call{op: asking, path: "settings/general", query: fields, safe: true})
	if err != nil {
		return nil, err
	}
	tax, err := s.manage(ctx, v, f, call{op: asking, path: "settings/tax", query: fields, safe: true})
	if err != nil {
		return nil, err
	}
	if !general.refused() && !tax.refused() {
		f.readSettings(general.body, tax.body)
	}
	gateways, err := s.manage(ctx, v, f, call{op: asking, path: "payment_gateways", query: url.Values{"_fields": {"id,title"}}, safe: true})
	if err != nil {
		return nil, err
	}
	titles = make(map[string]string)
	for _, gateway := range gateways.body.Array() {
		titles[gateway.Get("id").String()] = title(gateway.Get("title").String())
	}
	return titles, nil
}

// readSettings takes over what the settings say.
func (f *facts) readSettings(general, tax gjson.Result) {
	switch {
	case setting(general, "woocommerce_calc_taxes").String() == "no",
		setting(tax, "woocommerce_tax_display_shop").String() == "incl":
		f.tax = upstream.TaxIncluded
	default:
		f.tax = upstream.TaxExcluded
	}
	f.codes = setting(general, "woocommerce_enable_coupons").String() != "no"
	countries := setting(general, "woocommerce_specific_ship_to_countries")
	if to := setting(general, "woocommerce_ship_to_countries").String(); to != "specific" {
		countries = gjson.Result{}
		if to == "" && setting(general, "woocommerce_allowed_countries").String() == "specific" {
			countries = setting(general, "woocommerce_specific_allowed_countries")
		}
	}
	for _, country := range countries.Array() {
		if isCountry(country.String()) {
			f.countries = append(f.countries, country.String())
		}
	}
}

// setting returns the value of a setting from a list of them.
func setting(list gjson.Result, id string) gjson.Result {
	for _, one := range list.Array() {
		if one.Get("id").String() == id {
			return one.Get("value")
		}
	}
	return gjson.Result{}
}

// offline are the gateways that come with WooCommerce and ask nothing of the
// buyer's browser, with the names it gives them.
func offline() []Payment {
	return []Payment{
		{ID: "bacs", Title: "Direct bank transfer"},
		{ID: "cheque", Title: "Check payments"},
		{ID: "cod", Title: "Cash on delivery"},
	}
}

// allowed returns the ways to pay that are switched on and meant for agents, in
// the shop's order.
func (s *Shop) allowed(enabled gjson.Result, titles map[string]string) []upstream.PaymentMethod {
	meant := s.payments
	if meant == nil {
		meant = offline()
	}
	var methods []upstream.PaymentMethod
	for _, id := range enabled.Array() {
		at := slices.IndexFunc(meant, func(p Payment) bool { return p.ID == id.String() })
		if at < 0 {
			continue
		}
		method := upstream.PaymentMethod{ID: meant[at].ID, Title: meant[at].Title}
		if shown := titles[method.ID]; shown != "" && (s.payments == nil || method.Title == "") {
			method.Title = shown
		}
		if method.Title == "" {
			method.Title = method.ID
		}
		methods = append(methods, method)
	}
	return methods
}

// isCountry reports whether a text has the form of an ISO 3166-1 alpha-2 code.
func isCountry(code string) bool {
	return len(code) == 2 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
