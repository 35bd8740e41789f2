package demo

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/storeware/caddy-storeware/upstream"
)

const walking = "walking the catalogue"

// stand is where a walk stands: behind so many products of a catalogue, whose
// revision the shop tells. A walk that has ended stands behind all of them.
type stand struct {
	Revision string `json:"revision"`
	Behind   int    `json:"behind,omitempty"`
	Ended    bool   `json:"ended,omitempty"`
}

// Walk implements [upstream.Walker]. It takes one request for a hundred products,
// and one for hardly any as long as nothing has changed: the shop changes what is recorded
// of its products only as a whole, and all of them are read again then.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	var at stand
	if place != "" {
		if err := json.Unmarshal([]byte(place), &at); err != nil || at.Behind < 0 || at.Behind > maxBehind {
			return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, walking, "the place is not one of this walk")
		}
	}
	if at.Revision == "" {
		at = stand{}
	}
	answer, err := s.walkPage(ctx, v, at)
	if err == nil && answer.revision == "" {
		err = unreadable(walking, "revision")
	}
	if err != nil {
		return upstream.Walked{}, err
	}
	if at.Revision != "" && answer.revision != at.Revision {
		return walkedTo(stand{Revision: answer.revision}, upstream.Walked{More: true})
	}
	if at.Ended {
		return upstream.Walked{Next: place}, nil
	}
	walked := upstream.Walked{Products: answer.products, More: answer.next != ""}
	next := stand{Revision: answer.revision, Behind: at.Behind + maxLimit}
	if !walked.More {
		walked.Whole, next.Ended = true, true
	}
	return walkedTo(next, walked)
}

// maxBehind is how far the shop's cursors lead.
const maxBehind = 1<<31 - 1

// walkPage reads a page of products, or, after a walk, hardly more than the revision.
func (s *Shop) walkPage(ctx context.Context, v upstream.Visit, at stand) (productsAnswer, error) {
	limit := maxLimit
	if at.Ended {
		limit = 1
	}
	query := url.Values{"limit": {strconv.Itoa(limit)}, "cursor": {strconv.Itoa(at.Behind)}}
	if v.Market.Country != "" {
		query.Set("country", v.Market.Country)
	}
	return s.products(ctx, v, walking, []string{"api", "products"}, query)
}

func walkedTo(next stand, walked upstream.Walked) (upstream.Walked, error) {
	text, err := json.Marshal(next)
	if err != nil {
		return upstream.Walked{}, err
	}
	walked.Next = upstream.Place(text)
	return walked, nil
}
