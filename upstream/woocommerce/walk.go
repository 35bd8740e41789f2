package woocommerce

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

const walking = "walking the catalogue"

// wholeEvery is how often the catalogue is walked whole. What was removed from a
// shop is found out in no other way.
const wholeEvery = 24 * time.Hour

// stand is where a walk stands. A walk over everything has no Since.
type stand struct {
	// Offset is how many places of the shop's list are behind us, and Last the
	// number of the product in the last of them, 0 for any.
	Offset int   `json:"offset,omitempty"`
	Last   int64 `json:"last,omitempty"`
	// Began is when this walk began, Whole when the last one over everything did,
	// and Since what it looks for the changes since, in Unix seconds.
	Began int64 `json:"began,omitempty"`
	Whole int64 `json:"whole,omitempty"`
	Since int64 `json:"since,omitempty"`
}

// Walk implements upstream.Walker. It takes two requests for a hundred products,
// and one or two more where it looks for changes.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	var at stand
	if place != "" {
		if err := json.Unmarshal([]byte(place), &at); err != nil || at.Offset < 0 || at.Offset > cursor.MaxOffset {
			return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, walking, "the place is not one of this walk")
		}
	}
	f, err := s.known(ctx, v)
	if err != nil {
		return upstream.Walked{}, err
	}
	if at.Offset == 0 {
		at.Began = s.now().Unix()
	}
	list, total, err := s.walkPage(ctx, v, f, at)
	if err != nil {
		return upstream.Walked{}, err
	}
	if at.Last != 0 {
		if len(list) == 0 || list[0].Get("id").Int() != at.Last {
			// Something before was removed, and what comes next is a place further to
			// the front. To see some products twice does no harm.
			return walkedTo(stand{Offset: max(0, at.Offset-listLimit), Began: at.Began, Whole: at.Whole, Since: at.Since}, nil, true)
		}
		list = list[1:]
	}
	next := at
	next.Offset += len(list)
	if len(list) > 0 {
		next.Last = list[len(list)-1].Get("id").Int()
	}
	if at.Since != 0 && at.Offset == 0 {
		parents, err := s.changedParents(ctx, v, f, at)
		if err != nil {
			return upstream.Walked{}, err
		}
		list = append(list, parents...)
	}
	products, err := s.walkedProducts(ctx, v, f, list)
	if err != nil {
		return upstream.Walked{}, err
	}
	if next.Offset < total && next.Offset > at.Offset {
		return walkedTo(next, products, true)
	}
	return s.walkEnded(at, products)
}

// walkPage reads the next places of the shop's list, the last one behind us first.
func (s *Shop) walkPage(ctx context.Context, v upstream.Visit, f *facts, at stand) (list []gjson.Result, total int, err error) {
	query := url.Values{
		"orderby": {"id"}, "order": {"asc"}, "catalog_visibility": {"search"}, "_fields": {productFields},
		"per_page": {strconv.Itoa(listLimit)}, "offset": {strconv.Itoa(at.Offset)},
	}
	if at.Last != 0 && at.Offset > 0 {
		query.Set("offset", strconv.Itoa(at.Offset-1))
	}
	at.since(query)
	a, err := s.ask(ctx, v, f, call{op: walking, path: "products", query: query, safe: true})
	if err != nil {
		return nil, 0, err
	}
	return a.body.Array(), a.total(), a.err()
}

// since asks for what was changed.
func (at stand) since(query url.Values) {
	if at.Since != 0 {
		query.Set("after", time.Unix(at.Since, 0).Add(-skew).UTC().Format(wordPressTime))
		query.Set("date_column", "modified_gmt")
	}
}

// changedParents reads the products whose variations were changed. A shop need not
// take that for a change of the product. What does not fit into a page is found
// when everything is walked again.
func (s *Shop) changedParents(ctx context.Context, v upstream.Visit, f *facts, at stand) ([]gjson.Result, error) {
	query := url.Values{"type": {"variation"}, "per_page": {strconv.Itoa(listLimit)}, "_fields": {"parent"}}
	at.since(query)
	a, err := s.ask(ctx, v, f, call{op: walking, path: "products", query: query, safe: true})
	if err != nil {
		return nil, err
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	var ids []string
	for _, one := range a.body.Array() {
		ids = append(ids, number(one.Get("parent").Int()))
	}
	return s.byID(ctx, v, f, walking, ids)
}

// walkedProducts completes what was found, in its order and each once.
func (s *Shop) walkedProducts(ctx context.Context, v upstream.Visit, f *facts, list []gjson.Result) ([]upstream.Product, error) {
	known, err := s.complete(ctx, v, f, walking, list)
	if err != nil {
		return nil, err
	}
	var products []upstream.Product
	for _, one := range list {
		id := one.Get("id").Int()
		if product, ok := known[id]; ok {
			products = append(products, product)
			delete(known, id)
		}
	}
	return products, nil
}

// walkEnded is the last page of a walk.
func (s *Shop) walkEnded(at stand, products []upstream.Product) (upstream.Walked, error) {
	whole := at.Since == 0
	if whole {
		at.Whole = at.Began
	}
	next := stand{Since: at.Began, Whole: at.Whole}
	if s.now().Sub(time.Unix(at.Whole, 0)) >= wholeEvery {
		next = stand{}
	}
	walked, err := walkedTo(next, products, false)
	walked.Whole = whole
	return walked, err
}

func walkedTo(next stand, products []upstream.Product, more bool) (upstream.Walked, error) {
	text, err := json.Marshal(next)
	if err != nil {
		return upstream.Walked{}, fmt.Errorf("%s: writing the place: %w", walking, err)
	}
	return upstream.Walked{Products: products, Next: upstream.Place(text), More: more}, nil
}
