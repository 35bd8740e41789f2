package basket

import (
	"cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

// stateOf derives how far a basket has come.
func (s *Service) stateOf(r *record) State {
	switch {
	case r.Order != nil:
		return Completed
	case r.Attempt != nil:
		return Completing
	case r.Canceled, !s.now().Before(r.Expires):
		return Canceled
	}
	return Open
}

// answer is the basket as its owner sees it.
func (s *Service) answer(r *record, d upstream.Description) *Basket {
	b := &Basket{
		ID: r.ID, Owner: r.Owner, Wanted: r.Wanted, Observed: r.Offer, State: s.stateOf(r),
		Methods: d.Capabilities.Payments, CanPlace: d.Capabilities.Place,
		Created: r.Created, Updated: r.Updated, Expires: r.Expires,
	}
	b.Expired = b.State == Canceled && !r.Canceled
	if o := r.Order; o != nil {
		b.Order = &Order{ID: o.ID, URL: cmp.Or(o.URL, s.page(r)), Total: o.Total, At: o.At, Test: o.Test}
	}
	if b.State == Open {
		b.Blockers, b.Warnings = issues(&r.Wanted, &r.Offer, r.Notices, d.Capabilities)
		b.Blockers = append(b.Blockers, r.Told...)
	}
	b.Warnings = append(b.Warnings, r.remarks...)
	if b.State == Open || b.State == Completing {
		b.HandOff = s.handOff(r)
	}
	return b
}

// shopPage is the shop's page where a person goes on with the basket, empty where
// it has none.
func (r *record) shopPage() string { return cmp.Or(r.Page, r.Offer.HandOff) }

// handOff is the page where a person goes on with the basket.
func (s *Service) handOff(r *record) string {
	return cmp.Or(r.shopPage(), s.page(r))
}

// page is our own page of the basket, which says what became of it; empty where
// there are no such pages.
func (s *Service) page(r *record) string {
	if s.Page == nil {
		return ""
	}
	return s.Page(r.ID, r.Token)
}
