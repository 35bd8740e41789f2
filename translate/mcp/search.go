package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/pageurl"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxSummary is how much of a description a list shows, maxListedValues how many
// values of an option. A model reads every word.
const (
	maxSummary      = 240
	maxListedValues = 20
)

// SearchAnswer is what search_products answers: an answer with more of each result.
type SearchAnswer struct {
	*answer.Answer
	Results  []Result  `json:"results"`
	Messages []Message `json:"messages" doc:"What there is to say of the answer, in words."`
}

// Result is a product that meets every constraint.
type Result struct {
	answer.Item
	Brand        string   `json:"brand,omitempty"`
	Summary      string   `json:"summary,omitempty" doc:"How the merchant describes it, shortened."`
	ImageURL     string   `json:"image_url,omitempty"`
	ListPrice    *int64   `json:"list_price_minor,omitempty" doc:"What it cost before a sale."`
	Availability string   `json:"availability,omitempty"`
	Options      []Option `json:"options,omitempty" doc:"What there is to choose."`
	VariantCount int      `json:"variant_count" doc:"How many versions can be chosen; get_product shows them."`
}

// Option is something to choose.
type Option struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Codes of messages beside those of package answer.
const (
	PriceFilterIgnored = "ai.storeware.price_filter_ignored"
	NoSuchVersion      = "ai.storeware.no_such_version"
)

// searchProducts answers search_products.
func searchProducts(ctx context.Context, s *Server, r *request) (*reply, error) {
	q := queryOf(r.arguments)
	var messages []Message
	if foreign(r) && (q.MinPrice != nil || q.MaxPrice != nil) {
		q.MinPrice, q.MaxPrice = nil, nil
		messages = append(messages, Message{
			PriceFilterIgnored,
			fmt.Sprintf("This shop does not sell in %.12s; the price bounds were not applied.", r.arguments.Get("currency").Str),
		})
	}
	if s.Answers == nil {
		return nil, upstream.Errorf(upstream.CodeUnavailable, "searching", "the shop has not said what it is")
	}
	found, err := s.Answers.Search(ctx, r.visit, answer.Asker{Shop: r.owner.Shop, Agent: r.owner.Agent}, q)
	switch {
	case errors.Is(err, answer.ErrCursor):
		return nil, mistaken(InvalidArguments, "cursor must be the next of an earlier answer to the same search")
	case err != nil:
		return nil, fmt.Errorf("searching: %w", err)
	}
	for _, m := range found.Messages() {
		messages = append(messages, Message{m.Code, m.Content})
	}
	out := &SearchAnswer{Answer: found, Results: make([]Result, len(found.Results)), Messages: messages}
	for i := range found.Results {
		out.Results[i] = resultOf(&found.Results[i])
	}
	for i := range found.RuledOut {
		found.RuledOut[i].URL = pageurl.Clean(found.RuledOut[i].URL)
	}
	return replied(out, out.words(), "ok")
}

// queryOf reads the arguments of a search.
func queryOf(arguments gjson.Result) answer.Query {
	q := answer.Query{
		Words:    strings.TrimSpace(arguments.Get("query").Str),
		MinPrice: integer(arguments.Get("min_price_minor")), MaxPrice: integer(arguments.Get("max_price_minor")),
		Required: attributes(arguments.Get("required_attributes")), Excluded: attributes(arguments.Get("excluded_attributes")),
		InStock: arguments.Get("in_stock").Bool(),
		Context: texts(arguments.Get("context")), Categories: texts(arguments.Get("categories")),
		Limit: int(arguments.Get("limit").Int()), Cursor: arguments.Get("cursor").Str,
		Conversation: arguments.Get("conversation.id").Str,
	}
	return q
}

// integer returns a number, nil if there is none.
func integer(number gjson.Result) *int64 {
	if number.Type != gjson.Number {
		return nil
	}
	n := number.Int()
	return &n
}

func texts(list gjson.Result) []string {
	var all []string
	for _, text := range list.Array() {
		all = append(all, text.Str)
	}
	return all
}

func attributes(list gjson.Result) []reading.Attribute {
	var all []reading.Attribute
	for _, a := range list.Array() {
		all = append(all, reading.Attribute{Key: a.Get("key").Str, Value: a.Get("value").Str})
	}
	return all
}

// resultOf returns a result with what an assistant wants to show of it.
func resultOf(item *answer.Item) Result {
	p, v := item.Product, item.Product.Variant(item.Variant)
	r := Result{
		Item: *item, Brand: p.Brand, Summary: plaintext.Cut(p.Description, maxSummary),
		Options: optionsOf(p.Options, maxListedValues), VariantCount: len(p.Variants),
	}
	r.URL = pageurl.Clean(item.URL)
	r.ImageURL = imageOf(p, v)
	if v != nil {
		r.ListPrice, r.Availability = listPriceOf(v), availabilityOf(v.Availability)
	}
	return r
}

// optionsOf returns the options that have something to choose, with so many values
// of each at most.
func optionsOf(options []upstream.Option, most int) []Option {
	var out []Option
	for _, o := range options {
		if len(o.Values) > 0 {
			out = append(out, Option{o.Name, o.Values[:min(len(o.Values), most)]})
		}
	}
	return out
}

// imageOf returns the address of the picture that shows a variant best.
func imageOf(p *upstream.Product, v *upstream.Variant) string {
	media := p.Media
	if v != nil && len(v.Media) > 0 {
		media = v.Media
	}
	for _, m := range media {
		if address := pageurl.Clean(m.URL); address != "" {
			return address
		}
	}
	return ""
}

func listPriceOf(v *upstream.Variant) *int64 {
	if v.ListPrice == nil {
		return nil
	}
	return &v.ListPrice.Minor
}

// availabilityOf returns nothing where the shop says nothing.
func availabilityOf(a upstream.Availability) string {
	switch a {
	case upstream.InStock:
		return "in_stock"
	case upstream.LowStock:
		return "low_stock"
	case upstream.OutOfStock:
		return "out_of_stock"
	case upstream.Backorder:
		return "backorder"
	case upstream.Preorder:
		return "preorder"
	case upstream.Discontinued:
		return "discontinued"
	case upstream.AvailabilityUnknown:
	}
	return ""
}

// inStockOf returns whether a variant can be bought, nil where the shop does not say.
func inStockOf(a upstream.Availability) *bool {
	if a == upstream.AvailabilityUnknown {
		return nil
	}
	is := a.Buyable()
	return &is
}
