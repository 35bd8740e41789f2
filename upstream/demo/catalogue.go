package demo

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Bounds of the shop's API.
const (
	maxLimit  = 100
	maxRefs   = 500
	maxRef    = 300
	maxWords  = 2000
	maxCursor = 20
)

// Search implements [upstream.Catalogue].
func (s *Shop) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	const op = "searching"
	query, err := searchQuery(v, q)
	if err != nil {
		return upstream.Results{}, err
	}
	answer, err := s.products(ctx, v, op, []string{"api", "products"}, query)
	if err != nil {
		return upstream.Results{}, err
	}
	return upstream.Results{Products: answer.products, Next: answer.next, Total: answer.total}, nil
}

func searchQuery(v upstream.Visit, q upstream.Query) (url.Values, error) {
	if len(q.Cursor) > maxCursor {
		return nil, upstream.Errorf(upstream.CodeInvalid, "searching", "the cursor is not one of this shop")
	}
	if len(q.Words) > maxWords {
		return nil, upstream.Errorf(upstream.CodeInvalid, "searching", "more than %d bytes of words", maxWords)
	}
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("q", q.Words)
	set("cursor", q.Cursor)
	set("country", v.Market.Country)
	if len(q.Categories) > 0 {
		query["category"] = q.Categories
	}
	for name, price := range map[string]*int64{"min": q.MinPrice, "max": q.MaxPrice} {
		if price != nil {
			query.Set(name, strconv.FormatInt(max(*price, 0), 10))
		}
	}
	if q.Available {
		query.Set("available", "1")
	}
	if q.Limit > 0 {
		query.Set("limit", strconv.Itoa(min(q.Limit, maxLimit)))
	}
	return query, nil
}

// productsAnswer is an answer that holds products.
type productsAnswer struct {
	products []upstream.Product
	next     string
	total    int
	// revision changes with what is recorded of any product, not with prices or stock.
	revision string
	// matches are as many as there are references that name something.
	matches []match
}

// match leads from the place of a reference in the query to the place of its product
// in the answer, and to the variant that it named.
type match struct {
	ref     int
	product int
	variant string
}

// products asks for products.
func (s *Shop) products(ctx context.Context, v upstream.Visit, op string, path []string, query url.Values) (productsAnswer, error) {
	response, err := s.client.Do(ctx, v, shopclient.Request{Op: op, Path: path, Query: query, Safe: true, Refusals: true})
	if err != nil {
		return productsAnswer{}, err
	}
	if refused := s.refusal(op, response); refused != nil {
		return productsAnswer{}, refused
	}
	return s.readAnswer(op, response.Body)
}

// readAnswer reads an answer that holds products. The shop writes them last.
func (s *Shop) readAnswer(op, body string) (productsAnswer, error) {
	var a productsAnswer
	var f frame
	var err error
	var currency string
	added, whole := false, false
	c := &scanner{s: body}
	c.object(func(key string) {
		switch key {
		case "currency":
			currency = c.text()
		case "tax_added":
			added = c.truth()
		case "revision":
			a.revision = c.text()
		case "next":
			a.next = c.text()
		case "total":
			a.total = int(c.whole())
		case "matches":
			c.array(func() { a.matches = append(a.matches, readMatch(c)) })
		case "products":
			if f, err = newFrame(op, currency, added); err == nil {
				a.products, whole = s.readProducts(c, f), true
				return
			}
			c.skip()
		default:
			c.skip()
		}
	})
	if err == nil && !whole {
		err = unreadable(op, "products")
	}
	return a, err
}

func readMatch(c *scanner) match {
	var m match
	c.object(func(key string) {
		switch key {
		case "ref":
			m.ref = int(c.whole())
		case "product":
			m.product = int(c.whole())
		case "variant":
			m.variant = c.text()
		default:
			c.skip()
		}
	})
	return m
}

// Lookup implements [upstream.Catalogue]. More references than the shop takes at
// once are several requests.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	var matches []upstream.Match
	known := slices.DeleteFunc(slices.Clone(refs), func(ref string) bool { return ref == "" || len(ref) > maxRef })
	for chunk := range slices.Chunk(known, maxRefs) {
		found, err := s.lookup(ctx, v, chunk)
		if err != nil {
			return nil, err
		}
		matches = join(matches, found)
	}
	return matches, nil
}

func (s *Shop) lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	query := url.Values{"ref": refs}
	if v.Market.Country != "" {
		query.Set("country", v.Market.Country)
	}
	answer, err := s.products(ctx, v, "looking up", []string{"api", "lookup"}, query)
	if err != nil {
		return nil, err
	}
	matches := make([]upstream.Match, len(answer.products))
	for i := range answer.products {
		matches[i].Product = answer.products[i]
	}
	for _, m := range answer.matches {
		if m.ref >= 0 && m.ref < len(refs) && m.product >= 0 && m.product < len(matches) {
			matches[m.product].Inputs = append(matches[m.product].Inputs, upstream.Input{Ref: refs[m.ref], Variant: m.variant})
		}
	}
	return matches, nil
}

// join adds matches to others, one for each product.
func join(all, more []upstream.Match) []upstream.Match {
	for _, match := range more {
		at := slices.IndexFunc(all, func(m upstream.Match) bool { return m.Product.ID == match.Product.ID })
		if at < 0 {
			all = append(all, match)
			continue
		}
		all[at].Inputs = append(all[at].Inputs, match.Inputs...)
	}
	return all
}
