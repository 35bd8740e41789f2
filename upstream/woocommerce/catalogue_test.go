package woocommerce_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/woocommerce"
	"github.com/storeware/caddy-storeware/upstream/woocommerce/wootest"
)

// search finds the handles of products.
func search(t testing.TB, shop upstream.Shop, q upstream.Query) []string {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	results, err := shop.Search(t.Context(), upstream.Visit{}, q)
	if err != nil {
		t.Fatal(err)
	}
	var handles []string
	for _, product := range results.Products {
		handles = append(handles, product.Handle)
	}
	return handles
}

// lookup returns the one product that a reference names.
func lookup(t testing.TB, shop upstream.Shop, ref string) upstream.Match {
	t.Helper()
	matches, err := shop.Lookup(t.Context(), upstream.Visit{}, []string{ref})
	if err != nil {
		t.Fatal(err)
	}
	if len(matches) != 1 {
		t.Fatalf("%q names %d products", ref, len(matches))
	}
	return matches[0]
}

// The shop finds one piece of text in a title, and has no idea of words.
func TestTrapSearchIsForOnePhrase(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	for words, want := range map[string][]string{
		"mug":          {"enamel-mug", "custom-mug"},
		"mug enamel":   {"enamel-mug"},
		"Steel bottle": {"steel-water-bottle-750ml", "steel-water-bottle-500ml"},
		"mug bottle":   nil,
		"MUG-01":       {"enamel-mug"},
		"":             nil,
	} {
		got := search(t, shop, upstream.Query{Words: words})
		if words == "" {
			if len(got) == 0 || slices.Contains(got, "hidden-sample") {
				t.Errorf("all there is: %q", got)
			}
			continue
		}
		if slices.Sort(got); !slices.Equal(got, sorted(want)) {
			t.Errorf("%q finds %q, want %q", words, got, want)
		}
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// A shop's lists hold hidden products unless they are asked not to. Who has the
// number can buy one.
func TestTrapHiddenProducts(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	if got := search(t, shop, upstream.Query{Words: "sample"}); len(got) != 0 {
		t.Errorf("found is %q", got)
	}
	if m := lookup(t, shop, "63"); m.Product.Handle != "hidden-sample" {
		t.Errorf("63 is %q", m.Product.Handle)
	}
}

// What is a page about others, or sold by somebody else, is no product here.
func TestTrapGroupedAndExternalProducts(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	for _, words := range []string{"starter set", "affiliate tent"} {
		if got := search(t, shop, upstream.Query{Words: words}); len(got) != 0 {
			t.Errorf("%q finds %q", words, got)
		}
	}
	matches, err := shop.Lookup(t.Context(), upstream.Visit{}, []string{"59", "61", "coffee-starter-set"})
	if err != nil || len(matches) != 0 {
		t.Errorf("found is %+v (%v)", matches, err)
	}
	for item, want := range map[string]upstream.NoticeCode{"59": upstream.NoticeNotBuyable, "61": upstream.NoticeNotBuyable} {
		if applied := apply(t, shop, upstream.Handle{}, wanted(item, 1)); noticed(applied, want) == nil {
			t.Errorf("%s: the notices are %+v", item, applied.Notices)
		}
	}
}

// A variation in any size is a variant in each size.
func TestTrapVariationsWithAny(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	m := lookup(t, shop, "merino-hoodie")
	var ids []string
	for _, v := range m.Product.Variants {
		ids = append(ids, v.ID)
	}
	want := []string{
		"73.74~pa_size=s", "73.74~pa_size=m", "73.74~pa_size=l", "73.74~pa_size=xl",
		"73.75~pa_size=s", "73.75~pa_size=m", "73.75~pa_size=l", "73.75~pa_size=xl",
	}
	if diff := cmp.Diff(sorted(want), sorted(ids)); diff != "" {
		t.Fatal(diff)
	}
	applied := apply(t, shop, upstream.Handle{}, wanted("73.74~pa_size=xl", 2))
	choices := []upstream.Choice{{Name: "Colour", Value: "Black"}, {Name: "Size", Value: "XL"}}
	if len(applied.Observed.Lines) != 1 || len(applied.Notices) != 0 {
		t.Fatalf("the basket is %+v", applied)
	}
	line := applied.Observed.Lines[0]
	if diff := cmp.Diff(choices, line.Choices); diff != "" || line.Item != "73.74~pa_size=xl" || line.Product != "73" || line.Quantity != 2 {
		t.Errorf("the line is %+v %s", line, diff)
	}
	// Two sizes of one variation are two lines.
	d := wanted("73.74~pa_size=xl", 2)
	d.Lines = append(d.Lines, upstream.DesiredLine{Key: "l2", Item: "73.74~pa_size=m", Quantity: 1})
	again := apply(t, shop, applied.Handle, d)
	if len(again.Observed.Lines) != 2 || again.Observed.Lines[1].Item != "73.74~pa_size=m" || again.Observed.Lines[1].Quantity != 1 {
		t.Errorf("the lines are %+v", again.Observed.Lines)
	}
	// Without a size it is not chosen yet.
	if open := apply(t, shop, upstream.Handle{}, wanted("73.74", 1)); len(open.Observed.Lines) != 0 || len(open.Notices) != 1 {
		t.Errorf("the basket is %+v", open)
	}
}

// A product with variations has to be chosen from; the notice says what there is.
func TestOptionNeeded(t *testing.T) {
	for name, kind := range map[string]wootest.Config{"10.5.2": {}, "9.9.5": {Old: true}} {
		t.Run(name, func(t *testing.T) {
			shop := newShop(t, wootest.New(t, kind))
			applied := apply(t, shop, upstream.Handle{}, wanted("65", 1))
			n := noticed(applied, upstream.NoticeOptionNeeded)
			if n == nil || len(n.Options) != 2 || len(n.Variants) != 6 || len(applied.Observed.Lines) != 0 {
				t.Errorf("the notices are %+v", applied.Notices)
			}
		})
	}
}

// An attribute that is a product's own goes by its words.
func TestOwnAttribute(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	m := lookup(t, shop, "CMUG-Y")
	if m.Inputs[0].Variant != "77.78" || len(m.Product.Options) != 1 || m.Product.Options[0].Name != "Logo" {
		t.Errorf("found is %+v", m)
	}
	if applied := apply(t, shop, upstream.Handle{}, wanted("77.78", 1)); len(applied.Notices) != 0 || len(applied.Observed.Lines) != 1 {
		t.Errorf("the basket is %+v", applied)
	}
}

// The stock is what a basket takes, but for one that a buyer may have one of.
func TestTrapStockFigure(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	for ref, want := range map[string]int64{"MUG-01": 300, "KEY-01": 5, "BEANS-1K": -1, "VASE-01": -1, "JKT-PRE": -1, "BOT-500": -1} {
		got := int64(-1)
		if stock := lookup(t, shop, ref).Product.Variants[0].Stock; stock != nil {
			got = *stock
		}
		if got != want {
			t.Errorf("of %s there are %d, want %d", ref, got, want)
		}
	}
	if a := lookup(t, shop, "JKT-PRE").Product.Variants[0].Availability; a != upstream.Backorder {
		t.Errorf("what is to come is %v", a)
	}
}

// One in a basket is all that a buyer may have of some products.
func TestSoldIndividually(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{}))
	applied := apply(t, shop, upstream.Handle{}, wanted("53", 2))
	if n := noticed(applied, upstream.NoticeQuantityLowered); n == nil || n.Available != nil || applied.Observed.Lines[0].Quantity != 1 {
		t.Errorf("the basket is %+v", applied)
	}
}

