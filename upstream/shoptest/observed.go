package shoptest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// CheckObserved fails for each thing that does not hold for o and always should:
// totals that add up, one currency, lines that explain the subtotal, discounts
// that explain what was taken off, a choice that is on offer.
func CheckObserved(t testing.TB, o upstream.Observed) {
	t.Helper()
	for _, problem := range problemsOf(o) {
		t.Errorf("basket: %s", problem)
	}
}

// problems collects what is wrong.
type problems []string

func (p *problems) add(format string, args ...any) {
	*p = append(*p, fmt.Sprintf(format, args...))
}

// text and url add a problem with a text or an address of the shop.
func (p *problems) text(what, s string) {
	if bad := badText(s); bad != "" {
		p.add("%s %s", what, bad)
	}
}

func (p *problems) url(what, s string) {
	if bad := badURL(s); bad != "" {
		p.add("%s %s", what, bad)
	}
}

// sum adds amounts, and is a problem where they cannot be added.
func (p *problems) sum(what string, amounts ...money.Amount) money.Amount {
	total, err := money.Sum(amounts...)
	if err != nil {
		p.add("%s cannot be added up: %v", what, err)
	}
	return total
}

func problemsOf(o upstream.Observed) problems {
	var p problems
	if _, err := o.Currency.Digits(); err != nil {
		p.add("currency: %v", err)
	}
	for what, amount := range amountsOf(o) {
		if amount.Currency != o.Currency {
			p.add("%s is %v, the basket is in %q", what, amount, o.Currency)
		}
	}
	if len(p) > 0 {
		return p // Nothing could be added up.
	}
	p.totals(o)
	p.tax(o)
	p.lines(o)
	p.discounts(o)
	p.delivery(o)
	p.missing(o)
	p.url("HandOff", o.HandOff)
	slices.Sort(p)
	return p
}

// amountsOf returns every amount of a basket by what it is.
func amountsOf(o upstream.Observed) map[string]money.Amount {
	all := map[string]money.Amount{"Total": o.Total}
	if o.TaxTotal != nil {
		all["TaxTotal"] = *o.TaxTotal
	}
	for _, total := range o.Totals {
		all[fmt.Sprintf("total %q", total.Kind)] = total.Amount
	}
	for _, line := range o.Lines {
		all["unit price of line "+line.Key] = line.Unit
		all["subtotal of line "+line.Key] = line.Subtotal
		all["total of line "+line.Key] = line.Total
	}
	for i, discount := range o.Discounts {
		all[fmt.Sprintf("discount %d", i)] = discount.Amount
		for key, amount := range discount.Lines {
			all[fmt.Sprintf("part of discount %d on line %s", i, key)] = amount
		}
	}
	for _, option := range o.Delivery {
		all["price of delivery "+option.ID] = option.Price
	}
	return all
}

// ofKinds adds up the totals of some kinds.
func (p *problems) ofKinds(o upstream.Observed, kinds ...upstream.TotalKind) money.Amount {
	amounts := []money.Amount{{Currency: o.Currency}}
	for _, total := range o.Totals {
		if slices.Contains(kinds, total.Kind) {
			amounts = append(amounts, total.Amount)
		}
	}
	return p.sum(fmt.Sprintf("totals of kind %v", kinds), amounts...)
}

func (p *problems) totals(o upstream.Observed) {
	amounts := []money.Amount{{Currency: o.Currency}}
	for _, total := range o.Totals {
		amounts = append(amounts, total.Amount)
		p.text("label of a total", total.Label)
		minor := total.Amount.Minor
		switch total.Kind {
		case upstream.TotalItemsDiscount, upstream.TotalDiscount:
			if minor > 0 {
				p.add("total %q is %v; what is taken off is negative", total.Kind, total.Amount)
			}
		case upstream.TotalSubtotal, upstream.TotalFulfillment, upstream.TotalTax, upstream.TotalFee:
			if minor < 0 {
				p.add("total %q is %v, below zero", total.Kind, total.Amount)
			}
		case upstream.TotalRounding:
		default:
			p.add("there is no kind of total %q", total.Kind)
		}
	}
	if sum := p.sum("Totals", amounts...); sum != o.Total {
		p.add("Totals add up to %v, Total is %v", sum, o.Total)
	}
	if o.Total.Minor < 0 {
		p.add("Total is %v, below zero", o.Total)
	}
}

func (p *problems) tax(o upstream.Observed) {
	stated := p.ofKinds(o, upstream.TotalTax)
	switch {
	case o.Tax == upstream.TaxIncluded && stated.Minor != 0:
		p.add("prices contain tax, and yet Totals add %v of it", stated)
	case o.TaxTotal == nil:
	case o.TaxTotal.Minor < 0 || o.TaxTotal.Minor > o.Total.Minor:
		p.add("TaxTotal %v is not a part of Total %v", *o.TaxTotal, o.Total)
	case o.Tax == upstream.TaxExcluded && stated != *o.TaxTotal:
		p.add("TaxTotal is %v, Totals say %v", *o.TaxTotal, stated)
	}
}

