package medusa

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// addressObject is an address as Medusa keeps it, with the names that
// shippingFields have. An address that is written replaces the one before whole.
func addressObject(a upstream.Address, country string) object {
	return object{
		"first_name":   text(a.FirstName),
		"last_name":    text(a.LastName),
		"company":      text(a.Company),
		"address_1":    text(a.Street),
		"address_2":    text(a.Extended),
		"city":         text(a.City),
		"province":     text(a.Region),
		"postal_code":  text(a.PostalCode),
		"country_code": text(strings.ToLower(country)),
		"phone":        text(a.Phone),
	}
}

// text is a text to send, null if it is empty.
func text(s string) any {
	if s = clean(s); s != "" {
		return s
	}
	return nil
}

// sameAddress reports whether a cart's address is the wanted one.
func sameAddress(is gjson.Result, wanted object) bool {
	for name, value := range wanted {
		want, _ := value.(string)
		if is.Get(name).String() != want {
			return false
		}
	}
	return true
}

// shippingAddress is what a cart's address shall be. Medusa keeps the buyer's name
// and telephone nowhere else, so they are there before the street is known, and
// the country is, as soon as it can be guessed. A country that the shop does not
// sell to leaves no place to send anything to.
func (a *apply) shippingAddress() object {
	b := a.desired.Buyer
	if a.abroad() {
		return addressObject(upstream.Address{FirstName: b.FirstName, LastName: b.LastName, Phone: b.Phone}, "")
	}
	var address upstream.Address
	if a.desired.Address != nil {
		address = *a.desired.Address
	}
	if address.FirstName == "" && address.LastName == "" {
		address.FirstName, address.LastName = b.FirstName, b.LastName
	}
	address.Phone = cmp.Or(address.Phone, b.Phone)
	return addressObject(address, a.where.country)
}

// billingAddress is who pays, by default where the goods go.
func (a *apply) billingAddress() object {
	switch billing := a.desired.Billing; {
	case billing != nil:
		return addressObject(*billing, billing.Country)
	case a.desired.Address != nil:
		return a.shippingAddress()
	}
	return addressObject(upstream.Address{}, "")
}

// abroad reports whether the goods shall go where the shop does not sell to.
func (a *apply) abroad() bool {
	return a.desired.Address != nil && a.known.ofCountry(a.desired.Address.Country) == nil
}

// readAddress reads an order's address, nil where there is none.
func readAddress(is gjson.Result) *upstream.Address {
	if is.Get("country_code").String() == "" {
		return nil
	}
	return &upstream.Address{
		FirstName:  is.Get("first_name").String(),
		LastName:   is.Get("last_name").String(),
		Company:    is.Get("company").String(),
		Street:     is.Get("address_1").String(),
		Extended:   is.Get("address_2").String(),
		City:       is.Get("city").String(),
		Region:     is.Get("province").String(),
		PostalCode: is.Get("postal_code").String(),
		Country:    strings.ToUpper(is.Get("country_code").String()),
		Phone:      is.Get("phone").String(),
	}
}
