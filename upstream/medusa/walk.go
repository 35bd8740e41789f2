package medusa

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/listwalk"
)

const walking = "walking the catalogue"

// wholeEvery is how often the catalogue is read whole. Medusa tells of changed
// products, but not of changed variants, nor of what was removed.
const wholeEvery = 6 * time.Hour

// stockField makes Medusa count what is in every warehouse.
const stockField = "variants.inventory_quantity,"

var _ upstream.Walker = (*Shop)(nil)

// Walk implements upstream.Walker. It takes one request for each hundred products,
// and leaves out their stock. Prices tell what is for sale.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	k, err := s.learned(ctx, v)
	if err != nil {
		return upstream.Walked{}, err
	}
	list := listwalk.List{Whole: wholeEvery, Now: s.now, Page: func(ctx context.Context, v upstream.Visit, since time.Time, skip, take int) (listwalk.Page, error) {
		return s.walkPage(ctx, k, v, since, skip, take)
	}}
	return list.Walk(ctx, v, place)
}

func (s *Shop) walkPage(ctx context.Context, k *knowledge, v upstream.Visit, since time.Time, skip, take int) (listwalk.Page, error) {
	query := k.place(v.Market).query(nil)
	query.Set("order", "id")
	query.Set("offset", strconv.Itoa(skip))
	query.Set("limit", strconv.Itoa(take))
	if !since.IsZero() {
		query.Set("updated_at[$gte]", since.Format(time.RFC3339))
	}
	c := call{op: walking, path: []string{"products"}, fields: strings.Replace(s.productFields(), stockField, "", 1), query: query}
	answer, err := s.send(ctx, v, c)
	if err != nil {
		return listwalk.Page{}, err
	}
	if !answer.Get("products").IsArray() {
		return listwalk.Page{}, s.senseless(c)
	}
	found, err := s.readProducts(walking, k, answer.Get("products"))
	if err != nil {
		return listwalk.Page{}, err
	}
	page := listwalk.Page{Total: int(answer.Get("count").Int())}
	for i := range found {
		page.Products = append(page.Products, found[i].Product)
	}
	return page, nil
}
