package till

import (
	"slices"
	"strings"
)

// Country is a country that the shop delivers to.
type Country struct {
	// Code is its ISO 3166-1 alpha-2 code.
	Code string
	Name string
	// rate is the tax in basis points: contained in the prices, or put on top of
	// them when added.
	rate  int64
	added bool
	zone  zone
}

// Home is the code of the country that prices are made for.
const Home = "GB"

// Countries are those the shop delivers to. In the European Union the same price
// contains the tax of the country; goods for Japan leave without tax; in the United
// States sales tax comes on top.
func Countries() []Country { return slices.Clone(countries) }

var countries = []Country{
	{Code: "GB", Name: "United Kingdom", rate: 2000, zone: zoneHome},
	{Code: "IE", Name: "Ireland", rate: 2300, zone: zoneEurope},
	{Code: "FR", Name: "France", rate: 2000, zone: zoneEurope},
	{Code: "DE", Name: "Germany", rate: 1900, zone: zoneEurope},
	{Code: "NL", Name: "Netherlands", rate: 2100, zone: zoneEurope},
	{Code: "ES", Name: "Spain", rate: 2100, zone: zoneEurope},
	{Code: "IT", Name: "Italy", rate: 2200, zone: zoneEurope},
	{Code: "US", Name: "United States", rate: 700, added: true, zone: zoneAmerica},
	{Code: "JP", Name: "Japan", rate: 0, zone: zoneJapan},
}

// Served reports whether the shop delivers to a country.
func Served(code string) bool { return countryOf(code) != nil }

// TaxAdded reports whether prices are without tax for a country. One that the shop
// does not know is shown the prices of home.
func TaxAdded(code string) bool {
	country := countryOf(code)
	return country != nil && country.added
}

func countryOf(code string) *Country {
	for i := range countries {
		if countries[i].Code == code {
			return &countries[i]
		}
	}
	return nil
}

// remote reports whether a postcode of home is beyond the fast van's reach:
// Northern Ireland, the Highlands and the islands.
func remote(postcode string) bool {
	postcode = strings.ToUpper(strings.TrimSpace(postcode))
	area := postcode[:len(postcode)-len(strings.TrimLeft(postcode, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
	return slices.Contains([]string{"BT", "HS", "IV", "KW", "ZE"}, area)
}
