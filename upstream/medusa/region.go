package medusa

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// place is where somebody buys: a region, and a country of it if one is known.
type place struct {
	region *region
	// country is in upper case, empty where the region has several and nothing
	// says which.
	country string
}

// place returns where a market is: in the region of its country, else in one with
// its currency, else in the default one.
func (k *knowledge) place(m upstream.Market) place {
	if r := k.ofCountry(m.Country); r != nil {
		return place{r, m.Country}
	}
	r := &k.regions[0]
	if r.currency != m.Currency {
		at := slices.IndexFunc(k.regions, func(r region) bool { return r.currency == m.Currency })
		if at > 0 {
			r = &k.regions[at]
		}
	}
	return r.alone()
}

// ofCountry returns the region that a country is in, nil if it is in none.
func (k *knowledge) ofCountry(country string) *region {
	at := slices.IndexFunc(k.regions, func(r region) bool { return slices.Contains(r.countries, country) })
	if at < 0 {
		return nil
	}
	return &k.regions[at]
}

// withID returns the region with that id, nil if there is none any more.
func (k *knowledge) withID(id string) *region {
	at := slices.IndexFunc(k.regions, func(r region) bool { return r.id == id })
	if at < 0 {
		return nil
	}
	return &k.regions[at]
}

// alone is a region of which no country is known, unless it has but one.
func (r *region) alone() place {
	if len(r.countries) == 1 {
		return place{r, r.countries[0]}
	}
	return place{region: r}
}

// query returns more with what prices depend on. Medusa computes no tax without a
// country, so that prices are for any country of the region if none is known.
func (p place) query(more url.Values) url.Values {
	query := url.Values{"region_id": {p.region.id}}
	country := p.country
	if country == "" && len(p.region.countries) > 0 {
		country = p.region.countries[0]
	}
	if country != "" {
		query.Set("country_code", strings.ToLower(country))
	}
	maps.Copy(query, more)
	return query
}
