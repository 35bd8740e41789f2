package wootest

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// openCheckout opens the order that the basket may become, or shows it.
func (c *exchange) openCheckout() {
	if len(c.session.items) == 0 {
		c.refuse("343-checkout-get-empty-cart")
		return
	}
	o := c.shop.openOrder(c.session)
	if !c.shop.reserve(o, 10*time.Minute) {
		c.refuse("683-checkout-redirect-again-same-second")
		return
	}
	c.shop.answer(c.w, http.StatusOK, o.checkout(object{"payment_status": "", "payment_details": []any{}, "redirect_url": ""}), nil)
}

// openOrder returns the order that a basket may become. It is the one that was
// opened before, as long as that is a draft, or waits for the payment of the same
// goods.
func (s *Shop) openOrder(one *session) *order {
	o := s.draftOf(one)
	if o == nil {
		o = &order{id: s.number(), status: "checkout-draft", created: s.now(), via: "store-api", method: "bacs"}
		o.key = fmt.Sprintf("wc_order_%013x", o.id*7919)
		s.orders = append(s.orders, o)
		one.draft = o.id
	}
	o.copy(s, one)
	return o
}

// draftOf returns the order that was opened for a basket, if it still may become
// its order.
func (s *Shop) draftOf(one *session) *order {
	for _, o := range s.orders {
		if o.id != one.draft {
			continue
		}
		if o.status == "checkout-draft" || (o.status == "pending" || o.status == "failed") && o.hash == hash(one) {
			return o
		}
	}
	return nil
}

// hash tells whether a basket holds the same goods.
func hash(one *session) string {
	var parts []string
	for _, l := range one.items {
		parts = append(parts, fmt.Sprint(l.key, l.quantity))
	}
	return strings.Join(parts, ",")
}

func (s *Shop) number() int64 {
	n := s.nextOrder
	s.nextOrder++
	return n
}

// reserve holds the stock of an order. Asked again in the same second, for as
// long, it changes nothing and takes that for a lack of stock.
func (s *Shop) reserve(o *order, long time.Duration) bool {
	for _, l := range o.lines {
		if l.product["is_on_backorder"] != true && s.free(l.product, o.id) < l.quantity {
			return false
		}
	}
	until := s.now().Add(long).Truncate(time.Second)
	if s.reserved[o.id].Equal(until) {
		return false
	}
	s.reserved[o.id] = until
	o.held = until
	return true
}

// checkout orders the basket.
func (c *exchange) checkout() {
	if c.r.Method != http.MethodPost {
		c.shop.t.Errorf("%s %s is for browsers that fill in a form", c.r.Method, c.path)
	}
	if len(c.session.items) == 0 {
		c.refuseWith("277-checkout-post-cod", object{"cart": c.shop.cart(c.session)})
		return
	}
	for _, one := range c.session.errors {
		switch one.(object)["code"] {
		case "woocommerce_rest_product_out_of_stock":
			c.refuseWith("502-stock-race-second-checkout", object{"cart": c.shop.cart(c.session)})
			return
		case "woocommerce_rest_cart_item_error":
			c.refuseWith("506-product-unpublished-checkout", object{"cart": c.shop.cart(c.session)})
			return
		}
	}
	billing, _ := c.args["billing_address"].(object)
	shipping, given := c.args["shipping_address"].(object)
	if email, _ := billing["email"].(string); email != "" && !strings.Contains(email, "@") {
		c.refuse("339-checkout-bad-email")
		return
	}
	c.session.billing = merged(c.session.billing, billing)
	if !given && !c.session.needsDelivery() {
		shipping = billing
	}
	c.session.shipping = merged(c.session.shipping, shipping)
	delete(c.session.shipping, "email")
	if name := c.incomplete(); name != "" {
		c.refuse(name)
		return
	}
	c.order()
}

// incomplete names the recorded refusal of an order that lacks something.
func (c *exchange) incomplete() string {
	lacks := func(a object) bool {
		for _, part := range []string{"first_name", "last_name", "address_1", "city", "postcode"} {
			if a[part] == "" {
				return true
			}
		}
		return false
	}
	method := c.text("payment_method")
	var known *gateway
	for _, g := range gateways() {
		if g.id == method {
			known = &g
		}
	}
	switch {
	case c.session.needsDelivery() && c.shop.sums(c.session).selected < 0:
		return "333-checkout-no-shipping-rate"
	case c.session.needsDelivery() && lacks(c.session.shipping):
		return "334-checkout-billing-only"
	case lacks(c.session.billing), c.session.billing["email"] == "":
		return "275-checkout-post-missing-address-field"
	case c.shop.config.NoGuests:
		return "730-guest-checkout-off"
	case method == "":
		return "335-checkout-no-payment-method"
	case known == nil || known.off:
		return "337-checkout-disabled-payment"
	}
	return ""
}

// order writes the order down and lets the gateway do its work. In between, the
// shop is not locked: requests that come at once all see the same basket.
func (c *exchange) order() {
	snapshot := *c.session
	if between := c.shop.between; between != nil {
		c.shop.mu.Unlock()
		between()
		c.shop.mu.Lock()
	} else {
		c.shop.mu.Unlock()
		runtime.Gosched()
		c.shop.mu.Lock()
	}
	o := c.shop.openOrder(&snapshot)
	c.session.draft = snapshot.draft
	if !c.shop.reserve(o, time.Hour) {
		c.refuse("683-checkout-redirect-again-same-second")
		return
	}
	o.note, o.method, o.mark = c.text("customer_note"), c.text("payment_method"), snapshot.mark
	o.setStatus("pending", c.shop.now())
	o.hash = hash(&snapshot)
	received := fmt.Sprintf("%s/checkout/order-received/%d/?key=%s", Home, o.id, o.key)
	to := received
	switch {
	case o.method == "test_card" && c.credential() == "declined":
		c.refuse("684-checkout-declined")
		return
	case o.method == "test_card" && c.credential() == "broken":
		// It takes the money, and breaks off before it says so.
		o.setStatus("processing", c.shop.now())
		c.shop.finish(c.session, o)
		c.refuse("686-checkout-gateway-exception")
		return
	case o.method == "test_redirect":
		to = fmt.Sprintf("https://pay.example/session/%d?return=%s", o.id, url.QueryEscape(received))
	}
	for _, g := range gateways() {
		if g.id == o.method {
			o.setStatus(g.status, c.shop.now())
		}
	}
	if o.placed() {
		c.shop.finish(c.session, o)
	}
	c.shop.answer(c.w, http.StatusOK, o.checkout(object{
		"payment_status": "success", "redirect_url": to,
		"payment_details": []any{object{"key": "result", "value": "success"}, object{"key": "redirect", "value": to}},
	}), nil)
}

// finish empties a basket that was ordered, and takes the goods from stock.
func (s *Shop) finish(one *session, o *order) {
	for _, l := range o.lines {
		if n := stockOf(l.product); n < unlimited && l.product["is_on_backorder"] != true {
			setStock(l.product, max(n-l.quantity, 0))
		}
	}
	o.held = time.Time{}
	one.items, one.coupons, one.rate, one.rates = nil, nil, "", 0
}

// credential is what the card gateway is given.
func (c *exchange) credential() string {
	list, _ := c.args["payment_data"].([]any)
	for _, one := range list {
		if pair := one.(object); pair["key"] == "token" {
			value, _ := pair["value"].(string)
			return value
		}
	}
	return ""
}
