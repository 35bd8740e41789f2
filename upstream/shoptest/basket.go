package shoptest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func basketCases() []testCase {
	baskets := []need{needBaskets}
	return []testCase{
		{"a first line", baskets, basketFirst},
		{"nothing at all", baskets, basketEmpty},
		{"emptied and filled again", baskets, basketEmptied},
		{"the same again changes nothing", baskets, basketSame},
		{"read equals applied", baskets, basketRead},
		{"reading changes nothing", baskets, basketReadTwice},
		{"a buyer", baskets, basketBuyer},
		{"all that is missing is told at once", []need{needPlace}, basketMissing},
		{"nothing is missing when all is there", []need{needPlace}, basketComplete},
		{"everything in one call", []need{needPlace}, basketAtOnce},
		{"prices as in the catalogue", baskets, basketPrices},
		{"prices in each currency", baskets, basketCurrencies},
		{"a known price", []need{needBaskets, needKnown}, basketKnown},
		{"two baskets do not touch", baskets, basketTwo},
		{"many baskets at once", baskets, basketMany},
		{"the handle is not printed", baskets, basketSecret},
		{"a handle that is not one", baskets, basketGarbage},
		{"a basket that the shop has dropped", []need{needBaskets, hookDrop}, basketDropped},
		{"another node goes on with it", []need{needBaskets, hookAnother}, basketAnother},
		{"a context that has ended", baskets, basketCanceled},
		{"a page to go on with", []need{needNoPlace}, basketHandOff},
	}
}

func basketFirst(r *run) {
	product, variant := r.find(r.f.Single)
	applied := r.apply(upstream.Handle{}, r.single(2))
	line, ok := lineOf(applied.Observed, "one")
	if !ok {
		r.Fatalf("the line is not in the basket; notices: %+v", applied.Notices)
	}
	if line.Item != variant.ID || line.Product != product.ID || line.Quantity != 2 {
		r.Errorf("the line holds %d of %q of product %q, want 2 of %q of %q", line.Quantity, line.Item, line.Product, variant.ID, product.ID)
	}
	if len(applied.Notices) > 0 {
		r.Errorf("there are notices: %+v", applied.Notices)
	}
	switch page := applied.Observed.HandOff; {
	case page == "" && r.d.Capabilities.HandOff:
		r.Error("a page to go on with a basket is promised, and this one has none")
	case page != "" && !r.d.Capabilities.HandOff:
		r.Errorf("the basket goes on at %s, which Capabilities.HandOff does not promise", page)
	}
}

func basketEmpty(r *run) {
	applied := r.apply(upstream.Handle{}, upstream.Desired{})
	if o := applied.Observed; len(o.Lines) > 0 || o.Total.Minor != 0 {
		r.Errorf("an empty basket has %d lines and costs %v", len(o.Lines), o.Total)
	}
	if r.d.Capabilities.Place && !slices.Contains(applied.Observed.Missing, upstream.MissingLines) {
		r.Errorf("missing is %v, not lines", applied.Observed.Missing)
	}
	if applied = r.apply(applied.Handle, r.single(1)); len(applied.Observed.Lines) != 1 {
		r.Errorf("then filled, it holds %d lines", len(applied.Observed.Lines))
	}
}

func basketEmptied(r *run) {
	first := r.apply(upstream.Handle{}, r.single(2))
	emptied := r.apply(first.Handle, upstream.Desired{})
	if o := emptied.Observed; len(o.Lines) > 0 || o.Total.Minor != 0 {
		r.Errorf("an emptied basket has %d lines and costs %v", len(o.Lines), o.Total)
	}
	again := r.apply(emptied.Handle, r.single(2))
	if diff := cmp.Diff(quantities(first.Observed), quantities(again.Observed)); diff != "" {
		r.Errorf("filled again (-want +got):\n%s", diff)
	}
}

