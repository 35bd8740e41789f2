package mapped

import (
	"context"
	"encoding/json"

	"github.com/storeware/caddy-storeware/upstream"
)

const walking = "walking through the products"

// Walk implements upstream.Walker. The list is read page by page from its
// beginning to its end, and then again: a mapping does not say what has changed.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	var at pagePlace
	if place != "" {
		if err := json.Unmarshal([]byte(place), &at); err != nil || at.Number < 0 || at.Offset < 0 || at.Number > maxOffset || at.Offset > maxOffset {
			return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, walking, "the place is not one of this shop")
		}
	}
	p, err := s.readPage(ctx, v, walking, s.m.List, upstream.Query{}, at)
	if err != nil {
		return upstream.Walked{}, err
	}
	walked := upstream.Walked{More: p.more, Whole: !p.more}
	for _, g := range p.goods {
		walked.Products = append(walked.Products, g.Product)
	}
	if p.more {
		next, err := json.Marshal(p.next)
		if err != nil {
			return upstream.Walked{}, err
		}
		walked.Next = upstream.Place(next)
	}
	return walked, nil
}
