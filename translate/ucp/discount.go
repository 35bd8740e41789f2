package ucp

import (
	"cmp"
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Discounts are the codes that were given and what lowered the price
// (schemas/shopping/discount.json).
type Discounts struct {
	// Codes are as they were given, those that were refused too.
	Codes   []string          `json:"codes,omitempty"`
	Applied []AppliedDiscount `json:"applied,omitempty"`
}

// AppliedDiscount is something that lowered the price, by a positive Amount.
type AppliedDiscount struct {
	Title  string `json:"title"`
	Amount int64  `json:"amount"`
	Code   string `json:"code,omitempty"`
	// Automatic: a rule of the shop, without a code.
	Automatic   bool         `json:"automatic,omitempty"`
	Allocations []Allocation `json:"allocations,omitempty"`
}

// Allocation is the part of a discount that one line bears.
type Allocation struct {
	Path   string `json:"path"`
	Amount int64  `json:"amount"`
}

// discountsOf returns what lowered a basket's price, nil when nothing did and no
// code was given.
func discountsOf(b *basket.Basket) *Discounts {
	if len(b.Wanted.Codes) == 0 && len(b.Observed.Discounts) == 0 {
		return nil
	}
	d := &Discounts{Codes: b.Wanted.Codes}
	for i := range b.Observed.Discounts {
		discount := &b.Observed.Discounts[i]
		d.Applied = append(d.Applied, AppliedDiscount{
			Title: cmp.Or(discount.Title, discount.Code, "Discount"), Amount: discount.Amount.Minor,
			Code: discount.Code, Automatic: discount.Code == "",
			Allocations: allocationsOf(discount, linesOf(b)),
		})
	}
	return d
}

// allocationsOf says which line bears how much. A discount that lines bear in
// part only has none: parts that do not add up to the whole would be wrong.
func allocationsOf(d *upstream.Discount, lines []LineItem) []Allocation {
	var out []Allocation
	var sum money.Amount
	for i, line := range lines {
		part, ok := d.Lines[line.ID]
		if !ok || part.Minor == 0 {
			continue
		}
		out = append(out, Allocation{Path: fmt.Sprintf("$.line_items[%d]", i), Amount: part.Minor})
		sum.Minor += part.Minor
	}
	if sum.Minor != d.Amount.Minor {
		return nil
	}
	return out
}

// readCodes reads the codes that were given.
func readCodes(r gjson.Result) []string {
	var codes []string
	for _, code := range r.Get("codes").Array() {
		codes = append(codes, code.String())
	}
	return codes
}
