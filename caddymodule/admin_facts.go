package caddymodule

import (
	"net/http"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/translate/answer/facts"
)

// Gaps are what the admin API says at /storeware/facts: what agents ask for, and how
// much of it is recorded nowhere.
type Gaps struct {
	Shop string      `json:"shop"`
	Gaps []facts.Gap `json:"gaps"`
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
	return answerJSON(w, http.StatusOK, struct {
		Shop  string `json:"shop"`
		Facts int    `json:"facts"`
	}{h.Name, len(all)})
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