func basketSame(r *run) {
	d := r.pair()
	first := r.apply(upstream.Handle{}, d)
	r.same("two lines again", first.Observed, r.apply(first.Handle, d).Observed)
	if r.d.Capabilities.Place {
		d, first = r.complete(first.Handle, d)
		r.same("all again", first.Observed, r.apply(first.Handle, d).Observed)
	}
}

func basketRead(r *run) {
	d := r.pair()
	applied := r.apply(upstream.Handle{}, d)
	r.same("read, with two lines", applied.Observed, r.read(applied.Handle))
	if !r.d.Capabilities.Place {
		return
	}
	if r.d.Capabilities.Codes != upstream.CodesNone && r.f.Codes.Percent != "" {
		d.Codes = []string{r.f.Codes.Percent}
	}
	_, applied = r.complete(applied.Handle, d)
	r.same("read, with all", applied.Observed, r.read(applied.Handle))
}

func basketReadTwice(r *run) {
	applied := r.apply(upstream.Handle{}, r.single(1))
	first := r.read(applied.Handle)
	r.same("read a second time", first, r.read(applied.Handle))
}

func basketBuyer(r *run) {
	d := r.single(1)
	before := r.apply(upstream.Handle{}, d)
	d.Buyer = r.f.Buyer
	after := r.apply(before.Handle, d)
	for _, missing := range []upstream.Missing{upstream.MissingEmail, upstream.MissingFirstName, upstream.MissingLastName} {
		if slices.Contains(after.Observed.Missing, missing) {
			r.Errorf("with the fixture's buyer %s is still missing", missing)
		}
	}
	if before.Observed.Total != after.Observed.Total {
		r.Errorf("with a buyer the basket costs %v, without %v", after.Observed.Total, before.Observed.Total)
	}
}

func basketMissing(r *run) {
	missing := r.apply(upstream.Handle{}, r.single(1)).Observed.Missing
	has := func(any ...upstream.Missing) bool {
		return slices.ContainsFunc(any, func(m upstream.Missing) bool { return slices.Contains(missing, m) })
	}
	if !has(upstream.MissingEmail, upstream.MissingPhone) {
		r.Errorf("missing is %v, with no way to reach the buyer", missing)
	}
	if !has(upstream.MissingAddress, upstream.MissingStreet, upstream.MissingCity, upstream.MissingPostalCode) {
		r.Errorf("missing is %v, with no address", missing)
	}
	if r.d.Capabilities.Delivery && !has(upstream.MissingDelivery) {
		r.Errorf("missing is %v, with no choice of delivery", missing)
	}
}

func basketComplete(r *run) {
	// That nothing is missing is checked by complete.
	d, applied := r.ready(r.f.Single)
	d.Lines = nil
	if emptied := r.apply(applied.Handle, d); !slices.Contains(emptied.Observed.Missing, upstream.MissingLines) {
		r.Errorf("without lines %v is missing", emptied.Observed.Missing)
	}
}

// basketAtOnce: a basket can be ready after one call, for a caller who knows the
// way of delivery from an earlier basket.
func basketAtOnce(r *run) {
	d, want := r.ready(r.f.Single)
	got := r.apply(upstream.Handle{}, d)
	if len(got.Observed.Missing) > 0 || got.Observed.Total != want.Observed.Total || got.Observed.Chosen != want.Observed.Chosen {
		r.Errorf("in one call: missing %v, %v by %q; step by step: %v by %q", got.Observed.Missing,
			got.Observed.Total, got.Observed.Chosen, want.Observed.Total, want.Observed.Chosen)
	}
}

func basketPrices(r *run) {
	_, variant := r.find(r.f.Single)
	applied := r.apply(upstream.Handle{}, r.single(3))
	line, ok := lineOf(applied.Observed, "one")
	if !ok {
		r.Fatal("the line is not in the basket")
	}
	if r.d.Tax == applied.Observed.Tax && line.Unit != variant.Price {
		r.Errorf("one costs %v in the basket and %v in the catalogue", line.Unit, variant.Price)
	}
}