// A page of a list past its end is an empty one, and a list without a size has
// ten.
func TestTrapPagesOfLists(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	var all []string
	for q := (upstream.Query{Limit: 4}); ; {
		results, err := shop.Search(t.Context(), upstream.Visit{}, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range results.Products {
			all = append(all, p.Handle)
		}
		if results.Next == "" {
			break
		}
		q.Cursor = results.Next
	}
	if whole := search(t, shop, upstream.Query{}); !slices.Equal(all, whole) || len(whole) != 16 {
		t.Errorf("by fours: %q, at once: %q", all, whole)
	}
}

// A shop that hides its categories' tree, or has no front page, is a shop still.
func TestShopThatHidesThings(t *testing.T) {
	fake := wootest.New(t, wootest.Config{})
	shop := newShop(t, fake)
	fake.Answer("GET /wc/store/v1/products/categories", http.StatusForbidden, nil, `{"code":"rest_forbidden"}`)
	fake.Answer("GET /", http.StatusInternalServerError, nil, "")
	about, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if about.Language == "" || !about.Capabilities.Baskets {
		t.Errorf("the shop is %+v", about)
	}
	if m := lookup(t, shop, "MUG-01"); len(m.Product.Categories) == 0 {
		t.Errorf("the categories are %q", m.Product.Categories)
	}
}

// No key, or one that may not read orders, is told where an operator looks.
func TestKeyThatIsRefused(t *testing.T) {
	shop := newShop(t, wootest.New(t, wootest.Config{Key: "ck_other", Secret: keySecret}), withKey)
	_, err := shop.Describe(t.Context())
	code(t, err, upstream.CodeDenied)
	if strings.Contains(err.Error(), key) || strings.Contains(err.Error(), keySecret) {
		t.Errorf("the error tells the key: %v", err)
	}
	// A signature of yesterday is none today.
	clock := time.Now()
	shop = newShop(t, wootest.New(t, wootest.Config{Key: key, Secret: keySecret}), withKey, at(func() time.Time { return clock.Add(-time.Hour) }))
	_, err = shop.Describe(t.Context())
	code(t, err, upstream.CodeDenied)
}

// Where the shop sees HTTPS the key is shown as it stands, and nothing in the
// address.
func TestKeyOverHTTPS(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	shop := newShop(t, fake, withKey, func(c *woocommerce.Config) {
		c.Client.Header = http.Header{"X-Forwarded-Proto": {"https"}}
	})
	if _, err := shop.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A key that may read orders and no settings is no worse for it: what they would
// say is tried.
func TestKeyThatMayReadOrdersOnly(t *testing.T) {
	fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret})
	shop := newShop(t, fake, withKey)
	for _, path := range []string{"settings/general", "settings/tax", "payment_gateways"} {
		fake.AnswerRecorded("GET /wc/v3/"+path, "400-v3-no-auth", nil)
	}
	about, err := shop.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if about.Tax != upstream.TaxIncluded || about.Capabilities.Codes != upstream.CodesMany || len(about.Countries) != 0 ||
		len(about.Capabilities.Payments) != 2 || about.Capabilities.Payments[0].Title != "Direct bank transfer" {
		t.Errorf("the shop is %+v", about)
	}
}

