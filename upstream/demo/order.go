package demo

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Order implements [upstream.Baskets].
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	const op = "reading the order"
	if !isToken(ref.ID) || !isToken(ref.Key.Reveal()) {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, op, "the order is not one of this shop")
	}
	response, err := s.client.Do(ctx, v, shopclient.Request{
		Op: op, Path: []string{"api", "orders", ref.ID}, Safe: true, Refusals: true,
		Secrets: map[string]secret.String{headerOrder: ref.Key},
	})
	if err != nil {
		return upstream.Order{}, err
	}
	if refused := s.refusal(op, response); refused != nil {
		return upstream.Order{}, refused
	}
	r := response.JSON()
	f, err := frameOf(op, r)
	if err != nil {
		return upstream.Order{}, err
	}
	if r.Get("number").String() != ref.ID {
		return upstream.Order{}, unreadable(op, "order of that number")
	}
	o := upstream.Order{
		Ref:      ref,
		URL:      s.page(r.Get("path").String()),
		PlacedAt: r.Get("placed_at").Time().UTC(),
		Currency: f.currency,
		Totals:   readTotals(r, f),
		Total:    f.amount(r.Get("total")),
		Delivery: r.Get("delivery").String(),
		Status:   r.Get("status").String(),
		Canceled: r.Get("status").String() == "canceled",
		Address:  readAddress(r.Get("address")),
	}
	r.Get("lines").ForEach(func(_, line gjson.Result) bool {
		o.Lines = append(o.Lines, s.readOrderLine(line, f))
		return true
	})
	r.Get("events").ForEach(func(_, event gjson.Result) bool {
		o.Events = append(o.Events, s.readEvent(event))
		return true
	})
	r.Get("adjustments").ForEach(func(_, item gjson.Result) bool {
		o.Adjustments = append(o.Adjustments, upstream.Adjustment{
			ID: item.Get("id").String(), Type: item.Get("type").String(), At: item.Get("at").Time().UTC(), Status: "completed",
			Lines: readQuantities(item.Get("lines")), Amount: f.amount(item.Get("amount")), Text: item.Get("text").String(),
		})
		return true
	})
	return o, nil
}

func (s *Shop) readOrderLine(line gjson.Result, f frame) upstream.OrderLine {
	return upstream.OrderLine{
		ID: line.Get("id").String(), Item: line.Get("variant").String(), Product: line.Get("product").String(),
		Title: line.Get("title").String(), Choices: readNamedChoices(line.Get("choices")),
		Ordered: line.Get("ordered").Int(), Active: line.Get("active").Int(), Fulfilled: line.Get("fulfilled").Int(),
		Unit: f.amount(line.Get("unit")), Subtotal: f.amount(line.Get("subtotal")), Total: f.amount(line.Get("total")),
		Image: s.page(line.Get("image").String()), URL: s.page(line.Get("path").String()),
	}
}

func (s *Shop) readEvent(event gjson.Result) upstream.FulfillmentEvent {
	return upstream.FulfillmentEvent{
		ID: event.Get("id").String(), Type: event.Get("type").String(), At: event.Get("at").Time().UTC(),
		Lines: readQuantities(event.Get("lines")), Carrier: event.Get("carrier").String(),
		Tracking: event.Get("tracking").String(), TrackingURL: s.page(event.Get("path").String()), Text: event.Get("text").String(),
	}
}

func readQuantities(list gjson.Result) []upstream.LineQuantity {
	var out []upstream.LineQuantity
	list.ForEach(func(_, item gjson.Result) bool {
		out = append(out, upstream.LineQuantity{Line: item.Get("id").String(), Quantity: item.Get("quantity").Int()})
		return true
	})
	return out
}

func readAddress(r gjson.Result) *upstream.Address {
	if !r.IsObject() {
		return nil
	}
	return &upstream.Address{
		FirstName: r.Get("first_name").String(), LastName: r.Get("last_name").String(), Company: r.Get("company").String(),
		Street: r.Get("street").String(), Extended: r.Get("extended").String(), City: r.Get("city").String(),
		Region: r.Get("region").String(), PostalCode: r.Get("postal_code").String(), Country: r.Get("country").String(),
		Phone: r.Get("phone").String(),
	}
}
