package shopify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// way is a way that the whole cart can travel: one option of each of its delivery
// groups. Nearly all carts have one group.
type way struct {
	upstream.DeliveryOption
	// choices are what is told Shopify to choose it.
	choices []variables
}

// ways returns the ways on offer, and the id of the one in force. Where a cart
// travels in several parcels, each option of the first is offered with its
// namesakes of the others, or else with what Shopify has chosen for them.
func (c cart) ways(purse *purse) (all []way, chosen string) {
	groups := c.Get("deliveryGroups.nodes").Array()
	groups = slices.DeleteFunc(groups, func(g gjson.Result) bool { return len(g.Get("deliveryOptions").Array()) == 0 })
	if len(groups) == 0 {
		return nil, ""
	}
	selected := make([]gjson.Result, len(groups))
	for i, group := range groups {
		selected[i] = optionOf(group, func(is gjson.Result) bool {
			return is.Get("handle").String() == group.Get("selectedDeliveryOption.handle").String()
		})
	}
	add := func(options []gjson.Result) string {
		w := newWay(purse, groups, options)
		if !slices.ContainsFunc(all, func(other way) bool { return other.ID == w.ID }) {
			all = append(all, w)
		}
		return w.ID
	}
	for _, first := range groups[0].Get("deliveryOptions").Array() {
		options := slices.Clone(selected)
		options[0] = first
		for i, group := range groups[1:] {
			named := optionOf(group, func(is gjson.Result) bool { return optionTitle(is) == optionTitle(first) })
			if named.Exists() {
				options[i+1] = named
			}
			if !options[i+1].Exists() {
				options[i+1] = group.Get("deliveryOptions.0")
			}
		}
		add(options)
	}
	if !slices.ContainsFunc(selected, func(is gjson.Result) bool { return !is.Exists() }) {
		chosen = add(selected)
	}
	return all, chosen
}

// optionOf returns the option of a group that is such.
func optionOf(group gjson.Result, such func(gjson.Result) bool) gjson.Result {
	for _, is := range group.Get("deliveryOptions").Array() {
		if such(is) {
			return is
		}
	}
	return gjson.Result{}
}

// newWay joins an option of each group.
func newWay(purse *purse, groups, options []gjson.Result) way {
	var w way
	var handles, titles, descriptions []string
	price := purse.zero()
	for i, is := range options {
		handle := is.Get("handle").String()
		handles, titles = append(handles, handle), append(titles, optionTitle(is))
		if text := plaintext.FromHTML(is.Get("description").String()); text != "" {
			descriptions = append(descriptions, text)
		}
		price = purse.sum(price, purse.read(is.Get("estimatedCost")))
		w.choices = append(w.choices, variables{"deliveryGroupId": groups[i].Get("id").String(), "deliveryOptionHandle": handle})
	}
	w.DeliveryOption = upstream.DeliveryOption{
		ID:          strings.Join(handles, "+"),
		Title:       strings.Join(unique(titles), ", "),
		Description: strings.Join(unique(descriptions), " "),
		Price:       price,
	}
	return w
}

func optionTitle(is gjson.Result) string {
	return cmp.Or(plaintext.FromHTML(is.Get("title").String()), plaintext.FromHTML(is.Get("code").String()), is.Get("handle").String())
}