// What the settings say is not tried.
func TestKeyReadsSettings(t *testing.T) {
	for net, want := range map[bool]upstream.Tax{false: upstream.TaxIncluded, true: upstream.TaxExcluded} {
		fake := wootest.New(t, wootest.Config{Key: key, Secret: keySecret, Net: net})
		shop := newShop(t, fake, withKey)
		about, err := shop.Describe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if about.Tax != want || len(about.Countries) != 0 || about.Name != "Test Shop" ||
			about.Currency != "GBP" || about.Language != "en-US" {
			t.Errorf("the shop is %+v", about)
		}
		if slices.ContainsFunc(fake.Requests(), func(r string) bool { return strings.HasSuffix(r, "/cart/add-item") }) {
			t.Error("something was put into a basket")
		}
	}
}

// What was learned is relied on for an hour, and looked at anew after that. A
// basket for trying is left empty.
func TestDescribeLooksAgain(t *testing.T) {
	clock := time.Now()
	now := func() time.Time { return clock }
	fake := wootest.New(t, wootest.Config{Now: now})
	shop := newShop(t, fake, at(now))
	count := func() (adds, empties int) {
		for _, r := range fake.Requests() {
			if strings.HasSuffix(r, "/cart/add-item") {
				adds++
			}
			if strings.HasPrefix(r, "DELETE ") && strings.HasSuffix(r, "/cart/items") {
				empties++
			}
		}
		return adds, empties
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {59 * time.Minute, 1}, {2 * time.Minute, 2}} {
		clock = clock.Add(step.after)
		if _, err := shop.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if adds, empties := count(); adds != step.want || empties != step.want {
			t.Errorf("after %v: %d times something was put in, %d times it was emptied; want %d", step.after, adds, empties, step.want)
		}
	}
}
