package vendure

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// wantedLine is a line of the caller whose variant is known. The ids are
// Vendure's own.
type wantedLine struct {
	key      string
	variant  string
	quantity int64
}

// offer is how the shop sells a variant now.
type offer struct {
	// price and stock are Vendure's own words. An order in another tax zone has
	// other prices, so that these are only compared with what they were.
	price string
	stock string
}

// offers returns the variants of the products that lines name.
func (c contents) offers() map[string]offer {
	offers := make(map[string]offer)
	for _, path := range []string{"known.items", "whole.items"} {
		for _, product := range c.answer.Get(path).Array() {
			for _, variant := range product.Get("variants").Array() {
				offers[variant.Get("id").String()] = offer{
					price: variant.Get("price").Raw + " " + variant.Get("priceWithTax").Raw + " " + variant.Get("currencyCode").String(),
					stock: variant.Get("stockLevel").String(),
				}
			}
		}
	}
	return offers
}

// questions are what has to be known before the basket can be changed: whether
// what the lines name is for sale, and whether the shop sends to the country.
func (a *apply) questions() questions {
	var ask questions
	for _, line := range a.desired.Lines {
		switch product, variant, ok := splitID(line.Item); {
		case !ok:
		case variant == "":
			ask.whole = append(ask.whole, product)
		default:
			ask.known = append(ask.known, product)
		}
	}
	ask.known, ask.whole = unique(ask.known), unique(ask.whole)
	ask.countries = a.desired.Address != nil || a.desired.Billing != nil
	return ask
}

// resolve finds the variant that each line means in the answer to basket.graphql.
// A line that means none, or leaves a choice, gets a notice.
func (s *Shop) resolve(lines []upstream.DesiredLine, held contents) ([]wantedLine, []upstream.Notice, error) {
	products, err := s.readProducts(changingBasket, held.answer.Get("whole.items"), held.included)
	if err != nil {
		return nil, nil, err
	}
	var wanted []wantedLine
	var notices []upstream.Notice
	for _, line := range lines {
		product, variant, ok := splitID(line.Item)
		if ok && variant == "" {
			at := slices.IndexFunc(products, func(p upstream.Product) bool { return p.ID == line.Item })
			ok = at >= 0 && forSale(&products[at])
			if ok && len(products[at].Variants) > 1 {
				notices = append(notices, openChoice(line.Key, &products[at]))
				continue
			}
			if ok {
				_, variant, _ = splitID(products[at].Variants[0].ID)
			}
		} else if ok {
			ok = sells(held.answer.Get("known.items"), product, variant)
		}
		if !ok {
			notices = append(notices, upstream.Notice{Code: upstream.NoticeNotFound, Line: line.Key, Text: "The shop sells no such item."})
			continue
		}
		wanted = append(wanted, wantedLine{line.Key, variant, line.Quantity})
	}
	return wanted, notices, nil
}

// sells reports whether a variant is among the products that the shop lists.
func sells(products gjson.Result, product, variant string) bool {
	for _, p := range products.Array() {
		if p.Get("id").String() != product {
			continue
		}
		for _, v := range p.Get("variants.#.id").Array() {
			if v.String() == variant {
				return true
			}
		}
	}
	return false
}

// openChoice is the notice for a product that comes in several variants.
func openChoice(line string, p *upstream.Product) upstream.Notice {
	return upstream.Notice{
		Code: upstream.NoticeOptionNeeded, Line: line, Text: "This product comes in several variants; choose one.",
		Options: p.Options, Variants: p.Variants,
	}
}
