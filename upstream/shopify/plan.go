package shopify

import (
	"slices"
	"strings"
)

// plan returns the steps from what the cart holds to what is desired, none when
// there is nothing left to try. The way of delivery comes last and alone: it is on
// offer only when all else is settled.
func (a *apply) plan() []step {
	if a.cart.none() {
		return a.untried(a.create())
	}
	steps := a.untried(slices.Concat(a.lineSteps(), a.codeSteps(), a.buyerSteps(), a.addressSteps())...)
	if len(steps) == 0 {
		return a.untried(a.deliverySteps()...)
	}
	return steps
}

func (a *apply) untried(steps ...step) []step {
	return slices.DeleteFunc(steps, func(s step) bool { return a.tried[s.id] })
}

// create begins a cart with all that is desired but the way of delivery.
func (a *apply) create() step {
	buyer, address := a.buyer(), a.address()
	lines, puts := a.newLines(nil)
	input := variables{
		"lines": lines, "buyerIdentity": buyer, "discountCodes": a.sendableCodes(),
		"attributes": attributes(a.visit, a.handle.Mark),
	}
	if address != nil {
		input["delivery"] = variables{"addresses": []variables{address}}
	}
	return step{
		id: "create " + printOf(input), about: aboutLines, puts: puts,
		done:  func() { a.sentBuyer(buyer); a.sentAddress(address) },
		field: field{name: "cartCreate", arguments: []argument{{"input", "CartInput!", input}}},
	}
}

// lineSteps take lines out of the cart, change quantities and put others in.
func (a *apply) lineSteps() []step {
	wanted := a.wanted()
	held := make(map[string]bool)
	var removed []string
	var changed []variables
	var puts []put
	for _, line := range a.cart.lines() {
		p := put{line.variant(), wanted[line.variant()]}
		switch {
		case p.quantity == 0, held[p.variant], line.quantity() < 1:
			removed = append(removed, line.id())
		case p.quantity != line.quantity() && a.open(p):
			changed = append(changed, variables{"id": line.id(), "quantity": p.quantity})
			puts = append(puts, p)
		}
		held[p.variant] = held[p.variant] || line.quantity() > 0
	}
	var steps []step
	if len(removed) > 0 {
		steps = append(steps, step{
			id:    "remove " + strings.Join(removed, " "),
			field: a.mutation("cartLinesRemove", argument{"lineIds", "[ID!]", removed}),
		})
	}
	if len(changed) > 0 {
		steps = append(steps, step{
			about: aboutLines, puts: puts,
			field: a.mutation("cartLinesUpdate", argument{"lines", "[CartLineUpdateInput!]!", changed}),
		})
	}
	if lines, puts := a.newLines(held); len(lines) > 0 {
		steps = append(steps, step{
			about: aboutLines, puts: puts,
			field: a.mutation("cartLinesAdd", argument{"lines", "[CartLineInput!]!", lines}),
		})
	}
	return steps
}

// open reports whether it is worth trying to give a variant a quantity.
func (a *apply) open(p put) bool {
	return p.quantity > 0 && !a.tried[p.id()] && a.refusals[p.variant] == ""
}

// newLines are the CartLineInputs of what is wanted and not held.
func (a *apply) newLines(held map[string]bool) (lines []variables, puts []put) {
	lines = []variables{}
	wanted := a.wanted()
	for _, line := range a.lines {
		p := put{line.variant, wanted[line.variant]}
		if held[p.variant] || !a.open(p) || slices.Contains(puts, p) {
			continue
		}
		lines = append(lines, variables{"merchandiseId": p.variant, "quantity": p.quantity})
		puts = append(puts, p)
	}
	return lines, puts
}

// codeSteps give the cart its discount codes. Those that do not apply are given
// again, since only then does Shopify say why.
func (a *apply) codeSteps() []step {
	codes := a.sendableCodes()
	same := len(codes) == len(a.cart.Get("discountCodes").Array())
	for _, code := range codes {
		same = same && a.cart.applies(code)
	}
	if same {
		return nil
	}
	return []step{{
		id: "codes " + strings.Join(codes, " "), about: aboutCodes,
		field: a.mutation("cartDiscountCodesUpdate", argument{"discountCodes", "[String!]!", codes}),
	}}
}

// sendableCodes are the codes, unless Shopify has refused to take them.
func (a *apply) sendableCodes() []string {
	if a.refusals[aboutCodes] != "" {
		return []string{}
	}
	return a.codes()
}

// buyerSteps say who buys, and where prices are for.
func (a *apply) buyerSteps() []step {
	buyer := a.buyer()
	if a.handle.Buyer == printOf(buyer) {
		return nil
	}
	return []step{{
		id: "buyer " + printOf(buyer), about: aboutEmail, done: func() { a.sentBuyer(buyer) },
		field: a.mutation("cartBuyerIdentityUpdate", argument{"buyerIdentity", "CartBuyerIdentityInput!", buyer}),
	}}
}

func (a *apply) sentBuyer(input variables) { a.handle.Buyer = printOf(input) }

// addressSteps say where the goods go, or take off what shall not be there.
func (a *apply) addressSteps() []step {
	address := a.address()
	switch {
	case address == nil && !a.cart.hasAddress():
		return nil
	case address == nil:
		ids := texts(a.cart.Get("delivery.addresses.#.id"))
		return []step{{
			id: "no address", done: func() { a.sentAddress(nil) },
			field: a.mutation("cartDeliveryAddressesRemove", argument{"addressIds", "[ID!]!", ids}),
		}}
	case a.cart.hasAddress() && a.handle.Address == printOf(address):
		return nil
	}
	return []step{{
		id: "address " + printOf(address), about: aboutAddress, done: func() { a.sentAddress(address) },
		field: a.mutation("cartDeliveryAddressesReplace", argument{"addresses", "[CartSelectableAddressInput!]!", []variables{address}}),
	}}
}

func (a *apply) sentAddress(input variables) {
	a.handle.Address = ""
	if input != nil {
		a.handle.Address = printOf(input)
	}
}

// deliverySteps choose the way of delivery. Without a wish it is the one that
// Shopify chose.
func (a *apply) deliverySteps() []step {
	var purse purse
	ways, chosen := a.cart.ways(&purse)
	at := slices.IndexFunc(ways, func(w way) bool { return w.ID == a.desired.Delivery })
	if at < 0 || chosen == a.desired.Delivery {
		return nil
	}
	return []step{{
		id: "delivery", about: aboutDelivery,
		field: a.mutation("cartSelectedDeliveryOptionsUpdate",
			argument{"selectedDeliveryOptions", "[CartSelectedDeliveryOptionInput!]!", ways[at].choices}),
	}}
}

// mutation is a change to the cart.
func (a *apply) mutation(name string, what argument) field {
	return field{name: name, arguments: []argument{{"cartId", "ID!", a.handle.Cart}, what}}
}