func basketCurrencies(r *run) {
	for _, currency := range r.d.Currencies {
		r.visit.Market.Currency = currency
		applied := r.apply(upstream.Handle{}, r.single(1))
		if got := applied.Observed.Currency; got != currency {
			r.Errorf("asked for %s, the basket is in %s", currency, got)
		}
		r.same("read in "+string(currency), applied.Observed, r.read(applied.Handle))
	}
}

func basketKnown(r *run) {
	known := r.f.Known
	d := upstream.Desired{Codes: known.Codes, Buyer: r.f.Buyer, Address: &r.f.Address}
	for i, line := range known.Lines {
		d.Lines = append(d.Lines, r.line(fmt.Sprint(i), line.Item, line.Quantity))
	}
	applied := r.apply(upstream.Handle{}, d)
	if known.Delivery != "" {
		d.Delivery = r.optionTitled(applied.Observed, known.Delivery)
		applied = r.apply(applied.Handle, d)
	}
	if applied.Observed.Total != known.Total {
		r.Errorf("the basket costs %s, want %s; totals: %+v", applied.Observed.Total.Display(), known.Total.Display(), applied.Observed.Totals)
	}
}

// optionTitled returns the id of the way of delivery with that title.
func (r *run) optionTitled(o upstream.Observed, title string) string {
	r.Helper()
	i := slices.IndexFunc(o.Delivery, func(d upstream.DeliveryOption) bool { return d.Title == title })
	if i < 0 {
		r.Fatalf("no way of delivery is called %q; there are %+v", title, o.Delivery)
	}
	return o.Delivery[i].ID
}

func basketTwo(r *run) {
	one := r.apply(upstream.Handle{}, r.single(1))
	two := r.apply(upstream.Handle{}, upstream.Desired{Lines: []upstream.DesiredLine{r.line("two", r.f.Variant, 2)}})
	if one.Handle.Equal(two.Handle) {
		r.Fatal("two new baskets have the same handle")
	}
	r.same("the first basket, after the second was made", one.Observed, r.read(one.Handle))
	r.apply(two.Handle, upstream.Desired{})
	r.same("the first basket, after the second was emptied", one.Observed, r.read(one.Handle))
}

func basketMany(r *run) {
	_, variant := r.find(r.f.Variant)
	var group sync.WaitGroup
	for n := range int64(8) {
		group.Go(func() {
			d := upstream.Desired{Lines: []upstream.DesiredLine{{Key: "one", Item: variant.ID, Quantity: n + 1}}}
			applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
			if err != nil {
				r.Errorf("Apply, eight at once: %v", err)
				return
			}
			observed, err := r.shop.Read(r.Context(), r.visit, applied.Handle)
			if err != nil {
				r.Errorf("Read, eight at once: %v", err)
				return
			}
			for _, o := range []upstream.Observed{applied.Observed, observed} {
				if line, _ := lineOf(o, "one"); line.Quantity != n+1 {
					r.Errorf("a basket with %d holds %d", n+1, line.Quantity)
				}
			}
		})
	}
	group.Wait()
}

func basketSecret(r *run) {
	applied := r.apply(upstream.Handle{}, r.single(1))
	handle := applied.Handle.Reveal()
	// A link for the buyer may carry what opens the basket.
	applied.Observed.HandOff = ""
	for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
		if strings.Contains(fmt.Sprintf(verb, applied), handle) {
			r.Errorf("fmt's %s of Applied shows the handle", verb)
		}
	}
	for what, h := range garbage() {
		secret := h.Reveal()
		if len(secret) < 10 {
			continue
		}
		if _, err := r.shop.Read(r.Context(), r.visit, h); err != nil && strings.Contains(err.Error(), secret) {
			r.Errorf("the error of reading a handle that is %s shows the handle", what)
		}
	}
}

