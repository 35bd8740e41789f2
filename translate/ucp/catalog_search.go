package ucp

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// The sizes of a page of search results. The specification's default is 10; more
// than the most is quietly less.
const (
	defaultLimit = 10
	maxLimit     = 50
)

// searchPayload is search_request of schemas/shopping/catalog_search.json.
type searchPayload struct {
	Query      string
	Filters    searchFilters
	Context    searchContext
	Pagination struct {
		Cursor string
		Limit  int64
	}
}

// readSearch reads a payload that is known to be valid. Every search waits for it,
// and encoding/json takes ten times as long.
func readSearch(payload []byte) searchPayload {
	r := gjson.ParseBytes(payload)
	p := searchPayload{Query: r.Get("query").String()}
	for _, category := range r.Get("filters.categories").Array() {
		p.Filters.Categories = append(p.Filters.Categories, category.String())
	}
	if price := r.Get("filters.price"); price.Exists() {
		p.Filters.Price.Min = integer(price.Get("min"))
		p.Filters.Price.Max = integer(price.Get("max"))
	}
	p.Context.Currency = r.Get("context.currency").String()
	p.Pagination.Cursor = r.Get("pagination.cursor").String()
	p.Pagination.Limit = r.Get("pagination.limit").Int()
	return p
}

// integer returns a number, nil if there is none.
func integer(number gjson.Result) *int64 {
	if number.Type != gjson.Number {
		return nil
	}
	n := number.Int()
	return &n
}

// searchCatalog answers search_catalog.
func (s *Server) searchCatalog(ctx context.Context, c *Call) (*Reply, error) {
	payload := readSearch(c.Payload)
	q, messages := payload.Filters.query(payload.Context, c.Visit)
	q.Words = strings.TrimSpace(payload.Query)
	if s.Answers != nil && q.Words != "" {
		return s.answerSearch(ctx, c, payload, q, messages)
	}
	q.Limit = int(min(payload.Pagination.Limit, maxLimit))
	if q.Limit == 0 {
		q.Limit = defaultLimit
	}
	if payload.Pagination.Cursor != "" {
		cursor, err := openCursor(q, payload.Pagination.Cursor)
		if err != nil {
			return nil, invalid("$.pagination.cursor", "%v", err)
		}
		q.Cursor = cursor
	}
	found, err := s.search(ctx, c.Visit, q)
	if err != nil {
		if q.Cursor != "" && upstream.CodeOf(err) == upstream.CodeInvalid {
			return nil, invalid("$.pagination.cursor", "%v", errCursor)
		}
		return nil, fmt.Errorf("searching: %w", err)
	}
	return catalogReply(searchResponse(c.Active, q, found, messages))
}

// search finds products. Every search of the protocol comes through here.
func (s *Server) search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	return s.Catalogue.Search(ctx, v, q)
}

// searchResponse returns the answer to a search.
func searchResponse(active Active, q upstream.Query, found upstream.Results, messages []Message) *CatalogResponse {
	response := &CatalogResponse{
		UCP:        envelope(active),
		Products:   make([]Product, 0, len(found.Products)),
		Pagination: &Pagination{HasNextPage: found.Next != ""},
	}
	if found.Total >= 0 {
		response.Pagination.TotalCount = &found.Total
	}
	if found.Next != "" {
		response.Pagination.Cursor = sealCursor(q, found.Next)
	}
	for i := range found.Products {
		p := &found.Products[i]
		variants := narrow(p, q)
		if len(variants) == 0 {
			continue
		}
		product := productOf(p, variants, maxSummary)
		product.Variants = variantsOf(p, withFirst(featured(variants), variants, maxListedVariants))
		messages = append(messages, delayed(root.Member("products").At(len(response.Products)), product.Variants)...)
		response.Products = append(response.Products, product)
	}
	response.Messages = messages
	return response
}
