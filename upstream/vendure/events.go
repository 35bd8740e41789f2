package vendure

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// eventType translates the state of a parcel into UCP's words. A shop's own
// states are passed on in small letters.
func eventType(state string) string {
	switch state {
	case "Created", "Pending":
		return "processing"
	case "Cancelled":
		return "canceled"
	}
	return strings.ToLower(state)
}

// readEvents returns what happened to the parcels of an order, oldest first.
// Vendure's history has the moment of each change; a parcel that is not in there
// has the state it is in.
func readEvents(order gjson.Result) []upstream.FulfillmentEvent {
	var events []upstream.FulfillmentEvent
	for _, parcel := range order.Get("fulfillments").Array() {
		id := parcel.Get("id").String()
		told := false
		for _, entry := range order.Get("history.items").Array() {
			if entry.Get("type").String() != "ORDER_FULFILLMENT_TRANSITION" || entry.Get("data.fulfillmentId").String() != id {
				continue
			}
			told = true
			events = append(events, readEvent(parcel, entry.Get("data.to").String(), readTime(entry.Get("createdAt"))))
		}
		if !told {
			events = append(events, readEvent(parcel, parcel.Get("state").String(), readTime(parcel.Get("updatedAt"))))
		}
	}
	slices.SortStableFunc(events, func(a, b upstream.FulfillmentEvent) int { return a.At.Compare(b.At) })
	return events
}

func readEvent(parcel gjson.Result, state string, at time.Time) upstream.FulfillmentEvent {
	return upstream.FulfillmentEvent{
		ID:       fmt.Sprintf("%s-%s", parcel.Get("id").String(), strings.ToLower(state)),
		Type:     eventType(state),
		At:       at,
		Lines:    readQuantities(parcel.Get("lines")),
		Carrier:  plaintext.FromHTML(parcel.Get("method").String()),
		Tracking: parcel.Get("trackingCode").String(),
	}
}

func readQuantities(lines gjson.Result) []upstream.LineQuantity {
	var quantities []upstream.LineQuantity
	for _, line := range lines.Array() {
		quantities = append(quantities, upstream.LineQuantity{
			Line: line.Get("orderLineId").String(), Quantity: line.Get("quantity").Int(),
		})
	}
	return quantities
}

// readAdjustments returns the refunds and cancellations of an order, oldest
// first. A cancellation moves no money: its refund stands beside it.
func readAdjustments(purse *purse, order gjson.Result) []upstream.Adjustment {
	var adjustments []upstream.Adjustment
	for _, entry := range order.Get("history.items").Array() {
		if entry.Get("type").String() != "ORDER_CANCELLATION" {
			continue
		}
		adjustments = append(adjustments, upstream.Adjustment{
			ID: "cancellation-" + entry.Get("id").String(), Type: "cancellation",
			At:     readTime(entry.Get("createdAt")),
			Status: "completed",
			Lines:  readQuantities(entry.Get("data.lines")),
			Amount: money.Amount{Currency: purse.currency},
			Text:   plaintext.FromHTML(entry.Get("data.reason").String()),
		})
	}
	for _, payment := range order.Get("payments").Array() {
		for _, refund := range payment.Get("refunds").Array() {
			adjustments = append(adjustments, upstream.Adjustment{
				ID: "refund-" + refund.Get("id").String(), Type: "refund",
				At:     readTime(refund.Get("updatedAt")),
				Status: refundStatus(refund.Get("state").String()),
				Lines:  readQuantities(refund.Get("lines")),
				Amount: purse.less(purse.zero(), purse.read(refund.Get("total"))),
				Text:   plaintext.FromHTML(refund.Get("reason").String()),
			})
		}
	}
	slices.SortStableFunc(adjustments, func(a, b upstream.Adjustment) int { return a.At.Compare(b.At) })
	return adjustments
}

// refundStatus translates the state of a refund into UCP's words.
func refundStatus(state string) string {
	switch state {
	case "Settled":
		return "completed"
	case "Failed":
		return "failed"
	}
	return "pending"
}
