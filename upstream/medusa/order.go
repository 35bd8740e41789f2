package medusa

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

const readingOrder = "reading the order"

// statusCanceled is the status of an order of which nothing more is sent.
const statusCanceled = "canceled"

// Order implements upstream.Shop. It takes one request. Medusa shows an order to
// whoever knows its id, for ever; that is the reference's key.
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	if ref.Key.IsZero() {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop shows an order to those who have its key")
	}
	order, err := s.ask(ctx, v, call{
		op: readingOrder, path: []string{"orders", ref.Key.Reveal()}, fields: orderFields,
	}, "order")
	if err != nil {
		return upstream.Order{}, err
	}
	read, err := s.readOrder(order)
	if err != nil {
		return upstream.Order{}, err
	}
	if read.Ref.ID != ref.ID {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the key is that of another order")
	}
	return read, nil
}

// readOrder reads an order with orderFields.
func (s *Shop) readOrder(order gjson.Result) (upstream.Order, error) {
	purse := newPurse(order.Get("currency_code"))
	included := true
	for _, inclusive := range order.Get("items.#.is_tax_inclusive").Array() {
		included = included && inclusive.Bool()
	}
	o := upstream.Order{
		Ref:         readRef(order),
		PlacedAt:    readTime(order.Get("created_at")),
		Currency:    purse.currency,
		Address:     readAddress(order.Get("shipping_address")),
		Canceled:    order.Get("status").String() == statusCanceled,
		Status:      readStatus(order),
		Events:      readEvents(order),
		Adjustments: readAdjustments(purse, order),
	}
	var names []string
	for _, name := range order.Get("shipping_methods.#.name").Array() {
		names = append(names, plaintext.FromHTML(name.String()))
	}
	o.Delivery = strings.Join(names, " + ")
	var lines []upstream.Line
	back := readReturned(order)
	for _, item := range order.Get("items").Array() {
		line := s.readOrderLine(purse, item, included)
		if line.Active -= back[line.ID]; o.Canceled || line.Active < 0 {
			line.Active = 0
		}
		line.Fulfilled = min(line.Fulfilled, line.Active)
		o.Lines = append(o.Lines, line)
		lines = append(lines, upstream.Line{Subtotal: line.Subtotal, Total: line.Total})
	}
	sums := readSums(purse, order, included, lines)
	o.Totals, o.Total = sums.totals, sums.total
	return o, purse.failed(readingOrder)
}

// readOrderLine reads an item as it was bought.
func (s *Shop) readOrderLine(purse *purse, item gjson.Result, included bool) upstream.OrderLine {
	line, price := s.readLine(item), readPrice(purse, item, included)
	ordered := item.Get("quantity").Int()
	return upstream.OrderLine{
		ID: item.Get("id").String(), Item: line.Item, Product: line.Product, Title: line.Title, Choices: line.Choices,
		Ordered:   ordered,
		Active:    ordered,
		Fulfilled: item.Get("detail.shipped_quantity").Int(),
		Unit:      price.unit, Subtotal: price.subtotal, Total: price.total,
		Image: line.Image, URL: line.URL,
	}
}

// readReturned says how many of each item came back.
func readReturned(order gjson.Result) map[string]int64 {
	back := make(map[string]int64)
	for _, one := range order.Get("returns").Array() {
		for _, line := range readQuantities(one.Get("items"), "item_id", "received_quantity") {
			back[line.Line] += line.Quantity
		}
	}
	return back
}

// readStatus returns the shop's word for how far an order is. Medusa has one for
// the order, which stays "pending" as long as it is alive, and one for its goods.
func readStatus(order gjson.Result) string {
	status, goods := order.Get("status").String(), order.Get("fulfillment_status").String()
	if status == "pending" && goods != "" && goods != "not_fulfilled" {
		return goods
	}
	return status
}
