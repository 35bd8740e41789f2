package woocommerce

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// managedOrder reads an order with the consumer key. That the key sees every
// order is no reason to show one to somebody who has not got its own.
func (s *Shop) managedOrder(ctx context.Context, v upstream.Visit, f *facts, key orderKey) (upstream.Order, error) {
	path := "orders/" + number(key.ID)
	a, err := s.manage(ctx, v, f, call{op: readingOrder, path: path, safe: true})
	if err != nil {
		return upstream.Order{}, err
	}
	if a.status == http.StatusNotFound || !a.refused() && !secret.New(a.body.Get("order_key").String()).Equal(secret.New(key.Key)) {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop has no such order")
	}
	if err := a.err(); err != nil {
		return upstream.Order{}, err
	}
	var refunds, notes gjson.Result
	if len(a.body.Get("refunds").Array()) > 0 {
		if refunds, err = s.managedPart(ctx, v, f, path+"/refunds"); err != nil {
			return upstream.Order{}, err
		}
	}
	if notes, err = s.managedPart(ctx, v, f, path+"/notes"); err != nil {
		return upstream.Order{}, err
	}
	return f.readManagedOrder(a.body, refunds, notes)
}

func (s *Shop) managedPart(ctx context.Context, v upstream.Visit, f *facts, path string) (gjson.Result, error) {
	a, err := s.manage(ctx, v, f, call{op: readingOrder, path: path, safe: true})
	if err != nil {
		return gjson.Result{}, err
	}
	return a.body, a.err()
}

// readManagedOrder reads an order of the REST API. Its amounts are decimal, the
// tax beside them.
func (f *facts) readManagedOrder(order, refunds, notes gjson.Result) (upstream.Order, error) {
	b := managedBill{newWallet(order.Get("currency")), f.tax != upstream.TaxExcluded}
	b.decimals = f.decimals
	o := upstream.Order{
		PlacedAt: readTime(order.Get("date_created_gmt")),
		Currency: b.currency,
		Total:    b.decimal(order.Get("total")),
		Address:  readAddress(order.Get("shipping")),
		Status:   order.Get("status").String(),
	}
	for _, one := range order.Get("line_items").Array() {
		o.Lines = append(o.Lines, b.line(one))
	}
	for _, one := range order.Get("shipping_lines").Array() {
		o.Delivery = strings.Join(appendText(splitText(o.Delivery), one.Get("method_title").String()), " + ")
	}
	o.Totals = b.totals(order, o)
	for _, one := range refunds.Array() {
		o.Adjustments = append(o.Adjustments, b.refund(one, o.Lines))
	}
	slices.SortStableFunc(o.Adjustments, func(x, y upstream.Adjustment) int { return x.At.Compare(y.At) })
	progress(&o)
	for i := range o.Events {
		if o.Events[i].Type == "completed" {
			o.Events[i].At = readTime(order.Get("date_completed_gmt"))
		}
	}
	for _, one := range notes.Array() {
		if one.Get("customer_note").Bool() {
			o.Events = append(o.Events, upstream.FulfillmentEvent{
				ID: "note-" + number(one.Get("id").Int()), Type: "note", At: readTime(one.Get("date_created_gmt")),
				Text: plain(one.Get("note").String()),
			})
		}
	}
	slices.SortStableFunc(o.Events, func(x, y upstream.FulfillmentEvent) int { return x.At.Compare(y.At) })
	return o, b.failed(readingOrder)
}

