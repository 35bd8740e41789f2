package shoptest

import (
	"errors"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	// maxWalked is how many products a page of a walk may have, so that memory stays
	// bounded, and maxSteps how many pages a walk in a test.
	maxWalked = 250
	maxSteps  = 2000
	// compared is how many products of a walk are looked up.
	compared = 200
)

func walkCases() []testCase {
	walker := []need{needWalk}
	return []testCase{
		{"every product once", walker, walkWhole},
		{"from any place, by any node", []need{needWalk, hookAnother}, walkResumed},
		{"the words of a look-up", walker, walkWords},
		{"afterwards what changed, or all again", walker, walkAfterwards},
		{"the same place twice", walker, walkTwice},
		{"a place that is not one", walker, walkNowhere},
		{"a context that has ended", walker, walkEnded},
	}
}

// step reads a page of a walk, with all that always holds.
func (r *run) step(s upstream.Shop, place upstream.Place) upstream.Walked {
	r.Helper()
	walker, ok := s.(upstream.Walker)
	if !ok {
		r.Fatalf("%T is no upstream.Walker", s)
	}
	walked, err := walker.Walk(r.Context(), r.visit, place)
	r.must(err, "Walk")
	if len(walked.Products) > maxWalked {
		r.Errorf("Walk returned %d products, more than %d", len(walked.Products), maxWalked)
	}
	if walked.More && walked.Whole {
		r.Error("Walk returned a page with More that says that the walk is over")
	}
	for _, product := range walked.Products {
		if len(product.Variants) == 0 || slices.Contains(walked.Removed, product.ID) {
			r.Errorf("Walk returned %q without variants, or as removed too", product.ID)
		}
	}
	return walked
}

// walkFrom walks from a place to the end. Each page is read by an adapter that next
// returns.
func (r *run) walkFrom(place upstream.Place, next func() upstream.Shop) (products []upstream.Product, last upstream.Walked) {
	r.Helper()
	for range maxSteps {
		last = r.step(next(), place)
		products = append(products, last.Products...)
		if !last.More {
			return products, last
		}
		place = last.Next
	}
	r.Fatalf("a walk has not ended after %d pages", maxSteps)
	return nil, last
}

// itself is the adapter of the case.
func (r *run) itself() upstream.Shop { return r.shop }

// shows fails unless products are those that a search for everything finds, each once.
func (r *run) shows(products []upstream.Product) {
	r.Helper()
	times := map[string]int{}
	for _, product := range products {
		if times[product.ID]++; times[product.ID] == 2 {
			r.Errorf("the walk shows %q (%s) twice", product.ID, product.Title)
		}
	}
	found := r.catalogue()
	for _, product := range found {
		if times[product.ID] == 0 {
			r.Errorf("the walk does not show %q (%s)", product.ID, product.Title)
		}
		delete(times, product.ID)
	}
	if len(found) < pageSize*maxPages {
		for id := range times {
			r.Errorf("the walk shows %q, which no search finds", id)
		}
	}
}

func walkWhole(r *run) {
	products, last := r.walkFrom("", r.itself)
	if !last.Whole {
		r.Error("the first walk ended, and was not over everything")
	}
	if len(last.Removed) > 0 {
		r.Errorf("the first walk has removed %q", last.Removed)
	}
	r.shows(products)
}

func walkResumed(r *run) {
	products, last := r.walkFrom("", func() upstream.Shop { return r.hooks.Another(r.TB) })
	if !last.Whole {
		r.Error("the first walk ended, and was not over everything")
	}
	r.shows(products)
}

func walkWords(r *run) {
	products, _ := r.walkFrom("", r.itself)
	products = products[:min(len(products), compared)]
	byID := map[string]upstream.Product{}
	for chunk := range slices.Chunk(products, 50) {
		var refs []string
		for _, product := range chunk {
			refs = append(refs, product.ID)
		}
		for _, match := range r.lookup(refs...) {
			byID[match.Product.ID] = match.Product
		}
	}
	for _, product := range products {
		looked, ok := byID[product.ID]
		if !ok {
			r.Errorf("the walk shows %q (%s), which Lookup does not find", product.ID, product.Title)
			continue
		}
		if diff := cmp.Diff(recorded(looked), recorded(product)); diff != "" {
			r.Errorf("product %q (-Lookup +Walk):\n%s", product.ID, diff)
		}
	}
}

// recorded is a product without what is of the moment.
func recorded(p upstream.Product) upstream.Product {
	p.Media, p.Rating = nil, nil
	p.Variants = slices.Clone(p.Variants)
	for i, v := range p.Variants {
		p.Variants[i] = upstream.Variant{ID: v.ID, SKU: v.SKU, Barcode: v.Barcode, Title: v.Title, Options: v.Options, Attributes: v.Attributes}
	}
	return p
}

func walkAfterwards(r *run) {
	_, last := r.walkFrom("", r.itself)
	if another := r.hooks.Another; another != nil {
		r.shop = another(r.TB)
	}
	for range 3 {
		var products []upstream.Product
		if products, last = r.walkFrom(last.Next, r.itself); last.Whole {
			r.shows(products)
		}
		known := map[string]bool{}
		for _, product := range r.catalogue() {
			known[product.ID] = true
		}
		for _, id := range last.Removed {
			if known[id] {
				r.Errorf("a later walk has removed %q, which is there", id)
			}
		}
	}
}

// walkTwice: who was killed before a page was stored asks for it again.
func walkTwice(r *run) {
	first := r.step(r.shop, "")
	place := first.Next
	if !first.More {
		place = ""
	}
	ids := func(w upstream.Walked) []string {
		out := make([]string, len(w.Products))
		for i := range w.Products {
			out[i] = w.Products[i].ID
		}
		return out
	}
	if diff := cmp.Diff(ids(r.step(r.shop, place)), ids(r.step(r.shop, place))); diff != "" {
		r.Errorf("the same page (-before +after):\n%s", diff)
	}
}

func walkNowhere(r *run) {
	for _, place := range []upstream.Place{"not a place", "[1]", "\x00\xff"} {
		_, err := r.shop.(upstream.Walker).Walk(r.Context(), r.visit, place)
		r.refused(err, "Walk from a place that is not one", upstream.CodeInvalid)
	}
}

func walkEnded(r *run) {
	_, err := r.shop.(upstream.Walker).Walk(r.canceled(), r.visit, "")
	if err == nil {
		r.Error("Walk in a context that has ended: no error")
	}
	if refusal := (*upstream.Error)(nil); errors.As(err, &refusal) && refusal.Code == upstream.CodeInvalid {
		r.Errorf("Walk in a context that has ended: %v", err)
	}
}
