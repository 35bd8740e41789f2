package woocommerce

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// unnamed is the title of a discount that has none of its own.
const unnamed = "Discount"

// discounts returns what lowered the price: the codes, which the shop spreads
// over the lines, and what else the figures found. codes are those wanted, as
// they were written; the shop writes its own in small letters.
func (b bill) discounts(coupons gjson.Result, fig figures, lines []upstream.Line, codes []string) []upstream.Discount {
	var all []upstream.Discount
	left := fig.off
	for _, coupon := range coupons.Array() {
		d := upstream.Discount{
			Code:   written(coupon.Get("code").String(), codes),
			Amount: b.pair(coupon.Get("totals"), "total_discount", "total_discount_tax"),
		}
		if d.Code == "" {
			d.Title = unnamed
		}
		if d.Amount.Minor > 0 {
			left = b.less(left, d.Amount)
			all = append(all, d)
		}
	}
	all = b.settle(all, left)
	if len(all) == 1 {
		all[0].Lines = shares(lines)
	}
	return append(all, fig.gifts...)
}

// settle makes discounts add up to what was taken off the lines, of which left is
// not explained by them. The shop rounds each line and each code on its own, so
// it is off by little; without any code it is the work of a plug-in.
func (b bill) settle(all []upstream.Discount, left money.Amount) []upstream.Discount {
	for i := len(all) - 1; i >= 0 && left.Minor < 0; i-- {
		less := min(-left.Minor, all[i].Amount.Minor)
		all[i].Amount.Minor -= less
		left.Minor += less
	}
	all = slices.DeleteFunc(all, func(d upstream.Discount) bool { return d.Amount.Minor <= 0 })
	switch {
	case left.Minor <= 0:
	case len(all) > 0:
		all[0].Amount = b.sum(all[0].Amount, left)
	default:
		all = append(all, upstream.Discount{Title: unnamed, Amount: left})
	}
	return all
}

// shares says how much was taken off each line.
func shares(lines []upstream.Line) map[string]money.Amount {
	byLine := make(map[string]money.Amount)
	for _, line := range lines {
		off := line.Subtotal
		if off.Minor -= line.Total.Minor; off.Minor > 0 {
			off.Minor += byLine[line.Key].Minor
			byLine[line.Key] = off
		}
	}
	return byLine
}

// written returns a code as it was written by whoever wanted it.
func written(code string, codes []string) string {
	for _, wanted := range codes {
		if strings.EqualFold(wanted, code) {
			return wanted
		}
	}
	return code
}
