package shopify

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// What a refusal can be about, besides a variant.
const (
	aboutEmail    = "email"
	aboutPhone    = "phone"
	aboutAddress  = "address"
	aboutCodes    = "codes"
	aboutDelivery = "delivery"
)

// buyer is the CartBuyerIdentityInput: who buys, and where prices are for.
func (a *apply) buyer() variables {
	input := variables{
		"email": orNull(a.desired.Buyer.Email), "phone": orNull(internationalPhone(a.desired.Buyer.Phone)), "countryCode": orNull(a.market.country),
	}
	for _, part := range []string{aboutEmail, aboutPhone} {
		if a.refusals[part] != "" {
			input[part] = nil
		}
	}
	return input
}

// country is where the goods go, as far as the shop has prices for it; else the
// market's; else the shop's own.
func (a *apply) country() string {
	if to := a.desired.Address; to != nil && a.facts.sellsTo(to.Country) {
		return to.Country
	}
	if a.market.country == "" && len(a.facts.countries) > 0 {
		return a.facts.countries[0].code
	}
	return a.market.country
}

// address is the CartSelectableAddressInput of where the goods go, nil where that
// is not known or is none for this shop.
func (a *apply) address() variables {
	to := a.desired.Address
	if to == nil || !a.reaches() || a.refusals[aboutAddress] != "" {
		return nil
	}
	buyer := a.desired.Buyer
	first, last := to.FirstName, to.LastName
	if first == "" && last == "" {
		first, last = buyer.FirstName, buyer.LastName
	}
	return variables{"selected": true, "oneTimeUse": true, "address": variables{"deliveryAddress": variables{
		"firstName":    orNull(first),
		"lastName":     orNull(last),
		"company":      orNull(to.Company),
		"address1":     orNull(to.Street),
		"address2":     orNull(to.Extended),
		"city":         orNull(to.City),
		"provinceCode": orNull(provinceCode(to.Region, to.Country)),
		"zip":          orNull(to.PostalCode),
		"countryCode":  to.Country,
		"phone":        orNull(internationalPhone(cmp.Or(to.Phone, buyer.Phone))),
	}}}
}

// reaches reports whether the shop sends goods to the country of the address.
func (a *apply) reaches() bool {
	return slices.Contains(a.facts.shipsTo, a.desired.Address.Country)
}

// region is the form of a code of ISO 3166-2, with its country or without.
var region = regexp.MustCompile(`^(?:[A-Z]{2}-)?([A-Z0-9]{1,3})$`)

// provinceCode returns Shopify's code of a region, empty for one that is given by
// its name: a person chooses that one on the shop's own page. Shopify writes the
// codes without their country, but for Japan's.
func provinceCode(name, country string) string {
	parts := region.FindStringSubmatch(name)
	switch {
	case parts == nil:
		return ""
	case country == "JP":
		return "JP-" + parts[1]
	}
	return parts[1]
}

// international is the form of E.164.
var international = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)

// internationalPhone returns a telephone number as Shopify takes it, empty for
// one that is not in international form.
func internationalPhone(number string) string {
	number = strings.NewReplacer(" ", "", "-", "", ".", "", "(", "", ")", "", "/", "").Replace(number)
	if !international.MatchString(number) {
		return ""
	}
	return number
}

// codes are the discount codes that Shopify can be asked for.
func (a *apply) codes() []string {
	codes := []string{}
	seen := make(map[string]bool)
	for _, code := range a.desired.Codes {
		if code = strings.TrimSpace(code); isCode(code) && !seen[strings.ToLower(code)] && len(codes) < maxLines {
			seen[strings.ToLower(code)] = true
			codes = append(codes, code)
		}
	}
	return codes
}

// isCode reports whether text can be a discount code at all.
func isCode(text string) bool {
	return text != "" && len(text) <= maxName && cleanWords(text) == text
}

// unsentPhone reports whether the buyer's number was left out for its form.
func (a *apply) unsentPhone() bool {
	return a.desired.Buyer.Phone != "" && internationalPhone(a.desired.Buyer.Phone) == ""
}
