package mapped

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// happened is something that happened to an order, whatever it happened to.
type happened struct {
	item  scope
	m     *Happening
	id    string
	kind  string
	when  time.Time
	lines []upstream.LineQuantity
}

// readHappened returns what has happened, oldest first. An id is made of the
// shop's and the type, since one thing may have several moments.
func (s *Shop) readHappened(tree scope, all []Happening) []happened {
	r := s.reader
	var out []happened
	for i := range all {
		m := &all[i]
		for n, item := range r.items(tree, m.In) {
			h := happened{item: item, m: m, kind: r.word(item, m.Type), when: r.time(item, m.When)}
			if h.kind == "" || m.When.mapped() && h.when.IsZero() {
				continue
			}
			h.id = fmt.Sprintf("%s-%s", cmp.Or(r.word(item, m.ID), fmt.Sprint(n+1)), h.kind)
			for _, line := range r.items(item, m.Lines.In) {
				quantity, known := r.number(line, m.Lines.Value)
				if id := r.word(line, m.Lines.Name); m.Lines.In.mapped() && known && quantity > 0 && id != "" {
					h.lines = append(h.lines, upstream.LineQuantity{Line: id, Quantity: quantity})
				}
			}
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b happened) int { return a.when.Compare(b.when) })
	return out
}

// readEvents reads what happened to the goods.
func (s *Shop) readEvents(tree scope) []upstream.FulfillmentEvent {
	r := s.reader
	var events []upstream.FulfillmentEvent
	for _, h := range s.readHappened(tree, s.m.Order.Events) {
		events = append(events, upstream.FulfillmentEvent{
			ID: h.id, Type: h.kind, At: h.when, Lines: h.lines, Text: r.text(h.item, h.m.Text), Carrier: r.text(h.item, h.m.Carrier),
			Tracking: r.word(h.item, h.m.Tracking), TrackingURL: r.address(h.item, h.m.TrackingURL),
		})
	}
	return events
}

// readAdjustments reads what happened to the money.
func (s *Shop) readAdjustments(f *figures, tree scope) []upstream.Adjustment {
	r := s.reader
	var adjustments []upstream.Adjustment
	for _, h := range s.readHappened(tree, s.m.Order.Adjustments) {
		amount, _ := f.read(h.item, h.m.Amount)
		if amount.Minor > 0 {
			amount = f.less(f.zero(), amount)
		}
		adjustments = append(adjustments, upstream.Adjustment{
			ID: h.id, Type: h.kind, At: h.when, Lines: h.lines, Text: r.text(h.item, h.m.Text), Amount: amount,
			Status: cmp.Or(r.word(h.item, h.m.Status), "completed"),
		})
	}
	return adjustments
}
