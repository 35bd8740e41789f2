package shoptest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// pageSize is how many products a walk through the catalogue takes at once, and
// maxPages where it ends in a shop with very many.
const (
	pageSize = 25
	maxPages = 40
)

// run is a case under way.
type run struct {
	testing.TB
	suite   *suite
	f       *Fixture
	shop    upstream.Shop
	hooks   Hooks
	d       upstream.Description
	visit   upstream.Visit
	excused bool
}

// must ends the case on an error.
func (r *run) must(err error, doing string) {
	r.Helper()
	if err != nil {
		r.Fatalf("%s: %v", doing, err)
	}
}

// refused fails unless err is an *upstream.Error with one of the codes.
func (r *run) refused(err error, doing string, codes ...upstream.Code) {
	r.Helper()
	var e *upstream.Error
	switch {
	case err == nil:
		r.Errorf("%s: no error, want one of %v", doing, codes)
	case !errors.As(err, &e):
		r.Errorf("%s: %T %v is no *upstream.Error; want one of %v", doing, err, err, codes)
	case !slices.Contains(codes, e.Code):
		r.Errorf("%s: %v has the code %s, want one of %v", doing, err, e.Code, codes)
	}
}

// search asks for a page, which every filter must hold for.
func (r *run) search(q upstream.Query) upstream.Results {
	r.Helper()
	results, err := r.shop.Search(r.Context(), r.visit, q)
	r.must(err, "Search")
	for i := range results.Products {
		if !q.Match(&results.Products[i]) {
			r.Errorf("Search(%s) found %q, which does not meet its filters", describeQuery(q), results.Products[i].Title)
		}
	}
	if limit := cmp.Or(q.Limit, 100); len(results.Products) > limit {
		r.Errorf("Search(%s) returned %d products, more than %d", describeQuery(q), len(results.Products), limit)
	}
	return results
}

// walk searches to the last page, or to maxPages, and reports whether it came to
// the end.
func (r *run) walk(q upstream.Query) (products []upstream.Product, whole bool) {
	r.Helper()
	cursors := map[string]bool{}
	for range maxPages {
		page := r.search(q)
		products = append(products, page.Products...)
		if page.Next == "" {
			return products, true
		}
		if cursors[page.Next] {
			r.Fatalf("Search(%s) returned the cursor %q twice: it never ends", describeQuery(q), page.Next)
		}
		cursors[page.Next] = true
		q.Cursor = page.Next
	}
	return products, false
}

// catalogue returns every product, up to maxPages of them.
func (r *run) catalogue() []upstream.Product {
	r.Helper()
	if r.suite.catalogue == nil {
		products, _ := r.walk(upstream.Query{Limit: pageSize})
		if len(products) == 0 {
			r.Fatal("the shop lists no products")
		}
		r.suite.catalogue = products
	}
	return r.suite.catalogue
}

func (r *run) lookup(refs ...string) []upstream.Match {
	r.Helper()
	matches, err := r.shop.Lookup(r.Context(), r.visit, refs)
	r.must(err, "Lookup")
	return matches
}

// find returns the variant that an item of the fixture names, and its product.
func (r *run) find(item Item) (upstream.Product, upstream.Variant) {
	r.Helper()
	ref := cmp.Or(item.SKU, item.Handle)
	for _, match := range r.lookup(ref) {
		if len(match.Product.Variants) == 0 {
			r.Fatalf("product %q has no variant", match.Product.ID)
		}
		for _, input := range match.Inputs {
			if input.Ref != ref {
				continue
			}
			id := cmp.Or(input.Variant, match.Product.Variants[0].ID)
			if variant := match.Product.Variant(id); variant != nil {
				return match.Product, *variant
			}
		}
	}
	r.Fatalf("Lookup does not find %q, which the fixture names", ref)
	return upstream.Product{}, upstream.Variant{}
}

// line returns a line for n of an item.
func (r *run) line(key string, item Item, n int64) upstream.DesiredLine {
	r.Helper()
	_, variant := r.find(item)
	return upstream.DesiredLine{Key: key, Item: variant.ID, Quantity: n}
}

// lines returns what a basket with n of Single shall be.
func (r *run) single(n int64) upstream.Desired {
	r.Helper()
	return upstream.Desired{Lines: []upstream.DesiredLine{r.line("one", r.f.Single, n)}}
}

