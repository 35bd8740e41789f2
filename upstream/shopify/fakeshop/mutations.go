package fakeshop

import (
	"fmt"
	"slices"
	"strings"
)

// payload is what a change to a cart answers.
type payload struct {
	cart     *cart
	errors   []object
	warnings []object
}

func (p *payload) fail(code string, path ...string) {
	p.errors = append(p.errors, object{"code": code, "field": path, "message": "refused"})
}

// mutations are the changes to carts.
func (s *Shop) mutations(l locale) object {
	change := func(do func(*payload, map[string]any)) resolver {
		return func(a map[string]any) any {
			p := &payload{cart: s.carts[text(a["cartId"])]}
			if p.cart == nil {
				p.fail("INVALID", "cartId")
			} else {
				p.cart.fresh = false
				do(p, a)
			}
			return s.answered(p, l)
		}
	}
	return object{
		"cartCreate": resolver(func(a map[string]any) any {
			p := &payload{}
			s.create(p, a)
			return s.answered(p, l)
		}),
		"cartLinesAdd":            change(func(p *payload, a map[string]any) { s.add(p, list(a["lines"]), "lines") }),
		"cartLinesUpdate":         change(func(p *payload, a map[string]any) { p.update(list(a["lines"])) }),
		"cartLinesRemove":         change(func(p *payload, a map[string]any) { p.remove(list(a["lineIds"])) }),
		"cartDiscountCodesUpdate": change(func(p *payload, a map[string]any) { p.cart.codes = codesOf(a["discountCodes"]) }),
		"cartBuyerIdentityUpdate": change(func(p *payload, a map[string]any) { p.identify(a["buyerIdentity"], "buyerIdentity") }),
		"cartDeliveryAddressesReplace": change(func(p *payload, a map[string]any) {
			p.send(list(a["addresses"]), "addresses")
		}),
		"cartDeliveryAddressesRemove": change(func(p *payload, a map[string]any) {
			p.cart.addresses = slices.DeleteFunc(p.cart.addresses, func(to *address) bool {
				return slices.Contains(list(a["addressIds"]), any(to.id))
			})
		}),
		"cartSelectedDeliveryOptionsUpdate": change(func(p *payload, a map[string]any) {
			s.choose(p, list(a["selectedDeliveryOptions"]))
		}),
	}
}

// answered renders a payload. Every change says what is wrong with the codes.
func (s *Shop) answered(p *payload, l locale) object {
	var o object
	if p.cart != nil {
		refused := s.bill(p.cart).refused
		for _, code := range p.cart.codes {
			if why := refused[code]; why != "" {
				p.warnings = append(p.warnings, object{"code": why, "target": p.cart.id(), "message": "The discount code " + code + " is not applied."})
			}
		}
		o = s.renderCart(p.cart, l)
		p.cart.fresh = false
	}
	return object{"cart": o, "userErrors": append([]object{}, p.errors...), "warnings": append([]object{}, p.warnings...)}
}

// create begins a cart, as a whole or not at all.
func (s *Shop) create(p *payload, a map[string]any) {
	input, _ := a["input"].(map[string]any)
	p.cart = s.newCart()
	p.identify(input["buyerIdentity"], "input", "buyerIdentity")
	s.add(p, list(input["lines"]), "input", "lines")
	p.cart.codes = codesOf(input["discountCodes"])
	p.cart.attributes = list(input["attributes"])
	if delivery, ok := input["delivery"].(map[string]any); ok {
		p.send(list(delivery["addresses"]), "input", "delivery", "addresses")
	}
	if len(p.errors) > 0 {
		delete(s.carts, p.cart.id())
		p.cart, p.warnings = nil, nil
	}
}

func codesOf(value any) []string {
	var codes []string
	for _, code := range list(value) {
		codes = append(codes, text(code))
	}
	return codes
}

