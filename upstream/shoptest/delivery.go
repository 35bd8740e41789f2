package shoptest

import (
	"slices"

	"github.com/storeware/caddy-storeware/upstream"
)

func deliveryCases() []testCase {
	return []testCase{
		{"ways to an address", []need{needDelivery}, deliveryOffered},
		{"one is chosen", []need{needDelivery}, deliveryChosen},
		{"another is chosen", []need{needDelivery}, deliveryChanged},
		{"one that is not on offer", []need{needDelivery}, deliveryUnknown},
		{"kept when lines change", []need{needDelivery}, deliveryKept},
		{"an address that changes", []need{needDelivery}, deliveryMoved},
		{"where the shop does not deliver", []need{needBaskets, needAbroad}, deliveryAbroad},
		{"from abroad and back", []need{needDelivery, needAbroad}, deliveryBack},
		{"a country that does not exist", []need{needBaskets}, deliveryNowhere},
		{"a billing address", []need{needBaskets}, deliveryBilling},
	}
}

// addressed returns a basket with an address and no choice of delivery.
func (r *run) addressed() (upstream.Desired, upstream.Applied) {
	r.Helper()
	d := r.single(1)
	d.Buyer, d.Address = r.f.Buyer, &r.f.Address
	applied := r.apply(upstream.Handle{}, d)
	if len(applied.Observed.Delivery) == 0 {
		r.Fatalf("no way of delivery is on offer to the fixture's address; notices: %+v", applied.Notices)
	}
	return d, applied
}

func deliveryOffered(r *run) {
	_, applied := r.addressed()
	// Ids, titles and prices of the ways are checked by apply.
	for _, missing := range []upstream.Missing{upstream.MissingAddress, upstream.MissingStreet, upstream.MissingCity, upstream.MissingRegion, upstream.MissingPostalCode} {
		if slices.Contains(applied.Observed.Missing, missing) {
			r.Errorf("with the fixture's address %s is still missing", missing)
		}
	}
	if len(applied.Notices) > 0 {
		r.Errorf("there are notices: %+v", applied.Notices)
	}
}

// chosen fails unless an option is in force at its price.
func (r *run) chosen(o upstream.Observed, option upstream.DeliveryOption) {
	r.Helper()
	if o.Chosen != option.ID {
		r.Errorf("delivery %q is in force, want %q", o.Chosen, option.ID)
	}
	if paid := totalOf(o, upstream.TotalFulfillment); paid != option.Price.Minor {
		r.Errorf("delivery costs %d, %q was offered at %v", paid, option.Title, option.Price)
	}
	if slices.Contains(o.Missing, upstream.MissingDelivery) {
		r.Error("the choice of delivery is still missing")
	}
}

func deliveryChosen(r *run) {
	d, applied := r.addressed()
	for _, option := range applied.Observed.Delivery {
		d.Delivery = option.ID
		fresh := r.apply(upstream.Handle{}, d)
		r.chosen(fresh.Observed, option)
		r.same("read", fresh.Observed, r.read(fresh.Handle))
	}
}

func deliveryChanged(r *run) {
	d, applied := r.addressed()
	options := applied.Observed.Delivery
	if len(options) < 2 {
		r.Skip("the shop offers one way of delivery")
	}
	for _, option := range []upstream.DeliveryOption{options[0], options[1], options[0]} {
		d.Delivery = option.ID
		applied = r.apply(applied.Handle, d)
		r.chosen(applied.Observed, option)
	}
}

func deliveryUnknown(r *run) {
	d, applied := r.addressed()
	offered := applied.Observed.Delivery[0].ID
	d.Delivery = "no-such-way-xq"
	applied = r.apply(applied.Handle, d)
	r.noticed(applied, upstream.NoticeDeliveryUnknown)
	d.Delivery = offered
	if applied = r.apply(applied.Handle, d); len(applied.Notices) > 0 {
		r.Errorf("with one that is on offer there are notices: %+v", applied.Notices)
	}
}

