package ucp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxIDs is how many identifiers one look-up takes, maxID how long, in bytes, an
// identifier can be that names anything.
const (
	maxIDs = 100
	maxID  = 512
)

// lookupPayload is lookup_request of schemas/shopping/catalog_lookup.json.
type lookupPayload struct {
	IDs     []string      `json:"ids"`
	Filters searchFilters `json:"filters"`
	Context searchContext `json:"context"`
}

// lookupCatalog answers lookup_catalog.
func (s *Server) lookupCatalog(ctx context.Context, c *Call) (*Reply, error) {
	var payload lookupPayload
	if err := json.Unmarshal(c.Payload, &payload); err != nil {
		return nil, fmt.Errorf("reading a look-up: %w", err)
	}
	if len(payload.IDs) > maxIDs {
		return nil, refuse(http.StatusBadRequest, RequestTooLarge, "$.ids: must be at most %d identifiers", maxIDs)
	}
	ids := distinct(payload.IDs)
	matches, err := s.lookup(ctx, c.Visit, ids)
	if err != nil {
		return nil, err
	}
	q, messages := payload.Filters.query(payload.Context, c.Visit)
	response := &CatalogResponse{UCP: envelope(c.Active), Products: []Product{}}
	for i := range matches {
		variants := narrow(&matches[i].Product, q)
		if len(variants) == 0 {
			continue
		}
		product := productOf(&matches[i].Product, variants, maxSummary)
		product.Variants = correlated(&matches[i], variants)
		if len(product.Variants) == 0 {
			continue
		}
		messages = append(messages, delayed(root.Member("products").At(len(response.Products)), product.Variants)...)
		response.Products = append(response.Products, product)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(matches, func(m upstream.Match) bool { return inputFor(&m, id) != nil }) {
			messages = append(messages, info("not_found", "", id))
		}
	}
	response.Messages = messages
	return catalogReply(response)
}

// lookup reads what identifiers name. Those that can name nothing are not asked
// for.
func (s *Server) lookup(ctx context.Context, v upstream.Visit, ids []string) ([]upstream.Match, error) {
	refs := make([]string, 0, len(ids))
	for _, id := range ids {
		if id != "" && len(id) <= maxID {
			refs = append(refs, id)
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	matches, err := s.Catalogue.Lookup(ctx, v, refs)
	if err != nil {
		return nil, fmt.Errorf("looking products up: %w", err)
	}
	return matches, nil
}

// correlated returns the variants that the identifiers of a match stand for, each
// with those identifiers: the variant that one names, or the featured one for an
// identifier of the whole product (catalog/lookup, "Client Correlation").
func correlated(m *upstream.Match, variants []*upstream.Variant) []ProductVariant {
	var out []ProductVariant
	for _, input := range m.Inputs {
		v, match := featured(variants), matchFeatured
		if input.Variant != "" {
			at := slices.IndexFunc(variants, func(v *upstream.Variant) bool { return v.ID == input.Variant })
			if at < 0 {
				continue // filtered out
			}
			v, match = variants[at], matchExact
		}
		at := slices.IndexFunc(out, func(o ProductVariant) bool { return o.ID == v.ID })
		if at < 0 {
			at = len(out)
			out = append(out, variantOf(&m.Product, v))
		}
		out[at].Inputs = append(out[at].Inputs, InputCorrelation{input.Ref, match})
	}
	return out
}

// inputFor returns what an identifier named of a match, nil if it did not.
func inputFor(m *upstream.Match, id string) *upstream.Input {
	for i := range m.Inputs {
		if m.Inputs[i].Ref == id {
			return &m.Inputs[i]
		}
	}
	return nil
}
