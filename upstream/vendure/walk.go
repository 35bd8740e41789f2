package vendure

import (
	"context"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/listwalk"
)

const walking = "walking the catalogue"

// wholeEvery is how often the catalogue is read whole. Vendure tells of changed
// products, their facets among them, but not of changed variants, nor of what was
// removed.
const wholeEvery = 6 * time.Hour

var _ upstream.Walker = (*Shop)(nil)

// Walk implements upstream.Walker. It takes one request for each hundred products.
// To leave out their prices and stock would save Vendure one part in twenty.
func (s *Shop) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Walked{}, err
	}
	list := listwalk.List{Whole: wholeEvery, Now: s.now, Page: func(ctx context.Context, v upstream.Visit, since time.Time, skip, take int) (listwalk.Page, error) {
		return s.walkPage(ctx, sc, v, since, skip, take)
	}}
	return list.Walk(ctx, v, place)
}

func (s *Shop) walkPage(ctx context.Context, sc *schema, v upstream.Visit, since time.Time, skip, take int) (listwalk.Page, error) {
	options := variables{"skip": skip, "take": take, "sort": variables{"id": "ASC"}}
	if !since.IsZero() {
		options["filter"] = variables{"updatedAt": variables{"after": since.Format(time.RFC3339)}}
	}
	data, err := s.run(ctx, v, s.productsCall(sc, v, walking, options))
	if err != nil {
		return listwalk.Page{}, err
	}
	products, err := s.readProducts(walking, data.Get("products.items"), data.Get("activeChannel.pricesIncludeTax").Bool())
	return listwalk.Page{Products: products, Total: int(data.Get("products.totalItems").Int())}, err
}
