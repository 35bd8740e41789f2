package wootest

import (
	"cmp"
	"slices"
	"strings"
)

// sums are what a basket comes to, in minor units: without tax, and the tax.
type sums struct {
	taxed    bool
	lines    []lineSum
	coupons  []lineSum
	rates    []rate
	selected int // of rates, -1 if there are none
	items    pair
	discount pair
	shipping pair
	tax      int64
	total    int64
}

type pair struct{ net, tax int64 }

// lineSum is a line before and after the discounts.
type lineSum struct{ before, after pair }

// rate is a way of delivery.
type rate struct {
	id, name, method string
	instance         int
	price            pair
}

// untaxed is a price without the shop's one tax, of a fifth.
func untaxed(gross int64) int64 { return (gross*10 + 6) / 12 }

// part splits an amount with tax.
func part(gross int64) pair { return pair{untaxed(gross), gross - untaxed(gross)} }

func (p pair) sum() int64 { return p.net + p.tax }

// sums adds a basket up as WooCommerce does: prices contain tax, and go without
// it to another country than the shop's own.
func (s *Shop) sums(one *session) sums {
	u := sums{taxed: one.shipping["country"] == "GB"}
	before := make([]int64, len(one.items)) // With tax, if there is any.
	for i, l := range one.items {
		before[i] = priceOf(l.product) * l.quantity
		if !u.taxed && !isVirtual(l.product) {
			before[i] = untaxed(before[i])
		}
		u.lines = append(u.lines, lineSum{before: u.split(l, before[i])})
	}
	after := slices.Clone(before)
	for _, code := range one.coupons {
		var taxed, free int64 // What the code takes off, of lines with and without tax.
		for i, amount := range takeOff(code, one.items, after) {
			after[i] -= amount
			if u.bearsTax(one.items[i]) {
				taxed += amount
			} else {
				free += amount
			}
		}
		off := part(taxed)
		off.net += free
		u.coupons = append(u.coupons, lineSum{before: off})
		u.discount.net += off.net
		u.discount.tax += off.tax
	}
	var goods int64
	for i := range u.lines {
		u.lines[i].after = u.split(one.items[i], after[i])
		u.items.net += u.lines[i].before.net
		u.items.tax += u.lines[i].before.tax
		u.tax += u.lines[i].after.tax
		goods += after[i]
	}
	u.chooseRate(one, goods)
	u.tax += u.shipping.tax
	u.total = goods + u.shipping.sum()
	if s.config.Uneven && len(one.coupons) > 0 {
		u.total++
	}
	return u
}

// split splits a line's amount, if there is a tax on it.
func (u *sums) split(l *line, amount int64) pair {
	if !u.bearsTax(l) {
		return pair{amount, 0}
	}
	return part(amount)
}

func (u *sums) bearsTax(l *line) bool { return u.taxed && !isVirtual(l.product) }

// chooseRate finds the ways of delivery and the one in force: the visitor's
// choice as long as there are as many ways as when it was made, otherwise the
// first one, or the free one where a discount code has opened it.
func (u *sums) chooseRate(one *session, goods int64) {
	u.selected = -1
	if !one.needsDelivery() || one.shipping["country"] != "GB" {
		return
	}
	u.rates = []rate{
		{"flat_rate:1", "Standard delivery", "flat_rate", 1, pair{416, 83}},
		{"flat_rate:2", "Next-day delivery", "flat_rate", 2, pair{833, 167}},
	}
	free := slices.Contains(one.coupons, "freeship")
	if free || goods >= 7500 {
		u.rates = append(u.rates, rate{"free_shipping:3", "Free delivery", "free_shipping", 3, pair{}})
	}
	u.selected = slices.IndexFunc(u.rates, func(r rate) bool { return r.id == one.rate })
	if one.rates != 0 && one.rates != len(u.rates) || u.selected < 0 {
		one.rate, u.selected = "", 0
		if free {
			u.selected = len(u.rates) - 1
		}
	}
	one.rates = len(u.rates)
	u.shipping = u.rates[u.selected].price
}

// takeOff returns what a discount code takes off each line.
func takeOff(code string, items []*line, after []int64) []int64 {
	off := make([]int64, len(items))
	percent, fixed := int64(0), int64(0)
	switch code {
	case "save10":
		percent = 10
	case "min100":
		percent = 20
	case "solo":
		fixed = 800
	case "fiveoff":
		fixed = 500
	}
	var count int64
	for i, amount := range after {
		off[i] = (amount*percent + 50) / 100
		count += items[i].quantity
	}
	if fixed == 0 || count == 0 {
		return off
	}
	// A fixed sum is spread evenly over all pieces; what is left goes to the
	// dearest ones, a unit each.
	each := fixed / count
	rest := fixed - each*count
	dearest := make([]int, len(items))
	for i := range items {
		dearest[i] = i
	}
	slices.SortStableFunc(dearest, func(a, b int) int { return cmp.Compare(priceOf(items[b].product), priceOf(items[a].product)) })
	for _, i := range dearest {
		more := min(rest, items[i].quantity)
		rest -= more
		off[i] = min(each*items[i].quantity+more, after[i])
	}
	return off
}

// refusedCode names the recorded refusal of a discount code, empty for one that
// is good.
func (s *Shop) refusedCode(one *session, code string) string {
	switch {
	case code == "old" || slices.Contains(one.dead, code):
		return "243-coupon-expired"
	case code == "usedup":
		return "244-coupon-used-up"
	case !slices.Contains([]string{"save10", "min100", "solo", "fiveoff", "freeship"}, code):
		return "242-coupon-unknown"
	}
	var goods int64
	for _, l := range one.items {
		goods += priceOf(l.product) * l.quantity
	}
	if code == "min100" && len(one.items) > 0 && goods < 10000 {
		return "513-coupon-min-not-met"
	}
	return ""
}

// applyCoupon puts a discount code on the basket.
func (c *exchange) applyCoupon() {
	code := strings.ToLower(strings.TrimSpace(c.text("code")))
	switch name := c.shop.refusedCode(c.session, code); {
	case c.shop.config.NoCodes:
		c.refuse("731-coupons-off")
		return
	case name != "":
		c.refuse(name)
		return
	case slices.Contains(c.session.coupons, code):
		c.refuse("241-coupon-again")
		return
	case slices.Contains(c.session.coupons, "solo"):
		c.refuse("246-coupon-second")
		return
	}
	if code == "solo" { // It stands no other beside it, and says nothing.
		c.session.coupons = nil
	}
	c.session.coupons = append(c.session.coupons, code)
	c.changed(200)
}

func (c *exchange) removeCoupon() {
	code := strings.ToLower(c.text("code"))
	if !slices.Contains(c.session.coupons, code) {
		c.refuseWith("249-coupon-remove-not-applied", object{"cart": c.shop.cart(c.session)})
		return
	}
	c.session.coupons = slices.DeleteFunc(c.session.coupons, func(one string) bool { return one == code })
	c.changed(200)
}
