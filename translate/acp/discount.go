package acp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Discounts are the codes that were given, what lowered the price, and what did
// not (schema.discount.json).
type Discounts struct {
	Codes    []string           `json:"codes"`
	Applied  []AppliedDiscount  `json:"applied"`
	Rejected []RejectedDiscount `json:"rejected,omitempty"`
}

// AppliedDiscount is something that lowered the price, by a positive amount.
type AppliedDiscount struct {
	ID          string       `json:"id"`
	Code        string       `json:"code,omitempty"`
	Coupon      Coupon       `json:"coupon"`
	Amount      int64        `json:"amount"`
	Automatic   bool         `json:"automatic,omitempty"`
	Method      string       `json:"method,omitempty"`
	Allocations []Allocation `json:"allocations,omitempty"`
}

// Coupon is what stands behind a discount.
type Coupon struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Allocation is the part of a discount that one line bears.
type Allocation struct {
	Path   string `json:"path"`
	Amount int64  `json:"amount"`
}

// RejectedDiscount is a code that did not lower the price.
type RejectedDiscount struct {
	Code    string `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
}

// discountsOf returns what lowered a basket's price.
func discountsOf(b *basket.Basket) *Discounts {
	d := &Discounts{Codes: append([]string{}, b.Wanted.Codes...), Applied: []AppliedDiscount{}}
	lines := linesOf(b)
	for i := range b.Observed.Discounts {
		d.Applied = append(d.Applied, appliedOf(i, &b.Observed.Discounts[i], lines))
	}
	for _, issue := range b.Warnings {
		code := warningCode(issue.Code)
		if issue.Field == basket.FieldCode && issue.Index < len(b.Wanted.Codes) && strings.HasPrefix(code, "discount_code_") {
			d.Rejected = append(d.Rejected, RejectedDiscount{b.Wanted.Codes[issue.Index], code, issue.Text})
		}
	}
	return d
}

func appliedOf(i int, d *upstream.Discount, lines []LineItem) AppliedDiscount {
	id := fmt.Sprintf("discount_%d", i+1)
	a := AppliedDiscount{
		ID: id, Code: d.Code, Amount: d.Amount.Minor, Automatic: d.Code == "",
		Coupon: Coupon{cmp.Or(d.Code, id), cmp.Or(d.Title, d.Code, "Discount")}, Method: "across",
	}
	if a.Allocations = allocationsOf(d, lines); a.Allocations != nil {
		a.Method = "each"
	}
	return a
}

// allocationsOf says which line bears how much. Parts that do not add up to the
// whole are none (rfc.discount_extension, section 5.3).
func allocationsOf(d *upstream.Discount, lines []LineItem) []Allocation {
	var out []Allocation
	left := d.Amount.Minor
	for i, line := range lines {
		if part := d.Lines[line.ID].Minor; part != 0 {
			out = append(out, Allocation{fmt.Sprintf("$.line_items[%d]", i), part})
			left -= part
		}
	}
	if left != 0 {
		return nil
	}
	return out
}
