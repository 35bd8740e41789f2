package shoptest

import (
	"slices"
	"strconv"

	"github.com/storeware/caddy-storeware/upstream"
)

func walkFaults() map[string]fault {
	asked := 0
	return map[string]fault{
		"a walk that begins anew with any place": {
			shop: faulty{from: func(p *upstream.Place) {
				if _, err := strconv.Atoi(string(*p)); err != nil {
					*p = ""
				}
			}},
			fails: []string{"walk/a place that is not one"},
			only:  true,
		},
		"a walk that loses its last page": {
			shop:  faulty{walked: func(w *upstream.Walked) { w.More, w.Whole = w.More && w.Next != "10", w.Whole || w.Next == "10" }},
			fails: []string{"walk/every product once", "walk/from any place, by any node", "walk/afterwards what changed, or all again"},
			only:  true,
		},
		"a walk that is never whole": {
			shop:  faulty{walked: func(w *upstream.Walked) { w.Whole = false }},
			fails: []string{"walk/every product once", "walk/from any place, by any node"},
			only:  true,
		},
		"a walk without options": {
			shop: faulty{walked: func(w *upstream.Walked) {
				w.Products = slices.Clone(w.Products)
				for i := range w.Products {
					w.Products[i].Options = nil
				}
			}},
			fails: []string{"walk/the words of a look-up"},
			only:  true,
		},
		"a walk that removes what is there": {
			shop: faulty{walked: func(w *upstream.Walked) {
				if !w.More {
					w.Removed = []string{"p0"}
				}
			}},
			fails: []string{"walk/every product once", "walk/afterwards what changed, or all again"},
			only:  true,
		},
		"a walk that shows something else each time": {
			shop: faulty{walked: func(w *upstream.Walked) {
				asked++
				if asked%2 == 0 && len(w.Products) > 1 {
					w.Products = w.Products[1:]
				}
			}},
			fails: []string{"walk/the same place twice"},
		},
	}
}
