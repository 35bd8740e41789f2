package medusa

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// observe turns what the shop says of a cart into the model.
func (s *Shop) observe(k *knowledge, held cart, options []gjson.Result, kept handle) (upstream.Observed, error) {
	purse := newPurse(held.Get("currency_code"))
	included := held.included(k)
	lines, offs := s.readLines(purse, held, included, kept.Lines)
	sums := readSums(purse, held.Result, included, lines)
	o := upstream.Observed{
		Currency:  purse.currency,
		Lines:     lines,
		Tax:       tax(included),
		Totals:    sums.totals,
		Total:     sums.total,
		TaxTotal:  &sums.tax,
		Discounts: readDiscounts(purse, held, included, offs),
		Delivery:  deliveryOptions(purse, held, options),
		HandOff:   s.checkout.Fill("cart", held.id()),
	}
	chosen := held.chosen()
	if slices.ContainsFunc(o.Delivery, func(d upstream.DeliveryOption) bool { return d.ID == chosen }) {
		o.Chosen = chosen
	}
	o.Estimated = held.country() == "" || held.ships() && o.Chosen == ""
	o.Missing = missing(held, kept.OtherBuyer, o.Chosen)
	if held.ordered() {
		placed, err := readPlaced(readingBasket, held.Get("order"))
		if err != nil {
			return upstream.Observed{}, err
		}
		o.Ordered = &placed
	}
	return o, purse.failed(readingBasket)
}

// included reports whether the prices of a cart are shown with tax: as they are
// in it, or in the catalogue while nothing is.
func (c cart) included(k *knowledge) bool {
	if c.empty() {
		return k.tax != upstream.TaxExcluded
	}
	for _, item := range c.items() {
		if !item.Get("is_tax_inclusive").Bool() {
			return false
		}
	}
	return true
}

// missing says what the shop still wants. Medusa itself would take an order
// without a buyer or an address; nobody could deliver it.
func missing(held cart, otherBuyer bool, chosen string) []upstream.Missing {
	var list []upstream.Missing
	lacks := func(m upstream.Missing, path string) {
		if held.Get(path).String() == "" {
			list = append(list, m)
		}
	}
	lacks(upstream.MissingLines, "items.0.id")
	if otherBuyer {
		list = append(list, upstream.MissingEmail)
	} else {
		lacks(upstream.MissingEmail, "email")
	}
	if !held.empty() && !held.ships() {
		return list
	}
	lacks(upstream.MissingFirstName, "shipping_address.first_name")
	lacks(upstream.MissingLastName, "shipping_address.last_name")
	if held.country() == "" || held.Get("shipping_address.address_1").String() == "" && held.Get("shipping_address.city").String() == "" {
		list = append(list, upstream.MissingAddress)
	} else {
		lacks(upstream.MissingStreet, "shipping_address.address_1")
		lacks(upstream.MissingCity, "shipping_address.city")
	}
	if chosen == "" {
		list = append(list, upstream.MissingDelivery)
	}
	return list
}
