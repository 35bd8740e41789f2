package shopify

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// readEvents returns what happened to the parcels of an order, oldest first.
func readEvents(parcels gjson.Result) []upstream.FulfillmentEvent {
	var events []upstream.FulfillmentEvent
	for _, parcel := range parcels.Array() {
		for _, moment := range momentsOf(parcel) {
			event := upstream.FulfillmentEvent{
				ID:          lastPart(parcel.Get("id").String()) + "-" + moment.kind,
				Type:        moment.kind,
				At:          readTime(moment.at),
				Lines:       readQuantities(parcel.Get("fulfillmentLineItems.nodes")),
				Carrier:     plaintext.FromHTML(parcel.Get("trackingInfo.0.company").String()),
				Tracking:    parcel.Get("trackingInfo.0.number").String(),
				TrackingURL: webAddress(parcel.Get("trackingInfo.0.url")),
			}
			events = append(events, event)
		}
	}
	slices.SortStableFunc(events, func(a, b upstream.FulfillmentEvent) int { return a.At.Compare(b.At) })
	return events
}

// moment is when something happened, in UCP's words.
type moment struct {
	kind string
	at   gjson.Result
}

// momentsOf are the moments of a parcel. Shopify keeps the times of three of
// them; what else it is now, it became when it was last changed.
func momentsOf(parcel gjson.Result) []moment {
	var all []moment
	add := func(kind string, at gjson.Result) {
		if kind != "" && at.String() != "" && !slices.ContainsFunc(all, func(m moment) bool { return m.kind == kind }) {
			all = append(all, moment{kind, at})
		}
	}
	if parcel.Get("status").String() == "SUCCESS" {
		add("shipped", parcel.Get("createdAt"))
	}
	add("in_transit", parcel.Get("inTransitAt"))
	add("delivered", parcel.Get("deliveredAt"))
	add(eventType(parcel.Get("displayStatus").String()), parcel.Get("updatedAt"))
	return all
}

// eventType translates the state of a parcel. One without a word of UCP's is
// passed on in small letters.
func eventType(state string) string {
	switch state {
	case "CONFIRMED", "LABEL_PRINTED", "LABEL_PURCHASED", "SUBMITTED":
		return "processing"
	case "FULFILLED", "MARKED_AS_FULFILLED", "CARRIER_PICKED_UP":
		return "shipped"
	case "ATTEMPTED_DELIVERY":
		return "failed_attempt"
	case "NOT_DELIVERED", "FAILURE":
		return "undeliverable"
	}
	return strings.ToLower(state)
}

func readQuantities(items gjson.Result) []upstream.LineQuantity {
	var quantities []upstream.LineQuantity
	for _, is := range items.Array() {
		if n := is.Get("quantity").Int(); n > 0 {
			quantities = append(quantities, upstream.LineQuantity{Line: is.Get("lineItem.id").String(), Quantity: n})
		}
	}
	return quantities
}

// readAdjustments returns the refunds and the cancellation of an order, oldest
// first. A cancellation moves no money: its refund stands beside it.
func readAdjustments(purse *purse, order, refunds gjson.Result) []upstream.Adjustment {
	var adjustments []upstream.Adjustment
	for _, refund := range refunds.Array() {
		adjustments = append(adjustments, upstream.Adjustment{
			ID:     lastPart(refund.Get("id").String()),
			Type:   "refund",
			At:     readTime(refund.Get("createdAt")),
			Status: refundStatus(refund.Get("transactions.nodes.#.status")),
			Lines:  readQuantities(refund.Get("refundLineItems.nodes")),
			Amount: purse.less(purse.zero(), purse.presented(refund, "totalRefundedSet")),
			Text:   plaintext.FromHTML(refund.Get("note").String()),
		})
	}
	if at := order.Get("cancelledAt"); at.String() != "" {
		adjustments = append(adjustments, upstream.Adjustment{
			ID: "cancellation", Type: "cancellation", At: readTime(at), Status: "completed",
			Amount: money.Amount{Currency: purse.currency},
		})
	}
	slices.SortStableFunc(adjustments, func(a, b upstream.Adjustment) int { return a.At.Compare(b.At) })
	return adjustments
}

// refundStatus says how far a refund's payments are.
func refundStatus(states gjson.Result) string {
	status := "completed"
	for _, state := range states.Array() {
		switch state.String() {
		case "SUCCESS":
		case "FAILURE", "ERROR":
			return "failed"
		default:
			status = "pending"
		}
	}
	return status
}

// lastPart is what makes one of Shopify's ids different from others of its kind.
func lastPart(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
