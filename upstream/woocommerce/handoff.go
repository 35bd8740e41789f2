package woocommerce

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
)

// A hand-off link tells the shop where a visitor came from, in the manner of
// advertisements. WooCommerce (8.5 and later, unless that is switched off) writes
// it on the order, where a key can read it.
const (
	source     = "storeware"
	markerMeta = "_wc_order_attribution_utm_id"
)

// marker names a basket on the orders that its hand-off link leads to. It is made
// from what never leaves the shop and us, and does not tell it.
func marker(token string) string {
	sum := sha256.Sum256([]byte("storeware hand-off " + session(token)))
	return source + "-" + hex.EncodeToString(sum[:12])
}

// handOff is the page of the shop where a person goes on with a basket, empty
// where there is none.
//
// Since WooCommerce 10.0 a page opens the basket of a token in its address, as a
// copy. An older one can be told to put one product into a basket.
func (s *Shop) handOff(f *facts, c cart, h handle) string {
	lines := c.lines()
	query := url.Values{"utm_source": {source}, "utm_medium": {"agent"}, "utm_id": {marker(c.token)}}
	switch {
	case len(lines) == 0:
		return ""
	case f.sessions:
		query.Set("session", c.token)
		return f.page(s.checkoutPath, query)
	case len(lines) > 1:
		return ""
	}
	query.Set("quantity", strconv.FormatInt(lines[0].Get("quantity").Int(), 10))
	kept, ok := h.line(lines[0].Get("key").String())
	if !ok {
		return ""
	}
	wanted, ok := parseItem(kept.Item)
	if !ok {
		return ""
	}
	query.Set("add-to-cart", number(wanted.product))
	if wanted.variation == 0 {
		return f.page("", query)
	}
	// The page of a variation has its choices in its address.
	page, err := url.Parse(link(lines[0].Get("permalink").String()))
	if err != nil || page.Host == "" {
		return ""
	}
	query.Set("variation_id", number(wanted.variation))
	for name, values := range page.Query() {
		query[name] = values
	}
	page.RawQuery = query.Encode()
	return page.String()
}

// payPage is the page where an order of the shop can be paid.
func (s *Shop) payPage(f *facts, d draft) string {
	path := "order-pay/" + number(d.ID)
	if s.checkoutPath != "" {
		path = s.checkoutPath + "/" + path
	}
	return f.page(path, url.Values{"pay_for_order": {"true"}, "key": {d.Key}})
}
