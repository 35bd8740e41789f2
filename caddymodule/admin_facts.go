package caddymodule

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/translate/answer/facts"
	"github.com/storeware/caddy-storeware/upstream"
)

// Gaps are what the admin API says at /storeware/facts: what agents ask for, and how
// much of it is recorded nowhere.
type Gaps struct {
	Shop string      `json:"shop"`
	Gaps []facts.Gap `json:"gaps"`
}

// RecordedFacts are what the admin API says when facts were recorded.
type RecordedFacts struct {
	Shop string `json:"shop"`
	// Facts counts all that are recorded now.
	Facts int `json:"facts"`
	// Unknown are names in the file that are the id, handle or SKU of no product of
	// the shop. What the file says of them is recorded, and of use once there is one.
	Unknown []string `json:"unknown,omitempty"`
	// Unchecked counts names that were not looked up in the shop, and Error says why
	// if the shop did not answer.
	Unchecked int    `json:"unchecked,omitempty"`
	Error     string `json:"error,omitempty"`
}

// maxFactsFile bounds a file of facts, in bytes.
const maxFactsFile = 8 << 20

func adminImportFacts(w http.ResponseWriter, r *http.Request, a *App) error {
	words, h, err := a.wordsNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	all, err := facts.ReadCSV(http.MaxBytesReader(w, r.Body, maxFactsFile))
	if err != nil {
		return err
	}
	if err := words.facts.Replace(r.Context(), all); err != nil {
		return err
	}
	recorded := RecordedFacts{Shop: h.Name, Facts: len(all)}
	// The admin server cuts answers off after 10 seconds.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	ctx, cancel := context.WithTimeout(r.Context(), insideTime)
	defer cancel()
	if recorded.Unknown, recorded.Unchecked, err = unknownProducts(ctx, h.shop.value, all); err != nil {
		recorded.Error = err.Error()
	}
	return answerJSON(w, http.StatusOK, recorded)
}

// maxChecked is how many products of a file are looked up in the shop, and
// checkedAtOnce how many of them in one request.
const (
	maxChecked    = 2000
	checkedAtOnce = 50
)

// unknownProducts asks the shop for the products that facts are about. It returns the
// names that are no product's, and how many were not looked up: those of a file that
// names very many, and what is left when the shop does not answer.
func unknownProducts(ctx context.Context, shop upstream.Catalogue, all []facts.Fact) (unknown []string, unchecked int, err error) {
	var names []string
	seen := make(map[string]bool)
	for _, fact := range all {
		if !seen[fact.Product] {
			seen[fact.Product] = true
			names = append(names, fact.Product)
		}
	}
	left := len(names)
	for batch := range slices.Chunk(names[:min(left, maxChecked)], checkedAtOnce) {
		matches, err := shop.Lookup(ctx, upstream.Visit{}, batch)
		if err != nil {
			return unknown, left, err
		}
		left -= len(batch)
		known := make(map[string]bool)
		for _, match := range matches {
			known[match.Product.ID], known[match.Product.Handle] = true, true
			for _, variant := range match.Product.Variants {
				known[variant.SKU] = true
			}
		}
		for _, name := range batch {
			if !known[name] {
				unknown = append(unknown, name)
			}
		}
	}
	return unknown, left, nil
}

func adminGaps(w http.ResponseWriter, r *http.Request, a *App) error {
	words, h, err := a.wordsNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	report, err := words.gaps.Report(r.Context())
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, Gaps{h.Name, append([]facts.Gap{}, report...)})
}

// wordsNamed returns what is known of the words of the shop of a name.
func (a *App) wordsNamed(name string) (*words, *Handler, error) {
	h, err := a.shopNamed(name)
	if err != nil {
		return nil, nil, err
	}
	words := h.shop.value.learned()
	if words == nil {
		return nil, nil, caddy.APIError{HTTPStatus: http.StatusServiceUnavailable, Err: errNotSaid}
	}
	return words, h, nil
}
