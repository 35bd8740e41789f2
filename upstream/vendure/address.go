package vendure

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// addressInput is an address as Vendure wants it. All its values are strings.
// What the address leaves open of the person is the buyer's.
func addressInput(a upstream.Address, b upstream.Buyer) variables {
	first, last := a.FirstName, a.LastName
	if first == "" && last == "" {
		first, last = b.FirstName, b.LastName
	}
	return variables{
		"fullName":    strings.TrimSpace(first + " " + last),
		"company":     a.Company,
		"streetLine1": a.Street,
		"streetLine2": a.Extended,
		"city":        a.City,
		"province":    a.Region,
		"postalCode":  a.PostalCode,
		"countryCode": a.Country,
		"phoneNumber": cmp.Or(a.Phone, b.Phone),
	}
}

// readAddress reads an order's address, nil where there is none. Vendure keeps a
// person's names as one; the last word is taken to be the last name.
func readAddress(is gjson.Result) *upstream.Address {
	if is.Get("countryCode").String() == "" {
		return nil
	}
	a := upstream.Address{
		LastName:   is.Get("fullName").String(),
		Company:    is.Get("company").String(),
		Street:     is.Get("streetLine1").String(),
		Extended:   is.Get("streetLine2").String(),
		City:       is.Get("city").String(),
		Region:     is.Get("province").String(),
		PostalCode: is.Get("postalCode").String(),
		Country:    is.Get("countryCode").String(),
		Phone:      is.Get("phoneNumber").String(),
	}
	if at := strings.LastIndexByte(a.LastName, ' '); at >= 0 {
		a.FirstName, a.LastName = a.LastName[:at], a.LastName[at+1:]
	}
	return &a
}

// addresses decides on the addresses of the order. Vendure refuses a country that
// it does not know, and has no rule for an order without a billing address.
func (a *apply) addresses() {
	a.shipping, a.billing = a.desired.Address, a.desired.Billing
	a.handle.NoRoute = a.shipping != nil && !a.held.knows(a.shipping.Country)
	if a.handle.NoRoute {
		a.shipping = nil
	}
	if a.billing == nil || !a.held.knows(a.billing.Country) {
		a.billing = a.shipping
	}
}

// knows reports whether a country is one of the shop's.
func (c contents) knows(country string) bool {
	for _, code := range c.answer.Get("availableCountries.#.code").Array() {
		if code.String() == country {
			return true
		}
	}
	return false
}
