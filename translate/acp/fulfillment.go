package acp

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// shipping is the one way in which goods travel here: all of them to an address.
const shipping = "shipping"

// FulfillmentDetails are where goods go and who receives them.
type FulfillmentDetails struct {
	Name        string   `json:"name,omitempty"`
	PhoneNumber string   `json:"phone_number,omitempty"`
	Email       string   `json:"email,omitempty"`
	Address     *Address `json:"address,omitempty"`
}

// Address is a postal address.
type Address struct {
	Name       string `json:"name"`
	LineOne    string `json:"line_one"`
	LineTwo    string `json:"line_two,omitempty"`
	City       string `json:"city"`
	State      string `json:"state"`
	Country    string `json:"country"`
	PostalCode string `json:"postal_code"`
	Company    string `json:"company,omitempty"`
}

// FulfillmentOption is a way in which the goods can travel.
type FulfillmentOption struct {
	Type        string     `json:"type"`
	ID          string     `json:"id"`
	Title       string     `json:"title"`
	Description string     `json:"description,omitempty"`
	Carrier     string     `json:"carrier,omitempty"`
	Earliest    *time.Time `json:"earliest_delivery_time,omitempty"`
	Latest      *time.Time `json:"latest_delivery_time,omitempty"`
	Totals      []Total    `json:"totals"`
}

// SelectedOption is the way that is in force for some lines.
type SelectedOption struct {
	Type     string `json:"type"`
	OptionID string `json:"option_id"`
	// ItemIDs are ids of lines.
	ItemIDs []string `json:"item_ids"`
}

// destinationOf returns the address that a basket's goods go to, nil for none yet.
func destinationOf(b *basket.Basket) *upstream.Address {
	for i := range b.Wanted.Destinations {
		if d := &b.Wanted.Destinations[i]; d.ID == b.Wanted.Destination {
			return &d.Address
		}
	}
	return nil
}

// detailsOf returns where a basket's goods go, nil while nobody has said so.
func detailsOf(b *basket.Basket) *FulfillmentDetails {
	a, buyer := destinationOf(b), b.Wanted.Buyer
	if a == nil {
		return nil
	}
	name := cmp.Or(joinName(a.FirstName, a.LastName), joinName(buyer.FirstName, buyer.LastName))
	return &FulfillmentDetails{
		Name: name, PhoneNumber: cmp.Or(a.Phone, buyer.Phone), Email: buyer.Email,
		Address: &Address{
			Name: name, LineOne: a.Street, LineTwo: a.Extended, City: a.City, State: a.Region,
			Country: a.Country, PostalCode: a.PostalCode, Company: a.Company,
		},
	}
}

// optionsOf returns the ways in which a basket's goods can travel.
func optionsOf(options []upstream.DeliveryOption) []FulfillmentOption {
	out := make([]FulfillmentOption, len(options))
	for i, o := range options {
		out[i] = FulfillmentOption{
			Type: shipping, ID: o.ID, Title: o.Title, Carrier: o.Carrier, Earliest: momentOf(o.Earliest), Latest: momentOf(o.Latest),
			Totals: []Total{{Type: "total", DisplayText: o.Title, Amount: o.Price.Minor}},
		}
		if o.Description != o.Title {
			out[i].Description = o.Description
		}
	}
	return out
}

// selectedOf returns the way that is in force for all lines.
func selectedOf(b *basket.Basket, lines []LineItem) []SelectedOption {
	if b.Observed.Chosen == "" {
		return nil
	}
	selected := SelectedOption{Type: shipping, OptionID: b.Observed.Chosen, ItemIDs: make([]string, len(lines))}
	for i, line := range lines {
		selected.ItemIDs[i] = line.ID
	}
	return []SelectedOption{selected}
}

// momentOf returns a time in UTC and whole seconds, nil for none.
func momentOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// readDetails reads where goods go. Who receives them is the buyer, as long as
// nobody says who that is.
func readDetails(r gjson.Result, w *basket.Wanted) {
	w.Buyer.Email = cmp.Or(w.Buyer.Email, trimmed(r, "email"))
	w.Buyer.Phone = cmp.Or(w.Buyer.Phone, trimmed(r, "phone_number"))
	given, family := splitName(trimmed(r, "name"))
	if w.Buyer.FirstName == "" && w.Buyer.LastName == "" {
		w.Buyer.FirstName, w.Buyer.LastName = given, family
	}
	address := r.Get("address")
	switch {
	case address.IsObject():
		a := addressIn(address)
		if a.FirstName == "" && a.LastName == "" {
			a.FirstName, a.LastName = given, family
		}
		a.Phone = trimmed(r, "phone_number")
		w.Destinations, w.Destination = []basket.Destination{{Address: a}}, basket.FirstDestination
	case r.Type == gjson.Null, address.Exists():
		w.Destinations, w.Destination = nil, ""
	}
}

// readGroups reads groups of lines, of which there can be one: all goods travel
// together.
func readGroups(r gjson.Result, w *basket.Wanted) []Message {
	groups := r.Array()
	if len(groups) == 0 {
		return nil
	}
	if len(groups) > 1 || groups[0].Get("destination_type").Str != shipping {
		return []Message{unsupported("$.fulfillment_groups", "All goods of this shop travel together to one address: send one group of type shipping, or fulfillment_details.")}
	}
	if details := groups[0].Get("fulfillment_details"); details.IsObject() {
		readDetails(details, w)
	}
	return nil
}

// readSelected reads the way that was chosen. The older form has it within a
// member that is named for its type.
func readSelected(r gjson.Result, w *basket.Wanted) []Message {
	chosen := ""
	for i, option := range r.Array() {
		id := first(option, "option_id", shipping+".option_id").Str
		if kind := option.Get("type"); kind.Exists() && kind.Str != shipping {
			return []Message{unsupported(fmt.Sprintf("$.selected_fulfillment_options[%d].type", i), "This shop only delivers to an address (type shipping).")}
		}
		if chosen != "" && id != chosen {
			return []Message{unsupported(fmt.Sprintf("$.selected_fulfillment_options[%d].option_id", i), "All goods of this shop travel together: select one option.")}
		}
		chosen = id
	}
	w.Delivery = chosen
	return nil
}
