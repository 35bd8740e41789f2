package listwalk

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/cursor"
	"github.com/storeware/caddy-storeware/upstream"
)

const (
	walking = "walking the catalogue"
	// pageSize is how many products are asked for at once.
	pageSize = 100
	// skew is how far the shop's clock may be behind ours.
	skew = 5 * time.Minute
)

// List is a shop's list of products.
type List struct {
	// Page reads at most take products after the first skip ones, in the order of
	// their ids: all there are, or with a since only what was changed then or later.
	Page func(ctx context.Context, v upstream.Visit, since time.Time, skip, take int) (Page, error)
	// Whole is how often everything is read, because shops do not tell what was
	// removed.
	Whole time.Duration
	// Now is the clock.
	Now func() time.Time
}

// Page is a part of a list.
type Page struct {
	// Products are one for each place of the list. One without variants is not for
	// sale.
	Products []upstream.Product
	// Total is how many places the whole list has.
	Total int
}

// stand is where a walk stands. One over everything has no Since.
type stand struct {
	// Offset is how many places are behind us, and Last the id of the product in the
	// last of them.
	Offset int    `json:"offset,omitempty"`
	Last   string `json:"last,omitempty"`
	// Began is when this walk began, Whole when the last one over everything did, and
	// Since what it looks for the changes since, in Unix seconds.
	Began int64 `json:"began,omitempty"`
	Whole int64 `json:"whole,omitempty"`
	Since int64 `json:"since,omitempty"`
}

// Walk reads the page at a place, as [upstream.Walker] says. It asks for one page.
func (l List) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	at, err := l.read(place)
	if err != nil {
		return upstream.Walked{}, err
	}
	var since time.Time
	if at.Since != 0 {
		since = time.Unix(at.Since, 0).Add(-skew).UTC()
	}
	overlap := 0
	if at.Last != "" {
		overlap = 1
	}
	page, err := l.Page(ctx, v, since, at.Offset-overlap, pageSize)
	if err != nil {
		return upstream.Walked{}, err
	}
	fresh := page.Products
	if overlap > 0 {
		if len(fresh) == 0 || fresh[0].ID != at.Last {
			at.Offset, at.Last = max(0, at.Offset-pageSize), ""
			return at.walked(upstream.Walked{More: true})
		}
		fresh = fresh[1:]
	}
	next := at
	next.Offset += len(fresh)
	if len(fresh) > 0 {
		next.Last = fresh[len(fresh)-1].ID
	}
	walked := sorted(fresh)
	if walked.More = len(fresh) > 0 && next.Offset < page.Total; walked.More {
		return next.walked(walked)
	}
	walked.Whole = at.Since == 0
	return at.after().walked(walked)
}

// read returns where a place is.
func (l List) read(place upstream.Place) (stand, error) {
	var at stand
	if place != "" {
		err := json.Unmarshal([]byte(place), &at)
		if err != nil || at.Offset < 0 || at.Offset > cursor.MaxOffset || at.Last != "" && at.Offset == 0 {
			return stand{}, upstream.Errorf(upstream.CodeInvalid, walking, "the place is not one of this walk")
		}
	}
	if at.Began != 0 {
		return at, nil
	}
	now := l.Now()
	at.Began = now.Unix()
	if at.Whole == 0 || now.Sub(time.Unix(at.Whole, 0)) >= l.Whole {
		at.Since, at.Whole = 0, at.Began
	}
	return at, nil
}

// after is where to go on after a walk.
func (at stand) after() stand { return stand{Since: at.Began, Whole: at.Whole} }

// sorted divides what is for sale from what is not.
func sorted(products []upstream.Product) upstream.Walked {
	var w upstream.Walked
	for _, p := range products {
		if len(p.Variants) == 0 {
			w.Removed = append(w.Removed, p.ID)
			continue
		}
		w.Products = append(w.Products, p)
	}
	return w
}

// walked is a page of a walk that goes on here.
func (at stand) walked(w upstream.Walked) (upstream.Walked, error) {
	text, err := json.Marshal(at)
	if err != nil {
		return upstream.Walked{}, fmt.Errorf("%s: writing the place: %w", walking, err)
	}
	w.Next = upstream.Place(text)
	return w, nil
}