// basketGarbage: a handle that the shop has not made is gone, refused or renewed.
func basketGarbage(r *run) {
	d := r.single(1)
	for what, h := range garbage() {
		observed, err := r.shop.Read(r.Context(), r.visit, h)
		switch {
		case err != nil:
			r.refused(err, "Read of a handle that is "+what, upstream.CodeBasketGone, upstream.CodeInvalid, upstream.CodeNotFound)
		case len(observed.Lines) > 0:
			r.Errorf("a handle that is %s opens a basket with %d lines", what, len(observed.Lines))
		}
		applied, err := r.shop.Apply(r.Context(), r.visit, h, d)
		if err != nil {
			r.refused(err, "Apply to a handle that is "+what, upstream.CodeBasketGone, upstream.CodeInvalid, upstream.CodeNotFound)
			continue
		}
		r.checkApplied(d, applied)
		r.noticed(applied, upstream.NoticeBasketRenewed)
		if applied.Handle.Equal(h) {
			r.Errorf("a handle that is %s was taken for a basket's", what)
		}
	}
}

func basketDropped(r *run) {
	d := r.single(2)
	before := r.apply(upstream.Handle{}, d)
	r.hooks.DropBasket(r.TB, before.Handle)
	_, err := r.shop.Read(r.Context(), r.visit, before.Handle)
	r.refused(err, "Read of a dropped basket", upstream.CodeBasketGone)
	after := r.apply(before.Handle, d)
	r.noticed(after, upstream.NoticeBasketRenewed)
	if diff := cmp.Diff(quantities(before.Observed), quantities(after.Observed)); diff != "" {
		r.Errorf("renewed (-want +got):\n%s", diff)
	}
	if before.Handle.Equal(after.Handle) {
		r.Error("the new basket has the old handle")
	}
	if again := r.apply(after.Handle, d); len(noticesOf(again, upstream.NoticeBasketRenewed)) > 0 {
		r.Error("the renewed basket is renewed again")
	}
}

func basketAnother(r *run) {
	d := r.single(2)
	here := r.apply(upstream.Handle{}, d)
	r.shop = r.hooks.Another(r.TB)
	r.same("read on another node", here.Observed, r.read(here.Handle))
	d.Lines[0].Quantity = 1
	there := r.apply(here.Handle, d)
	if line, _ := lineOf(there.Observed, "one"); line.Quantity != 1 || len(there.Notices) > 0 {
		r.Errorf("changed on another node it holds %d; notices: %+v", line.Quantity, there.Notices)
	}
}

func basketCanceled(r *run) {
	d := r.single(1)
	applied := r.apply(upstream.Handle{}, d)
	for name, call := range map[string]func(context.Context) error{
		"Apply": func(ctx context.Context) error {
			_, err := r.shop.Apply(ctx, r.visit, applied.Handle, upstream.Desired{})
			return err
		},
		"Apply to a new basket": func(ctx context.Context) error {
			_, err := r.shop.Apply(ctx, r.visit, upstream.Handle{}, d)
			return err
		},
		"Read": func(ctx context.Context) error {
			_, err := r.shop.Read(ctx, r.visit, applied.Handle)
			return err
		},
	} {
		if err := call(r.canceled()); !errors.Is(err, context.Canceled) {
			r.Errorf("%s: got %v, want the context's error", name, err)
		}
	}
	r.same("the basket, after all that", applied.Observed, r.read(applied.Handle))
}

func basketHandOff(r *run) {
	applied := r.apply(upstream.Handle{}, r.single(1))
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place", upstream.CodeEscalate, upstream.CodeUnsupported)
	var e *upstream.Error
	if errors.As(err, &e) && e.Code == upstream.CodeEscalate {
		if problem := badURL(e.URL); e.URL == "" || problem != "" {
			r.Errorf("the page to go on with is empty, or %s", problem)
		}
	}
}
