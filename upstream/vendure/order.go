package vendure

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

const readingOrder = "reading the order"

// stateCancelled is the state of an order nothing more is sent of.
const stateCancelled = "Cancelled"

// Order implements upstream.Shop. With the administration's key the order is read
// there; without one the shop shows it for two hours, and then says of any code
// that it may not be read.
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Order{}, err
	}
	c := call{
		op: readingOrder, variables: variables{"code": ref.ID}, query: sc.market(v.Market, ""), safe: true,
	}
	if s.admin != nil {
		c.name, c.document = "AdminOrder", document(adminOrderDocument, orderParts, afterwardsParts)
		data, err := s.runAdmin(ctx, v, c)
		if err != nil {
			return upstream.Order{}, err
		}
		return s.readOrder(data.Get("orders.items.0"), data.Get("activeChannel.pricesIncludeTax").Bool())
	}
	c.name, c.document = "Order", document(orderDocument, orderParts, afterwardsParts)
	data, err := s.run(ctx, v, c)
	if isForbidden(err) {
		return upstream.Order{}, &upstream.Error{
			Code: upstream.CodeNotFound, Op: readingOrder, Err: err,
			Text: "the shop does not show this order, or not any more",
		}
	}
	if err != nil {
		return upstream.Order{}, err
	}
	return s.readOrder(data.Get("orderByCode"), data.Get("activeChannel.pricesIncludeTax").Bool())
}

// readOrder reads an order that was placed.
func (s *Shop) readOrder(order gjson.Result, included bool) (upstream.Order, error) {
	if order.Get("orderPlacedAt").String() == "" {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop has no such order")
	}
	purse := s.newPurse(order.Get("currencyCode"))
	sums := readSums(purse, order, included)
	status := order.Get("state").String()
	o := upstream.Order{
		Ref:         upstream.OrderRef{ID: order.Get("code").String()},
		PlacedAt:    readTime(order.Get("orderPlacedAt")),
		Currency:    purse.currency,
		Lines:       s.readOrderLines(purse, order, included),
		Totals:      sums.totals,
		Total:       sums.total,
		Address:     readAddress(order.Get("shippingAddress")),
		Delivery:    plaintext.FromHTML(order.Get("shippingLines.0.shippingMethod.name").String()),
		Canceled:    status == stateCancelled,
		Events:      readEvents(order),
		Adjustments: readAdjustments(purse, order),
		Status:      status,
	}
	return o, purse.failed(readingOrder)
}

// readOrderLines returns the lines in the order in which they were put in.
func (s *Shop) readOrderLines(purse *purse, order gjson.Result, included bool) []upstream.OrderLine {
	items := order.Get("lines").Array()
	slices.SortStableFunc(items, func(a, b gjson.Result) int {
		return strings.Compare(a.Get("createdAt").String(), b.Get("createdAt").String())
	})
	sent := sentQuantities(order)
	var lines []upstream.OrderLine
	for _, item := range items {
		line := s.readLine(purse, item, included)
		id, active := item.Get("id").String(), item.Get("quantity").Int()
		lines = append(lines, upstream.OrderLine{
			ID: id, Item: line.Item, Product: line.Product, Title: line.Title, Choices: line.Choices,
			Ordered:   max(item.Get("orderPlacedQuantity").Int(), active),
			Active:    active,
			Fulfilled: min(sent[id], active),
			Unit:      line.Unit,
			Subtotal:  purse.either(item, included, "linePrice", "linePriceWithTax"),
			Total:     purse.either(item, included, "proratedLinePrice", "proratedLinePriceWithTax"),
			Image:     line.Image, URL: line.URL,
		})
	}
	return lines
}

// sentQuantities says how many of each line are on their way or arrived.
func sentQuantities(order gjson.Result) map[string]int64 {
	sent := make(map[string]int64)
	for _, parcel := range order.Get("fulfillments").Array() {
		if state := parcel.Get("state").String(); state != "Shipped" && state != "Delivered" {
			continue
		}
		for _, line := range parcel.Get("lines").Array() {
			sent[line.Get("orderLineId").String()] += line.Get("quantity").Int()
		}
	}
	return sent
}
