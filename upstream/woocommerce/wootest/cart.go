package wootest

import (
	"fmt"
	"html"
	"maps"
	"strconv"
	"strings"
)

// showCart answers with the basket.
func (c *exchange) showCart(status int) { c.shop.answer(c.w, status, c.shop.cart(c.session), nil) }

// priced adds what stands beside every amount.
func priced(of object) object {
	maps.Copy(of, object{
		"currency_code": "GBP", "currency_symbol": "£", "currency_minor_unit": 2, "currency_decimal_separator": ".",
		"currency_thousand_separator": ",", "currency_prefix": "£", "currency_suffix": "",
	})
	return of
}

// money writes an amount.
func money(minor int64) string { return fmt.Sprint(minor) }

// cart is a basket as the API shows it.
func (s *Shop) cart(one *session) object {
	u := s.sums(one)
	items, coupons := []any{}, []any{}
	count := int64(0)
	for i, l := range one.items {
		items = append(items, s.cartLine(one, l, u.lines[i], u.taxed))
		count += l.quantity
	}
	for i, code := range one.coupons {
		kind := "percent"
		if code == "solo" || code == "fiveoff" {
			kind = "fixed_cart"
		}
		coupons = append(coupons, object{"code": code, "discount_type": kind, "totals": priced(object{
			"total_discount": money(u.coupons[i].before.net), "total_discount_tax": money(u.coupons[i].before.tax),
		})})
	}
	needs := one.needsDelivery()
	totals := s.totals(u, needs)
	return object{
		"items": items, "coupons": coupons, "fees": []any{}, "totals": totals,
		"shipping_address": one.shipping, "billing_address": one.billing,
		"needs_payment": u.total > 0, "needs_shipping": needs, "payment_requirements": []any{"products"},
		"has_calculated_shipping": needs, "shipping_rates": s.packages(one, u), "items_count": count, "items_weight": 0,
		"cross_sells": []any{}, "errors": one.errors, "payment_methods": methods(), "extensions": object{},
	}
}

func (s *Shop) totals(u sums, delivery bool) object {
	taxes := []any{}
	if u.tax > 0 {
		taxes = append(taxes, object{"name": "VAT", "price": money(u.tax), "rate": "20%"})
	}
	totals := priced(object{
		"total_items": money(u.items.net), "total_items_tax": money(u.items.tax), "total_fees": "0", "total_fees_tax": "0",
		"total_discount": money(u.discount.net), "total_discount_tax": money(u.discount.tax),
		"total_shipping": money(u.shipping.net), "total_shipping_tax": money(u.shipping.tax),
		"total_price": money(u.total), "total_tax": money(u.tax), "tax_lines": taxes,
	})
	if !delivery {
		totals["total_shipping"], totals["total_shipping_tax"] = nil, nil
	}
	return totals
}

// cartLine is a line as the API shows it: its product with what it costs here.
func (s *Shop) cartLine(one *session, l *line, sum lineSum, taxed bool) object {
	p := s.shown(l.product)
	prices := maps.Clone(p["prices"].(object))
	if !taxed && !isVirtual(l.product) && !s.config.Net {
		for _, name := range []string{"price", "regular_price", "sale_price"} {
			gross, _ := strconv.ParseInt(prices[name].(string), 10, 64) // The recordings hold numbers.
			prices[name] = money(untaxed(gross))
		}
	}
	kind := p["type"]
	variation := []any{}
	for _, attribute := range l.variation {
		shown := maps.Clone(attribute.(object))
		delete(shown, "slug")
		delete(shown, "any")
		variation = append(variation, shown)
	}
	most := s.free(l.product, one.draft)
	if p["sold_individually"] == true {
		most = 1
	}
	if stockOf(l.product) == 0 {
		most = max(most, l.quantity)
	}
	// What may be low is shown only when it is.
	left := p["low_stock_remaining"]
	short, long := p["short_description"], p["description"]
	if kind == "variation" {
		short, long = "", ""
	}
	return object{
		"key": l.key, "id": p["id"], "type": kind, "quantity": l.quantity,
		"quantity_limits": object{"minimum": 1, "maximum": most, "multiple_of": 1, "editable": p["sold_individually"] != true},
		"name":            p["name"], "short_description": short, "description": long, "sku": p["sku"],
		"low_stock_remaining": left, "backorders_allowed": p["is_on_backorder"], "show_backorder_badge": false,
		"sold_individually": p["sold_individually"], "permalink": p["permalink"], "images": p["images"],
		"variation": variation, "item_data": []any{}, "prices": prices,
		"totals": priced(object{
			"line_subtotal": money(sum.before.net), "line_subtotal_tax": money(sum.before.tax),
			"line_total": money(sum.after.net), "line_total_tax": money(sum.after.tax),
		}),
		"catalog_visibility": "visible", "extensions": object{},
	}
}

// packages are the ways of delivery as the API shows them.
func (s *Shop) packages(one *session, u sums) []any {
	if !one.needsDelivery() {
		return []any{}
	}
	items, names := []any{}, []string{}
	for _, l := range one.items {
		name := l.product["name"].(string)
		if values := valuesOf(l); len(values) > 0 {
			name += " - " + strings.Join(values, ", ")
		}
		items = append(items, object{"key": l.key, "name": name, "quantity": l.quantity})
		names = append(names, fmt.Sprintf("%s &times; %d", html.EscapeString(name), l.quantity))
	}
	rates := []any{}
	for i, r := range u.rates {
		rates = append(rates, priced(object{
			"rate_id": r.id, "name": r.name, "description": "", "delivery_time": "",
			"price": money(r.price.net), "taxes": money(r.price.tax), "instance_id": r.instance, "method_id": r.method,
			"meta_data": []any{object{"key": "Items", "value": strings.Join(names, ", ")}}, "selected": i == u.selected,
		}))
	}
	destination := make(object)
	for _, part := range []string{"address_1", "address_2", "city", "state", "postcode", "country"} {
		destination[part] = one.shipping[part]
	}
	return []any{object{"package_id": 0, "name": "Shipment 1", "destination": destination, "items": items, "shipping_rates": rates}}
}

// valuesOf are the values that make a line's variation, without those that only
// the buyer chose.
func valuesOf(l *line) []string {
	var values []string
	for _, one := range l.variation {
		if of := one.(object); of["any"] == false {
			values = append(values, of["value"].(string))
		}
	}
	return values
}

// gateway is a way to pay.
type gateway struct {
	id     string
	title  string
	off    bool
	status string // of an order that is paid this way
}

// gateways are the shop's: its own, and one each of the kinds that plug-ins add.
func gateways() []gateway {
	return []gateway{
		{id: "bacs", title: "Direct bank transfer", status: "on-hold"},
		{id: "cheque", title: "Check payments", off: true},
		{id: "cod", title: "Cash on delivery", status: "processing"},
		{id: "test_card", title: "Card", status: "processing"},
		{id: "test_redirect", title: "Hosted page", status: "pending"},
	}
}

func methods() []any {
	list := []any{}
	for _, g := range gateways() {
		if !g.off {
			list = append(list, g.id)
		}
	}
	return list
}
