package medusa

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// readEvents returns what happened to the parcels of an order, oldest first. A
// parcel has a moment for each thing that can happen to it.
func readEvents(order gjson.Result) []upstream.FulfillmentEvent {
	var events []upstream.FulfillmentEvent
	for _, parcel := range order.Get("fulfillments").Array() {
		for _, moment := range [...]struct{ field, kind string }{
			{"created_at", "processing"},
			{"shipped_at", "shipped"},
			{"delivered_at", "delivered"},
			{"canceled_at", "canceled"},
		} {
			at := readTime(parcel.Get(moment.field))
			if at.IsZero() {
				continue
			}
			event := upstream.FulfillmentEvent{
				ID: parcel.Get("id").String() + "-" + moment.kind, Type: moment.kind, At: at,
				Lines: readQuantities(parcel.Get("items"), "line_item_id", "quantity"),
			}
			if moment.kind != "processing" {
				event.Tracking, event.TrackingURL = readTracking(parcel.Get("labels"))
			}
			events = append(events, event)
		}
	}
	slices.SortStableFunc(events, func(a, b upstream.FulfillmentEvent) int { return a.At.Compare(b.At) })
	return events
}

// readTracking returns the numbers of a parcel's labels and the first page that
// follows it. Where there is none, the administration writes "#".
func readTracking(labels gjson.Result) (numbers, page string) {
	var all []string
	for _, label := range labels.Array() {
		if number := label.Get("tracking_number").String(); number != "" {
			all = append(all, number)
		}
		if link := label.Get("tracking_url").String(); page == "" && strings.HasPrefix(link, "http") {
			page = link
		}
	}
	return strings.Join(all, ", "), page
}

func readQuantities(items gjson.Result, line, quantity string) []upstream.LineQuantity {
	var quantities []upstream.LineQuantity
	for _, item := range items.Array() {
		if n := item.Get(quantity).Int(); n > 0 {
			quantities = append(quantities, upstream.LineQuantity{Line: item.Get(line).String(), Quantity: n})
		}
	}
	return quantities
}

// readAdjustments returns the refunds, returns and the cancellation of an order,
// oldest first. Only a refund moves money.
func readAdjustments(purse *purse, order gjson.Result) []upstream.Adjustment {
	nothing := money.Amount{Currency: purse.currency}
	var adjustments []upstream.Adjustment
	for _, collection := range order.Get("payment_collections").Array() {
		for _, payment := range collection.Get("payments").Array() {
			for _, refund := range payment.Get("refunds").Array() {
				adjustments = append(adjustments, upstream.Adjustment{
					ID: refund.Get("id").String(), Type: "refund", Status: "completed",
					At:     readTime(refund.Get("created_at")),
					Amount: purse.less(purse.zero(), purse.read(refund.Get("amount"))),
					Text:   plaintext.FromHTML(refund.Get("refund_reason.label").String()),
				})
			}
		}
	}
	for _, back := range order.Get("returns").Array() {
		if at := readTime(back.Get("received_at")); !at.IsZero() {
			adjustments = append(adjustments, upstream.Adjustment{
				ID: back.Get("id").String(), Type: "return", Status: "completed", At: at, Amount: nothing,
				Lines: readQuantities(back.Get("items"), "item_id", "received_quantity"),
			})
		}
	}
	if order.Get("status").String() == statusCanceled {
		at := readTime(order.Get("canceled_at"))
		if at.IsZero() {
			at = readTime(order.Get("updated_at"))
		}
		adjustments = append(adjustments, upstream.Adjustment{
			ID: order.Get("id").String() + "-canceled", Type: "cancellation", Status: "completed", At: at, Amount: nothing,
		})
	}
	slices.SortStableFunc(adjustments, func(a, b upstream.Adjustment) int { return a.At.Compare(b.At) })
	return adjustments
}
