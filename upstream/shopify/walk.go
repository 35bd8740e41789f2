package shopify

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

const walking = "walking the catalogue"

const (
	// walkPage is how many products are read at once.
	walkPage = 100
	// deepest is how many products are read by one cursor. Shopify leads it no
	// further than 25,000, so that a walk then begins a new one at the change it
	// has come to.
	deepest = 20_000
	// wholeEvery is how often everything is read: Shopify does not tell what was
	// removed.
	wholeEvery = 24 * time.Hour
	// overlap is how far a walk goes back before the beginning of the last one,
	// for clocks that differ.
	overlap = 5 * time.Minute
)

// walk is where a walk stands. Products are read in the order in which they were
// changed: one that changes meanwhile comes again at the end.
type walk struct {
	// Since is the change to begin with, zero for everything.
	Since time.Time `json:"since,omitzero"`
	// After is Shopify's cursor, and Read how many were read by it.
	After string `json:"after,omitempty"`
	Read  int    `json:"read,omitempty"`
	// Last is the latest change that was read.
	Last time.Time `json:"last,omitzero"`
	// Began is when the walk began, zero for one that is still to. Whole: it is
	// over everything. WholeAt is when the last one of those began.
	Began   time.Time `json:"began,omitzero"`
	Whole   bool      `json:"whole,omitempty"`
	WholeAt time.Time `json:"whole_at,omitzero"`
}

var _ upstream.Walker = (*Shop)(nil)

// Walk implements upstream.Walker. It takes one request for each hundred products.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	var w walk
	if place != "" {
		if err := json.Unmarshal([]byte(place), &w); err != nil {
			return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, walking, "the place is not one of this shop")
		}
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return upstream.Walked{}, err
	}
	w.begin(s.now())
	l := listing{
		shop: s, facts: f, visit: v, op: walking, name: "Products", document: productsDocument, path: "products",
		variables: variables{"query": orNull(w.query()), "sort": "UPDATED_AT"},
	}
	places, _, more, err := l.page(ctx, w.After, walkPage)
	if err != nil {
		return upstream.Walked{}, err
	}
	var walked upstream.Walked
	for _, p := range places {
		walked.Products = append(walked.Products, p.product)
		w.pass(p)
	}
	if walked.More = more && len(places) > 0; !walked.More {
		walked.Whole = w.Whole
		w = w.ended()
	}
	text, err := json.Marshal(w)
	if err != nil {
		return upstream.Walked{}, fmt.Errorf("%s: writing the place: %w", walking, err)
	}
	walked.Next = upstream.Place(text)
	return walked, nil
}

// begin begins a walk where the last one has ended.
func (w *walk) begin(now time.Time) {
	if !w.Began.IsZero() {
		return
	}
	w.Began = now.UTC()
	if now.Sub(w.WholeAt) >= wholeEvery {
		w.Whole, w.WholeAt, w.Since = true, w.Began, time.Time{}
	}
}

// query asks for what was changed since.
func (w *walk) query() string {
	if w.Since.IsZero() {
		return ""
	}
	return "updated_at:>='" + w.Since.Format(time.RFC3339) + "'"
}

// pass goes on behind a product.
func (w *walk) pass(p place) {
	w.After, w.Read = p.cursor, w.Read+1
	if p.product.Updated.After(w.Last) {
		w.Last = p.product.Updated
	}
	if w.Read >= deepest && w.Last.After(w.Since) {
		w.Since, w.After, w.Read = w.Last, "", 0
	}
}

// ended is where to go on after a walk.
func (w *walk) ended() walk { return walk{Since: w.Began.Add(-overlap), WholeAt: w.WholeAt} }
