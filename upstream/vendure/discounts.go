package vendure

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// readDiscounts returns what lowered the price of an order, and where.
func readDiscounts(purse *purse, order gjson.Result, included bool, kept []keptLine) []upstream.Discount {
	var discounts []upstream.Discount
	for _, item := range order.Get("discounts").Array() {
		source := item.Get("adjustmentSource").String()
		d := upstream.Discount{
			Code:   codeOf(order, source, item.Get("description").String()),
			Title:  plaintext.FromHTML(item.Get("description").String()),
			Amount: purse.less(purse.zero(), purse.either(item, included, "amount", "amountWithTax")),
		}
		for _, line := range order.Get("lines").Array() {
			saved := purse.less(purse.zero(), purse.from(line, source, included))
			if saved.Minor == 0 {
				continue
			}
			shares := share(line, kept)
			for i, part := range purse.split(saved, shares) {
				if d.Lines == nil {
					d.Lines = make(map[string]money.Amount)
				}
				d.Lines[shares[i].Key] = purse.sum(d.Lines[shares[i].Key], part)
			}
		}
		for _, line := range order.Get("shippingLines").Array() {
			d.OnDelivery = d.OnDelivery || purse.from(line, source, included).Minor != 0
		}
		discounts = append(discounts, d)
	}
	return discounts
}

// from adds up what one source took off a line.
func (p *purse) from(line gjson.Result, source string, included bool) money.Amount {
	sum := p.zero()
	for _, discount := range line.Get("discounts").Array() {
		if discount.Get("adjustmentSource").String() == source {
			sum = p.sum(sum, p.either(discount, included, "amount", "amountWithTax"))
		}
	}
	return sum
}

// codeOf returns the discount code of a promotion, empty for one without. The
// source of a discount names the promotion by its number in the database, which
// a shop may hide in the ids of its API; then the title has to do.
func codeOf(order gjson.Result, source, title string) string {
	byTitle := ""
	for _, promotion := range order.Get("promotions").Array() {
		code := promotion.Get("couponCode").String()
		if source == "PROMOTION:"+promotion.Get("id").String() {
			return code
		}
		if byTitle == "" && strings.EqualFold(promotion.Get("name").String(), title) {
			byTitle = code
		}
	}
	return byTitle
}
