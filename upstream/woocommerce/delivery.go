package woocommerce

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxWays bounds the ways of delivery of a basket that travels in several
// packages, each in ways of its own.
const maxWays = 24

// delivery is a way that the whole basket can travel: a rate for each package.
type delivery struct {
	rates    []rate
	selected bool
}

type rate struct {
	// parcel is the package's id as the shop wrote it, a number or a string.
	parcel string
	gjson.Result
}

// deliveries returns the ways on offer: for one package its rates, for several
// all that can be made of theirs.
func (c cart) deliveries() []delivery {
	packages := c.Get("shipping_rates").Array()
	if len(packages) == 0 {
		return nil
	}
	ways := []delivery{{selected: true}}
	for _, parcel := range packages {
		var longer []delivery
		for _, way := range ways {
			for _, one := range parcel.Get("shipping_rates").Array() {
				if len(longer) == maxWays {
					break
				}
				rates := append(way.rates[:len(way.rates):len(way.rates)], rate{parcel.Get("package_id").Raw, one})
				longer = append(longer, delivery{rates, way.selected && one.Get("selected").Bool()})
			}
		}
		ways = longer
	}
	return ways
}

// id names the way by the ids of its rates.
func (d delivery) id() string {
	ids := make([]string, len(d.rates))
	for i, r := range d.rates {
		ids[i] = r.Get("rate_id").String()
	}
	return strings.Join(ids, "|")
}

// free reports whether the way is one that a discount code may have opened.
func (d delivery) free() bool {
	for _, r := range d.rates {
		if r.Get("method_id").String() == "free_shipping" {
			return true
		}
	}
	return false
}

// choices are the changes that choose the way.
func (d delivery) choices() []change {
	changes := make([]change, len(d.rates))
	for i, r := range d.rates {
		changes[i] = change{"cart/select-shipping-rate", rateChoice{json.RawMessage(r.parcel), r.Get("rate_id").String()}}
	}
	return changes
}

// option is the way as a buyer sees it.
func (b bill) option(d delivery) upstream.DeliveryOption {
	o := upstream.DeliveryOption{ID: d.id(), Price: b.zero()}
	var titles, descriptions []string
	for _, r := range d.rates {
		o.Price = b.sum(o.Price, b.pair(r.Result, "price", "taxes"))
		titles = appendText(titles, r.Get("name").String())
		descriptions = appendText(descriptions, r.Get("description").String())
		descriptions = appendText(descriptions, r.Get("delivery_time").String())
	}
	o.Title, o.Description = strings.Join(titles, " + "), strings.Join(descriptions, "\n")
	if o.Title == "" {
		o.Title = o.ID
	}
	return o
}

// appendText adds a text that is there and not yet said.
func appendText(texts []string, text string) []string {
	text = plain(text)
	if text == "" {
		return texts
	}
	for _, said := range texts {
		if said == text {
			return texts
		}
	}
	return append(texts, text)
}

// chosen returns the way in force, and the ways on offer.
func (c cart) chosen() (chosen *delivery, all []delivery) {
	all = c.deliveries()
	for i := range all {
		if all[i].selected {
			return &all[i], all
		}
	}
	return nil, all
}
