package shoptest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func lookupCases() []testCase {
	return []testCase{
		{"a product's id", nil, lookupProductID},
		{"a variant's id", nil, lookupVariantID},
		{"a handle", nil, lookupHandle},
		{"a SKU", nil, lookupSKU},
		{"nothing asked", nil, lookupNothing},
		{"a reference that names nothing", nil, lookupUnknown},
		{"odd references", nil, lookupOdd},
		{"the same reference twice", nil, lookupTwice},
		{"several references to one product", nil, lookupOneProduct},
		{"a mixture", nil, lookupMixture},
		{"a hundred", nil, lookupHundred},
		{"a sold-out product", []need{needSoldOut}, lookupSoldOut},
		{"in another currency", nil, lookupCurrencies},
		{"the price of now", []need{hookPrice}, lookupPrice},
		{"the stock of now", []need{hookStock}, lookupStock},
	}
}

// named fails unless exactly the references of want are answered, each by its
// product and with the variant it names ("" for the product itself).
func (r *run) named(matches []upstream.Match, want map[string][2]string) {
	r.Helper()
	got := map[string][2]string{}
	seen := map[string]bool{}
	for _, match := range matches {
		if seen[match.Product.ID] {
			r.Errorf("product %q is in two matches", match.Product.ID)
		}
		seen[match.Product.ID] = true
		if len(match.Inputs) == 0 {
			r.Errorf("no reference named product %q", match.Product.ID)
		}
		for _, input := range match.Inputs {
			if input.Variant != "" && match.Product.Variant(input.Variant) == nil {
				r.Errorf("reference %q named variant %q, which product %q has not", input.Ref, input.Variant, match.Product.ID)
			}
			got[input.Ref] = [2]string{match.Product.ID, input.Variant}
		}
	}
	for ref, names := range got {
		// Where a variant is a product, its id names both.
		if wanted := want[ref]; wanted != names && names[0] == wanted[0] && (names[1] == names[0] || wanted[1] == wanted[0]) {
			got[ref] = wanted
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("references to product and variant (-want +got):\n%s", diff)
	}
}

func lookupProductID(r *run) {
	product, _ := r.find(r.f.Variant)
	r.named(r.lookup(product.ID), map[string][2]string{product.ID: {product.ID, ""}})
}

func lookupVariantID(r *run) {
	product, _ := r.find(r.f.Variant)
	want := map[string][2]string{}
	var refs []string
	for _, variant := range product.Variants {
		refs = append(refs, variant.ID)
		want[variant.ID] = [2]string{product.ID, variant.ID}
	}
	r.named(r.lookup(refs...), want)
}

func lookupHandle(r *run) {
	if r.f.Variant.Handle == "" {
		r.Skip("the shop's products have no handles")
	}
	product, _ := r.find(r.f.Variant)
	if product.Handle != r.f.Variant.Handle {
		r.Errorf("the product has the handle %q, want %q", product.Handle, r.f.Variant.Handle)
	}
	r.named(r.lookup(product.Handle), map[string][2]string{product.Handle: {product.ID, ""}})
}

func lookupSKU(r *run) {
	if r.f.Variant.SKU == "" {
		r.Skip("the shop's variants have no SKUs")
	}
	product, variant := r.find(r.f.Variant)
	if variant.SKU != r.f.Variant.SKU {
		r.Errorf("the variant has the SKU %q, want %q", variant.SKU, r.f.Variant.SKU)
	}
	r.named(r.lookup(variant.SKU), map[string][2]string{variant.SKU: {product.ID, variant.ID}})
}

func lookupNothing(r *run) {
	if matches := r.lookup(); len(matches) > 0 {
		r.Errorf("nothing was asked, %d products were found", len(matches))
	}
}

func lookupUnknown(r *run) {
	r.named(r.lookup("no-such-thing-xq", "NO-SUCH-SKU-0", "999999999"), map[string][2]string{})
}

func lookupOdd(r *run) {
	for _, ref := range []string{
		"", " ", "0", "-1", "*", "%", "../../admin", "a/b", "?", "#", `"`, `"]}`, `\`, "größe 防水 🧥", "null", "\x00", "1,2", strings.Repeat("x", 3000),
	} {
		matches, err := r.shop.Lookup(r.Context(), r.visit, []string{ref})
		if err != nil {
			r.Errorf("Lookup(%.20q): %v", ref, err)
		}
		if len(matches) > 0 {
			r.Errorf("Lookup(%.20q) found %q", ref, matches[0].Product.Title)
		}
	}
}

func lookupTwice(r *run) {
	product, variant := r.find(r.f.Single)
	r.named(r.lookup(variant.ID, variant.ID, product.ID, product.ID), map[string][2]string{
		variant.ID: {product.ID, variant.ID}, product.ID: {product.ID, ""},
	})
}

func lookupOneProduct(r *run) {
	product, _ := r.find(r.f.Variant)
	if len(product.Variants) < 2 {
		r.Fatalf("%q has %d variants, want several", product.Title, len(product.Variants))
	}
	first, second := product.Variants[0], product.Variants[1]
	r.named(r.lookup(second.ID, product.ID, first.ID), map[string][2]string{
		product.ID: {product.ID, ""}, first.ID: {product.ID, first.ID}, second.ID: {product.ID, second.ID},
	})
}

func lookupMixture(r *run) {
	single, one := r.find(r.f.Single)
	several, variant := r.find(r.f.Variant)
	want := map[string][2]string{one.ID: {single.ID, one.ID}, several.ID: {several.ID, ""}}
	refs := []string{"no-such-thing-xq", several.ID, one.ID}
	if variant.SKU != "" {
		refs, want[variant.SKU] = append(refs, variant.SKU), [2]string{several.ID, variant.ID}
	}
	if single.Handle != "" {
		refs, want[single.Handle] = append(refs, single.Handle), [2]string{single.ID, ""}
	}
	r.named(r.lookup(refs...), want)
}

func lookupHundred(r *run) {
	var refs []string
	want := map[string][2]string{}
	add := func(ref string, names [2]string) {
		if _, known := want[ref]; !known && len(refs) < 90 {
			refs, want[ref] = append(refs, ref), names
		}
	}
	for _, product := range r.catalogue() {
		add(product.ID, [2]string{product.ID, ""})
		for _, variant := range product.Variants {
			add(variant.ID, [2]string{product.ID, variant.ID})
		}
	}
	for i := len(refs); i < 100; i++ {
		refs = slices.Insert(refs, i/2, fmt.Sprintf("no-such-thing-%d", i))
	}
	r.named(r.lookup(refs...), want)
}

func lookupSoldOut(r *run) {
	product, variant := r.find(r.f.SoldOut)
	r.named(r.lookup(product.ID, variant.ID), map[string][2]string{
		product.ID: {product.ID, ""}, variant.ID: {product.ID, variant.ID},
	})
}

func lookupCurrencies(r *run) {
	product, _ := r.find(r.f.Variant)
	for _, currency := range r.d.Currencies {
		r.visit.Market.Currency = currency
		for _, match := range r.lookup(product.ID) {
			var p problems
			productPrices(&p, r, &match.Product)
			for _, problem := range p {
				r.Errorf("%s: %s", currency, problem)
			}
		}
	}
}

func lookupPrice(r *run) {
	_, before := r.find(r.f.Single)
	want := before.Price.Minor + 100
	r.hooks.ChangePrice(r.TB, before.SKU, want)
	if _, now := r.find(r.f.Single); now.Price.Minor != want {
		r.Errorf("the price became %d; Lookup says %v", want, now.Price)
	}
}

func lookupStock(r *run) {
	_, before := r.find(r.f.Single)
	r.hooks.SetStock(r.TB, before.SKU, 0)
	_, now := r.find(r.f.Single)
	if a := now.Availability; a != upstream.OutOfStock && a != upstream.AvailabilityUnknown {
		r.Errorf("the variant was sold out; Lookup says availability %d", a)
	}
	if r.d.Capabilities.ExactStock && (now.Stock != nil && *now.Stock != 0) {
		r.Errorf("the variant was sold out; Lookup says a stock of %d", *now.Stock)
	}
}
