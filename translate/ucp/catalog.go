package ucp

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/shape"
	"github.com/storeware/caddy-storeware/upstream"
)

// The most that one answer holds.
const (
	maxListedVariants = 20
	maxShownVariants  = 100
)

// searchFilters are schemas/shopping/types/search_filters.json.
type searchFilters struct {
	Categories []string `json:"categories"`
	Price      struct {
		Min *int64 `json:"min"`
		Max *int64 `json:"max"`
	} `json:"price"`
}

// searchContext is what a catalogue request's context says of prices. All else
// in it has reached the shop by way of the visit.
type searchContext struct {
	Currency string `json:"currency"`
}

// query returns the filters as a query, and a message when the price filter had
// to be left out of it: its figures count minor units of the currency that the
// context names, and the shop is being visited for another one.
func (f searchFilters) query(context searchContext, v upstream.Visit) (upstream.Query, []Message) {
	q := upstream.Query{Categories: f.Categories, MinPrice: f.Price.Min, MaxPrice: f.Price.Max}
	if q.MinPrice == nil && q.MaxPrice == nil || context.Currency == "" {
		return q, nil
	}
	if named, err := money.ParseCurrency(context.Currency); err == nil && named == v.Market.Currency {
		return q, nil
	}
	q.MinPrice, q.MaxPrice = nil, nil
	return q, []Message{warning("price_filter_ignored", "",
		fmt.Sprintf("This shop does not sell in %.12s; the price filter was not applied.", context.Currency))}
}

// narrow returns the variants of a product that its filters leave, none if the
// product does not meet them.
func narrow(p *upstream.Product, q upstream.Query) []*upstream.Variant {
	if !q.Match(p) {
		return nil
	}
	variants := make([]*upstream.Variant, 0, len(p.Variants))
	for i := range p.Variants {
		price := p.Variants[i].Price.Minor
		if (q.MinPrice == nil || price >= *q.MinPrice) && (q.MaxPrice == nil || price <= *q.MaxPrice) {
			variants = append(variants, &p.Variants[i])
		}
	}
	return variants
}

// featured returns the variant to show first: the first that can be bought, or
// the first.
func featured(variants []*upstream.Variant) *upstream.Variant {
	for _, v := range variants {
		if v.Availability.Buyable() {
			return v
		}
	}
	return variants[0]
}

// withFirst returns at most so many of the variants, with one of them moved to
// the front.
func withFirst(first *upstream.Variant, variants []*upstream.Variant, most int) []*upstream.Variant {
	out := make([]*upstream.Variant, 0, len(variants))
	out = append(out, first)
	for _, v := range variants {
		if v != first {
			out = append(out, v)
		}
	}
	return out[:min(len(out), most)]
}

// root is the place of an answer as a whole.
var root *shape.Place

// delayed returns a warning for every variant of the product at a place that would
// be sent late.
func delayed(at *shape.Place, variants []ProductVariant) []Message {
	var messages []Message
	for i, v := range variants {
		switch v.Availability.Status {
		case "backorder", "preorder":
			messages = append(messages, warning("delayed_fulfillment", at.Member("variants").At(i).String(),
				fmt.Sprintf("%s is on %s.", v.Title, v.Availability.Status)))
		}
	}
	return messages
}

// catalogReply returns the reply with a response of the catalogue.
func catalogReply(r *CatalogResponse) (*Reply, error) {
	buffer := replyBuffers.Get().(*[]byte)
	body, err := r.appendJSON((*buffer)[:0])
	if err != nil {
		return nil, err
	}
	return &Reply{Status: http.StatusOK, Body: body, Outcome: "ok", buffer: buffer}, nil
}

// distinct returns the texts without repetitions.
func distinct(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, text := range texts {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
