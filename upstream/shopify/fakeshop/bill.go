package fakeshop

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
)

// discount is a discount code, or a rule without one.
type discount struct {
	code, title string
	percent     int64 // of the goods
	pence       int64
	minimum     int64 // in pence
	delivery    bool
	// sku limits it to variants whose SKU begins so, and from to that many.
	sku  string
	from int64
	// why is the shop's reason for refusing it always.
	why string
}

func discounts() []discount {
	return []discount{
		{code: "WELCOME10", percent: 10},
		{code: "TRAIL20", pence: 2000, minimum: 15000},
		{code: "FREESHIP", delivery: true},
		{code: "SUMMER24", why: "DISCOUNT_CURRENTLY_INACTIVE"},
		{code: "USEDUP", why: "DISCOUNT_USAGE_LIMIT_REACHED"},
		{code: "STAFF", why: "DISCOUNT_ELIGIBLE_CUSTOMER_MISSING"},
		{code: "SOCKS50", percent: 50, sku: "SOK-"},
		{title: "Five or more socks", percent: 10, sku: "SOK-", from: 5},
	}
}

// bill is what a cart comes to.
type bill struct {
	land  land
	goods money.Amount
	total money.Amount
	// off is what each line bears of each discount.
	off         map[*line][]share
	offDelivery money.Amount
	// refused are the codes that do not apply, and why.
	refused map[string]string
}

// share is a part of a discount.
type share struct {
	discount discount
	amount   money.Amount
	whole    bool // of a discount on the whole
}

// bill computes what a cart comes to.
func (s *Shop) bill(c *cart) bill {
	b := bill{land: c.land(), off: make(map[*line][]share), refused: make(map[string]string)}
	b.goods = money.Amount{Currency: b.land.currency}
	for _, l := range c.lines {
		b.goods.Minor += b.price(l)
	}
	b.offDelivery = money.Amount{Currency: b.land.currency}
	for _, d := range discounts() {
		if d.code == "" {
			b.onLines(c, d)
		}
	}
	taken := false // A discount on the whole does not go with another one.
	for _, code := range c.codes {
		b.code(s, c, code, &taken)
	}
	b.total = b.goods
	for _, shares := range b.off {
		for _, share := range shares {
			b.total.Minor -= share.amount.Minor
		}
	}
	if c.travels() && !s.options.GoodsOnly {
		b.total.Minor += b.delivery(s, c) - b.offDelivery.Minor
	}
	return b
}

func (b *bill) price(l *line) int64 { return b.land.amount(l.variant.price).Minor * l.quantity }

func (b *bill) delivery(s *Shop, c *cart) int64 {
	for _, w := range ways() {
		if w.handle == c.way() {
			return b.land.amount(w.pence).Minor * int64(s.parcels())
		}
	}
	return 0
}

// code applies a discount code, or says why not.
func (b *bill) code(s *Shop, c *cart, code string, taken *bool) {
	i := slices.IndexFunc(discounts(), func(d discount) bool { return d.code != "" && strings.EqualFold(d.code, code) })
	if i < 0 {
		b.refused[code] = "DISCOUNT_NOT_FOUND"
		return
	}
	switch d := discounts()[i]; {
	case d.why != "":
		b.refused[code] = d.why
	case d.delivery:
		if c.travels() {
			b.offDelivery.Minor = b.delivery(s, c)
		}
	case d.sku != "":
		if !b.onLines(c, d) {
			b.refused[code] = "DISCOUNT_NO_ENTITLED_LINE_ITEMS"
		}
	case b.goods.Minor < b.land.amount(d.minimum).Minor || b.goods.Minor == 0:
		b.refused[code] = "DISCOUNT_PURCHASE_NOT_IN_RANGE"
	case *taken:
		b.refused[code] = "DISCOUNT_CODE_NOT_HONOURED"
	default:
		*taken = true
		b.onAll(c, d)
	}
}

// onLines applies a discount to the lines it is for, and reports whether there are
// any.
func (b *bill) onLines(c *cart, d discount) bool {
	any := false
	for _, l := range c.lines {
		if l.quantity > 0 && strings.HasPrefix(l.variant.sku, d.sku) && l.quantity >= d.from {
			off := money.Amount{Minor: b.price(l) * d.percent / 100, Currency: b.land.currency}
			b.off[l] = append(b.off[l], share{d, off, false})
			any = true
		}
	}
	return any
}

// onAll spreads a discount over all lines.
func (b *bill) onAll(c *cart, d discount) {
	left := b.goods.Minor
	weights := make([]int64, len(c.lines))
	for i, l := range c.lines {
		weights[i] = b.price(l)
		for _, share := range b.off[l] {
			weights[i] -= share.amount.Minor
			left -= share.amount.Minor
		}
	}
	off := left * d.percent / 100
	if d.pence > 0 {
		off = min(b.land.amount(d.pence).Minor, left)
	}
	for i, part := range money.Allocate(off, weights) {
		b.off[c.lines[i]] = append(b.off[c.lines[i]], share{d, money.Amount{Minor: part, Currency: b.land.currency}, true})
	}
}

// allocations render what a line bears: of its own discounts only, or of all.
func (b *bill) allocations(l *line, own bool) []object {
	all := []object{}
	for _, share := range b.off[l] {
		if own && share.whole {
			continue
		}
		kind, name := "CartCodeDiscountAllocation", share.discount.code
		if name == "" {
			kind, name = "CartAutomaticDiscountAllocation", share.discount.title
		}
		all = append(all, allocation(kind, name, share.amount))
	}
	return all
}

func allocation(kind, name string, amount money.Amount) object {
	return object{"__typename": kind, "code": name, "title": name, "discountedAmount": moneyOf(amount)}
}
