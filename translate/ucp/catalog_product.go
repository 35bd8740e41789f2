package ucp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/storeware/caddy-storeware/upstream"
)

// productPayload is get_product_request of schemas/shopping/catalog_lookup.json.
type productPayload struct {
	ID          string           `json:"id"`
	Selected    []SelectedOption `json:"selected"`
	Preferences []string         `json:"preferences"`
	Filters     searchFilters    `json:"filters"`
	Context     searchContext    `json:"context"`
}

// getProduct answers get_product.
func (s *Server) getProduct(ctx context.Context, c *Call) (*Reply, error) {
	var payload productPayload
	if err := json.Unmarshal(c.Payload, &payload); err != nil {
		return nil, fmt.Errorf("reading a product request: %w", err)
	}
	matches, err := s.lookup(ctx, c.Visit, []string{payload.ID})
	if err != nil {
		return nil, err
	}
	if len(matches) == 0 {
		return failed(c.Active, s.Storefront,
			errorMessage("not_found", "", "There is no such product or variant.", Unrecoverable))
	}
	m := &matches[0]
	q, messages := payload.Filters.query(payload.Context, c.Visit)
	selected, variants := payload.choose(m, q)
	if len(variants) == 0 {
		return failed(c.Active, s.Storefront,
			errorMessage("not_found", "", "No variant of this product meets the filters.", Unrecoverable))
	}
	product := productOf(&m.Product, narrow(&m.Product, q), maxDetails)
	product.Variants = variantsOf(&m.Product, variants)
	if len(product.Options) > 0 {
		product.Selected = selected
		signalAvailability(&product, m.Product.Variants, selected)
	}
	return catalogReply(&CatalogResponse{
		UCP:      envelope(c.Active),
		Product:  &product,
		Messages: append(messages, delayed(root.Member("product"), product.Variants)...),
	})
}

// choose returns the effective selection and the variants that stand for it, the
// featured one first; none when the filters leave none. An identifier of a
// variant decides the selection by itself (catalog/lookup, "Get Product").
func (r *productPayload) choose(m *upstream.Match, q upstream.Query) ([]SelectedOption, []*upstream.Variant) {
	p, variants := &m.Product, narrow(&m.Product, q)
	if len(variants) == 0 {
		return nil, nil
	}
	var first *upstream.Variant
	var selected []SelectedOption
	switch input := inputFor(m, r.ID); {
	case input != nil && input.Variant != "":
		for _, v := range variants {
			if v.ID == input.Variant {
				first = v
			}
		}
		if first == nil {
			return nil, nil
		}
		selected = choicesOf(first.Options)
	case len(r.Selected) > 0:
		selected = relax(p.Variants, spelled(p, r.Selected), r.Preferences)
	default:
		first = featured(variants)
		selected = choicesOf(first.Options)
	}
	var matching []*upstream.Variant
	for _, v := range variants {
		if has(v, selected) {
			matching = append(matching, v)
		}
	}
	if len(matching) == 0 {
		return nil, nil
	}
	if first == nil {
		first = featured(matching)
	}
	return selected, withFirst(first, matching, maxShownVariants)
}
