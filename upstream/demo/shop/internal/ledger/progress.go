package ledger

import "time"

// Status is how far an order is.
type Status string

// The statuses.
const (
	StatusProcessing Status = "processing"
	StatusShipped    Status = "shipped"
	StatusDelivered  Status = "delivered"
	StatusCanceled   Status = "canceled"
)

// Status returns how far the order is at a time. Orders move on by the clock alone.
func (o *Order) Status(now time.Time) Status {
	switch {
	case !o.CanceledAt.IsZero():
		return StatusCanceled
	case now.Before(o.ShipsAt):
		return StatusProcessing
	case now.Before(o.ArrivesAt):
		return StatusShipped
	}
	return StatusDelivered
}

// Event is something that happened to the goods of an order.
type Event struct {
	ID string
	// Type is processing, shipped, delivered or canceled.
	Type  Status
	At    time.Time
	Lines []LineQuantity
	Text  string
	// Digital: the goods were sent by e-mail, without a parcel.
	Digital bool
}

// Events returns what has happened until now, the oldest first.
func (o *Order) Events(now time.Time) []Event {
	var all, parcel, mail []LineQuantity
	for _, line := range o.Lines {
		quantity := LineQuantity{line.ID, line.Quantity}
		all = append(all, quantity)
		if line.Digital {
			mail = append(mail, quantity)
		} else {
			parcel = append(parcel, quantity)
		}
	}
	events := []Event{{ID: o.Number + "-1", Type: StatusProcessing, At: o.PlacedAt, Lines: all, Text: "We have your order and are packing it."}}
	if !o.CanceledAt.IsZero() {
		return append(events, Event{ID: o.Number + "-2", Type: StatusCanceled, At: o.CanceledAt, Lines: all, Text: "The order was canceled before it was sent."})
	}
	add := func(e Event) {
		if len(e.Lines) > 0 && !now.Before(e.At) {
			events = append(events, e)
		}
	}
	add(Event{ID: o.Number + "-2", Type: StatusShipped, At: o.ShipsAt, Lines: parcel, Text: "Your parcel is with the carrier."})
	add(Event{ID: o.Number + "-3", Type: StatusDelivered, At: o.ShipsAt, Lines: mail, Text: "Sent by e-mail.", Digital: true})
	add(Event{ID: o.Number + "-4", Type: StatusDelivered, At: o.ArrivesAt, Lines: parcel, Text: "Your parcel was delivered."})
	return events
}

// Fulfilled returns how many of a line have left the shop and were not sent back.
func (o *Order) Fulfilled(line *OrderLine, now time.Time) int64 {
	if o.CanceledAt.IsZero() && !now.Before(o.ShipsAt) {
		return line.Active()
	}
	return 0
}

// Active returns how many of the line the buyer has bought and not sent back.
func (l *OrderLine) Active() int64 { return l.Quantity - l.Returned }
