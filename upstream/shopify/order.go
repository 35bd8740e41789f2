package shopify

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

const (
	readingOrder = "reading the order"
	// linePages bounds how many pages of fifty lines are read of an order.
	linePages = 10
)

// Order implements upstream.Shop, through the Admin API. It takes two requests,
// and one more for each further fifty lines.
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	if s.admin == nil {
		return upstream.Order{}, upstream.Errorf(upstream.CodeUnsupported, readingOrder, "there is no token for the shop's orders")
	}
	id := ref.Key.Reveal()
	if !isID(id, orderPrefix) {
		return upstream.Order{}, noOrder()
	}
	order, lines, err := s.readLineItems(ctx, v, id)
	if err != nil {
		return upstream.Order{}, err
	}
	if order.Get("name").String() != ref.ID {
		return upstream.Order{}, noOrder()
	}
	after, err := s.runAdmin(ctx, v, call{
		op: readingOrder, name: "AdminAfterwards", document: adminAfterwardsDocument, variables: variables{"id": id},
	})
	if err != nil {
		return upstream.Order{}, err
	}
	return s.readOrder(order, lines, after.Get("order"))
}

func noOrder() error {
	return upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop has no such order")
}

// readLineItems reads an order and all its lines.
func (s *Shop) readLineItems(ctx context.Context, v upstream.Visit, id string) (order gjson.Result, lines []gjson.Result, err error) {
	after := ""
	for range linePages {
		data, err := s.runAdmin(ctx, v, call{
			op: readingOrder, name: "AdminOrder", document: adminOrderDocument,
			variables: variables{"id": id, "after": orNull(after)},
		})
		if err != nil {
			return gjson.Result{}, nil, err
		}
		if order = data.Get("order"); !order.IsObject() {
			return gjson.Result{}, nil, noOrder()
		}
		lines = append(lines, order.Get("lineItems.nodes").Array()...)
		after = order.Get("lineItems.pageInfo.endCursor").String()
		if !order.Get("lineItems.pageInfo.hasNextPage").Bool() || after == "" {
			return order, lines, nil
		}
	}
	return gjson.Result{}, nil, unusable(readingOrder, "the order has too many lines", nil)
}

// presented reads an amount in the buyer's currency.
func (p *purse) presented(is gjson.Result, name string) money.Amount {
	return p.read(is.Get(name + ".presentmentMoney"))
}

// readOrder reads an order from what the Admin API says of it and of what
// happened afterwards.
func (s *Shop) readOrder(is gjson.Result, items []gjson.Result, after gjson.Result) (upstream.Order, error) {
	var purse purse
	total := purse.presented(is, "totalPriceSet")
	o := upstream.Order{
		Ref:      refOf(is),
		URL:      webAddress(is.Get("statusPageUrl")),
		PlacedAt: readTime(is.Get("processedAt")),
		Currency: purse.currency,
		Total:    total,
		Address:  readAddress(is.Get("shippingAddress")),
		Delivery: plaintext.FromHTML(is.Get("shippingLine.title").String()),
		Canceled: is.Get("cancelledAt").String() != "",
		Events:   readEvents(after.Get("fulfillments")),
		Status:   strings.ToLower(is.Get("displayFulfillmentStatus").String()),
	}
	off := purse.zero()
	for _, item := range items {
		line := s.readOrderLine(&purse, item)
		off = purse.sum(off, purse.less(line.Subtotal, line.Total))
		o.Lines = append(o.Lines, line)
	}
	o.Totals = orderTotals(&purse, is, o.Lines, off, total)
	o.Adjustments = readAdjustments(&purse, is, after.Get("refunds"))
	return o, purse.failed(readingOrder)
}

func (s *Shop) readOrderLine(purse *purse, is gjson.Result) upstream.OrderLine {
	subtotal, off := purse.presented(is, "originalTotalSet"), purse.zero()
	for _, allocation := range is.Get("discountAllocations").Array() {
		off = purse.sum(off, purse.presented(allocation, "allocatedAmountSet"))
	}
	active := is.Get("currentQuantity").Int()
	return upstream.OrderLine{
		ID:        is.Get("id").String(),
		Item:      is.Get("variant.id").String(),
		Product:   is.Get("product.id").String(),
		Title:     plaintext.FromHTML(is.Get("title").String()),
		Choices:   readChoices(is.Get("variant.selectedOptions")),
		Ordered:   is.Get("quantity").Int(),
		Active:    active,
		Fulfilled: max(active-is.Get("unfulfilledQuantity").Int(), 0),
		Unit:      purse.readUnit(is.Get("originalUnitPriceSet.presentmentMoney")),
		Subtotal:  subtotal,
		Total:     purse.less(subtotal, off),
		Image:     webAddress(is.Get("image.url")),
		URL:       s.page(is.Get("product")),
	}
}

// orderTotals explains the total of an order as it was placed. What Shopify does
// not tell apart, such as a tip or a duty, stands as a fee.
func orderTotals(purse *purse, is gjson.Result, lines []upstream.OrderLine, off, total money.Amount) []upstream.Total {
	subtotal := purse.zero()
	for _, line := range lines {
		subtotal = purse.sum(subtotal, line.Subtotal)
	}
	rest := total
	var s sums
	add := func(kind upstream.TotalKind, amount money.Amount, always bool) {
		rest = purse.less(rest, amount)
		s.add(kind, amount, always)
	}
	add(upstream.TotalSubtotal, subtotal, true)
	add(upstream.TotalItemsDiscount, purse.less(purse.zero(), off), false)
	// What was taken off and is on no line was taken off the delivery.
	add(upstream.TotalDiscount, purse.less(off, purse.presented(is, "totalDiscountsSet")), false)
	add(upstream.TotalFulfillment, purse.presented(is, "totalShippingPriceSet"), false)
	if !is.Get("taxesIncluded").Bool() {
		add(upstream.TotalTax, purse.presented(is, "totalTaxSet"), false)
	}
	if rest.Minor > int64(len(lines)) {
		add(upstream.TotalFee, rest, true)
	} else {
		add(upstream.TotalRounding, rest, false)
	}
	return s.totals
}

// readAddress reads where an order goes, nil where that is nowhere.
func readAddress(is gjson.Result) *upstream.Address {
	if is.Get("countryCodeV2").String() == "" {
		return nil
	}
	return &upstream.Address{
		FirstName:  is.Get("firstName").String(),
		LastName:   is.Get("lastName").String(),
		Company:    is.Get("company").String(),
		Street:     is.Get("address1").String(),
		Extended:   is.Get("address2").String(),
		City:       is.Get("city").String(),
		Region:     is.Get("provinceCode").String(),
		PostalCode: is.Get("zip").String(),
		Country:    is.Get("countryCodeV2").String(),
		Phone:      is.Get("phone").String(),
	}
}
