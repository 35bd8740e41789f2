package ucp

import (
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// The names of the one method and the one group that a basket has: all of it
// travels to one address as one consignment.
const (
	methodID = "shipping_1"
	groupID  = "package_1"
	shipping = "shipping"
)

// Fulfillment is how the goods travel
// (schemas/shopping/fulfillment.json).
type Fulfillment struct {
	Methods []FulfillmentMethod `json:"methods"`
}

// FulfillmentMethod is a kind of travelling with where to and how
// (schemas/shopping/types/fulfillment_method.json).
type FulfillmentMethod struct {
	ID                    string                `json:"id"`
	Type                  string                `json:"type"`
	LineItemIDs           []string              `json:"line_item_ids"`
	Destinations          []ShippingDestination `json:"destinations,omitempty"`
	SelectedDestinationID *string               `json:"selected_destination_id,omitempty"`
	Groups                []FulfillmentGroup    `json:"groups,omitempty"`
}

// ShippingDestination is an address with an id
// (schemas/shopping/types/shipping_destination.json).
type ShippingDestination struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	PostalAddress
}

// FulfillmentGroup is a consignment with the ways it can travel
// (schemas/shopping/types/fulfillment_group.json).
type FulfillmentGroup struct {
	ID               string              `json:"id"`
	LineItemIDs      []string            `json:"line_item_ids"`
	Options          []FulfillmentOption `json:"options,omitempty"`
	SelectedOptionID *string             `json:"selected_option_id,omitempty"`
}

// FulfillmentOption is a way to travel
// (schemas/shopping/types/fulfillment_option.json).
type FulfillmentOption struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Description *Description `json:"description,omitempty"`
	Carrier     string       `json:"carrier,omitempty"`
	Earliest    *time.Time   `json:"earliest_fulfillment_time,omitempty"`
	Latest      *time.Time   `json:"latest_fulfillment_time,omitempty"`
	Totals      []Total      `json:"totals"`
}

// fulfillmentOf returns how a basket's goods travel, nil for a basket with
// nothing to deliver.
func fulfillmentOf(b *basket.Basket) *Fulfillment {
	o := &b.Observed
	if len(o.Lines) == 0 || len(o.Delivery) == 0 && o.Chosen == "" && len(b.Wanted.Destinations) == 0 && !wantsDelivery(o) {
		return nil
	}
	method := FulfillmentMethod{ID: methodID, Type: shipping}
	for _, line := range linesOf(b) {
		method.LineItemIDs = append(method.LineItemIDs, line.ID)
	}
	for _, d := range b.Wanted.Destinations {
		method.Destinations = append(method.Destinations, ShippingDestination{"shipping_address", d.ID, addressOf(d.Address)})
	}
	method.SelectedDestinationID = optional(b.Wanted.Destination)
	if len(o.Delivery) > 0 {
		group := FulfillmentGroup{ID: groupID, LineItemIDs: method.LineItemIDs, SelectedOptionID: optional(o.Chosen)}
		for i := range o.Delivery {
			group.Options = append(group.Options, optionOf(&o.Delivery[i]))
		}
		method.Groups = []FulfillmentGroup{group}
	}
	return &Fulfillment{Methods: []FulfillmentMethod{method}}
}

func wantsDelivery(o *upstream.Observed) bool {
	for _, m := range o.Missing {
		if m == upstream.MissingAddress || m == upstream.MissingDelivery {
			return true
		}
	}
	return false
}

func optionOf(d *upstream.DeliveryOption) FulfillmentOption {
	option := FulfillmentOption{
		ID: d.ID, Title: d.Title, Carrier: d.Carrier,
		Totals: []Total{{Type: "total", Amount: d.Price.Minor}},
	}
	if d.Description != "" && d.Description != d.Title {
		option.Description = &Description{Plain: d.Description}
	}
	if !d.Earliest.IsZero() {
		option.Earliest = &d.Earliest
	}
	if !d.Latest.IsZero() {
		option.Latest = &d.Latest
	}
	return option
}

// readFulfillment reads where the goods shall go and how. What cannot be had is a
// message; it does not keep the rest from being done.
func readFulfillment(r gjson.Result, w *basket.Wanted) []Message {
	var messages []Message
	taken := false
	for i, method := range r.Get("methods").Array() {
		path := fmt.Sprintf("$.fulfillment.methods[%d]", i)
		kind := method.Get("type")
		switch {
		case kind.Exists() && kind.Str != shipping:
			messages = append(messages, errorMessage("fulfillment_method_unavailable", path+".type", "The shop only delivers to an address (type shipping).", Recoverable))
			continue
		case taken:
			messages = append(messages, errorMessage("fulfillment_method_unavailable", path, "All goods of a checkout travel to one address; send one method.", Recoverable))
			continue
		}
		taken = true
		readMethod(method, w)
	}
	return messages
}

func readMethod(method gjson.Result, w *basket.Wanted) {
	for _, d := range method.Get("destinations").Array() {
		w.Destinations = append(w.Destinations, basket.Destination{ID: d.Get("id").String(), Address: readAddress(d)})
	}
	chosen := method.Get("selected_destination_id")
	w.Destination = chosen.String()
	if !chosen.Exists() && len(w.Destinations) == 1 {
		// One address and no word about it: that is the one.
		w.Destination = basket.FirstDestination
	}
	w.Delivery = method.Get("groups.0.selected_option_id").String()
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
