package shoptest

import "github.com/storeware/caddy-storeware/upstream"

// handOffFaults are pages that are there otherwise than the shop says. The right
// shop has none.
func handOffFaults() map[string]fault {
	return map[string]fault{
		"a page to go on with that nobody was promised": {
			shop:  faulty{observed: func(o *upstream.Observed) { o.HandOff = "https://shop.example/basket" }},
			fails: []string{"basket/a first line"}, only: true,
		},
		"a promise of a page that is not there": {
			shop:  faulty{describe: func(d *upstream.Description) { d.Capabilities.HandOff = true }},
			fails: []string{"basket/a first line"}, only: true,
		},
	}
}
