package shoptest

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// observe works out what a basket holds and costs now.
func (s *store) observe(b *basket) (upstream.Observed, []upstream.Notice) {
	o := upstream.Observed{Currency: b.currency, Tax: upstream.TaxIncluded}
	d, notices := refuse(b.desired)
	notices = append(notices, s.fill(&o, b)...)
	var subtotal int64
	for _, line := range o.Lines {
		subtotal += line.Subtotal.Minor
	}
	notices = append(notices, deliver(&o, d)...)
	var delivery int64
	for _, option := range o.Delivery {
		if option.ID == o.Chosen {
			delivery = option.Price.Minor
		}
	}
	off, free, refused := discount(&o, d.Codes, subtotal, delivery)
	notices = append(notices, refused...)
	add := func(kind upstream.TotalKind, minor int64) {
		if minor != 0 || kind == upstream.TotalSubtotal {
			o.Totals = append(o.Totals, upstream.Total{Kind: kind, Amount: money.Amount{Minor: minor, Currency: b.currency}})
		}
	}
	add(upstream.TotalSubtotal, subtotal)
	add(upstream.TotalItemsDiscount, -off)
	add(upstream.TotalFulfillment, delivery-free)
	o.Total = money.Amount{Minor: subtotal - off + delivery - free, Currency: b.currency}
	o.TaxTotal = &money.Amount{Minor: o.Total.Minor / 6, Currency: b.currency}
	o.Missing = missing(&o, d)
	return o, notices
}

// member is a customer who has to sign in.
const member = "member@example.com"

// refuse returns what is desired without what the store does not take of it.
func refuse(d upstream.Desired) (upstream.Desired, []upstream.Notice) {
	var notices []upstream.Notice
	if email := d.Buyer.Email; email != "" && (!strings.Contains(email, "@") || strings.Contains(email, " ") || email == member) {
		d.Buyer.Email = ""
		notices = append(notices, upstream.Notice{Code: upstream.NoticeBuyerRefused, Text: "This is no e-mail address for us."})
	}
	if d.Address != nil && d.Address.PostalCode == "!" {
		d.Address = nil
		notices = append(notices, upstream.Notice{Code: upstream.NoticeAddressRefused, Text: "There is no such post code."})
	}
	return d, notices
}

// fill puts the lines into the basket that the shop can sell.
func (s *store) fill(o *upstream.Observed, b *basket) (notices []upstream.Notice) {
	products := s.catalogue(upstream.Visit{Market: upstream.Market{Currency: b.currency}})
	taken := map[string]int64{}
	for _, line := range b.desired.Lines {
		i := slices.IndexFunc(products, func(p upstream.Product) bool { return p.ID == line.Item || p.Variant(line.Item) != nil })
		if i < 0 {
			notices = append(notices, upstream.Notice{Code: upstream.NoticeNotFound, Line: line.Key, Text: "There is no such thing."})
			continue
		}
		p := products[i]
		variant := p.Variant(line.Item)
		if variant == nil && len(p.Variants) > 1 {
			notices = append(notices, upstream.Notice{Code: upstream.NoticeOptionNeeded, Line: line.Key, Text: "Which size?", Options: p.Options, Variants: p.Variants})
			continue
		}
		if variant == nil {
			variant = &p.Variants[0]
		}
		left := *variant.Stock - taken[variant.ID]
		n := min(line.Quantity, left)
		taken[variant.ID] += n
		switch {
		case n == 0:
			notices = append(notices, upstream.Notice{Code: upstream.NoticeOutOfStock, Line: line.Key, Text: "It is sold out."})
			continue
		case n < line.Quantity:
			notices = append(notices, upstream.Notice{Code: upstream.NoticeQuantityLowered, Line: line.Key, Text: "There are fewer.", Available: variant.Stock})
		}
		price := money.Amount{Minor: variant.Price.Minor * n, Currency: b.currency}
		o.Lines = append(o.Lines, upstream.Line{
			Key: line.Key, Item: variant.ID, Product: p.ID, Title: variant.Title, Choices: variant.Options, Quantity: n,
			Unit: variant.Price, Subtotal: price, Total: price, URL: p.URL,
		})
	}
	return notices
}

func deliver(o *upstream.Observed, d upstream.Desired) (notices []upstream.Notice) {
	if d.Address != nil && d.Address.Country != "GB" {
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "We do not deliver there."}}
	}
	if d.Address != nil {
		o.Delivery = []upstream.DeliveryOption{
			{ID: "standard", Title: "Standard", Price: money.Amount{Minor: 495, Currency: o.Currency}},
			{ID: "express", Title: "Express", Price: money.Amount{Minor: 995, Currency: o.Currency}},
		}
	}
	if slices.ContainsFunc(o.Delivery, func(option upstream.DeliveryOption) bool { return option.ID == d.Delivery }) {
		o.Chosen = d.Delivery
	} else if d.Delivery != "" {
		notices = append(notices, upstream.Notice{Code: upstream.NoticeDeliveryUnknown, Text: "This way is not on offer."})
	}
	return notices
}

// discount works out what codes take off the goods and off the delivery.
func discount(o *upstream.Observed, codes []string, subtotal, delivery int64) (off, free int64, notices []upstream.Notice) {
	seen := map[string]bool{}
	for _, given := range codes {
		code := strings.ToUpper(strings.TrimSpace(given))
		if seen[code] {
			continue
		}
		seen[code] = true
		refuse := func(why upstream.NoticeCode) {
			notices = append(notices, upstream.Notice{Code: why, Discount: given, Text: "The code does not apply."})
		}
		amount, onDelivery := int64(0), false
		switch code {
		case "TEN":
			amount = (subtotal + 5) / 10
		case "TWENTY":
			if subtotal < 15000 {
				refuse(upstream.NoticeDiscountNotMet)
				continue
			}
			amount = 2000
		case "FREE":
			amount, onDelivery = delivery, true
		case "OLD":
			refuse(upstream.NoticeDiscountExpired)
			continue
		default:
			refuse(upstream.NoticeDiscountUnknown)
			continue
		}
		if amount == 0 {
			continue
		}
		o.Discounts = append(o.Discounts, upstream.Discount{
			Code: code, Title: "Discount", Amount: money.Amount{Minor: amount, Currency: o.Currency}, OnDelivery: onDelivery,
		})
		if onDelivery {
			free += amount
		} else {
			off += amount
		}
	}
	spread(o, off)
	return off, free, notices
}

// spread lets the lines bear a discount by their prices.
func spread(o *upstream.Observed, off int64) {
	weights := make([]int64, len(o.Lines))
	for i, line := range o.Lines {
		weights[i] = line.Subtotal.Minor
	}
	for i, share := range money.Allocate(off, weights) {
		o.Lines[i].Total.Minor -= share
	}
}

func missing(o *upstream.Observed, d upstream.Desired) (missing []upstream.Missing) {
	for _, want := range []struct {
		absent bool
		what   upstream.Missing
	}{
		{len(o.Lines) == 0, upstream.MissingLines},
		{d.Buyer.Email == "", upstream.MissingEmail},
		{d.Address == nil, upstream.MissingAddress},
		{o.Chosen == "", upstream.MissingDelivery},
	} {
		if want.absent {
			missing = append(missing, want.what)
		}
	}
	return missing
}