// apply applies what a shop has to take, and checks all that always holds.
func (r *run) apply(h upstream.Handle, d upstream.Desired) upstream.Applied {
	r.Helper()
	applied, err := r.shop.Apply(r.Context(), r.visit, h, d)
	r.must(err, "Apply")
	r.checkApplied(d, applied)
	return applied
}

// read reads a basket and checks all that always holds.
func (r *run) read(h upstream.Handle) upstream.Observed {
	r.Helper()
	observed, err := r.shop.Read(r.Context(), r.visit, h)
	r.must(err, "Read")
	CheckObserved(r.TB, observed)
	return observed
}

// complete adds all that the shop wants before it takes an order, and the first
// way of delivery.
func (r *run) complete(h upstream.Handle, d upstream.Desired) (upstream.Desired, upstream.Applied) {
	r.Helper()
	d.Buyer, d.Address = r.f.Buyer, &r.f.Address
	applied := r.apply(h, d)
	if r.d.Capabilities.Delivery {
		if len(applied.Observed.Delivery) == 0 {
			r.Fatalf("no way of delivery is on offer to the fixture's address; notices: %+v", applied.Notices)
		}
		d.Delivery = applied.Observed.Delivery[0].ID
		applied = r.apply(applied.Handle, d)
	}
	if len(applied.Observed.Missing) > 0 {
		r.Fatalf("with the fixture's buyer, address and a way of delivery still missing: %v", applied.Observed.Missing)
	}
	return d, applied
}

// ready returns a basket with one of an item that can be ordered.
func (r *run) ready(item Item) (upstream.Desired, upstream.Applied) {
	r.Helper()
	return r.complete(upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{r.line("one", item, 1)}})
}

// placement orders for a total, as a new attempt that began now.
func (r *run) placement(total money.Amount) upstream.Placement {
	now := time.Now
	if r.f.Now != nil {
		now = r.f.Now
	}
	return upstream.Placement{
		Attempt: rand.Text(), Started: now().UTC(), Method: r.f.Method, Credential: r.f.Credential, Expected: total,
	}
}

// place orders a basket that the shop has to take.
func (r *run) place(h upstream.Handle, p upstream.Placement) upstream.Placed {
	r.Helper()
	placed, err := r.shop.Place(r.Context(), r.visit, h, p)
	r.must(err, "Place")
	r.checkPlaced(placed, p)
	return placed
}

// checkPlaced checks what is said of an order right after it was made.
func (r *run) checkPlaced(placed upstream.Placed, p upstream.Placement) {
	r.Helper()
	if placed.Ref.ID == "" {
		r.Error("the order that was placed has no id")
	}
	if placed.Total != p.Expected {
		r.Errorf("the order charges %v, want %v", placed.Total, p.Expected)
	}
	if problem := badURL(placed.URL); problem != "" {
		r.Errorf("the order's URL %s", problem)
	}
}

// counting returns a function that fails unless the shop has taken that many
// orders since. Without the hook it does nothing.
func (r *run) counting() func(want int) {
	r.Helper()
	if r.hooks.OrderCount == nil {
		return func(int) {}
	}
	before := r.hooks.OrderCount(r.TB)
	return func(want int) {
		r.Helper()
		if got := r.hooks.OrderCount(r.TB) - before; got != want {
			r.Errorf("the shop has taken %d orders, want %d", got, want)
		}
	}
}

// canceled returns a context that has ended.
func (r *run) canceled() context.Context {
	ctx, cancel := context.WithCancel(r.Context())
	cancel()
	return ctx
}

// garbage are handles that no shop has made.
func garbage() map[string]upstream.Handle {
	return map[string]upstream.Handle{
		"text":       secret.New("not-a-handle-of-this-shop"),
		"JSON":       secret.New(`{"id":"4711","token":["a"],"lines":{}}`),
		"a number":   secret.New("1"),
		"quotes":     secret.New(`"}); DROP TABLE carts; --`),
		"binary":     secret.New("\x00\xff\xfe\n\r"),
		"very long":  secret.New(rand.Text() + string(make([]byte, 10_000))),
		"path walks": secret.New("../../admin"),
	}
}
