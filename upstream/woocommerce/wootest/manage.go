package wootest

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// manage answers a request to the REST API.
func (c *exchange) manage() {
	if !c.authenticated() {
		return
	}
	switch path := strings.TrimPrefix(c.path, "/wc/v3/"); {
	case path == "orders":
		c.listOrders()
	case strings.HasPrefix(path, "orders/"):
		c.manageOrder()
	case path == "payment_gateways":
		list := []any{}
		for _, g := range gateways() {
			list = append(list, object{"id": g.id, "title": g.title, "enabled": !g.off})
		}
		c.shop.answer(c.w, http.StatusOK, list, c.r)
	default:
		var settings []any
		load(c.shop.t, "settings-"+c.text("group_id"), &settings)
		for _, one := range settings {
			setting := one.(object)
			if c.shop.config.Net && setting["id"] == "woocommerce_tax_display_shop" {
				setting["value"] = "excl"
			}
			if c.shop.config.NoCodes && setting["id"] == "woocommerce_enable_coupons" {
				setting["value"] = "no"
			}
		}
		c.shop.answer(c.w, http.StatusOK, settings, c.r)
	}
}

// authenticated checks the key: as it stands where the shop sees HTTPS, otherwise
// by the signature of the request.
func (c *exchange) authenticated() bool {
	query := c.r.URL.Query()
	secure := c.r.URL.Scheme == "https" || c.r.TLS != nil || c.r.Header.Get("X-Forwarded-Proto") == "https"
	user, password, basic := c.r.BasicAuth()
	switch {
	case secure && basic && user == c.shop.config.Key && user != "":
		if password != c.shop.config.Secret {
			c.refuse("405-v3-wrong-secret")
			return false
		}
	case query.Get("oauth_consumer_key") == c.shop.config.Key && c.shop.config.Key != "":
		if query.Get("oauth_signature") != c.signature(query) || !c.fresh(query.Get("oauth_timestamp")) {
			c.refuse("408-v3-oauth1a-bad-signature")
			return false
		}
	default:
		c.refuse("400-v3-no-auth")
		return false
	}
	return true
}

// fresh reports whether a request was signed in the last quarter of an hour.
func (c *exchange) fresh(timestamp string) bool {
	var seconds int64
	if _, err := fmt.Sscan(timestamp, &seconds); err != nil {
		return false
	}
	return c.shop.now().Sub(time.Unix(seconds, 0)).Abs() < 15*time.Minute
}

// signature is that of a request (RFC 5849), as the shop makes it anew.
func (c *exchange) signature(query url.Values) string {
	text := c.r.Method + "&" + escape(Home+c.r.URL.Path) + "&" + strings.Join(pairs(query), "%26")
	mac := hmac.New(sha256.New, []byte(c.shop.config.Secret+"&"))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// pairs returns the parameters, sorted, as PHP escapes them for a signature: name
// and value, and then the pair.
func pairs(query url.Values) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != "oauth_signature" {
			all = append(all, escape(escape(name)+"="+escape(query.Get(name))))
		}
	}
	return all
}

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// listOrders answers with orders that were changed since a time.
func (c *exchange) listOrders() {
	since, err := time.Parse("2006-01-02T15:04:05", cmp.Or(c.text("modified_after"), "2000-01-01T00:00:00"))
	if err != nil {
		c.shop.t.Errorf("modified_after: %v", err)
	}
	if c.text("modified_after") != "" && c.text("dates_are_gmt") != "true" {
		c.shop.t.Error("modified_after is in the time of the shop's site")
	}
	var found []*order
	for _, o := range c.shop.orders {
		if o.status != "checkout-draft" && o.modified.After(since) {
			found = append(found, o)
		}
	}
	slices.Reverse(found)
	list := make([]any, len(found))
	for i, o := range found {
		list[i] = c.shop.managedOrder(o)
	}
	c.page(list)
}

