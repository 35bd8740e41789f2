package woocommerce

import (
	"context"
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingOrder = "reading the order"

// Order implements upstream.Shop. With a key it takes one request, and one each
// for what was refunded and what the buyer was told. Without, it takes one, and
// one more to find out what the lines are in the catalogue.
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	f, err := s.forBaskets(ctx, v, readingOrder)
	if err != nil {
		return upstream.Order{}, err
	}
	var key orderKey
	if err := json.Unmarshal([]byte(ref.Key.Reveal()), &key); err != nil || key.ID <= 0 || key.Key == "" {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop has no such order")
	}
	var o upstream.Order
	if s.key.given() {
		o, err = s.managedOrder(ctx, v, f, key)
	} else {
		o, err = s.shownOrder(ctx, v, f, key)
	}
	o.Ref = ref
	return o, err
}

// shownOrder reads an order as the shop shows it to its buyer.
func (s *Shop) shownOrder(ctx context.Context, v upstream.Visit, f *facts, key orderKey) (upstream.Order, error) {
	a, err := s.orderByKey(ctx, v, f, readingOrder, draft{ID: key.ID, Key: key.Key, Email: key.Email})
	if err != nil {
		return upstream.Order{}, err
	}
	if a.status/100 == 4 {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop does not show such an order")
	}
	if err := a.err(); err != nil {
		return upstream.Order{}, err
	}
	o, err := f.readShownOrder(a.body)
	if err != nil {
		return upstream.Order{}, err
	}
	return o, s.nameItems(ctx, v, f, a.body, o.Lines)
}

// readShownOrder reads an order of the Store API. It looks like a basket, but its
// total of items is after the discounts.
func (f *facts) readShownOrder(order gjson.Result) (upstream.Order, error) {
	totals, lines := order.Get("totals"), order.Get("items").Array()
	b := newBill(totals, lines, f.tax)
	fig := b.figures(totals, lines, order.Get("fees"), order.Get("needs_shipping").Bool())
	o := upstream.Order{
		Currency: b.currency,
		Totals:   fig.totals,
		Total:    fig.total,
		Address:  readAddress(order.Get("shipping_address")),
		Status:   order.Get("status").String(),
	}
	for _, one := range lines {
		line := upstream.OrderLine{
			ID:       number(one.Get("id").Int()),
			Title:    title(one.Get("name").String()),
			Choices:  shownChoices(one),
			Ordered:  one.Get("quantity").Int(),
			Subtotal: b.pair(one.Get("totals"), "line_subtotal", "line_subtotal_tax"),
			URL:      link(one.Get("permalink").String()),
		}
		line.Unit = b.unit(one, line.Subtotal)
		line.Active, line.Total = line.Ordered, b.lineTotal(one, line.Subtotal)
		if media := readMedia(one.Get("images")); len(media) > 0 {
			line.Image = media[0].URL
		}
		o.Lines = append(o.Lines, line)
	}
	if refunded := b.read(totals.Get("total_refund")); refunded.Minor != 0 {
		// The shop does not tell a buyer when and for what.
		o.Adjustments = append(o.Adjustments, upstream.Adjustment{
			ID: "refunds", Type: "refund", Status: "completed", Amount: b.of(-max(refunded.Minor, -refunded.Minor)),
		})
	}
	progress(&o)
	return o, b.failed(readingOrder)
}

// shownChoices are the choices that make a line's variant. PHP writes an empty
// map as a list, and what is in it may be HTML.
func shownChoices(line gjson.Result) []upstream.Choice {
	var choices []upstream.Choice
	if data := line.Get("item_data"); data.IsObject() {
		data.ForEach(func(_, one gjson.Result) bool {
			name, value := title(one.Get("display_key").String()), title(one.Get("display_value").String())
			if name != "" && value != "" {
				choices = append(choices, upstream.Choice{Name: name, Value: value})
			}
			return true
		})
	}
	return choices
}

// nameItems finds out which product and variation each line is. An order names
// them by SKU only.
func (s *Shop) nameItems(ctx context.Context, v upstream.Visit, f *facts, order gjson.Result, lines []upstream.OrderLine) error {
	skus := make([]string, len(lines))
	var names []string
	for i, one := range order.Get("items").Array() {
		if sku := one.Get("sku").String(); isName(sku) {
			skus[i], names = sku, append(names, sku)
		}
	}
	found, err := s.list(ctx, v, f, readingOrder, "sku", names)
	if err != nil {
		return ctx.Err() // The order itself is there.
	}
	for _, one := range found {
		i := item{product: one.Get("id").Int()}
		if one.Get("type").String() == "variation" {
			i = item{product: one.Get("parent").Int(), variation: i.product}
		}
		for n := range lines {
			// A variable product lends its SKU to its variations, and is no line.
			if skus[n] == one.Get("sku").String() && one.Get("type").String() != "variable" {
				lines[n].Item, lines[n].Product = i.String(), item{product: i.product}.String()
			}
		}
	}
	return nil
}

// readAddress reads where the goods go, nil where they go nowhere.
func readAddress(a gjson.Result) *upstream.Address {
	if a.Get("address_1").String() == "" && a.Get("city").String() == "" {
		return nil
	}
	text := func(field string) string { return title(a.Get(field).String()) }
	return &upstream.Address{
		FirstName: text("first_name"), LastName: text("last_name"), Company: text("company"),
		Street: text("address_1"), Extended: text("address_2"), City: text("city"), Region: text("state"),
		PostalCode: text("postcode"), Country: text("country"), Phone: text("phone"),
	}
}

// progress says what an order's status tells of its goods.
func progress(o *upstream.Order) {
	switch o.Status {
	case "processing":
		o.Events = append(o.Events, upstream.FulfillmentEvent{ID: "processing", Type: "processing", At: o.PlacedAt, Lines: active(o)})
	case "completed":
		for i := range o.Lines {
			o.Lines[i].Fulfilled = o.Lines[i].Active
		}
		o.Events = append(o.Events, upstream.FulfillmentEvent{
			ID: "completed", Type: "completed", Lines: active(o), Text: "The shop has marked the order as completed.",
		})
	case "cancelled", "refunded":
		o.Canceled = true
	}
}

// active are the lines that are left.
func active(o *upstream.Order) []upstream.LineQuantity {
	var lines []upstream.LineQuantity
	for _, line := range o.Lines {
		if line.Active > 0 {
			lines = append(lines, upstream.LineQuantity{Line: line.ID, Quantity: line.Active})
		}
	}
	return lines
}