func (p *problems) lines(o upstream.Observed) {
	keys := map[string]bool{}
	subtotal, total := money.Amount{Currency: o.Currency}, money.Amount{Currency: o.Currency}
	for _, line := range o.Lines {
		what := "line " + line.Key
		if line.Key == "" || keys[line.Key] {
			p.add("key %q stands on no line or several", line.Key)
		}
		keys[line.Key] = true
		if line.Item == "" || line.Product == "" || line.Title == "" {
			p.add("%s lacks its item, product or title: %+v", what, line)
		}
		if line.Quantity < 1 {
			p.add("%s holds %d", what, line.Quantity)
		}
		p.linePrice(what, line)
		p.text("title of "+what, line.Title)
		p.url("image of "+what, line.Image)
		p.url("URL of "+what, line.URL)
		subtotal = p.sum("subtotals of lines", subtotal, line.Subtotal)
		total = p.sum("totals of lines", total, line.Total)
	}
	if stated := p.ofKinds(o, upstream.TotalSubtotal); stated != subtotal {
		p.add("the lines' subtotals add up to %v, Totals say %v", subtotal, stated)
	}
	// What was taken off the whole and spread over the lines is off the items too
	// (UCP, discount.md, "Impact on Line Items and Totals").
	off := subtotal.Minor - total.Minor
	if items := -p.ofKinds(o, upstream.TotalItemsDiscount).Minor; off != items {
		p.add("%d was taken off the lines; Totals say %d off items", off, items)
	}
}

// linePrice checks a line's own arithmetic. A shop that rounds the price of one
// may be off by half a unit for each.
func (p *problems) linePrice(what string, line upstream.Line) {
	if line.Unit.Minor < 0 || line.Total.Minor < 0 || line.Total.Minor > line.Subtotal.Minor {
		p.add("%s: unit %v, subtotal %v, total %v", what, line.Unit, line.Subtotal, line.Total)
	}
	product, err := line.Unit.Mul(line.Quantity)
	if err != nil {
		p.add("%s: %v × %d: %v", what, line.Unit, line.Quantity, err)
		return
	}
	if off := product.Minor - line.Subtotal.Minor; off > line.Quantity || off < -line.Quantity {
		p.add("%s: %v × %d is not %v", what, line.Unit, line.Quantity, line.Subtotal)
	}
}

func (p *problems) discounts(o upstream.Observed) {
	var onItems, onDelivery int64
	for _, discount := range o.Discounts {
		p.text("title of a discount", discount.Title)
		if discount.Code == "" && discount.Title == "" {
			p.add("a discount of %v has neither code nor title", discount.Amount)
		}
		if discount.Amount.Minor <= 0 {
			p.add("discount %q saves %v", nameOf(discount), discount.Amount)
		}
		if discount.OnDelivery {
			onDelivery += discount.Amount.Minor
		} else {
			onItems += discount.Amount.Minor
		}
		var borne int64
		for key, amount := range discount.Lines {
			borne += amount.Minor
			if !slices.ContainsFunc(o.Lines, func(l upstream.Line) bool { return l.Key == key }) {
				p.add("discount %q is borne by line %q, which does not exist", nameOf(discount), key)
			}
		}
		if borne > discount.Amount.Minor {
			p.add("discount %q saves %v, and its lines bear %d", nameOf(discount), discount.Amount, borne)
		}
	}
	// A delivery that is discounted may stand in the totals at its full price or
	// at what is left of it.
	off := -p.ofKinds(o, upstream.TotalItemsDiscount, upstream.TotalDiscount).Minor
	if off != onItems && off != onItems+onDelivery {
		p.add("Totals take %d off; Discounts explain %d, and %d off the delivery", off, onItems, onDelivery)
	}
}

func nameOf(d upstream.Discount) string {
	if d.Code != "" {
		return d.Code
	}
	return d.Title
}

func (p *problems) delivery(o upstream.Observed) {
	ids := map[string]bool{}
	for _, option := range o.Delivery {
		what := "delivery " + option.ID
		if option.ID == "" || ids[option.ID] {
			p.add("a way of delivery has the id %q, which is empty or another's", option.ID)
		}
		ids[option.ID] = true
		if option.Title == "" {
			p.add("%s has no title", what)
		}
		p.text("title of "+what, option.Title)
		p.text("description of "+what, option.Description)
		if option.Price.Minor < 0 {
			p.add("%s costs %v", what, option.Price)
		}
		if !option.Latest.IsZero() && option.Latest.Before(option.Earliest) {
			p.add("%s arrives from %s to %s", what, option.Earliest, option.Latest)
		}
	}
	if o.Chosen != "" && !ids[o.Chosen] {
		p.add("the way of delivery in force, %q, is not on offer", o.Chosen)
	}
}

func (p *problems) missing(o upstream.Observed) {
	all := []upstream.Missing{
		upstream.MissingLines, upstream.MissingEmail, upstream.MissingFirstName, upstream.MissingLastName,
		upstream.MissingPhone, upstream.MissingAddress, upstream.MissingStreet, upstream.MissingCity,
		upstream.MissingRegion, upstream.MissingPostalCode, upstream.MissingDelivery,
	}
	for i, missing := range o.Missing {
		if !slices.Contains(all, missing) || slices.Contains(o.Missing[:i], missing) {
			p.add("%q is missing twice, or nobody knows what it is", missing)
		}
	}
	if len(o.Lines) > 0 && slices.Contains(o.Missing, upstream.MissingLines) {
		p.add("lines are missing from a basket that has some")
	}
}
