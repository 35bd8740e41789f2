package shoptest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func searchCases() []testCase {
	return []testCase{
		{"words that find something", []need{needSearch}, searchWords},
		{"words that find nothing", []need{needSearch}, searchNoWords},
		{"words in capitals and with spaces around", []need{needSearch}, searchLoudWords},
		{"no words list everything", nil, searchEverything},
		{"only what can be bought", []need{needSoldOut}, searchAvailable},
		{"a category", []need{needCategory}, searchCategory},
		{"a category in other letters", []need{needCategory}, searchCategoryCase},
		{"one of several categories", []need{needCategory}, searchCategories},
		{"a category that does not exist", nil, searchNoCategory},
		{"a lowest price", nil, searchMinPrice},
		{"a highest price", nil, searchMaxPrice},
		{"one price exactly", nil, searchOnePrice},
		{"prices the wrong way round", nil, searchNoPrice},
		{"several filters and words at once", []need{needSearch, needCategory}, searchAll},
		{"pages to the end without a product twice", nil, searchPages},
		{"no more than the limit", nil, searchLimit},
		{"the total, where it is told", nil, searchTotal},
		{"a cursor that is not one", nil, searchBadCursor},
		{"odd words", []need{needSearch}, searchOddWords},
		{"words of one and two letters", []need{needSearch}, searchShortWords},
		{"the same as a look-up", nil, searchAgrees},
		{"prices in each currency", nil, searchCurrencies},
		{"a currency that the shop does not have", nil, searchForeignCurrency},
		{"for nobody in particular", nil, searchNobody},
		{"many at once", nil, searchTogether},
		{"a context that has ended", nil, searchCanceled},
	}
}

func contains(products []upstream.Product, id string) bool {
	return slices.ContainsFunc(products, func(p upstream.Product) bool { return p.ID == id })
}

func idsOf(products []upstream.Product) []string {
	ids := make([]string, len(products))
	for i, product := range products {
		ids[i] = product.ID
	}
	return ids
}

func searchWords(r *run) {
	want, _ := r.find(r.f.Single)
	found, _ := r.walk(upstream.Query{Words: r.f.Words, Limit: pageSize})
	if !contains(found, want.ID) {
		r.Errorf("%q finds %d products, and %q is not one", r.f.Words, len(found), want.Title)
	}
}

func searchNoWords(r *run) {
	if found, _ := r.walk(upstream.Query{Words: r.f.NoWords, Limit: pageSize}); len(found) > 0 {
		r.Errorf("%q finds %d products, the first %q", r.f.NoWords, len(found), found[0].Title)
	}
}

func searchLoudWords(r *run) {
	want, _ := r.walk(upstream.Query{Words: r.f.Words, Limit: pageSize})
	got, _ := r.walk(upstream.Query{Words: "  " + strings.ToUpper(r.f.Words) + " ", Limit: pageSize})
	r.sameProducts("the words in capitals", want, got)
}

// sameProducts fails unless two lists have the same products in any order.
func (r *run) sameProducts(what string, want, got []upstream.Product) {
	r.Helper()
	a, b := idsOf(want), idsOf(got)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		r.Errorf("%s: got the products %v, want %v", what, b, a)
	}
}

func searchEverything(r *run) {
	if len(r.search(upstream.Query{}).Products) == 0 {
		r.Error("the zero Query finds nothing")
	}
	single, _ := r.find(r.f.Single)
	variant, _ := r.find(r.f.Variant)
	all, whole := r.walk(upstream.Query{Limit: pageSize})
	if whole && (!contains(all, single.ID) || !contains(all, variant.ID)) {
		r.Errorf("%d products are listed; %q and %q are not both among them", len(all), single.Title, variant.Title)
	}
}

func searchAvailable(r *run) {
	soldOut, _ := r.find(r.f.SoldOut)
	// That each can be bought is checked by search itself.
	if found, _ := r.walk(upstream.Query{Available: true, Limit: pageSize}); len(found) == 0 || contains(found, soldOut.ID) {
		r.Errorf("%d products can be bought, %q among them or none", len(found), soldOut.Title)
	}
}

func searchCategory(r *run) {
	want, _ := r.find(r.f.Single)
	found, _ := r.walk(upstream.Query{Categories: []string{r.f.Category}, Limit: pageSize})
	if !contains(found, want.ID) || len(found) == len(r.catalogue()) {
		r.Errorf("category %q holds %d products; it should hold %q and not all", r.f.Category, len(found), want.Title)
	}
}

