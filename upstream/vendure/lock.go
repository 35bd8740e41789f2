package vendure

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// lockSelection is what is read of an order that was locked, or was not.
const lockSelection = "{ __typename ... on Order { ...OrderParts } ... on OrderStateTransitionError { fromState } }"

// lock writes the attempt on the order, locks it, and sees that it is complete
// and costs what was agreed. The error is errOrdered if there is no open order.
func (a *placement) lock(ctx context.Context) error {
	order, err := a.tryLock(ctx, a.marks()...)
	if err != nil {
		return err
	}
	if order.Get("fromState").String() == stateLocked {
		// An earlier attempt left it locked: the shop has to look at it again.
		if order, err = a.tryLock(ctx, transition(stateOpen)); err != nil {
			return err
		}
	}
	if order.Get("__typename").String() != "Order" {
		return a.whyNot(ctx)
	}
	if order.Get("code").String() != a.handle.Order {
		// A person ordered ours at the shop, and has begun another one there.
		return a.reopen(ctx, errOrdered)
	}
	if lacks := missing(order, a.handle.OtherBuyer); len(lacks) > 0 {
		return a.reopen(ctx, incomplete(lacks))
	}
	purse := a.shop.newPurse(order.Get("currencyCode"))
	total := purse.read(order.Get("totalWithTax"))
	if err := purse.failed(placing); err != nil {
		return a.reopen(ctx, err)
	}
	if total != a.Expected {
		return a.reopen(ctx, upstream.Errorf(upstream.CodePriceChanged, placing, "the total is another one now"))
	}
	return nil
}

// marks write on the order which agent places it and by which attempt, where the
// shop has fields for that.
func (a *placement) marks() []field {
	values := make(variables)
	if a.schema.agent {
		values[agentField] = a.agent()
	}
	if a.schema.attempt {
		values[attemptField] = a.Attempt
	}
	if len(values) == 0 {
		return nil
	}
	return []field{{
		name: "setOrderCustomFields", selection: typeName,
		arguments: []argument{{"input", "UpdateOrderInput!", variables{"customFields": values}}},
	}}
}

// tryLock locks the order after what comes first, and returns what came of it.
func (a *placement) tryLock(ctx context.Context, first ...field) (gjson.Result, error) {
	lock := transition(stateLocked)
	lock.selection = lockSelection
	data, err := a.shop.mutate(ctx, a.visit, a.schema.inBasket(a.visit, a.handle, placing, "Lock"), append(first, lock), orderParts)
	if err != nil {
		return gjson.Result{}, err
	}
	return data.Get(mutationAlias(len(first))), nil
}

// whyNot says why an open order could not be locked. Vendure says it in words of
// the shop's language only, so the order is looked at: whether it is there,
// complete, and in stock. Lines that are not are lowered by that, for the next
// reader to see.
func (a *placement) whyNot(ctx context.Context) error {
	held, _, err := a.shop.contents(ctx, a.schema, a.visit, a.handle, questions{})
	if err != nil {
		return err
	}
	if held.code() != a.handle.Order {
		return errOrdered
	}
	if lacks := missing(held.order, a.handle.OtherBuyer); len(lacks) > 0 {
		return incomplete(lacks)
	}
	var again []field
	for _, line := range held.order.Get("lines").Array() {
		step := adjustLine(line.Get("id").String(), "", line.Get("quantity").Int())
		again = append(again, step.field)
	}
	data, err := a.shop.mutate(ctx, a.visit, a.schema.inBasket(a.visit, a.handle, placing, "Recount"), again)
	if err != nil {
		return err
	}
	for i := range again {
		if data.Get(mutationAlias(i)+".__typename").String() == "InsufficientStockError" {
			return upstream.Errorf(upstream.CodeOutOfStock, placing, "something in the basket was sold meanwhile")
		}
	}
	return upstream.Errorf(upstream.CodeIncomplete, placing, "the shop does not take the order as it stands")
}

// incomplete is the refusal of an order that lacks something.
func incomplete(lacks []upstream.Missing) *upstream.Error {
	words := make([]string, len(lacks))
	for i, m := range lacks {
		words[i] = strings.ReplaceAll(string(m), "_", " ")
	}
	return upstream.Errorf(upstream.CodeIncomplete, placing, "the order lacks: %s", strings.Join(words, ", "))
}
