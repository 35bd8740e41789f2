package vendure

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"
)

// step is one change to a basket.
type step struct {
	// id names the step within one Apply: it is not taken twice.
	id    string
	field field
	// variant is the one whose line the step gives a quantity.
	variant string
}

// Selections of what came of a step: the name of the type tells success from
// each kind of refusal.
const (
	typeName     = "{ __typename }"
	lineTypeName = "{ __typename ... on OrderLimitError { maxItems } }"
)

// begin begins the session's order. What it removes is a code that no order has:
// Vendure begins an order for every change to one, and a mutation of its own
// keeps the steps that follow in one order (see the package comment).
func begin() step {
	return step{field: field{
		name: "removeCouponCode", arguments: []argument{{"couponCode", "String!", ""}}, selection: typeName,
	}}
}

// transition moves the order to another state.
func transition(state string) field {
	return field{
		name: "transitionOrderToState", arguments: []argument{{"state", "String!", state}}, selection: typeName,
	}
}

func addLine(variant string, quantity int64) step {
	return step{id: lineID(variant, quantity), variant: variant, field: field{
		name: "addItemToOrder", selection: lineTypeName,
		arguments: []argument{{"productVariantId", "ID!", variant}, {"quantity", "Int!", quantity}},
	}}
}

func adjustLine(line, variant string, quantity int64) step {
	return step{id: lineID(variant, quantity), variant: variant, field: field{
		name: "adjustOrderLine", selection: lineTypeName,
		arguments: []argument{{"orderLineId", "ID!", line}, {"quantity", "Int!", quantity}},
	}}
}

// lineID names the step that gives a variant's line a quantity.
func lineID(variant string, quantity int64) string {
	return "line " + variant + " " + strconv.FormatInt(quantity, 10)
}

func removeLine(line string) step {
	return step{id: "remove " + line, field: field{
		name: "removeOrderLine", arguments: []argument{{"orderLineId", "ID!", line}}, selection: typeName,
	}}
}

func applyCode(code string) step {
	return step{id: codeID(code), field: field{
		name: "applyCouponCode", arguments: []argument{{"couponCode", "String!", code}}, selection: typeName,
	}}
}

func codeID(code string) string { return "code " + code }

func removeCode(code string) step {
	return step{id: "remove code " + code, field: field{
		name: "removeCouponCode", arguments: []argument{{"couponCode", "String!", code}}, selection: typeName,
	}}
}

const buyerID = "buyer"

func setBuyer(input variables) step {
	return step{id: buyerID, field: field{
		name: "setCustomerForOrder", arguments: []argument{{"input", "CreateCustomerInput!", input}}, selection: typeName,
	}}
}

func setAddress(which string, input variables) step {
	return step{id: "set " + which, field: field{
		name: "setOrder" + which + "Address", arguments: []argument{{"input", "CreateAddressInput!", input}}, selection: typeName,
	}}
}

func unsetAddress(which string) step {
	return step{id: "unset " + which, field: field{name: "unsetOrder" + which + "Address", selection: typeName}}
}

// setDelivery chooses ways of delivery; no ids choose none.
func setDelivery(ids ...string) step {
	if ids == nil {
		ids = []string{}
	}
	id := "delivery"
	if len(ids) > 0 {
		id += " " + ids[0]
	}
	return step{id: id, field: field{
		name: "setOrderShippingMethod", arguments: []argument{{"shippingMethodId", "[ID!]!", ids}}, selection: typeName,
	}}
}

// maxInt is the largest Int of GraphQL.
const maxInt = math.MaxInt32

// note takes down what came of a step. A refusal that only says that the order
// was locked or is not begun is none: the next round deals with it.
func (a *apply) note(s step, result gjson.Result) {
	switch name := result.Get("__typename").String(); name {
	case "OrderModificationError", "NoActiveOrderError", "OrderStateTransitionError":
		return
	case "Order", "":
	case "OrderLimitError":
		a.limits[s.variant] = result.Get("maxItems").Int()
		a.verdicts[s.topic()] = verdict(name)
	default:
		a.verdicts[s.topic()] = verdict(name)
	}
	a.tried[s.id] = true
}

// topic is what a verdict is about: a variant, whatever its quantity, or the
// step itself.
func (s step) topic() string {
	if s.variant != "" {
		return variantTopic(s.variant)
	}
	return s.id
}

func variantTopic(variant string) string { return "variant " + variant }
