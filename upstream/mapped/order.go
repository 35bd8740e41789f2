package mapped

import (
	"context"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingOrder = "reading the order"

// Order implements upstream.Shop. It takes one request.
func (s *Shop) Order(ctx context.Context, v upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	m := s.m.Order
	if m == nil {
		return upstream.Order{}, upstream.Errorf(upstream.CodeUnsupported, readingOrder, "the shop's mapping cannot read orders")
	}
	unknown := upstream.Errorf(upstream.CodeNotFound, readingOrder, "the shop knows no such order")
	key := ref.Key.Reveal()
	wantsKey := m.Key.mapped()
	if ref.ID == "" || len(ref.ID) > maxRef || strings.ContainsFunc(ref.ID+key, unicode.IsControl) || len(key) > maxCookie || wantsKey && key == "" {
		return upstream.Order{}, unknown
	}
	n := names{texts: map[string]any{"order": ref.ID, "order_key": ref.Key}}
	answer, err := s.send(ctx, v, call{op: readingOrder, request: &m.Request, names: n, reads: true})
	if _, refused := asRefusal(err); refused {
		return upstream.Order{}, unknown
	}
	if err != nil {
		return upstream.Order{}, err
	}
	tree, is := s.reader.object(scope{Result: answer}, m.In)
	if !is {
		return upstream.Order{}, unknown
	}
	order, err := s.readOrder(tree)
	if err != nil {
		return upstream.Order{}, unreadable(readingOrder, err)
	}
	if order.Ref.ID != ref.ID || wantsKey && !order.Ref.Key.Equal(ref.Key) {
		return upstream.Order{}, unknown
	}
	order.Ref.Key = ref.Key
	return order, nil
}

func (s *Shop) readOrder(tree scope) (upstream.Order, error) {
	m, r := s.m.Order, s.reader
	placed, err := s.readPlaced(readingOrder, tree, &m.Placed, nil)
	if err != nil {
		return upstream.Order{}, err
	}
	o := upstream.Order{
		Ref:      placed.Ref,
		URL:      placed.URL,
		PlacedAt: r.time(tree, m.PlacedAt),
		Currency: placed.Total.Currency,
		Address:  s.readAddress(tree),
		Delivery: r.text(tree, m.DeliveryTitle),
		Canceled: r.yes(tree, m.Canceled),
		Status:   r.text(tree, m.Status),
	}
	f := &figures{reader: r, currency: o.Currency}
	var lines []upstream.Line
	for _, item := range r.items(tree, m.Lines.In) {
		line, ok := s.readOrderLine(f, item, o.Canceled)
		if ok {
			o.Lines = append(o.Lines, line)
			lines = append(lines, upstream.Line{Subtotal: line.Subtotal, Total: line.Total})
		}
	}
	figures := f.sums(tree, sumFields{m.Total, m.TaxTotal, m.DeliveryFee, m.Discount, m.Fees}, lines, s.m.Tax.model())
	o.Totals, o.Total = figures.totals, figures.total
	o.Events, o.Adjustments = s.readEvents(tree), s.readAdjustments(f, tree)
	return o, f.err
}

// readOrderLine reads a line, and whether there is anything of it.
func (s *Shop) readOrderLine(f *figures, item scope, canceled bool) (upstream.OrderLine, bool) {
	m, r := &s.m.Order.Lines, s.reader
	ordered, _ := r.number(item, m.Quantity)
	if ordered < 1 {
		return upstream.OrderLine{}, false
	}
	is, price := s.readLine(item, m), f.price(item, m, ordered)
	returned, _ := r.number(item, m.Returned)
	fulfilled, _ := r.number(item, m.Fulfilled)
	line := upstream.OrderLine{
		ID: r.word(item, m.ID), Item: r.word(item, m.Item), Product: is.Product, Title: is.Title, Choices: is.Choices,
		Ordered: ordered, Active: min(max(ordered-returned, 0), ordered),
		Unit: price.unit, Subtotal: price.subtotal, Total: price.total, Image: is.Image, URL: is.URL,
	}
	if canceled {
		line.Active = 0
	}
	if line.ID == "" {
		line.ID = line.Item
	}
	line.Fulfilled = min(max(fulfilled, 0), line.Active)
	if known := s.index.names(line.Item); known != nil && line.Product == "" {
		line.Product = known.id
	}
	return line, true
}

// readAddress reads an order's address, nil where there is none.
func (s *Shop) readAddress(tree scope) *upstream.Address {
	m, r := &s.m.Order.Address, s.reader
	if !m.In.mapped() {
		return nil
	}
	at, is := r.object(tree, m.In)
	if !is {
		return nil
	}
	return &upstream.Address{
		FirstName: r.text(at, m.FirstName), LastName: r.text(at, m.LastName), Company: r.text(at, m.Company),
		Street: r.text(at, m.Street), Extended: r.text(at, m.Extended), City: r.text(at, m.City), Region: r.text(at, m.Region),
		PostalCode: r.text(at, m.PostalCode), Country: strings.ToUpper(r.word(at, m.Country)), Phone: r.text(at, m.Phone),
	}
}
