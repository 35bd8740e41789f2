package woocommerce

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// missing says what the shop would refuse an order for, as far as that can be
// known before it is asked.
func (c cart) missing(h handle) []upstream.Missing {
	var all []upstream.Missing
	lacks := func(m upstream.Missing, is bool) {
		if is && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	billing, shipping := c.Get("billing_address"), c.Get("shipping_address")
	lacks(upstream.MissingLines, len(c.lines()) == 0)
	lacks(upstream.MissingEmail, h.NoEmail || billing.Get("email").String() == "")
	addresses := []gjson.Result{billing}
	if c.needsDelivery() || len(c.lines()) == 0 {
		addresses = append(addresses, shipping)
	}
	for _, address := range addresses {
		lacks(upstream.MissingFirstName, address.Get("first_name").String() == "")
		lacks(upstream.MissingLastName, address.Get("last_name").String() == "")
		for _, m := range missingOf(address) {
			lacks(m, true)
		}
	}
	lacks(upstream.MissingAddress, h.NoAddress)
	if slices.Contains(all, upstream.MissingAddress) {
		// What one of two addresses lacks does not matter then.
		all = slices.DeleteFunc(all, func(m upstream.Missing) bool {
			return m == upstream.MissingStreet || m == upstream.MissingCity || m == upstream.MissingRegion || m == upstream.MissingPostalCode
		})
	}
	if c.needsDelivery() {
		chosen, _ := c.chosen()
		// The shop chooses a way for a visitor of its own country. Before it knows
		// where the goods go, that is no choice.
		lacks(upstream.MissingDelivery, chosen == nil || slices.Contains(all, upstream.MissingAddress))
	}
	return all
}

// missingOf says which parts of an address the shop wants besides. One that has
// neither street nor town is none.
func missingOf(address gjson.Result) []upstream.Missing {
	has := func(part string) bool { return strings.TrimSpace(address.Get(part).String()) != "" }
	if !has("address_1") && !has("city") {
		return []upstream.Missing{upstream.MissingAddress}
	}
	country := address.Get("country").String()
	var all []upstream.Missing
	if !has("address_1") {
		all = append(all, upstream.MissingStreet)
	}
	if !has("city") && wantsCity(country) {
		all = append(all, upstream.MissingCity)
	}
	if !has("state") && wantsRegion(country) {
		all = append(all, upstream.MissingRegion)
	}
	if !has("postcode") && wantsPostcode(country) {
		all = append(all, upstream.MissingPostalCode)
	}
	return all
}