func searchCategoryCase(r *run) {
	want, _ := r.walk(upstream.Query{Categories: []string{r.f.Category}, Limit: pageSize})
	last := r.f.Category[strings.LastIndexByte(r.f.Category, '/')+1:]
	got, _ := r.walk(upstream.Query{Categories: []string{strings.ToUpper(last)}, Limit: pageSize})
	for _, product := range want {
		if !contains(got, product.ID) {
			r.Errorf("category %q holds %q, %q does not", r.f.Category, product.Title, strings.ToUpper(last))
		}
	}
}

func searchCategories(r *run) {
	want, _ := r.walk(upstream.Query{Categories: []string{r.f.Category}, Limit: pageSize})
	got, _ := r.walk(upstream.Query{Categories: []string{"no-such-category-xq", r.f.Category}, Limit: pageSize})
	r.sameProducts("the category beside one that does not exist", want, got)
}

func searchNoCategory(r *run) {
	if found, _ := r.walk(upstream.Query{Categories: []string{"no-such-category-xq"}, Limit: pageSize}); len(found) > 0 {
		r.Errorf("a category that does not exist holds %d products", len(found))
	}
}

// middlePrice returns the median of the products' lowest prices.
func (r *run) middlePrice() int64 {
	r.Helper()
	var prices []int64
	for _, product := range r.catalogue() {
		lowest, _ := product.PriceRange()
		prices = append(prices, lowest.Minor)
	}
	slices.Sort(prices)
	return prices[len(prices)/2]
}

// priced fails unless a search finds exactly the products of the catalogue that
// meet its filters.
func (r *run) priced(q upstream.Query) {
	r.Helper()
	var want []upstream.Product
	for _, product := range r.catalogue() {
		if q.Match(&product) {
			want = append(want, product)
		}
	}
	q.Limit = pageSize
	got, whole := r.walk(q)
	if !whole {
		r.Skip("the shop has more products than the suite walks through")
	}
	r.sameProducts(describeQuery(q), want, got)
}

func searchMinPrice(r *run) {
	price := r.middlePrice()
	r.priced(upstream.Query{MinPrice: &price})
}

func searchMaxPrice(r *run) {
	price := r.middlePrice()
	r.priced(upstream.Query{MaxPrice: &price})
}

func searchOnePrice(r *run) {
	price := r.middlePrice()
	r.priced(upstream.Query{MinPrice: &price, MaxPrice: &price})
}

func searchNoPrice(r *run) {
	high, low := r.middlePrice(), int64(1)
	results, err := r.shop.Search(r.Context(), r.visit, upstream.Query{MinPrice: &high, MaxPrice: &low, Limit: pageSize})
	if err != nil {
		r.refused(err, "Search from a high price to a low one", upstream.CodeInvalid)
	} else if len(results.Products) > 0 {
		r.Errorf("a price of at least %d and at most %d is that of %q", high, low, results.Products[0].Title)
	}
}

func searchAll(r *run) {
	want, variant := r.find(r.f.Single)
	price := variant.Price.Minor
	found, _ := r.walk(upstream.Query{
		Words: r.f.Words, Categories: []string{r.f.Category}, MinPrice: &price, MaxPrice: &price, Available: true, Limit: pageSize,
	})
	if !contains(found, want.ID) {
		r.Errorf("%q in %q at %v is not found", r.f.Words, r.f.Category, variant.Price)
	}
}

func searchPages(r *run) {
	large, whole := r.walk(upstream.Query{Limit: 100})
	small, _ := r.walk(upstream.Query{Limit: 3})
	for _, list := range [][]upstream.Product{large, small} {
		seen := map[string]bool{}
		for _, product := range list {
			if seen[product.ID] {
				r.Errorf("%q is on two pages", product.Title)
			}
			seen[product.ID] = true
		}
	}
	if whole && len(large) <= 3*maxPages {
		r.sameProducts("pages of three", large, small)
	}
}

func searchLimit(r *run) {
	// That no page holds more is checked by search itself.
	for _, limit := range []int{1, 2, 7, 100} {
		if page := r.search(upstream.Query{Limit: limit}); len(page.Products) == 0 && page.Next == "" {
			r.Errorf("limit %d: nothing is found", limit)
		}
	}
}

func searchTotal(r *run) {
	for _, q := range []upstream.Query{{Limit: pageSize}, {Words: r.f.NoWords, Limit: pageSize}} {
		first := r.search(q)
		if first.Total < 0 {
			r.Skip("the shop does not say how many it found")
		}
		if all, whole := r.walk(q); whole && first.Total != len(all) {
			r.Errorf("Search(%s): Total is %d, the pages hold %d", describeQuery(q), first.Total, len(all))
		}
	}
}

func searchBadCursor(r *run) {
	for _, cursor := range []string{"not-a-cursor", "-1", "99999999999999999999", "%", "💥", "e30", strings.Repeat("A", 5000)} {
		_, err := r.shop.Search(r.Context(), r.visit, upstream.Query{Cursor: cursor, Limit: pageSize})
		r.refused(err, "Search with the cursor "+cursor[:min(len(cursor), 20)], upstream.CodeInvalid)
	}
}

