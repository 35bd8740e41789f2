package fakeshop

import (
	"fmt"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/storeware/caddy-storeware/internal/money"
)

// order is an order of the shop.
type order struct {
	number int
	cart   *cart
	bill   bill
	at     time.Time
	// unseen: the search does not find it yet.
	unseen   bool
	canceled bool
	sent     int64 // how many of the first line
	refunded int64 // in minor units
	pending  bool  // its refund is not through
}

// Order is what a test does with an order.
type Order struct {
	shop  *Shop
	order *order
}

// Name is the order's name, such as #1001.
func (o Order) Name() string { return fmt.Sprintf("#%d", o.order.number) }

// Change changes the order behind the shop's back.
func (o Order) change(f func(*order)) {
	o.shop.mu.Lock()
	defer o.shop.mu.Unlock()
	f(o.order)
}

// Show has the search find the order, or not find it yet.
func (o Order) Show(seen bool) { o.change(func(is *order) { is.unseen = !seen }) }

// Send sends so many of the order's first line.
func (o Order) Send(n int64) { o.change(func(is *order) { is.sent = n }) }

// Refund pays back an amount in minor units. It may be on its way for a while.
func (o Order) Refund(minor int64, pending bool) {
	o.change(func(is *order) { is.refunded, is.pending = minor, pending })
}

// Cancel cancels the order.
func (o Order) Cancel() { o.change(func(is *order) { is.canceled = true }) }

// Buy has a person order a cart on the shop's page: the cart is gone, and there is
// an order.
func (s *Shop) Buy(id string) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.carts[id]
	if c == nil {
		return Order{}, fmt.Errorf("there is no such cart")
	}
	delete(s.carts, id)
	o := &order{number: 1001 + len(s.orders), cart: c, bill: s.bill(c), at: time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)}
	s.orders = append(s.orders, o)
	return Order{s, o}, nil
}

// admin is the root of the Admin API.
func (s *Shop) admin(*ast.OperationDefinition, map[string]any) object {
	denied := func(a any) any { return s.unless(s.options.HideOrders, a, "orders") }
	return object{
		"orders": resolver(func(a map[string]any) any {
			var found []object
			for _, o := range s.orders {
				if !o.unseen && (s.options.FindsAny || a["query"] == nil || asksFor(text(a["query"]), o.cart.token)) {
					found = append(found, s.renderOrder(o))
				}
			}
			return denied(page(found, a))
		}),
		"order": resolver(func(a map[string]any) any {
			for _, o := range s.orders {
				if o.id() == text(a["id"]) {
					return denied(s.renderOrder(o))
				}
			}
			return denied(object(nil))
		}),
	}
}

// asksFor reports whether a search asks for a cart's order.
func asksFor(query, token string) bool {
	for term := range strings.SplitSeq(query, " OR ") {
		if term == "cart_token:"+token {
			return true
		}
	}
	return false
}

func (o *order) id() string { return fmt.Sprintf("gid://shopify/Order/%d", 5000+o.number) }

func set(a money.Amount) object { return object{"presentmentMoney": moneyOf(a)} }

func (s *Shop) renderOrder(o *order) object {
	zero := money.Amount{Currency: o.bill.land.currency}
	delivery, off := zero, o.bill.offDelivery
	if o.cart.travels() {
		delivery.Minor = o.bill.delivery(s, o.cart)
	}
	var lines []object
	for i, l := range o.cart.lines {
		if l.quantity > 0 {
			lines = append(lines, o.line(s, i, l))
		}
		for _, share := range o.bill.off[l] {
			off.Minor += share.amount.Minor
		}
	}
	total := o.bill.goods
	total.Minor += delivery.Minor - off.Minor
	return object{
		"id": o.id(), "name": fmt.Sprintf("#%d", o.number), "processedAt": o.at.Format(time.RFC3339),
		"cancelledAt": when(o.canceled, o.at.Add(time.Hour)), "displayFulfillmentStatus": "UNFULFILLED",
		"statusPageUrl": fmt.Sprintf("https://checkout.fell.example/orders/%d/authenticate?key=secret", o.number),
		"taxesIncluded": true, "customAttributes": attributesOf(o.cart.attributes),
		"totalPriceSet": set(total), "totalTaxSet": set(zero), "totalShippingPriceSet": set(delivery), "totalDiscountsSet": set(off),
		"shippingLine": object{"title": "Standard delivery"}, "shippingAddress": o.address(),
		"lineItems":    resolver(func(a map[string]any) any { return page(lines, a) }),
		"fulfillments": o.parcels(), "refunds": o.refunds(zero),
	}
}

func (o *order) line(s *Shop, i int, l *line) object {
	unit := o.bill.land.amount(l.variant.price)
	allocations := []object{}
	for _, share := range o.bill.off[l] {
		allocations = append(allocations, object{"allocatedAmountSet": set(share.amount)})
	}
	unsent := l.quantity
	if i == 0 {
		unsent -= o.sent
	}
	return object{
		"id": o.lineID(i), "title": l.product.title, "quantity": l.quantity, "currentQuantity": l.quantity, "unfulfilledQuantity": unsent,
		"image": nil, "originalUnitPriceSet": set(unit), "originalTotalSet": set(times(unit, l.quantity)), "discountAllocations": allocations,
		"variant": s.variant(l.product, l.variant, locale{land: o.bill.land}), "product": s.product(l.product, locale{land: o.bill.land}),
	}
}

func (o *order) lineID(i int) string {
	return fmt.Sprintf("gid://shopify/LineItem/%d", o.number*100+i)
}

func (o *order) address() object {
	if len(o.cart.addresses) == 0 {
		return nil
	}
	a := object{}
	for name, value := range o.cart.addresses[0].fields {
		a[name] = value
	}
	a["countryCodeV2"] = a["countryCode"]
	return a
}

func (o *order) parcels() []object {
	if o.sent == 0 {
		return []object{}
	}
	return []object{{
		"id": "gid://shopify/Fulfillment/7", "status": "SUCCESS", "displayStatus": "OUT_FOR_DELIVERY",
		"createdAt": o.at.Add(time.Hour).Format(time.RFC3339), "updatedAt": o.at.Add(3 * time.Hour).Format(time.RFC3339),
		"inTransitAt": o.at.Add(2 * time.Hour).Format(time.RFC3339), "deliveredAt": nil,
		"trackingInfo":         []object{{"company": "Royal Mail", "number": "RM123", "url": "https://track.example/RM123"}},
		"fulfillmentLineItems": connection([]object{{"quantity": o.sent, "lineItem": object{"id": o.lineID(0)}}}),
	}}
}

func (o *order) refunds(zero money.Amount) []object {
	if o.refunded == 0 {
		return []object{}
	}
	status := "SUCCESS"
	if o.pending {
		status = "PENDING"
	}
	zero.Minor = o.refunded
	return []object{{
		"id": "gid://shopify/Refund/9", "createdAt": o.at.Add(24 * time.Hour).Format(time.RFC3339), "note": "Did not fit",
		"totalRefundedSet": set(zero),
		"refundLineItems":  connection([]object{{"quantity": 1, "lineItem": object{"id": o.lineID(0)}}}),
		"transactions":     connection([]object{{"status": status}}),
	}}
}

// when is a time if something happened.
func when(happened bool, at time.Time) any {
	if !happened {
		return nil
	}
	return at.Format(time.RFC3339)
}

func attributesOf(inputs []any) []object {
	all := []object{}
	for _, one := range inputs {
		attribute, _ := one.(map[string]any)
		all = append(all, object(attribute))
	}
	return all
}
