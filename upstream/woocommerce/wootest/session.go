package wootest

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"html"
	"strings"
)

// session is a visitor: a basket, who they are, and the order it may become.
type session struct {
	user     string
	items    []*line
	coupons  []string
	billing  object
	shipping object
	// rate is the way of delivery that was chosen, and rates how many there were.
	rate  string
	rates int
	draft int64
	// dead are discount codes that have expired meanwhile.
	dead   []string
	errors []any
	// mark is where a browser came from, as an order remembers it.
	mark object
}

// line is a line of a basket.
type line struct {
	key       string
	product   object
	quantity  int64
	variation []any
}

func newSession(user string) *session {
	s := &session{user: user, billing: make(object), shipping: make(object)}
	for _, part := range []string{"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode"} {
		s.billing[part], s.shipping[part] = "", ""
	}
	s.billing["country"], s.billing["email"], s.billing["phone"] = "GB", "", ""
	s.shipping["country"], s.shipping["phone"] = "GB", ""
	return s
}

// load does to a basket what the shop does whenever it reads one: it takes out
// what is not sold any more, holds no more of anything than there is, and drops
// discount codes that are not valid now. It says so, if at all, in errors.
func (s *Shop) load(one *session) {
	one.errors = []any{}
	var kept []*line
	for _, l := range one.items {
		if !isPublished(l.product) {
			one.complain("woocommerce_rest_cart_item_error", l.product["name"].(string)+
				" has been removed from your cart because it can no longer be purchased. Please contact us if you need assistance.")
			continue
		}
		stock := stockOf(l.product)
		switch {
		case l.product["is_on_backorder"] == true:
		case stock == 0:
			one.complain("woocommerce_rest_product_out_of_stock", "&#8220;"+l.product["name"].(string)+
				"&#8221; is out of stock and cannot be purchased. Please remove it from your cart.")
		default:
			l.quantity = min(l.quantity, s.free(l.product, one.draft))
		}
		kept = append(kept, l)
	}
	one.items = kept
	var valid []string
	for _, code := range one.coupons {
		if name := s.refusedCode(one, code); name != "" {
			one.complain("woocommerce_rest_cart_coupon_error", fmt.Sprintf("The &quot;%s&quot; coupon has been removed from your cart: %s",
				code, html.EscapeString(s.words(name, code))))
			continue
		}
		valid = append(valid, code)
	}
	one.coupons = valid
}

func (one *session) complain(code, message string) {
	one.errors = append(one.errors, object{"code": code, "message": message})
}

// words are a recorded refusal's.
func (s *Shop) words(name, code string) string {
	text := string(s.errors[name].Body)
	_, text, _ = strings.Cut(text, `"message": "`)
	text, _, _ = strings.Cut(text, `"`)
	return html.UnescapeString(text)
}

// free is how many of a product there are that nobody's order is held for.
func (s *Shop) free(p object, draft int64) int64 {
	n := stockOf(p)
	if n >= unlimited {
		return n
	}
	for _, o := range s.orders {
		if o.id == draft || !o.holds(s.now()) {
			continue
		}
		for _, l := range o.lines {
			if idOf(l.product) == idOf(p) {
				n -= l.quantity
			}
		}
	}
	return max(n, 0)
}

// keyOf is the key of a line, which WooCommerce makes of what it holds.
func (s *Shop) keyOf(p object, variation []any) string {
	text := fmt.Sprint(idOf(p))
	if p["type"] == "variation" {
		text = fmt.Sprintf("%d_%d_", idOf(s.parent(p)), idOf(p))
		for _, one := range variation {
			attribute := one.(object)
			text += attribute["raw_attribute"].(string) + attribute["slug"].(string)
		}
	}
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// find returns the line with that key.
func (one *session) find(key string) *line {
	for _, l := range one.items {
		if l.key == key {
			return l
		}
	}
	return nil
}

// needsDelivery reports whether anything has to be sent.
func (one *session) needsDelivery() bool {
	for _, l := range one.items {
		if !isVirtual(l.product) {
			return true
		}
	}
	return false
}

// isVirtual reports whether a product needs no delivery. The recorded shop has
// one, which is not taxed either.
func isVirtual(p object) bool { return p["sku"] == "GIFT-25" }
