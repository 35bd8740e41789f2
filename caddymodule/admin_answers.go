package caddymodule

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/caddyserver/caddy/v2"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// IndexState is what the admin API says at /storeware/index: how far a shop's
// catalogue is known.
type IndexState struct {
	Shop string `json:"shop"`
	// Search is "index", or "upstream" where the shop's own search finds products.
	Search string `json:"search"`
	// Ready says whether the whole catalogue is known; until then the shop's own
	// search helps out.
	Ready bool `json:"ready"`
	// Products are known, and can be found by so many Terms. LeftOut were not taken:
	// more than there is room for, or far too large.
	Products int `json:"products"`
	Terms    int `json:"terms"`
	LeftOut  int `json:"left_out,omitempty"`
	// Walking says whether the catalogue is being read, by this node where it is
	// Leading. Pages is how many the last walk has read, and Read when the last one.
	Walking bool       `json:"walking"`
	Leading bool       `json:"leading"`
	Pages   int        `json:"pages"`
	Read    *time.Time `json:"read,omitempty"`
	// Whole is when the last walk over everything ended.
	Whole *time.Time `json:"whole,omitempty"`
	Error string     `json:"error,omitempty"`
}

func adminIndex(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	state := IndexState{Shop: h.Name, Search: searchIndex}
	words := h.shop.value.learned()
	if words == nil || words.crawl == nil || h.Search == searchUpstream {
		state.Search = searchUpstream
	}
	if words != nil && words.crawl != nil {
		state.tell(words.crawl.Progress())
		state.Ready, state.Terms = words.ready.Load(), words.index.Size().Terms
	}
	return answerJSON(w, http.StatusOK, state)
}

func (s *IndexState) tell(p crawl.Progress) {
	s.Products, s.LeftOut, s.Walking, s.Leading, s.Pages = p.Documents, p.LeftOut, p.Walking, p.Leading, p.Pages
	if !p.At.IsZero() {
		s.Read = &p.At
	}
	if !p.Whole.IsZero() {
		s.Whole = &p.Whole
	}
	if p.Err != nil {
		s.Error = p.Err.Error()
	}
}

// maxQuestion bounds the body of a question, in bytes.
const maxQuestion = 64 << 10

// adminRead reads a question as the shop would, with the words of its catalogue.
func adminRead(w http.ResponseWriter, r *http.Request, a *App) error {
	h, err := a.shopNamed(query(r, "shop"))
	if err != nil {
		return err
	}
	var asked struct {
		Question string `json:"question"`
		Language string `json:"language"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxQuestion)).Decode(&asked); err != nil {
		return caddy.APIError{HTTPStatus: http.StatusBadRequest, Err: errors.New(`send {"question": "…"}`)}
	}
	question := reading.Question{Words: asked.Question, Language: asked.Language}
	if shop := h.shop.value.description(); shop != nil {
		question.Currency = shop.Currency
		if question.Language == "" {
			question.Language = shop.Language
		}
	}
	if words := h.shop.value.learned(); words != nil {
		question.Vocabulary = words.now.Load().Vocabulary
	}
	read, err := h.reader.Read(r.Context(), question)
	if err != nil {
		return err
	}
	return answerJSON(w, http.StatusOK, readingOf(read, question.Currency))
}

// Reading is how a question was read, in the form that the labelled rows of a
// scorer have.
type Reading struct {
	ID       string        `json:"id,omitempty"`
	Language string        `json:"language,omitempty"`
	Degraded bool          `json:"degraded"`
	Reason   string        `json:"reason,omitempty"`
	Passes   []ReadingPass `json:"passes"`
	Context  []string      `json:"context"`
}

// ReadingPass is one thing that was asked for. Prices are in minor units.
type ReadingPass struct {
	Query    string              `json:"query"`
	Noun     string              `json:"noun"`
	Required []reading.Attribute `json:"required"`
	Excluded []reading.Attribute `json:"excluded"`
	Max      *int64              `json:"max_price_minor"`
	Min      *int64              `json:"min_price_minor"`
	Currency money.Currency      `json:"currency,omitempty"`
	InStock  bool                `json:"in_stock,omitempty"`
}

func readingOf(r reading.Reading, shop money.Currency) Reading {
	out := Reading{Language: r.Language, Degraded: r.Degraded, Reason: string(r.Reason), Context: []string{}}
	out.Context = append(out.Context, r.Context...)
	for _, p := range r.Passes {
		pass := ReadingPass{
			Query: p.Query, Noun: p.Noun, Required: []reading.Attribute{}, Excluded: []reading.Attribute{},
			Max: p.Price.Max, Min: p.Price.Min, Currency: p.Price.Currency, InStock: p.InStock,
		}
		if p.Price.Set() && pass.Currency == "" {
			pass.Currency = shop
		}
		pass.Required = append(pass.Required, p.Required...)
		pass.Excluded = append(pass.Excluded, p.Excluded...)
		out.Passes = append(out.Passes, pass)
	}
	return out
}