// manageOrder answers with an order, or what belongs to it.
func (c *exchange) manageOrder() {
	id := c.integer("id") + c.integer("order_id")
	for _, o := range c.shop.orders {
		if o.id != id {
			continue
		}
		switch {
		case strings.HasSuffix(c.path, "/refunds"):
			c.shop.answer(c.w, http.StatusOK, append([]any{}, o.refunds...), nil)
		case strings.HasSuffix(c.path, "/notes"):
			c.shop.answer(c.w, http.StatusOK, append([]any{}, o.notes...), nil)
		default:
			c.shop.answer(c.w, http.StatusOK, c.shop.managedOrder(o), nil)
		}
		return
	}
	c.refuse("429-v3-order-404")
}

// decimal writes an amount as the REST API does.
func decimal(minor int64) string { return fmt.Sprintf("%d.%02d", minor/100, minor%100) }

// managedOrder is an order as the merchant sees it.
func (s *Shop) managedOrder(o *order) object {
	lines, metas, refunds := []any{}, []any{}, []any{}
	for i, l := range o.lines {
		lines = append(lines, s.managedLine(l, i))
	}
	for name, value := range o.mark {
		metas = append(metas, object{"id": len(metas) + 1, "key": "_wc_order_attribution_" + name, "value": value})
	}
	for _, one := range o.refunds {
		refunds = append(refunds, object{"id": one.(object)["id"], "reason": one.(object)["reason"], "total": "-" + one.(object)["amount"].(string)})
	}
	shipping := []any{}
	if o.delivery {
		shipping = append(shipping, object{
			"id": 1, "method_title": o.rate, "total": decimal(o.sums.shipping.net), "total_tax": decimal(o.sums.shipping.tax),
		})
	}
	var done any
	if !o.done.IsZero() {
		done = stamp(o.done)
	}
	u := o.sums
	return object{
		"id": o.id, "number": fmt.Sprint(o.id), "status": o.status, "currency": "GBP", "order_key": o.key, "total": decimal(u.total),
		"total_tax": decimal(u.tax), "shipping_total": decimal(u.shipping.net), "shipping_tax": decimal(u.shipping.tax),
		"discount_total": decimal(u.discount.net), "discount_tax": decimal(u.discount.tax), "prices_include_tax": true,
		"billing": o.billing, "shipping": o.shipping, "customer_note": o.note, "created_via": o.via, "meta_data": metas,
		"line_items": lines, "shipping_lines": shipping, "fee_lines": []any{}, "refunds": refunds,
		"payment_url":      fmt.Sprintf("%s/checkout/order-pay/%d/?pay_for_order=true&key=%s", Home, o.id, o.key),
		"date_created_gmt": stamp(o.created), "date_modified_gmt": stamp(o.modified), "date_completed_gmt": done,
	}
}

func (s *Shop) managedLine(l orderLine, i int) object {
	parent := s.parent(l.product)
	variation, name := int64(0), l.product["name"]
	var parentName any
	if l.product["type"] == "variation" {
		variation, parentName = idOf(l.product), l.product["name"]
		name = fmt.Sprintf("%s - %s", name, strings.Join(valuesOf(l.line), ", "))
	}
	metas := []any{}
	for _, one := range l.line.variation {
		attribute := one.(object)
		metas = append(metas, object{
			"id": 99 + len(metas), "key": strings.TrimPrefix(attribute["raw_attribute"].(string), "attribute_"), "value": attribute["slug"],
			"display_key": attribute["attribute"], "display_value": attribute["value"],
		})
	}
	metas = append(metas, object{"id": 119, "key": "_reduced_stock", "value": fmt.Sprint(l.quantity), "display_key": "_reduced_stock", "display_value": fmt.Sprint(l.quantity)})
	image := l.product["images"].([]any)[0].(object)
	var imageID any = image["id"]
	if i%2 == 1 {
		imageID = fmt.Sprint(imageID) // Some are numbers, some are text.
	}
	return object{
		"id": l.id, "name": name, "product_id": idOf(parent), "variation_id": variation, "quantity": l.quantity, "sku": l.product["sku"],
		"subtotal": decimal(l.sum.before.net), "subtotal_tax": decimal(l.sum.before.tax),
		"total": decimal(l.sum.after.net), "total_tax": decimal(l.sum.after.tax), "parent_name": parentName,
		"meta_data": metas, "price": float64(l.sum.after.net) / 100 / float64(l.quantity),
		"image": object{"id": imageID, "src": image["src"]},
	}
}
