package ucp

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// Buyer is who buys (schemas/shopping/types/buyer.json).
type Buyer struct {
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Email       string `json:"email,omitempty"`
	PhoneNumber string `json:"phone_number,omitempty"`
}

// buyerOf returns the buyer as the protocol writes it, nil when nothing is known.
func buyerOf(b upstream.Buyer) *Buyer {
	if b == (upstream.Buyer{}) {
		return nil
	}
	return &Buyer{FirstName: b.FirstName, LastName: b.LastName, Email: b.Email, PhoneNumber: b.Phone}
}

func readBuyer(r gjson.Result) upstream.Buyer {
	return upstream.Buyer{
		Email: trimmed(r, "email"), FirstName: trimmed(r, "first_name"),
		LastName: trimmed(r, "last_name"), Phone: trimmed(r, "phone_number"),
	}
}

// PostalAddress is an address (schemas/common/types/postal_address.json).
type PostalAddress struct {
	ExtendedAddress string `json:"extended_address,omitempty"`
	StreetAddress   string `json:"street_address,omitempty"`
	AddressLocality string `json:"address_locality,omitempty"`
	AddressRegion   string `json:"address_region,omitempty"`
	AddressCountry  string `json:"address_country,omitempty"`
	PostalCode      string `json:"postal_code,omitempty"`
	FirstName       string `json:"first_name,omitempty"`
	LastName        string `json:"last_name,omitempty"`
	PhoneNumber     string `json:"phone_number,omitempty"`
}

func addressOf(a upstream.Address) PostalAddress {
	return PostalAddress{
		ExtendedAddress: a.Extended, StreetAddress: a.Street, AddressLocality: a.City, AddressRegion: a.Region,
		AddressCountry: a.Country, PostalCode: a.PostalCode, FirstName: a.FirstName, LastName: a.LastName, PhoneNumber: a.Phone,
	}
}

func readAddress(r gjson.Result) upstream.Address {
	return upstream.Address{
		FirstName: trimmed(r, "first_name"), LastName: trimmed(r, "last_name"),
		Street: trimmed(r, "street_address"), Extended: trimmed(r, "extended_address"),
		City: trimmed(r, "address_locality"), Region: trimmed(r, "address_region"),
		PostalCode: trimmed(r, "postal_code"), Country: strings.ToUpper(trimmed(r, "address_country")),
		Phone: trimmed(r, "phone_number"),
	}
}

func trimmed(r gjson.Result, path string) string { return strings.TrimSpace(r.Get(path).String()) }
