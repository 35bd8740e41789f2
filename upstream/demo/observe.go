package demo

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// observed reads a basket.
func (s *Shop) observed(op string, r gjson.Result) (upstream.Observed, error) {
	f, err := frameOf(op, r)
	if err != nil {
		return upstream.Observed{}, err
	}
	if !r.Get("total").Exists() || !r.Get("token").Exists() {
		return upstream.Observed{}, unreadable(op, "basket")
	}
	o := upstream.Observed{
		Currency:  f.currency,
		Tax:       f.tax,
		Total:     f.amount(r.Get("total")),
		TaxTotal:  f.optional(r.Get("tax")),
		Estimated: r.Get("estimated").Bool(),
		Chosen:    r.Get("delivery").String(),
		HandOff:   s.page(r.Get("path").String()),
	}
	r.Get("lines").ForEach(func(_, line gjson.Result) bool {
		o.Lines = append(o.Lines, s.readLine(line, f))
		return true
	})
	r.Get("discounts").ForEach(func(_, item gjson.Result) bool {
		o.Discounts = append(o.Discounts, readDiscount(item, f, o.Lines))
		return true
	})
	o.Totals = readTotals(r, f)
	r.Get("deliveries").ForEach(func(_, item gjson.Result) bool {
		o.Delivery = append(o.Delivery, upstream.DeliveryOption{
			ID: item.Get("id").String(), Title: item.Get("title").String(), Description: item.Get("description").String(),
			Carrier: item.Get("carrier").String(), Price: f.amount(item.Get("price")),
			Earliest: item.Get("earliest").Time(), Latest: item.Get("latest").Time(),
		})
		return true
	})
	r.Get("missing").ForEach(func(_, name gjson.Result) bool {
		o.Missing = append(o.Missing, upstream.Missing(name.String()))
		return true
	})
	return o, nil
}

func (s *Shop) readLine(line gjson.Result, f frame) upstream.Line {
	return upstream.Line{
		Key: line.Get("key").String(), Item: line.Get("variant").String(), Product: line.Get("product").String(),
		Title: line.Get("title").String(), Choices: readNamedChoices(line.Get("choices")), Quantity: line.Get("quantity").Int(),
		Unit: f.amount(line.Get("unit")), Subtotal: f.amount(line.Get("subtotal")), Total: f.amount(line.Get("total")),
		Image: s.page(line.Get("image").String()), URL: s.page(line.Get("path").String()),
	}
}

func readNamedChoices(list gjson.Result) []upstream.Choice {
	var out []upstream.Choice
	list.ForEach(func(_, choice gjson.Result) bool {
		out = append(out, upstream.Choice{Name: choice.Get("name").String(), Value: choice.Get("value").String()})
		return true
	})
	return out
}

// readDiscount reads a discount, whose parts stand in the order of the lines.
func readDiscount(item gjson.Result, f frame, lines []upstream.Line) upstream.Discount {
	d := upstream.Discount{
		Code: item.Get("code").String(), Title: item.Get("title").String(),
		Amount: f.amount(item.Get("amount")), OnDelivery: item.Get("on_delivery").Bool(),
	}
	for i, part := range item.Get("lines").Array() {
		if i < len(lines) && part.Int() > 0 {
			if d.Lines == nil {
				d.Lines = map[string]money.Amount{}
			}
			d.Lines[lines[i].Key] = f.amount(part)
		}
	}
	return d
}

// readTotals lays out the sum of a basket or an order. A delivery that is free by a
// code stands at its price, and the code's discount below it.
func readTotals(r gjson.Result, f frame) []upstream.Total {
	totals := []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: f.amount(r.Get("subtotal"))}}
	var goods, delivery int64
	r.Get("discounts").ForEach(func(_, item gjson.Result) bool {
		if item.Get("on_delivery").Bool() {
			delivery += item.Get("amount").Int()
		} else {
			goods += item.Get("amount").Int()
		}
		return true
	})
	add := func(kind upstream.TotalKind, minor int64) {
		totals = append(totals, upstream.Total{Kind: kind, Amount: money.Amount{Minor: minor, Currency: f.currency}})
	}
	if goods > 0 {
		add(upstream.TotalItemsDiscount, -goods)
	}
	if fulfillment := r.Get("fulfillment"); fulfillment.Exists() {
		add(upstream.TotalFulfillment, fulfillment.Int())
	}
	if delivery > 0 {
		add(upstream.TotalDiscount, -delivery)
	}
	if f.tax == upstream.TaxExcluded {
		add(upstream.TotalTax, r.Get("tax").Int())
	}
	return totals
}

// readNotices reads what the shop did otherwise than desired. The shop's codes are
// those of the model.
func (s *Shop) readNotices(list gjson.Result, f frame) []upstream.Notice {
	var notices []upstream.Notice
	list.ForEach(func(_, item gjson.Result) bool {
		n := upstream.Notice{
			Code: upstream.NoticeCode(item.Get("code").String()), Line: item.Get("line").String(),
			Discount: item.Get("discount").String(), Text: item.Get("text").String(),
			Options: readOptions(&scanner{s: item.Get("options").Raw}),
		}
		if available := item.Get("available"); available.Exists() {
			count := available.Int()
			n.Available = &count
		}
		product := upstream.Product{Options: n.Options}
		n.Variants = s.readVariants(&scanner{s: item.Get("variants").Raw}, f, &product)
		notices = append(notices, n)
		return true
	})
	return notices
}