func deliveryKept(r *run) {
	d, applied := r.addressed()
	option := applied.Observed.Delivery[len(applied.Observed.Delivery)-1]
	d.Delivery = option.ID
	applied = r.apply(applied.Handle, d)
	d.Lines = append(d.Lines, r.line("two", r.f.Variant, 1))
	applied = r.apply(applied.Handle, d)
	if applied.Observed.Chosen != option.ID {
		r.Errorf("after a line was added, delivery %q is in force, want %q", applied.Observed.Chosen, option.ID)
	}
}

func deliveryMoved(r *run) {
	d, applied := r.addressed()
	moved := r.f.Address
	moved.Street, moved.Extended = "1 Other Street", "Flat 2"
	d.Address = &moved
	d.Delivery = applied.Observed.Delivery[0].ID
	applied = r.apply(applied.Handle, d)
	if len(applied.Observed.Missing) > 0 || len(applied.Notices) > 0 {
		r.Errorf("at another street: missing %v, notices %+v", applied.Observed.Missing, applied.Notices)
	}
}

func deliveryAbroad(r *run) {
	d := r.single(1)
	d.Buyer, d.Address = r.f.Buyer, r.f.Abroad
	applied := r.apply(upstream.Handle{}, d)
	r.noticed(applied, upstream.NoticeNoDelivery, upstream.NoticeAddressRefused)
	if len(applied.Observed.Delivery) > 0 {
		r.Errorf("ways of delivery are on offer: %+v", applied.Observed.Delivery)
	}
	if line, _ := lineOf(applied.Observed, "one"); line.Quantity != 1 {
		r.Error("the line is gone")
	}
	if !r.d.Capabilities.Place {
		return
	}
	check := r.counting()
	_, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	r.refused(err, "Place where the shop does not deliver", upstream.CodeIncomplete)
	check(0)
}

func deliveryBack(r *run) {
	d, applied := r.addressed()
	d.Delivery = applied.Observed.Delivery[0].ID
	home := r.apply(applied.Handle, d)
	d.Address = r.f.Abroad
	abroad, err := r.shop.Apply(r.Context(), r.visit, home.Handle, d)
	r.must(err, "Apply of an address abroad")
	if r.d.Capabilities.Place {
		check := r.counting()
		_, err := r.shop.Place(r.Context(), r.visit, abroad.Handle, r.placement(abroad.Observed.Total))
		r.refused(err, "Place of a basket that moved abroad", upstream.CodeIncomplete)
		check(0)
	}
	d.Address = &r.f.Address
	back := r.apply(abroad.Handle, d)
	if back.Observed.Total != home.Observed.Total || back.Observed.Chosen != home.Observed.Chosen {
		r.Errorf("back home: %v by %q, before %v by %q", back.Observed.Total, back.Observed.Chosen, home.Observed.Total, home.Observed.Chosen)
	}
}

func deliveryNowhere(r *run) {
	d := r.single(1)
	nowhere := r.f.Address
	nowhere.Country = "XX"
	d.Buyer, d.Address = r.f.Buyer, &nowhere
	applied, err := r.shop.Apply(r.Context(), r.visit, upstream.Handle{}, d)
	if err != nil {
		r.refused(err, "Apply of an address in no country", upstream.CodeInvalid)
		return
	}
	r.checkApplied(d, applied)
	r.noticed(applied, upstream.NoticeNoDelivery, upstream.NoticeAddressRefused)
}

func deliveryBilling(r *run) {
	d := r.single(1)
	billing := r.f.Address
	billing.Street = "2 Counting House"
	d.Buyer, d.Address = r.f.Buyer, &r.f.Address
	before := r.apply(upstream.Handle{}, d)
	d.Billing = &billing
	after := r.apply(before.Handle, d)
	r.same("with a billing address of its own", before.Observed, after.Observed)
	d.Billing = nil
	r.same("without it again", before.Observed, r.apply(after.Handle, d).Observed)
}
