package medusa

import (
	"context"
	"maps"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// part is a piece of a cart that is written as a whole, and that the shop may
// refuse by itself.
type part string

const (
	partBuyer    part = "buyer"
	partAddress  part = "address"
	partCodes    part = "codes"
	partDelivery part = "delivery"
)

// Names of fields in the metadata of a cart, which its order inherits.
const (
	agentField   = "storeware_agent"
	attemptField = "storeware_attempt"
)

// create begins a cart with all that is desired. Medusa takes a cart whole or not
// at all: one that was refused is begun with nothing in it, for each part to be
// tried by itself.
func (a *apply) create(ctx context.Context) error {
	body := object{"region_id": a.where.region.id}
	if agent := clean(a.visit.Agent); agent != "" {
		body["metadata"] = object{agentField: agent}
	}
	whole := maps.Clone(body)
	for _, fields := range a.parts() {
		maps.Copy(whole, fields)
	}
	whole["items"] = a.items()
	held, err := a.shop.writeCart(ctx, a.visit, changingBasket, whole)
	if _, refused := isRefusal(err); refused {
		held, err = a.shop.writeCart(ctx, a.visit, changingBasket, body)
	}
	a.held = held
	return err
}

// items are the items of a new cart.
func (a *apply) items() []object {
	items := []object{} // A list, even with nothing in it.
	for _, w := range a.variants() {
		items = append(items, object{"variant_id": w.variant, "quantity": w.quantity})
	}
	return items
}

// parts returns what differs from what is desired.
func (a *apply) parts() map[part]object {
	parts := make(map[part]object)
	email := clean(a.desired.Buyer.Email)
	if email != "" && !strings.EqualFold(email, a.held.Get("email").String()) {
		parts[partBuyer] = object{"email": email}
	}
	shipping, billing := a.shippingAddress(), a.billingAddress()
	moves := a.held.Exists() && a.held.Get("region_id").String() != a.where.region.id
	if moves || !sameAddress(a.held.Get("shipping_address"), shipping) || !sameAddress(a.held.Get("billing_address"), billing) {
		parts[partAddress] = object{"shipping_address": shipping, "billing_address": billing}
		if moves {
			parts[partAddress]["region_id"] = a.where.region.id
		}
	}
	if a.codesDiffer() {
		parts[partCodes] = object{"promo_codes": a.valid()}
	}
	return parts
}

// update writes the parts that differ, all at once. If the shop refuses that,
// each is written by itself.
func (a *apply) update(ctx context.Context) error {
	parts := a.parts()
	if len(parts) == 0 {
		return nil
	}
	body := make(object)
	for _, fields := range parts {
		maps.Copy(body, fields)
	}
	// Medusa looks at a code's conditions while the discounts of before still lower
	// the price: where one goes, another may be met only when it is sent once more.
	settled := len(a.undesired()) == 0
	refused, err := a.write(ctx, body)
	switch {
	case err != nil:
		return err
	case !refused:
		a.sent = parts[partCodes] != nil && settled
		return nil
	}
	for _, p := range [...]part{partAddress, partBuyer} {
		if parts[p] == nil {
			continue
		}
		if a.refused[p], err = a.write(ctx, parts[p]); err != nil {
			return err
		}
	}
	if a.refused[partAddress] {
		if err := a.clearAddress(ctx); err != nil {
			return err
		}
	}
	if parts[partCodes] == nil {
		return nil
	}
	return a.eachCode(ctx)
}

// write changes the cart, at its own address or one below, and reports whether
// the shop refused that.
func (a *apply) write(ctx context.Context, body any, path ...string) (refused bool, err error) {
	path = append([]string{a.held.id()}, path...)
	held, err := a.shop.writeCart(ctx, a.visit, changingBasket, body, path...)
	if _, refused := isRefusal(err); refused {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	a.held, a.sent = held, false
	return false, nil
}

// clearAddress takes the address off the cart that was there before one that was
// refused: nothing may be sent there.
func (a *apply) clearAddress(ctx context.Context) error {
	nowhere := addressObject(upstream.Address{}, "")
	refused, err := a.write(ctx, object{"shipping_address": nowhere, "billing_address": nowhere})
	if refused {
		return upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop takes neither the new address nor none")
	}
	return err
}

// choose puts the desired way of delivery on the cart. Medusa has no way to take
// one off, only to put another one in its place.
func (a *apply) choose(ctx context.Context) (err error) {
	wanted := clean(a.desired.Delivery)
	if wanted == "" || a.held.empty() || a.held.country() == "" || wanted == a.held.chosen() {
		return nil
	}
	options := []object{}
	for id := range strings.SplitSeq(wanted, joint) {
		options = append(options, object{"option_id": id})
	}
	a.refused[partDelivery], err = a.write(ctx, options, "shipping-methods")
	return err
}
