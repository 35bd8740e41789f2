package medusa

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxCombined bounds how many ways of delivery are made of several of the shop's.
const maxCombined = 24

// joint stands between the ids of shipping options that are one way of delivery
// together.
const joint = "+"

// readOptions reads the shipping options for a cart, each with its price. Those
// whose price a carrier has to compute take a request each, at the same time.
func (s *Shop) readOptions(ctx context.Context, v upstream.Visit, op, id string) ([]gjson.Result, error) {
	found, err := s.ask(ctx, v, call{
		op: op, path: []string{"shipping-options"}, fields: "id", query: map[string][]string{"cart_id": {id}},
	}, "shipping_options")
	if err != nil {
		return nil, gone(op, err)
	}
	options := found.Array()
	var calls []func() error
	for i := range options {
		if options[i].Get("price_type").String() == "calculated" {
			calls = append(calls, func() (err error) { options[i], err = s.priceOption(ctx, v, op, id, options[i]); return err })
		}
	}
	return options, together(calls...)
}

// priceOption asks what an option costs for a cart. One that the carrier refuses
// has no price.
func (s *Shop) priceOption(ctx context.Context, v upstream.Visit, op, id string, option gjson.Result) (gjson.Result, error) {
	priced, err := s.ask(ctx, v, call{
		op: op, path: []string{"shipping-options", option.Get("id").String(), "calculate"}, body: object{"cart_id": id},
	}, "shipping_option")
	if _, refused := isRefusal(err); refused {
		return option, nil
	}
	return priced, err
}

// deliveryOptions returns the ways of delivery for what a cart holds. Medusa wants
// one shipping option for each shipping profile among the goods; where there is
// more than one profile, a way of delivery is an option of each.
func deliveryOptions(purse *purse, held cart, options []gjson.Result) []upstream.DeliveryOption {
	if held.empty() || !held.ships() || held.country() == "" {
		return nil
	}
	ways := []upstream.DeliveryOption{{Price: purse.zero()}}
	for _, profile := range held.profiles() {
		var longer []upstream.DeliveryOption
		for _, way := range ways {
			for _, option := range options {
				if option.Get("shipping_profile_id").String() == profile && offered(option) && len(longer) < maxCombined {
					longer = append(longer, combine(purse, way, readOption(purse, option)))
				}
			}
		}
		ways = longer
	}
	return ways
}

// profiles are the shipping profiles of what has to be sent, in a lasting order.
func (c cart) profiles() []string {
	var profiles []string
	for _, item := range c.items() {
		if item.Get("requires_shipping").Bool() {
			profiles = append(profiles, item.Get("product.shipping_profile.id").String())
		}
	}
	slices.Sort(profiles)
	return slices.Compact(profiles)
}

// offered reports whether an option can be chosen: it has a price, and what the
// cart holds lies where it starts.
func offered(option gjson.Result) bool {
	return option.Get("amount").Type == gjson.Number && !option.Get("insufficient_inventory").Bool()
}

func readOption(purse *purse, option gjson.Result) upstream.DeliveryOption {
	return upstream.DeliveryOption{
		ID:          option.Get("id").String(),
		Title:       plaintext.FromHTML(option.Get("name").String()),
		Description: plaintext.FromHTML(option.Get("type.description").String()),
		Price:       purse.read(option.Get("amount")),
	}
}

// combine returns one way of delivery for two parts of a basket.
func combine(purse *purse, a, b upstream.DeliveryOption) upstream.DeliveryOption {
	if a.ID == "" {
		return b
	}
	both := upstream.DeliveryOption{
		ID: joinIDs([]string{a.ID, b.ID}), Title: a.Title + " + " + b.Title, Price: purse.sum(a.Price, b.Price),
	}
	descriptions := slices.DeleteFunc([]string{a.Description, b.Description}, func(d string) bool { return d == "" })
	both.Description = strings.Join(slices.Compact(descriptions), " + ")
	return both
}

// joinIDs writes the ids of shipping options as that of one way of delivery.
func joinIDs(ids []string) string {
	all := strings.Split(strings.Join(ids, joint), joint)
	slices.Sort(all)
	return strings.Join(all, joint)
}

// chosen is the id of the way of delivery on the cart, empty while there is none.
func (c cart) chosen() string {
	var ids []string
	for _, method := range c.Get("shipping_methods.#.shipping_option_id").Array() {
		ids = append(ids, method.String())
	}
	return joinIDs(ids)
}
