package shopify

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// ledger collects what lowered the price of a cart.
type ledger struct {
	purse  *purse
	shares shares
	all    []upstream.Discount
}

// readDiscounts returns what lowered the price of a cart, and where.
func readDiscounts(purse *purse, c cart, shares shares) []upstream.Discount {
	l := ledger{purse: purse, shares: shares}
	for _, line := range c.lines() {
		for _, is := range line.Get("discountAllocations").Array() {
			l.onLine(line, is)
		}
	}
	for _, is := range c.onDelivery() {
		l.onDelivery(is)
	}
	return slices.DeleteFunc(l.all, func(d upstream.Discount) bool { return d.Amount.Minor == 0 })
}

// onLine enters an allocation on a line.
func (l *ledger) onLine(line line, is gjson.Result) {
	saved := l.purse.read(is.Get("discountedAmount"))
	d := l.entry(is, false)
	d.Amount = l.purse.sum(d.Amount, saved)
	parts := l.shares.of[line.id()]
	for i, part := range l.purse.split(saved, parts) {
		if part.Minor == 0 {
			continue
		}
		if d.Lines == nil {
			d.Lines = make(map[string]money.Amount)
		}
		d.Lines[parts[i].Key] = l.purse.sum(d.Lines[parts[i].Key], part)
	}
}

// onDelivery enters an allocation on the delivery.
func (l *ledger) onDelivery(is gjson.Result) {
	d := l.entry(is, true)
	d.Amount = l.purse.sum(d.Amount, l.purse.read(is.Get("discountedAmount")))
}

// entry returns the discount that an allocation is part of.
func (l *ledger) entry(allocation gjson.Result, onDelivery bool) *upstream.Discount {
	code, title := allocation.Get("code").String(), plaintext.FromHTML(allocation.Get("title").String())
	if title == "" {
		title = code
	}
	if title == "" {
		title = "Discount"
	}
	at := slices.IndexFunc(l.all, func(d upstream.Discount) bool {
		return d.Code == code && d.Title == title && d.OnDelivery == onDelivery
	})
	if at < 0 {
		at = len(l.all)
		l.all = append(l.all, upstream.Discount{Code: code, Title: title, Amount: l.purse.zero(), OnDelivery: onDelivery})
	}
	return &l.all[at]
}

// allocated adds up allocations.
func (p *purse) allocated(allocations []gjson.Result) money.Amount {
	sum := p.zero()
	for _, is := range allocations {
		sum = p.sum(sum, p.read(is.Get("discountedAmount")))
	}
	return sum
}
