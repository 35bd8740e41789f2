package shoptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// fault is a way to be wrong, and the cases that find it.
type fault struct {
	shop  faulty
	fails []string
	only  bool
}

func faults() map[string]fault {
	all := readingFaults()
	maps.Copy(all, describingFaults())
	maps.Copy(all, lookupFaults())
	maps.Copy(all, walkFaults())
	maps.Copy(all, basketFaults())
	maps.Copy(all, placingFaults())
	maps.Copy(all, buyerFaults())
	return all
}

func readingFaults() map[string]fault {
	return map[string]fault{
		"mark-up in titles": {
			shop: faulty{results: func(r *upstream.Results) {
				eachProduct(r, func(p *upstream.Product) { p.Title = "<b>" + p.Title + "</b> &amp; co" })
			}},
			fails: []string{"products/text is plain", "search/the same as a look-up"},
			only:  true,
		},
		"a product's id that is another's variant's": {
			shop:  faulty{results: func(r *upstream.Results) { eachProduct(r, func(p *upstream.Product) { p.Variants[0].ID = "p0" }) }},
			fails: []string{"products/ids are nobody else's"},
		},
		"a list price that is no sale": {
			shop: faulty{results: func(r *upstream.Results) {
				eachProduct(r, func(p *upstream.Product) { p.Variants[0].ListPrice = &p.Variants[0].Price })
			}},
			fails: []string{"products/prices", "search/prices in each currency", "search/for nobody in particular"},
			only:  true,
		},
		"relative URLs": {
			shop:  faulty{results: func(r *upstream.Results) { eachProduct(r, func(p *upstream.Product) { p.URL = "/" + p.Handle }) }},
			fails: []string{"products/URLs are absolute"},
			only:  true,
		},
		"labels that are not tidy": {
			shop: faulty{results: func(r *upstream.Results) {
				eachProduct(r, func(p *upstream.Product) {
					p.Title, p.Categories = "", append([]string{" / "}, p.Categories...)
				})
			}},
			fails: []string{"products/each has a variant", "products/categories and attributes", "search/the same as a look-up"},
			only:  true,
		},
		"sold out, with some left": {
			shop: faulty{results: func(r *upstream.Results) {
				eachProduct(r, func(p *upstream.Product) {
					if *p.Variants[0].Stock > 0 {
						p.Variants[0].Availability = upstream.OutOfStock
					}
				})
			}},
			fails: []string{"products/availability and stock"},
		},
		"a variant without its options": {
			shop:  faulty{results: func(r *upstream.Results) { eachProduct(r, func(p *upstream.Product) { p.Variants[0].Options = nil }) }},
			fails: []string{"products/a variant has a choice for each option"},
			only:  true,
		},
		"pages longer than the limit": {
			shop:  faulty{query: func(q *upstream.Query) { q.Limit = 100 }},
			fails: []string{"search/no more than the limit", "search/pages to the end without a product twice", "search/odd words"},
		},
		"pages that overlap": {
			shop: faulty{results: func(r *upstream.Results) {
				if n := 0; r.Next != "" {
					fmt.Sscanf(r.Next, "from-%d", &n)
					r.Next = fmt.Sprintf("from-%d", n-1)
				}
			}},
			fails: []string{"search/pages to the end without a product twice"},
		},
		"a last page that is lost": {
			shop: faulty{results: func(r *upstream.Results) {
				if r.Next == "from-9" {
					r.Next = ""
				}
			}},
			fails: []string{"search/pages to the end without a product twice"},
			only:  true,
		},
		"any cursor is the first page": {
			shop: faulty{query: func(q *upstream.Query) {
				var n int
				if _, err := fmt.Sscanf(q.Cursor, "from-%d", &n); err != nil {
					q.Cursor = ""
				}
			}},
			fails: []string{"search/a cursor that is not one"},
			only:  true,
		},
		"no filter for prices": {
			shop:  faulty{query: func(q *upstream.Query) { q.MinPrice, q.MaxPrice = nil, nil }},
			fails: []string{"search/a highest price", "search/a lowest price", "search/one price exactly", "search/prices the wrong way round"},
		},
		"no filter for categories": {
			shop:  faulty{query: func(q *upstream.Query) { q.Categories = nil }},
			fails: []string{"search/a category", "search/a category that does not exist", "search/one of several categories"},
		},
		"categories by the letter": {
			shop: faulty{query: func(q *upstream.Query) {
				if len(q.Categories) == 1 && q.Categories[0] == strings.ToUpper(q.Categories[0]) {
					q.Categories = []string{"none"}
				}
			}},
			fails: []string{"search/a category in other letters"},
			only:  true,
		},
		"words by the letter": {
			shop: faulty{query: func(q *upstream.Query) {
				if q.Words != strings.ToLower(q.Words) {
					q.Words = "zeppelin"
				}
			}},
			fails: []string{"search/words in capitals and with spaces around"},
			only:  true,
		},
		"words that are not minded": {
			shop:  faulty{query: func(q *upstream.Query) { q.Words = "" }},
			fails: []string{"search/words that find nothing", "search/words of one and two letters"},
			only:  true,
		},
		"no filter for what is sold out": {
			shop:  faulty{query: func(q *upstream.Query) { q.Available = false }},
			fails: []string{"search/only what can be bought"},
			only:  true,
		},
		"a filter that drops too much": {
			shop: faulty{results: func(r *upstream.Results) {
				r.Products = slices.DeleteFunc(slices.Clone(r.Products), func(p upstream.Product) bool { return p.ID == "p0" })
			}},
			fails: []string{"search/words that find something", "search/a category", "search/no words list everything"},
		},
		"contexts are not minded": {
			shop: faulty{context: context.WithoutCancel},
			fails: []string{
				"search/a context that has ended", "walk/a context that has ended", "basket/a context that has ended", "place/a context that has ended",
				"recover/a context that has ended", "order/a context that has ended",
			},
			only: true,
		},
	}
}