// searchShortWords: words that a shop's own search passes over are not a search for
// everything.
func searchShortWords(r *run) {
	for _, words := range []string{"ø", "zq"} {
		if found, whole := r.walk(upstream.Query{Words: words, Limit: pageSize}); whole && len(found) == len(r.catalogue()) {
			r.Errorf("%q, which nothing is called, finds every product", words)
		}
	}
}

// searchOddWords: no words are an error of the shop.
func searchOddWords(r *run) {
	for _, words := range []string{
		"größe 防水 🧥", `"quoted"`, `it's`, `back\slash`, "100%", "_", "*", "a", "(", "[", "-", "--", `" OR 1=1 --`, "{query}", "<b>",
		"&amp;", "jacket\njacket", "\x00", "   ", strings.Repeat("waterproof ", 200), strings.Repeat("x", 4000),
	} {
		results, err := r.shop.Search(r.Context(), r.visit, upstream.Query{Words: words, Limit: 5})
		switch {
		case err != nil:
			r.refused(err, "Search for "+words[:min(len(words), 20)], upstream.CodeInvalid)
		case len(results.Products) > 5:
			r.Errorf("Search for %.20q with limit 5 returned %d products", words, len(results.Products))
		}
	}
}

// searchAgrees: a product is the same however it was found.
func searchAgrees(r *run) {
	products := r.search(upstream.Query{Limit: 10}).Products
	matches := r.lookup(idsOf(products)...)
	for _, product := range products {
		i := slices.IndexFunc(matches, func(m upstream.Match) bool { return m.Product.ID == product.ID })
		if i < 0 {
			r.Errorf("Lookup does not find %q, which Search found", product.ID)
			continue
		}
		other := matches[i].Product
		if product.Title != other.Title || product.Handle != other.Handle || len(product.Variants) != len(other.Variants) {
			r.Errorf("Search found %q (%s, %d variants), Lookup %q (%s, %d variants)",
				product.Title, product.Handle, len(product.Variants), other.Title, other.Handle, len(other.Variants))
		}
		for _, variant := range product.Variants {
			if same := other.Variant(variant.ID); same == nil || same.Price != variant.Price {
				r.Errorf("variant %q costs %v in Search; Lookup has %+v", variant.ID, variant.Price, same)
			}
		}
	}
}

func searchCurrencies(r *run) {
	for _, currency := range r.d.Currencies {
		r.visit.Market.Currency = currency
		for _, product := range r.search(upstream.Query{Limit: 5}).Products {
			var p problems
			productPrices(&p, r, &product)
			for _, problem := range p {
				r.Errorf("%s: product %q: %s", currency, product.ID, problem)
			}
		}
	}
}

func searchForeignCurrency(r *run) {
	foreign := money.Currency("XOF")
	if slices.Contains(r.d.Currencies, foreign) {
		foreign = "MNT"
	}
	r.visit.Market.Currency = foreign
	for _, product := range r.search(upstream.Query{Limit: 5}).Products {
		for _, variant := range product.Variants {
			if !slices.Contains(r.d.Currencies, variant.Price.Currency) {
				r.Errorf("asked for %s, variant %q costs %v; the shop sells in %v", foreign, variant.ID, variant.Price, r.d.Currencies)
			}
		}
	}
}

func searchNobody(r *run) {
	r.visit = upstream.Visit{}
	for _, product := range r.search(upstream.Query{Limit: 5}).Products {
		var p problems
		productPrices(&p, r, &product)
		for _, problem := range p {
			r.Errorf("product %q: %s", product.ID, problem)
		}
	}
}

func searchTogether(r *run) {
	want := r.search(upstream.Query{Limit: 5})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := r.shop.Search(r.Context(), r.visit, upstream.Query{Limit: 5})
			switch {
			case err != nil:
				r.Errorf("Search, eight at once: %v", err)
			case !slices.Equal(idsOf(want.Products), idsOf(got.Products)):
				r.Errorf("Search, eight at once, found %v, alone %v", idsOf(got.Products), idsOf(want.Products))
			}
		})
	}
	group.Wait()
}

func searchCanceled(r *run) {
	_, err := r.shop.Search(r.canceled(), r.visit, upstream.Query{Limit: 5})
	if !errors.Is(err, context.Canceled) {
		r.Errorf("Search: got %v, want the context's error", err)
	}
	_, err = r.shop.Lookup(r.canceled(), r.visit, []string{r.catalogue()[0].ID})
	if !errors.Is(err, context.Canceled) {
		r.Errorf("Lookup: got %v, want the context's error", err)
	}
}
