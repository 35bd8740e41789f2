package shoptest

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storeware/caddy-storeware/upstream"
)

// checkApplied checks what always holds for the outcome of an Apply: the basket
// itself, and that a notice explains all that is not as desired.
func (r *run) checkApplied(d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	CheckObserved(r.TB, applied.Observed)
	r.checkNotices(d, applied)
	r.checkLines(d, applied)
	r.checkCodes(d, applied)
	chosen := applied.Observed.Chosen
	if d.Delivery != "" && chosen != d.Delivery && len(noticesOf(applied, upstream.NoticeDeliveryUnknown, upstream.NoticeNoDelivery)) == 0 {
		r.Errorf("delivery %q was desired, %q is in force, and no notice says why", d.Delivery, chosen)
	}
	if len(applied.Observed.Lines) > 0 && applied.Handle.IsZero() {
		r.Error("a basket with lines has no handle")
	}
}

// checkLines fails for a line that is in the basket undesired, or that is not as
// desired without a notice. Lines for the same item may have become one.
func (r *run) checkLines(d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	desired, observed := map[string]int64{}, map[string]int64{}
	explained := map[string]bool{}
	keys := map[string]string{}
	for _, line := range d.Lines {
		desired[line.Item] += line.Quantity
		keys[line.Key] = line.Item
		if slices.ContainsFunc(applied.Notices, func(n upstream.Notice) bool { return n.Line == line.Key }) {
			explained[line.Item] = true
		}
	}
	for _, line := range applied.Observed.Lines {
		item, known := keys[line.Key]
		if !known {
			r.Errorf("the basket holds line %q (%s), which was not desired", line.Key, line.Title)
			continue
		}
		// A line that was desired by its product's id holds the variant.
		if line.Item != item && line.Product != item {
			r.Errorf("line %q holds %q of product %q, desired was %q", line.Key, line.Item, line.Product, item)
		}
		observed[item] += line.Quantity
	}
	for item, want := range desired {
		switch got := observed[item]; {
		case got > want:
			r.Errorf("the basket holds %d of %q, more than the %d desired", got, item, want)
		case got < want && !explained[item]:
			r.Errorf("the basket holds %d of %q, %d were desired, and no notice says why", got, item, want)
		}
	}
}

// checkCodes fails for a code that neither lowers the price nor has a notice. A
// code for free delivery has no effect until there is one.
func (r *run) checkCodes(d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	for _, code := range d.Codes {
		noticed := slices.ContainsFunc(applied.Notices, func(n upstream.Notice) bool { return n.Discount == code })
		if !inForce(applied.Observed, code) && !noticed && !(code == r.f.Codes.FreeDelivery && applied.Observed.Chosen == "") {
			r.Errorf("code %q has neither an effect nor a notice", code)
		}
	}
	for _, discount := range applied.Observed.Discounts {
		if discount.Code != "" && !slices.ContainsFunc(d.Codes, func(code string) bool { return strings.EqualFold(code, discount.Code) }) {
			r.Errorf("code %q is in force and was not desired", discount.Code)
		}
	}
}

// checkNotices fails for a notice that does not say what it is about.
func (r *run) checkNotices(d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	for _, n := range applied.Notices {
		if problem := badText(n.Text); problem != "" || n.Text == "" {
			r.Errorf("the text of notice %s is empty or %s", n.Code, problem)
		}
		aboutLine, aboutCode := false, false
		switch n.Code {
		case upstream.NoticeNotFound, upstream.NoticeOptionNeeded, upstream.NoticeOutOfStock,
			upstream.NoticeQuantityLowered, upstream.NoticeNotBuyable:
			aboutLine = true
		case upstream.NoticeDiscountUnknown, upstream.NoticeDiscountExpired, upstream.NoticeDiscountNotMet,
			upstream.NoticeDiscountNotCombinable:
			aboutCode = true
		case upstream.NoticeAddressRefused, upstream.NoticeNoDelivery, upstream.NoticeDeliveryUnknown,
			upstream.NoticeBuyerRefused, upstream.NoticeBasketRenewed:
		default:
			r.Errorf("there is no notice %q", n.Code)
		}
		isLine := slices.ContainsFunc(d.Lines, func(l upstream.DesiredLine) bool { return l.Key == n.Line })
		if aboutLine != (n.Line != "") || aboutLine && !isLine {
			r.Errorf("notice %s is about line %q", n.Code, n.Line)
		}
		if aboutCode != (n.Discount != "") || aboutCode && !slices.Contains(d.Codes, n.Discount) {
			r.Errorf("notice %s is about code %q; the codes desired were %q", n.Code, n.Discount, d.Codes)
		}
	}
}

// noticesOf returns the notices with any of the codes.
func noticesOf(applied upstream.Applied, codes ...upstream.NoticeCode) []upstream.Notice {
	var found []upstream.Notice
	for _, n := range applied.Notices {
		if slices.Contains(codes, n.Code) {
			found = append(found, n)
		}
	}
	return found
}

// noticed fails unless there is a notice with one of the codes, and returns it.
func (r *run) noticed(applied upstream.Applied, codes ...upstream.NoticeCode) upstream.Notice {
	r.Helper()
	found := noticesOf(applied, codes...)
	if len(found) == 0 {
		r.Fatalf("no notice with a code of %v; there are %+v", codes, applied.Notices)
	}
	return found[0]
}

// inForce reports whether a discount code lowers the price.
func inForce(o upstream.Observed, code string) bool {
	return slices.ContainsFunc(o.Discounts, func(d upstream.Discount) bool {
		return d.Code != "" && strings.EqualFold(d.Code, code)
	})
}

// lineOf returns the line with that key.
func lineOf(o upstream.Observed, key string) (upstream.Line, bool) {
	i := slices.IndexFunc(o.Lines, func(l upstream.Line) bool { return l.Key == key })
	if i < 0 {
		return upstream.Line{}, false
	}
	return o.Lines[i], true
}

// quantities returns how many of each item the basket holds.
func quantities(o upstream.Observed) map[string]int64 {
	held := map[string]int64{}
	for _, line := range o.Lines {
		held[line.Item] += line.Quantity
	}
	return held
}

// same fails if two readings of a basket differ in anything that a buyer or the
// price guard would notice. Shops do not keep an order of lines, and times of
// arrival move on.
func (r *run) same(what string, want, got upstream.Observed) {
	r.Helper()
	if diff := cmp.Diff(want, got,
		cmpopts.EquateEmpty(),
		cmpopts.SortSlices(func(a, b upstream.Line) bool { return a.Key < b.Key }),
		cmpopts.SortSlices(func(a, b upstream.Discount) bool { return nameOf(a) < nameOf(b) }),
		cmpopts.SortSlices(func(a, b upstream.DeliveryOption) bool { return a.ID < b.ID }),
		cmpopts.SortSlices(func(a, b upstream.Missing) bool { return a < b }),
		cmpopts.IgnoreFields(upstream.Observed{}, "HandOff"),
		cmpopts.IgnoreFields(upstream.DeliveryOption{}, "Earliest", "Latest"),
	); diff != "" {
		r.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
