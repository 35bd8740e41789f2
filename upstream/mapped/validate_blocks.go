package mapped

import (
	"slices"
	"strings"
)

// use is a request with what its templates may refer to.
type use struct {
	name    string
	request *Request
	names   []string
	// optional: the block may be without a request.
	optional bool
}

// uses returns every request of the mapping.
func (m *Mapping) uses() []use {
	var all []use
	add := func(name string, r *Request, names ...[]string) {
		all = append(all, use{name: name, request: r, names: slices.Concat(names...)})
	}
	basket := []string{"basket"}
	steps := func(name string, requests []Request, names ...[]string) {
		for i := range requests {
			add(name, &requests[i], slices.Concat(append(names, basket, []string{"answer."})...))
		}
	}
	for i := range m.Keep {
		add("keep "+m.Keep[i].Name, &m.Keep[i].Request)
	}
	if m.List != nil {
		add("list", &m.List.Request, pageNames())
	}
	if m.Search != nil {
		add("search", &m.Search.Request, pageNames(), filterNames())
	}
	for i := range m.Lookups {
		add("lookup "+string(m.Lookups[i].By), &m.Lookups[i].Request, []string{"key", "keys"})
	}
	if m.CreateBasket != nil {
		add("create_basket", &m.CreateBasket.Request, lineNames())
	}
	if m.Basket != nil {
		add("basket", &m.Basket.Request, basket)
	}
	for _, line := range []struct {
		name    string
		request *Request
	}{{"add_line", m.AddLine}, {"change_line", m.ChangeLine}, {"remove_line", m.RemoveLine}, {"set_lines", m.SetLines}} {
		if line.request != nil {
			add(line.name, line.request, basket, lineNames(), changeNames())
		}
	}
	steps("set_buyer", m.SetBuyer, buyerNames())
	steps("set_address", m.SetAddress, addressNames())
	steps("set_billing", m.SetBilling, addressNames())
	if m.Delivery != nil {
		all = append(all, use{"delivery", &m.Delivery.Request, slices.Concat(basket, addressNames()), true})
	}
	steps("choose_delivery", m.ChooseDelivery, []string{"option", "option."})
	for _, code := range []struct {
		name    string
		request *Request
	}{{"add_code", m.AddCode}, {"remove_code", m.RemoveCode}} {
		if code.request != nil {
			add(code.name, code.request, basket, []string{"code"})
		}
	}
	steps("pay", m.Pay, paymentNames())
	if m.Place != nil {
		add("place", &m.Place.Request, basket, paymentNames(), []string{"answer."})
	}
	if m.Recover != nil {
		add("recover", &m.Recover.Request, basket, []string{"attempt", "email"})
	}
	if m.Order != nil {
		add("order", &m.Order.Request, []string{"order", "order_key"})
	}
	return all
}

// catalogue checks that products can be read.
func (v *validator) catalogue() {
	m := v.m
	v.want(m.List != nil, Position{}, "the mapping lacks list: every shop has to list its products")
	for _, l := range []*Listing{m.List, m.Search} {
		if l == nil {
			continue
		}
		v.want(l.Items.mapped(), l.At, "%s", fieldOf("this list", "items <path>: where the products stand"))
		uses := l.pagedBy()
		v.want(uses != "cursor" || l.Next.mapped(), l.At, "%s", fieldOf("a list with {cursor}", "next <path>: where the next one stands"))
	}
	v.want(m.Search == nil || m.asks(&m.Search.Request, "words"), at(m.Search), "search does not send {words}")
	v.want(m.Search == nil || !m.Scan, at(m.Search), `search is a block or "search scan", not both`)
	for _, l := range m.Lookups {
		v.want(l.Items.mapped(), l.At, "%s", fieldOf("lookup "+string(l.By), "items <path>: where the products stand"))
		v.want(l.Most < 2 || m.asks(&l.Request, "keys"), l.At, "lookup %s takes several names at once and does not send {keys}", l.By)
		v.want(l.Most > 1 || m.asks(&l.Request, "key") || m.asks(&l.Request, "keys"), l.At, "lookup %s sends neither {key} nor {keys}", l.By)
	}
	p := &m.Product
	for _, field := range []struct {
		value Value
		name  string
	}{{p.ID, "id"}, {p.Title, "title"}, {p.Variants.ID, "variants, and in it id"}, {p.Variants.Price, "variants, and in it price"}} {
		v.want(field.value.mapped(), Position{}, "%s", fieldOf("product", field.name))
	}
}

// at is where a list is mapped.
func at(l *Listing) Position {
	if l == nil {
		return Position{}
	}
	return l.At
}

// asks reports whether a request sends a name.
func (m *Mapping) asks(r *Request, name string) bool {
	for template := range r.templates(nil) {
		if slices.Contains(placeholders(template), name) {
			return true
		}
	}
	return false
}

// pagedBy is the name that pages of a list are asked for by, empty for a list
// that comes whole.
func (l *Listing) pagedBy() string {
	for template := range l.templates(nil) {
		for _, name := range placeholders(template) {
			if name == "page" || name == "offset" || name == "cursor" {
				return name
			}
		}
	}
	return ""
}