// add puts lines in, all of them or none. Lines of the same variant become one.
func (s *Shop) add(p *payload, lines []any, path ...string) {
	for i, one := range lines {
		input, _ := one.(map[string]any)
		at := append(slices.Clone(path), fmt.Sprint(i))
		of, v := s.byID(text(input["merchandiseId"]))
		if v == nil {
			p.fail("INVALID", append(at, "merchandiseId")...)
			continue
		}
		p.check(of, v, number(input["quantity"]), at)
	}
	if len(p.errors) > 0 {
		return
	}
	for _, one := range lines {
		input, _ := one.(map[string]any)
		of, v := s.byID(text(input["merchandiseId"]))
		i := slices.IndexFunc(p.cart.lines, func(l *line) bool { return l.variant == v })
		if i < 0 {
			i = len(p.cart.lines)
			s.serial++
			id := fmt.Sprintf("gid://shopify/CartLine/%d?cart=%s", s.serial, p.cart.token)
			p.cart.lines = append(p.cart.lines, &line{id: id, product: of, variant: v})
		}
		p.warnings = append(p.warnings, p.cart.lines[i].put(p.cart.lines[i].quantity+number(input["quantity"]))...)
	}
}

// check refuses a quantity that the shop does not sell.
func (p *payload) check(of *product, v *variant, n int64, at []string) {
	at = append(slices.Clone(at), "quantity")
	switch {
	case of.planned:
		p.fail("VARIANT_REQUIRES_SELLING_PLAN", at...)
	case n > 1_000_000:
		p.fail("LESS_THAN", at...)
	case n < v.minimum:
		p.fail("MINIMUM_NOT_MET", at...)
	case v.maximum > 0 && n > v.maximum:
		p.fail("MAXIMUM_EXCEEDED", at...)
	case n%v.increment != 0:
		p.fail("INVALID_INCREMENT", at...)
	}
}

func (p *payload) update(lines []any) {
	for i, one := range lines {
		input, _ := one.(map[string]any)
		if l := p.cart.line(text(input["id"])); l == nil {
			p.fail("INVALID_MERCHANDISE_LINE", "lines", fmt.Sprint(i), "id")
		} else {
			p.check(l.product, l.variant, number(input["quantity"]), []string{"lines", fmt.Sprint(i)})
		}
	}
	if len(p.errors) > 0 {
		return
	}
	for _, one := range lines {
		input, _ := one.(map[string]any)
		p.warnings = append(p.warnings, p.cart.line(text(input["id"])).put(number(input["quantity"]))...)
	}
}

func (p *payload) remove(ids []any) {
	for i, id := range ids {
		if p.cart.line(text(id)) == nil {
			p.fail("INVALID_MERCHANDISE_LINE", "lineIds", fmt.Sprint(i))
			return
		}
	}
	p.cart.lines = slices.DeleteFunc(p.cart.lines, func(l *line) bool { return slices.Contains(ids, any(l.id)) })
}

// identify says who buys.
func (p *payload) identify(value any, path ...string) {
	input, _ := value.(map[string]any)
	if email := text(input["email"]); email != "" && (strings.Count(email, "@") != 1 || strings.Contains(email, " ")) {
		p.fail("INVALID", append(path, "email")...)
	}
	if phone := text(input["phone"]); phone != "" && (!strings.HasPrefix(phone, "+") || strings.HasPrefix(phone, "+999")) {
		p.fail("INVALID", append(path, "phone")...)
	}
	if len(p.errors) == 0 {
		p.cart.buyer = input
	}
}

// send says where the goods go.
func (p *payload) send(addresses []any, path ...string) {
	var all []*address
	for i, one := range addresses {
		outer, _ := one.(map[string]any)
		inner, _ := outer["address"].(map[string]any)
		fields, _ := inner["deliveryAddress"].(map[string]any)
		if strings.ContainsAny(text(fields["address1"]), "<>") {
			p.fail("ADDRESS_FIELD_CONTAINS_HTML_TAGS", append(path, fmt.Sprint(i), "address", "deliveryAddress", "address1")...)
			return
		}
		all = append(all, &address{fmt.Sprintf("gid://shopify/CartSelectableAddress/%d", i+1), fields})
	}
	p.cart.addresses, p.cart.fresh = all, true
}

// choose chooses the way of delivery, for all parcels.
func (s *Shop) choose(p *payload, choices []any) {
	if !p.cart.travels() || len(choices) != s.parcels() {
		p.fail("INVALID_DELIVERY_GROUP", "selectedDeliveryOptions", "0", "deliveryGroupId")
		return
	}
	for i, one := range choices {
		choice, _ := one.(map[string]any)
		handle := text(choice["deliveryOptionHandle"])
		if handle != ways()[0].handle && handle != ways()[1].handle {
			p.fail("INVALID_DELIVERY_OPTION", "selectedDeliveryOptions", fmt.Sprint(i), "deliveryOptionHandle")
			return
		}
		p.cart.chosen = handle
	}
}
