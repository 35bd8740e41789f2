package wootest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// order is an order, or what may become one.
type order struct {
	id       int64
	key      string
	status   string
	hash     string
	created  time.Time
	modified time.Time
	done     time.Time
	held     time.Time
	via      string
	lines    []orderLine
	sums     sums
	coupons  []string
	billing  object
	shipping object
	rate     string
	delivery bool
	note     string
	method   string
	mark     object
	refunds  []any
	notes    []any
}

// orderLine is a line of an order, with a number of its own.
type orderLine struct {
	*line
	id  int64
	sum lineSum
}

// placed reports whether it is an order and not only about to be one.
func (o *order) placed() bool {
	return o.status != "checkout-draft" && o.status != "pending" && o.status != "failed"
}

// holds reports whether stock is kept for it.
func (o *order) holds(now time.Time) bool { return !o.placed() && now.Before(o.held) }

func (o *order) setStatus(status string, now time.Time) {
	o.status, o.modified = status, now
	if status == "completed" {
		o.done = now
	}
}

// copy takes over a basket.
func (o *order) copy(s *Shop, one *session) {
	o.sums = s.sums(one)
	o.lines = nil
	for i, l := range one.items {
		held := *l
		o.lines = append(o.lines, orderLine{line: &held, id: o.id*10 + int64(i) + 1, sum: o.sums.lines[i]})
	}
	o.billing, o.shipping = merged(one.billing, nil), merged(one.shipping, nil)
	o.coupons = append([]string{}, one.coupons...)
	o.delivery = one.needsDelivery()
	if o.sums.selected >= 0 {
		o.rate = o.sums.rates[o.sums.selected].name
	}
	if o.status == "checkout-draft" {
		o.modified = s.now()
	}
}

// checkout is an order as the request to order is answered.
func (o *order) checkout(payment object) object {
	return object{
		"order_id": o.id, "status": o.status, "order_key": o.key, "order_number": fmt.Sprint(o.id), "customer_note": o.note,
		"customer_id": 0, "billing_address": o.billing, "shipping_address": o.shipping, "payment_method": o.method,
		"payment_result": payment, "additional_fields": object{}, "__experimentalCart": nil, "extensions": object{},
	}
}

// showOrder shows an order to who knows its key and its buyer's address.
func (c *exchange) showOrder() {
	var o *order
	for _, one := range c.shop.orders {
		if one.id == c.integer("id") {
			o = one
		}
	}
	email := c.text("billing_email")
	switch {
	case o == nil:
		c.refuse("324-order-get-unknown")
	case c.text("key") != o.key:
		c.refuse("321-order-get-no-key")
	case c.shop.config.Old:
		c.shop.answer(c.w, http.StatusOK, c.shop.shownOrder(o), nil)
	case email == "":
		c.refuse("323-order-get-key-only")
	case !strings.EqualFold(email, fmt.Sprint(o.billing["email"])):
		c.refuse("322-order-get-wrong-email")
	default:
		c.shop.answer(c.w, http.StatusOK, c.shop.shownOrder(o), nil)
	}
}

// shownOrder is an order as its buyer sees it. Its total of items is after the
// discounts, unlike a basket's.
func (s *Shop) shownOrder(o *order) object {
	items, coupons := []any{}, []any{}
	u := o.sums
	var after pair
	for _, l := range o.lines {
		item := s.cartLine(&session{draft: o.id}, l.line, l.sum, u.taxed)
		item["key"], item["id"] = o.key, l.id
		delete(item, "type")
		item["item_data"], item["variation"] = itemData(l), chosen(l)
		item["quantity_limits"] = object{"minimum": l.quantity, "maximum": l.quantity, "multiple_of": 1, "editable": false}
		if values := valuesOf(l.line); len(values) > 0 {
			item["name"] = fmt.Sprintf("%s - %s", item["name"], strings.Join(values, ", "))
		}
		items = append(items, item)
		after.net += l.sum.after.net
		after.tax += l.sum.after.tax
	}
	taxes := []any{} // Without that of the delivery.
	if after.tax > 0 {
		taxes = append(taxes, object{"name": "VAT", "price": money(after.tax), "rate": "20"})
	}
	for i, code := range o.coupons {
		coupons = append(coupons, object{"code": code, "discount_type": "percent", "totals": priced(object{
			"total_discount": money(u.coupons[i].before.net), "total_discount_tax": money(u.coupons[i].before.tax),
		})})
	}
	return object{
		"id": o.id, "status": o.status, "items": items, "coupons": coupons, "fees": []any{},
		"totals": priced(object{
			"subtotal": money(u.items.net), "total_discount": money(u.discount.net), "total_shipping": money(u.shipping.net),
			"total_fees": "0", "total_tax": money(after.tax + u.shipping.tax), "total_refund": o.refunded(),
			"total_price": money(u.total), "total_items": money(after.net), "total_items_tax": money(after.tax),
			"total_fees_tax": "0", "total_discount_tax": money(u.discount.tax), "total_shipping_tax": money(u.shipping.tax),
			"tax_lines": taxes,
		}),
		"shipping_address": o.shipping, "billing_address": o.billing, "needs_payment": o.status == "pending",
		"needs_shipping": o.delivery, "payment_requirements": []any{"products"}, "errors": []any{},
	}
}

// chosen are the choices of a line, which an order names otherwise than a basket.
func chosen(l orderLine) []any {
	list := []any{}
	for _, one := range l.variation {
		of := one.(object)
		raw := strings.TrimPrefix(of["raw_attribute"].(string), "attribute_")
		list = append(list, object{"raw_attribute": raw, "attribute": of["attribute"], "value": of["slug"]})
	}
	return list
}

// itemData are the choices of a line, as PHP writes a map: in its order, and an
// empty one as a list.
func itemData(l orderLine) any {
	var fields []string
	for i, one := range l.variation {
		of := one.(object)
		field, err := json.Marshal(object{
			"key": strings.TrimPrefix(of["raw_attribute"].(string), "attribute_"), "value": of["slug"],
			"display_key": of["attribute"], "display_value": fmt.Sprintf("<p>%s</p>\n", of["value"]),
		})
		if err != nil {
			return err
		}
		fields = append(fields, fmt.Sprintf("%q:%s", strconv.Itoa(99+i), field))
	}
	if len(fields) == 0 {
		return []any{}
	}
	return json.RawMessage("{" + strings.Join(fields, ",") + "}")
}

// refunded is what was given back in all.
func (o *order) refunded() string {
	var total int64
	for _, one := range o.refunds {
		var whole, part int64
		// The amounts are those of tests.
		_, _ = fmt.Sscanf(one.(object)["amount"].(string), "%d.%d", &whole, &part)
		total += whole*100 + part
	}
	return money(total)
}
