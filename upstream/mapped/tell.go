package mapped

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// tell tells the shop who buys, where the goods go and who pays, as far as it was
// not told so before.
func (a *apply) tell(ctx context.Context) error {
	if !a.kept.begun() {
		a.kept.Buyer, a.kept.Address, a.kept.Billing = upstream.Buyer{}, nil, nil
		return nil
	}
	if err := a.tellBuyer(ctx); err != nil {
		return err
	}
	address, billing := a.addresses()
	if err := a.tellAddress(ctx, address, billing); err != nil {
		return err
	}
	return a.tellBilling(ctx, address, billing)
}

func (a *apply) tellBuyer(ctx context.Context) error {
	wanted := a.desired.Buyer
	if wanted == a.kept.Buyer {
		return nil
	}
	n := names{texts: buyerValues(wanted)}
	if len(a.shop.m.SetBuyer) == 0 || !says(a.shop.m.SetBuyer, n, buyerNames()) {
		a.kept.Buyer = wanted
		return nil
	}
	said, refused, err := a.steps(ctx, a.shop.m.SetBuyer, n)
	if err != nil {
		return err
	}
	a.kept.Buyer = wanted
	if refused {
		a.kept.Buyer = upstream.Buyer{}
		a.note(cmp.Or(said, upstream.NoticeBuyerRefused), upstream.NoticeBuyerRefused, "The shop does not take the buyer's data.")
	}
	return nil
}

// says reports whether requests have something to say of what they could say.
func says(requests []Request, n names, possible []string) bool {
	asks := false
	for i := range requests {
		for template := range requests[i].templates(nil) {
			for _, name := range placeholders(template) {
				if slices.Contains(possible, name) {
					asks = true
					if n.value(name) != nil && n.value(name) != "" {
						return true
					}
				}
			}
		}
	}
	return !asks
}

// addresses are where the goods shall go and who shall pay, nil while nothing is
// known of it. The buyer's name and telephone are those of the address unless it
// has its own.
func (a *apply) addresses() (address, billing *upstream.Address) {
	whole := func(address *upstream.Address) *upstream.Address {
		if address == nil {
			return nil
		}
		full := *address
		if full.FirstName == "" && full.LastName == "" {
			full.FirstName, full.LastName = a.desired.Buyer.FirstName, a.desired.Buyer.LastName
		}
		full.Phone = cmp.Or(full.Phone, a.desired.Buyer.Phone)
		full.Country = strings.ToUpper(full.Country)
		return &full
	}
	address = whole(a.desired.Address)
	if billing = whole(a.desired.Billing); billing == nil {
		billing = address
	}
	return address, billing
}

// abroad reports whether the goods shall go where the shop is known not to deliver.
func (a *apply) abroad(address *upstream.Address) bool {
	return len(a.shop.m.Countries) > 0 && !slices.Contains(a.shop.m.Countries, address.Country)
}

func (a *apply) tellAddress(ctx context.Context, address, billing *upstream.Address) error {
	if address == nil {
		a.kept.Address = nil
		return nil
	}
	if a.abroad(address) {
		a.kept.Address = nil
		a.note(upstream.NoticeNoDelivery, upstream.NoticeNoDelivery, "")
		return nil
	}
	same := equal(a.kept.Address, address)
	if same && a.bothAtOnce() {
		same = equal(a.kept.Billing, billing)
	}
	if same || len(a.shop.m.SetAddress) == 0 {
		a.kept.Address = address
		return nil
	}
	said, refused, err := a.steps(ctx, a.shop.m.SetAddress, bothNames(a.desired.Buyer, address, billing))
	if err != nil {
		return err
	}
	a.kept.Address = address
	if refused {
		// The address before may still be there, and nothing may be sent there.
		a.kept.Address = nil
		a.note(said, upstream.NoticeAddressRefused, "The shop does not take this address.")
	}
	return nil
}

// bothAtOnce reports whether the billing address is written with the other one.
func (a *apply) bothAtOnce() bool {
	for i := range a.shop.m.SetAddress {
		for template := range a.shop.m.SetAddress[i].templates(nil) {
			if strings.Contains(template, "{billing.") {
				return true
			}
		}
	}
	return false
}

func (a *apply) tellBilling(ctx context.Context, address, billing *upstream.Address) error {
	if billing == nil || len(a.shop.m.SetBilling) == 0 || equal(a.kept.Billing, billing) {
		a.kept.Billing = billing
		return nil
	}
	if a.kept.Address == nil && a.desired.Billing == nil {
		a.kept.Billing = nil // It is the address that was refused.
		return nil
	}
	said, refused, err := a.steps(ctx, a.shop.m.SetBilling, bothNames(a.desired.Buyer, address, billing))
	if err != nil {
		return err
	}
	a.kept.Billing = billing
	if refused {
		a.kept.Billing = nil
		a.note(said, upstream.NoticeAddressRefused, "The shop does not take the billing address.")
	}
	return nil
}

func equal(a, b *upstream.Address) bool { return a != nil && b != nil && *a == *b }

func bothNames(b upstream.Buyer, address, billing *upstream.Address) names {
	n := names{texts: buyerValues(b)}
	if address != nil {
		n = n.with(addressValues("address", *address))
	}
	if billing != nil {
		n = n.with(addressValues("billing", *billing))
	}
	return n
}

// note adds a notice with the code that the shop said, if that is one about what a
// buyer or an address can be refused for, else with the usual code.
func (a *apply) note(said, usual upstream.NoticeCode, text string) {
	switch said {
	case upstream.NoticeNoDelivery:
		usual, text = said, "The shop does not deliver to this address."
	case upstream.NoticeAddressRefused, upstream.NoticeBuyerRefused:
		usual = said
	}
	a.notices = append(a.notices, upstream.Notice{Code: usual, Text: text})
}
