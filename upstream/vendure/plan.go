package vendure

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// States of an order that the adapter moves it to.
const (
	stateOpen   = "AddingItems"
	stateLocked = "ArrangingPayment"
)

// plan returns the steps from what the basket holds to what is desired, none
// when there is nothing left to try. What a later step depends on comes first.
func (a *apply) plan() []step {
	steps := slices.Concat(a.lineSteps(), a.codeSteps(), a.buyerSteps(), a.addressSteps(), a.deliverySteps())
	steps = slices.DeleteFunc(steps, func(s step) bool { return a.tried[s.id] })
	switch {
	case len(steps) == 0:
		return nil
	case a.held.none():
		return slices.Insert(steps, 0, begin())
	case a.held.order.Get("state").String() != stateOpen:
		return slices.Insert(steps, 0, step{field: transition(stateOpen)})
	}
	return steps
}

// lineSteps take lines out of the basket, put others in and change quantities.
func (a *apply) lineSteps() []step {
	var steps []step
	wanted := a.quantities()
	seen := make(map[string]bool)
	for _, line := range a.held.order.Get("lines").Array() {
		id, variant := line.Get("id").String(), line.Get("productVariant.id").String()
		quantity := wanted[variant]
		switch {
		case quantity == 0, seen[variant]:
			steps = append(steps, removeLine(id))
		case quantity != line.Get("quantity").Int(), a.stale(line):
			steps = append(steps, adjustLine(id, variant, quantity))
		}
		seen[variant] = true
	}
	for _, line := range a.lines {
		if !seen[line.variant] && wanted[line.variant] > 0 {
			steps = append(steps, addLine(line.variant, wanted[line.variant]))
			seen[line.variant] = true
		}
	}
	return steps
}

// stale reports whether a line may no longer be what the shop sells: Vendure does
// not look at a line again, neither at its price nor at its stock, until it is
// given a quantity.
func (a *apply) stale(line gjson.Result) bool {
	variant := line.Get("productVariant.id").String()
	offer, ok := a.offers[variant]
	if !ok {
		return false
	}
	availability, stock := readStock(offer.stock)
	return availability != upstream.InStock || stock != nil && *stock < line.Get("quantity").Int() ||
		slices.ContainsFunc(a.handle.Lines, func(k keptLine) bool { return k.Variant == variant && k.Price != offer.price })
}

// quantities says how many of each variant the basket shall hold: Vendure keeps
// one line of a variant, and no more items than the shop's limit.
func (a *apply) quantities() map[string]int64 {
	wanted := make(map[string]int64)
	for _, line := range a.lines {
		wanted[line.variant] = min(wanted[line.variant]+min(line.quantity, maxInt), maxInt)
	}
	for variant, limit := range a.limits {
		for _, line := range a.held.order.Get("lines").Array() {
			if line.Get("productVariant.id").String() != variant {
				limit -= line.Get("quantity").Int()
			}
		}
		wanted[variant] = min(wanted[variant], max(limit, 0))
	}
	return wanted
}

// codeSteps take discount codes off and put others on. Vendure passes over case.
func (a *apply) codeSteps() []step {
	var steps []step
	on := a.held.order.Get("couponCodes").Array()
	for _, code := range on {
		if !slices.ContainsFunc(a.desired.Codes, func(c string) bool { return strings.EqualFold(c, code.String()) }) {
			steps = append(steps, removeCode(code.String()))
		}
	}
	for _, code := range a.desired.Codes {
		if !a.held.hasCode(code) {
			steps = append(steps, applyCode(code))
		}
	}
	return steps
}

// hasCode reports whether a discount code is on the basket.
func (c contents) hasCode(code string) bool {
	return slices.ContainsFunc(c.order.Get("couponCodes").Array(), func(on gjson.Result) bool {
		return strings.EqualFold(on.String(), code)
	})
}

// buyerSteps say who buys. An order keeps its buyer: there is no way back to
// none.
func (a *apply) buyerSteps() []step {
	b, is := a.desired.Buyer, a.held.order.Get("customer")
	if b.Email == "" || sameBuyer(b, is) {
		return nil
	}
	input := variables{"emailAddress": b.Email, "firstName": b.FirstName, "lastName": b.LastName}
	if b.Phone != "" {
		input["phoneNumber"] = b.Phone
	}
	return []step{setBuyer(input)}
}

func sameBuyer(b upstream.Buyer, is gjson.Result) bool {
	return strings.EqualFold(b.Email, is.Get("emailAddress").String()) &&
		b.FirstName == is.Get("firstName").String() &&
		b.LastName == is.Get("lastName").String() &&
		(b.Phone == "" || b.Phone == is.Get("phoneNumber").String())
}

// addressSteps set the two addresses, or take off what shall not be there.
func (a *apply) addressSteps() []step {
	return slices.Concat(a.addressStep("Shipping", a.shipping), a.addressStep("Billing", a.billing))
}

func (a *apply) addressStep(which string, wanted *upstream.Address) []step {
	is := a.held.order.Get(strings.ToLower(which) + "Address")
	if wanted == nil {
		if is.Get("countryCode").String() == "" {
			return nil
		}
		return []step{unsetAddress(which)}
	}
	input := addressInput(*wanted, a.desired.Buyer)
	for name, value := range input {
		if is.Get(name).String() != value {
			return []step{setAddress(which, input)}
		}
	}
	return nil
}

// deliverySteps choose the way of delivery, none where the goods cannot go. A
// basket without lines has none anyway.
func (a *apply) deliverySteps() []step {
	wanted := a.desired.Delivery
	if a.handle.NoRoute {
		wanted = ""
	}
	switch chosen := a.held.chosen(); {
	case len(a.lines) == 0 || wanted == chosen:
		return nil
	case wanted == "":
		return []step{setDelivery()}
	}
	return []step{setDelivery(wanted)}
}
