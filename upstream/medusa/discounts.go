package medusa

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// creditTitle is what a buyer reads for credit that pays a part.
const creditTitle = "Credit"

// readDiscounts returns what lowered the price of a cart, and where. A line's own
// figures say how much was taken off it; its adjustments, which may be with tax or
// without, say in which proportion by whom.
func readDiscounts(purse *purse, held cart, included bool, taken offs) []upstream.Discount {
	var discounts []upstream.Discount
	of := func(code string, onDelivery bool) *upstream.Discount {
		d := held.promotion(code)
		d.OnDelivery, d.Amount = onDelivery, purse.zero()
		at := slices.IndexFunc(discounts, func(known upstream.Discount) bool {
			return known.Code == d.Code && known.Title == d.Title && known.OnDelivery == onDelivery
		})
		if at < 0 {
			discounts = append(discounts, d)
			at = len(discounts) - 1
		}
		return &discounts[at]
	}
	for _, item := range held.items() {
		adjustments, weights := readAdjusted(purse, item)
		for _, off := range taken[item.Get("id").String()] {
			for i, part := range purse.split(off.amount, weights) {
				if part.Minor == 0 {
					continue
				}
				d := of(adjustments[i], false)
				d.Amount = purse.sum(d.Amount, part)
				if d.Lines == nil {
					d.Lines = make(map[string]money.Amount)
				}
				d.Lines[off.key] = purse.sum(d.Lines[off.key], part)
			}
		}
	}
	for _, method := range held.Get("shipping_methods").Array() {
		before, now := methodPrice(purse, method, included)
		adjustments, weights := readAdjusted(purse, method)
		for i, part := range purse.split(purse.less(before, now), weights) {
			if part.Minor != 0 {
				d := of(adjustments[i], true)
				d.Amount = purse.sum(d.Amount, part)
			}
		}
	}
	if credit := readCredit(purse, held.Result); credit.Minor > 0 {
		discounts = append(discounts, upstream.Discount{Title: creditTitle, Amount: credit})
	}
	return discounts
}

// readAdjusted returns the codes of an item's adjustments and the weight of each.
// What is cheaper for no reason that Medusa tells is cheaper for one without code.
func readAdjusted(purse *purse, item gjson.Result) (codes []string, weights []int64) {
	for _, adjustment := range item.Get("adjustments").Array() {
		codes = append(codes, adjustment.Get("code").String())
		weights = append(weights, purse.read(adjustment.Get("amount")).Minor)
	}
	if len(codes) == 0 {
		return []string{""}, []int64{1}
	}
	return codes, weights
}

// promotion returns the discount of a promotion's code. One that applies by itself
// has a code too, which no buyer has entered.
func (c cart) promotion(code string) upstream.Discount {
	for _, promotion := range c.Get("promotions").Array() {
		if promotion.Get("code").String() != code {
			continue
		}
		title := plaintext.FromHTML(promotion.Get("campaign.name").String())
		if !promotion.Get("is_automatic").Bool() {
			return upstream.Discount{Code: code, Title: title}
		}
		if title != "" {
			return upstream.Discount{Title: title}
		}
		break
	}
	return upstream.Discount{Title: automaticTitle}
}

// automaticTitle is what a buyer reads for a promotion without a name.
const automaticTitle = "Discount"
