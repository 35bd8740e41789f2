package ucp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
	Query      string        `json:"query"`
	Filters    searchFilters `json:"filters"`
	Context    searchContext `json:"context"`
	Pagination struct {
		Cursor string `json:"cursor"`
		Limit  int64  `json:"limit"`
	} `json:"pagination"`
}

// searchCatalog answers search_catalog.
func (s *Server) searchCatalog(ctx context.Context, c *Call) (*Reply, error) {
	var payload searchPayload
	if err := json.Unmarshal(c.Payload, &payload); err != nil {
		return nil, fmt.Errorf("reading a search: %w", err)
	}
	q, messages := payload.Filters.query(payload.Context, c.Visit)
	q.Words = strings.TrimSpace(payload.Query)
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