func splitText(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// wordPressTime is how the shop writes a time.
const wordPressTime = "2006-01-02T15:04:05"

// readTime reads a time in UTC that the shop writes without saying so.
func readTime(value gjson.Result) time.Time {
	t, err := time.Parse(wordPressTime, value.String())
	if err != nil {
		return time.Time{}
	}
	return t
}

// managedBill reads the amounts of an order of the REST API.
type managedBill struct {
	*purse
	included bool
}

// pair reads an amount and the tax on it, as the bill shows it.
func (b managedBill) pair(object gjson.Result, net, tax string) money.Amount {
	amount := b.decimal(object.Get(net))
	if b.included {
		amount = b.sum(amount, b.decimal(object.Get(tax)))
	}
	return amount
}

func (b managedBill) line(one gjson.Result) upstream.OrderLine {
	i := item{product: one.Get("product_id").Int(), variation: one.Get("variation_id").Int()}
	line := upstream.OrderLine{
		ID:       number(one.Get("id").Int()),
		Title:    title(cmp.Or(one.Get("parent_name").String(), one.Get("name").String())),
		Ordered:  one.Get("quantity").Int(),
		Subtotal: b.pair(one, "subtotal", "subtotal_tax"),
		Total:    b.pair(one, "total", "total_tax"),
		Image:    link(one.Get("image.src").String()),
	}
	line.Active = line.Ordered
	line.Total.Minor = min(line.Total.Minor, line.Subtotal.Minor)
	if i.product != 0 {
		line.Item, line.Product = i.String(), item{product: i.product}.String()
	}
	if line.Ordered > 0 {
		unit, err := line.Subtotal.Ratio(1, line.Ordered)
		if err != nil {
			b.err = errSum
		}
		line.Unit = unit
	}
	for _, data := range one.Get("meta_data").Array() {
		name, value := title(data.Get("display_key").String()), title(data.Get("display_value").String())
		if !strings.HasPrefix(data.Get("key").String(), "_") && name != "" && value != "" {
			line.Choices = append(line.Choices, upstream.Choice{Name: name, Value: value})
		}
	}
	return line
}

// totals explain the order's total.
func (b managedBill) totals(order gjson.Result, o upstream.Order) []upstream.Total {
	fig := figures{total: o.Total}
	subtotal, off := b.zero(), b.zero()
	for _, line := range o.Lines {
		subtotal = b.sum(subtotal, line.Subtotal)
		off = b.sum(off, b.less(line.Subtotal, line.Total))
	}
	fig.add(upstream.TotalSubtotal, "", subtotal, true)
	fig.add(upstream.TotalItemsDiscount, "", b.less(b.zero(), off), false)
	for _, fee := range order.Get("fee_lines").Array() {
		fig.charge(title(fee.Get("name").String()), b.pair(fee, "total", "total_tax"))
	}
	if len(order.Get("shipping_lines").Array()) > 0 {
		fig.add(upstream.TotalFulfillment, "", b.pair(order, "shipping_total", "shipping_tax"), true)
	}
	if !b.included {
		fig.add(upstream.TotalTax, "", b.decimal(order.Get("total_tax")), true)
	}
	rest := o.Total
	for _, total := range fig.totals {
		rest = b.less(rest, total.Amount)
	}
	fig.settle(rest, b.rounding(len(o.Lines)))
	return fig.totals
}

// refund reads a refund, and takes what came back off the lines. The shop names
// the line that a part of it is about in meta data.
func (b managedBill) refund(one gjson.Result, lines []upstream.OrderLine) upstream.Adjustment {
	a := upstream.Adjustment{
		ID: number(one.Get("id").Int()), Type: "refund", Status: "completed", At: readTime(one.Get("date_created_gmt")),
		Amount: b.decimal(one.Get("amount")), Text: plain(one.Get("reason").String()),
	}
	a.Amount.Minor = -max(a.Amount.Minor, -a.Amount.Minor)
	for _, part := range one.Get("line_items").Array() {
		id, count := meta(part, "_refunded_item_id"), max(part.Get("quantity").Int(), -part.Get("quantity").Int())
		for i := range lines {
			if lines[i].ID == id && count > 0 {
				lines[i].Active = max(lines[i].Active-count, 0)
				a.Lines = append(a.Lines, upstream.LineQuantity{Line: id, Quantity: count})
			}
		}
	}
	return a
}
