package shop

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
)

// askBox is the box of the front page that asks as an agent would.
type askBox struct {
	// Path is where questions are answered.
	Path string
	// Examples are questions to begin with. A catalogue that nobody here knows has none.
	Examples []string

	script []byte
}

// newAskBox returns nil where there is nobody to ask.
func newAskBox(o Options) (*askBox, error) {
	if o.AskPath == "" {
		return nil, nil
	}
	script, err := site.ReadFile("site/ask.js")
	if err != nil {
		return nil, fmt.Errorf("reading the script of the box: %w", err)
	}
	box := &askBox{Path: o.AskPath, script: script}
	if o.Catalogue == nil {
		budget, err := budgetIn(o.Currency)
		if err != nil {
			return nil, err
		}
		box.Examples = []string{
			"waterproof walking boots under " + budget,
			"a waterproof jacket and warm gloves",
			"a rust orange jacket",
			"an espresso machine",
		}
	}
	return box, nil
}

// budgetIn says £150 in a currency.
func budgetIn(currency money.Currency) (string, error) {
	if currency == "" {
		currency = goods.Home
	}
	minor, err := goods.Convert(150_00, currency)
	if err != nil {
		return "", fmt.Errorf("converting a budget: %w", err)
	}
	return strings.TrimSuffix(money.Amount{Minor: minor, Currency: currency}.Display(), ".00"), nil
}

func (s *Server) serveAskScript(w http.ResponseWriter, r *http.Request) {
	if s.ask == nil {
		s.sorry(w, r, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(s.ask.script)
}