func describingFaults() map[string]fault {
	asked := 0
	return map[string]fault{
		"a description that does not agree with itself": {
			shop: faulty{describe: func(d *upstream.Description) {
				d.Name, d.Currencies, d.Language, d.Capabilities.Payments = "", nil, "English, please", nil
			}},
			fails: []string{
				"describe/who the shop is", "describe/where and in what it sells", "describe/what it can do agrees with itself",
				"describe/the fixture's payment method",
			},
		},
		"a description that changes": {
			shop: faulty{describe: func(d *upstream.Description) {
				asked++
				d.Name = fmt.Sprintf("Shop %d", asked)
			}},
			fails: []string{"describe/the same when asked again", "trouble/a shop that restarts"},
			only:  true,
		},
		"a capability that is denied": {
			shop:  faulty{describe: func(d *upstream.Description) { d.Capabilities.Orders = false }},
			fails: []string{"describe/what it cannot do is unsupported"},
			only:  true,
		},
		"two codes where one is promised": {
			shop:  faulty{describe: func(d *upstream.Description) { d.Capabilities.Codes = upstream.CodesOne }},
			fails: []string{"codes/several where one is allowed"},
			only:  true,
		},
		"a hand-off that leads nowhere": {
			shop: faulty{
				describe: func(d *upstream.Description) { d.Capabilities.Place, d.Capabilities.Payments = false, nil },
				place: func(*store, upstream.Handle, *upstream.Placement) (*upstream.Placed, error) {
					return nil, &upstream.Error{Code: upstream.CodeEscalate}
				},
			},
			fails: []string{"basket/a page to go on with"},
			only:  true,
		},
		"a context's end that looks like the shop's": {
			shop: faulty{failed: func(err error) error {
				if errors.Is(err, context.Canceled) {
					return &upstream.Error{Code: upstream.CodeUnavailable}
				}
				return err
			}},
			fails: []string{
				"describe/a context that has ended", "search/a context that has ended", "basket/a context that has ended",
				"place/a context that has ended", "recover/a context that has ended", "order/a context that has ended",
			},
			only: true,
		},
		"errors of no kind": {
			shop: faulty{failed: func(err error) error { return errors.New("invalid character '<'") }},
			fails: []string{
				"place/a handle that is not one", "recover/a handle that is not one", "basket/a handle that is not one",
				"trouble/a shop that is away while reading",
			},
		},
	}
}