// baskets checks that what is mapped of baskets is enough to fill one.
func (v *validator) baskets() {
	m := v.m
	if m.Basket == nil {
		for _, use := range m.uses() {
			if slices.Contains(use.names, "basket") && use.name != "basket" {
				v.fault(use.request.At, "%s is of no use without basket, which reads one", use.name)
			}
		}
		return
	}
	b := m.Basket
	v.want(m.CreateBasket != nil || m.Session != "", b.At, "a basket has to begin: map create_basket, or write: session cookie")
	if m.CreateBasket != nil {
		v.want(m.CreateBasket.Basket.mapped() || m.Session != "", m.CreateBasket.At, "%s", fieldOf("create_basket", "basket <path>: where the new id stands"))
	}
	v.want(m.AddLine != nil || m.SetLines != nil, b.At, "a basket has to be filled: map add_line or set_lines")
	v.want(m.SetLines != nil || m.RemoveLine != nil || m.ChangeLine != nil, b.At, "lines have to be taken out: map remove_line or change_line")
	v.want(b.Total.mapped(), b.At, "%s", fieldOf("basket", "total"))
	v.lines(b.At, "basket", &b.Lines)
	v.want(b.Discounts.In.At == Position{} || b.Discounts.Amount.mapped(), b.Discounts.In.At, "%s", fieldOf("discounts", "amount"))
	if d := m.Delivery; d != nil {
		v.want(d.ID.mapped() && d.Title.mapped() && d.Price.mapped(), d.At, "%s", fieldOf("delivery", "id, title or price"))
		v.want(len(m.ChooseDelivery) > 0, d.At, "delivery is of no use without choose_delivery")
		v.want(b.Chosen.mapped(), b.At, "%s", fieldOf("basket", "chosen: the id of the way of delivery in force"))
		v.want(b.DeliveryFee.mapped(), b.At, "%s", fieldOf("basket", "delivery_fee: what delivery costs"))
	} else {
		v.want(len(m.ChooseDelivery) == 0, b.At, "choose_delivery is of no use without delivery, which says what there is")
	}
	if m.AddCode != nil {
		v.want(b.Codes.mapped() || b.Discounts.Code.mapped(), m.AddCode.At, "%s", fieldOf("basket", "codes: the discount codes in force"))
		v.want(m.RemoveCode != nil, m.AddCode.At, "codes have to be taken off again: map remove_code")
	}
}

// lines checks that the price of a line can be told.
func (v *validator) lines(at Position, block string, l *Lines) {
	v.want(l.In.mapped() && l.Item.mapped() && l.Title.mapped() && l.Quantity.mapped(), at, "%s", fieldOf(block, "lines <path> with item, title and quantity"))
	v.want(l.Unit.mapped() || l.Subtotal.mapped(), at, "%s", fieldOf(block, "unit or subtotal in lines"))
}

// orders checks that a purchase cannot be lost.
func (v *validator) orders() {
	m := v.m
	if m.Place == nil {
		v.want(len(m.Pay) == 0, Position{}, "pay is of no use without place")
		v.want(len(m.Payments) == 0, Position{}, "payment is of no use without place")
	} else {
		recovers := m.Recover != nil || m.Basket != nil && m.Basket.Ordered.ID.mapped()
		v.want(recovers, m.Place.At, "when an answer to place is lost, nobody knows what was ordered: map recover, or ordered in basket")
		v.want(len(m.Payments) > 0, m.Place.At, `a way to pay is missing; write: payment cod "Cash on delivery"`)
		v.want(m.Place.ID.mapped(), m.Place.At, "%s", fieldOf("place", "id"))
	}
	if r := m.Recover; r != nil {
		v.want(r.ID.mapped(), r.At, "%s", fieldOf("recover", "id"))
		v.want(r.Attempt.mapped() || r.Basket.mapped() || m.asks(&r.Request, "basket") || m.asks(&r.Request, "attempt"), r.At,
			"recover has to tell one basket's order from others: map attempt or basket, or send one of them")
	}
	if o := m.Order; o != nil {
		v.want(o.ID.mapped() && o.Total.mapped(), o.At, "%s", fieldOf("order", "id or total"))
		v.lines(o.At, "order", &o.Lines)
		v.want(m.asks(&o.Request, "order") || m.asks(&o.Request, "order_key"), o.At, "order sends neither {order} nor {order_key}")
	}
	for _, missing := range m.Needs {
		v.want(slices.Contains(needable(), string(missing)), Position{}, "a shop cannot need %q; there are: %s", missing, listed(needable()))
	}
}

// local reports whether baskets are kept here, for a shop that has a page to hand
// them off to and no API for them.
func (m *Mapping) local() bool { return m.Basket == nil && m.HandOff != nil }

// handsOff reports whether the shop has a page to hand baskets off to. One that is
// found by the basket's id is none where baskets have no id.
func (m *Mapping) handsOff() bool {
	if m.HandOff == nil {
		return false
	}
	byID := slices.Contains(placeholders(m.HandOff.URL), "basket")
	return !byID || m.CreateBasket != nil && m.CreateBasket.Basket.mapped()
}

// beginsWithLine reports whether create_basket begins a basket with its first line.
func (m *Mapping) beginsWithLine() bool {
	if m.CreateBasket == nil {
		return false
	}
	for template := range m.CreateBasket.templates(nil) {
		for _, name := range placeholders(template) {
			if slices.Contains(lineNames(), name) || strings.HasPrefix(name, "variant.") {
				return true
			}
		}
	}
	return false
}
