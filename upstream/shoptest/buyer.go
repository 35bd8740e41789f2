package shoptest

import (
	"fmt"

	"github.com/storeware/caddy-storeware/upstream"
)

func buyerCases() []testCase {
	baskets := []need{needBaskets}
	return []testCase{
		{"before any line", baskets, buyerFirst},
		{"an e-mail address that is none", baskets, buyerBadEmail},
		{"an e-mail address with an account", []need{needPlace, needMember}, buyerMember},
		{"a post code that is none", baskets, buyerBadPostCode},
		{"a region that is none", baskets, buyerBadRegion},
	}
}

// tellsOrTakes spoils a basket that could be ordered. A shop that does not take
// what it is told then has to say so, and may not order with what it knew before;
// one that says nothing has to mean what it was told.
func (r *run) tellsOrTakes(what string, spoil func(*upstream.Desired), codes ...upstream.NoticeCode) {
	r.Helper()
	good := r.single(1)
	good.Buyer, good.Address = r.f.Buyer, &r.f.Address
	applied := r.apply(upstream.Handle{}, good)
	if r.d.Capabilities.Place {
		good, applied = r.complete(applied.Handle, good)
	}
	bad := good
	spoil(&bad)
	spoiled, err := r.shop.Apply(r.Context(), r.visit, applied.Handle, bad)
	r.must(err, "Apply of "+what)
	CheckObserved(r.TB, spoiled.Observed)
	r.checkNotices(bad, spoiled)
	r.want(what, spoiled.Observed, map[string]int64{"one": 1})
	if len(noticesOf(spoiled, codes...)) == 0 {
		r.taken(what, bad, spoiled)
		return
	}
	if r.d.Capabilities.Place {
		if len(spoiled.Observed.Missing) == 0 {
			r.Errorf("%s: it is refused, and nothing is missing", what)
		}
		check := r.counting()
		_, err := r.shop.Place(r.Context(), r.visit, spoiled.Handle, r.placement(spoiled.Observed.Total))
		r.refused(err, "Place with "+what, upstream.CodeIncomplete)
		check(0)
	}
	healed := r.apply(spoiled.Handle, good)
	r.same(what+": after it was put right", applied.Observed, healed.Observed)
	if r.d.Capabilities.Place {
		r.place(healed.Handle, r.placement(healed.Observed.Total))
	}
}

// taken orders with what a shop did not refuse.
func (r *run) taken(what string, d upstream.Desired, applied upstream.Applied) {
	r.Helper()
	if !r.d.Capabilities.Place {
		return
	}
	if len(applied.Observed.Missing) > 0 {
		r.Errorf("%s: %v is missing, and no notice says why", what, applied.Observed.Missing)
	}
	placed, err := r.shop.Place(r.Context(), r.visit, applied.Handle, r.placement(applied.Observed.Total))
	if err != nil {
		r.Errorf("%s: no notice says that it is refused, and Place: %v", what, err)
		return
	}
	if !r.d.Capabilities.Orders {
		return
	}
	order := r.sameOrder(placed, applied.Observed)
	if to := order.Address; to != nil && to.PostalCode != d.Address.PostalCode {
		r.Errorf("%s: the order goes to %q, and no notice says that %q is refused", what, to.PostalCode, d.Address.PostalCode)
	}
}

// buyerFirst: what is told of a buyer before there is anything to buy is kept or
// told again, but not forgotten.
func buyerFirst(r *run) {
	early := upstream.Desired{Buyer: r.f.Buyer, Address: &r.f.Address}
	if r.d.Capabilities.Codes != upstream.CodesNone && r.f.Codes.Percent != "" {
		early.Codes = []string{r.f.Codes.Percent}
	}
	empty := r.emptyWithCode("begun with a buyer", upstream.Handle{}, early)
	late := early
	late.Lines = r.single(2).Lines
	filled := r.apply(empty.Handle, late)
	r.want("filled after its buyer was known", filled.Observed, map[string]int64{"one": 2})
	r.same("a basket that was told all at once", r.apply(upstream.Handle{}, late).Observed, filled.Observed)
}

func buyerBadEmail(r *run) {
	for _, email := range []string{"nobody", "ada@exa mple.com"} {
		r.tellsOrTakes(fmt.Sprintf("the e-mail address %q", email), func(d *upstream.Desired) { d.Buyer.Email = email },
			upstream.NoticeBuyerRefused)
	}
}

// buyerMember: some shops take orders for an address that has an account from its
// signed-in owner only.
func buyerMember(r *run) {
	r.tellsOrTakes("a customer's e-mail address", func(d *upstream.Desired) { d.Buyer.Email = r.f.Member },
		upstream.NoticeBuyerRefused)
}

// spoilAddress spoils the address alone, whatever names it.
func spoilAddress(change func(*upstream.Address)) func(*upstream.Desired) {
	return func(d *upstream.Desired) {
		spoiled := *d.Address
		change(&spoiled)
		d.Address = &spoiled
	}
}

func buyerBadPostCode(r *run) {
	r.tellsOrTakes("a post code that is none", spoilAddress(func(a *upstream.Address) { a.PostalCode = "!" }),
		addressRefusals()...)
}

// buyerBadRegion: shops with a list of regions know this one no more than the
// others do.
func buyerBadRegion(r *run) {
	r.tellsOrTakes("a region that is none", spoilAddress(func(a *upstream.Address) { a.Region = "No such region xq" }),
		addressRefusals()...)
}

// addressRefusals are the ways to say that an address will not do.
func addressRefusals() []upstream.NoticeCode {
	return []upstream.NoticeCode{upstream.NoticeAddressRefused, upstream.NoticeNoDelivery}
}