func lookupFaults() map[string]fault {
	first := map[string]upstream.Product{}
	return map[string]fault{
		"look-ups that find the product alone": {
			shop: faulty{matches: func(matches []upstream.Match) []upstream.Match {
				for i := range matches {
					matches[i].Inputs = matches[i].Inputs[:1]
				}
				return matches
			}},
			fails: []string{"lookup/several references to one product", "lookup/a mixture", "lookup/a hundred", "lookup/a variant's id"},
		},
		"one match for each reference": {
			shop: faulty{matches: func(matches []upstream.Match) (split []upstream.Match) {
				for _, m := range matches {
					for _, input := range m.Inputs {
						split = append(split, upstream.Match{Product: m.Product, Inputs: []upstream.Input{input}})
					}
				}
				return split
			}},
			fails: []string{"lookup/several references to one product", "lookup/the same reference twice"},
		},
		"look-ups that always find something": {
			shop: faulty{matches: func(matches []upstream.Match) []upstream.Match {
				if len(matches) > 0 {
					return matches
				}
				product := newStore().products[0]
				return []upstream.Match{{Product: product, Inputs: []upstream.Input{{Ref: "no-such-thing-xq"}}}}
			}},
			fails: []string{"lookup/a reference that names nothing", "lookup/nothing asked", "lookup/odd references"},
			only:  true,
		},
		"references that name the first variant": {
			shop: faulty{matches: eachMatch(func(m *upstream.Match) {
				for i := range m.Inputs {
					m.Inputs[i].Variant = m.Product.Variants[0].ID
				}
			})},
			fails: []string{"lookup/a product's id", "lookup/a handle", "lookup/a SKU", "lookup/a variant's id"},
		},
		"what was true once": {
			shop: faulty{matches: eachMatch(func(m *upstream.Match) {
				if _, known := first[m.Product.ID]; !known {
					first[m.Product.ID] = m.Product
				}
				m.Product = first[m.Product.ID]
			})},
			fails: []string{"lookup/the price of now", "lookup/the stock of now", "lookup/in another currency"},
		},
		"everything is in stock": {
			shop: faulty{matches: eachMatch(func(m *upstream.Match) {
				for i := range m.Product.Variants {
					m.Product.Variants[i].Availability, m.Product.Variants[i].Stock = upstream.InStock, nil
				}
			})},
			fails: []string{
				"products/a sold-out variant says so", "products/a sold-out product says so", "products/stock is a number",
			},
		},
		"a variant too many": {
			shop: faulty{matches: eachMatch(func(m *upstream.Match) {
				another := m.Product.Variants[0]
				another.ID += "x"
				m.Product.Variants = append(m.Product.Variants, another)
			})},
			fails: []string{"products/the single product has one variant", "search/the same as a look-up"},
		},
		"one variant of each": {
			shop:  faulty{matches: eachMatch(func(m *upstream.Match) { m.Product.Variants = m.Product.Variants[len(m.Product.Variants)/2:][:1] })},
			fails: []string{"products/the product with options has several variants"},
		},
	}
}

// eachProduct changes the products of a page, which are the page's own.
func eachProduct(r *upstream.Results, change func(*upstream.Product)) {
	for i := range r.Products {
		change(&r.Products[i])
	}
}

// eachMatch changes the matches of a look-up, which are the look-up's own.
func eachMatch(change func(*upstream.Match)) func([]upstream.Match) []upstream.Match {
	return func(matches []upstream.Match) []upstream.Match {
		for i := range matches {
			change(&matches[i])
		}
		return matches
	}
}
