package till

import (
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
)

// code is a discount code of the shop.
type code struct {
	code  string
	title string
	// basis is the part off in basis points, pence the sum off; neither for free
	// delivery.
	basis int64
	pence int64
	// minimum is what the goods must cost, in pence.
	minimum int64
	// ends is when it stops being valid, zero for never.
	ends time.Time
}

var codes = []code{
	{code: "WELCOME10", title: "10% off your order", basis: 1000},
	{code: "TRAIL20", title: "£20 off £150 or more", pence: 2000, minimum: 15000},
	{code: "FREESHIP", title: "Free delivery"},
	{code: "SUMMER24", title: "25% off in summer 2024", basis: 2500, ends: time.Date(2024, time.September, 1, 0, 0, 0, 0, time.UTC)},
}

// promotion is the shop's own rule: four or more of the same tableware.
const (
	promotionTitle    = "Table for four: 10% off"
	promotionBasis    = 1000
	promotionQuantity = 4
	// PromotionTag marks the products that the promotion is for.
	PromotionTag = "table-for-four"
)

// Discount is something that lowered the price.
type Discount struct {
	// Code is empty for the shop's own rule.
	Code  string
	Title string
	// Amount is what is saved. Lines are the parts that each line bears, nil for a
	// discount on delivery.
	Amount     int64
	Lines      []int64
	OnDelivery bool
}

// Reason says why a code was refused.
type Reason string

// The reasons.
const (
	ReasonUnknown       Reason = "unknown"
	ReasonExpired       Reason = "expired"
	ReasonNotMet        Reason = "not_met"
	ReasonNotCombinable Reason = "not_combinable"
)

// Refusal is a code that the basket was not given.
type Refusal struct {
	// Code is as the buyer wrote it.
	Code   string
	Reason Reason
	Text   string
}

func find(wanted string) *code {
	for i := range codes {
		if strings.EqualFold(codes[i].code, strings.TrimSpace(wanted)) {
			return &codes[i]
		}
	}
	return nil
}

// promotions takes off what the shop gives without a code.
func (b *Bill) promotions(items []Item) error {
	discount := Discount{Title: promotionTitle, Lines: make([]int64, len(items))}
	for i, item := range items {
		if !item.Promoted || item.Quantity < promotionQuantity {
			continue
		}
		off, err := b.amount(b.Lines[i].Total).Percent(promotionBasis)
		if err != nil {
			return err
		}
		discount.Lines[i] = off.Minor
	}
	b.takeOff(discount)
	return nil
}

// redeem applies what the buyer wrote, and says what it did not apply.
func (b *Bill) redeem(basket Basket) error {
	priced := false
	for _, written := range basket.Codes {
		c := find(written)
		if c != nil && b.has(c.code) {
			continue
		}
		reason, err := b.refusal(c, basket, priced)
		if err != nil {
			return err
		}
		if reason != "" {
			b.Refused = append(b.Refused, Refusal{Code: written, Reason: reason, Text: texts[reason]})
			continue
		}
		b.Codes = append(b.Codes, c.code)
		if c.basis == 0 && c.pence == 0 {
			b.freeDelivery = c
			continue
		}
		priced = true
		if err := b.apply(c, basket.Items); err != nil {
			return err
		}
	}
	return nil
}

var texts = map[Reason]string{
	ReasonUnknown:       "The shop has no such discount code.",
	ReasonExpired:       "This discount code is no longer valid.",
	ReasonNotMet:        "The basket does not meet the conditions of this discount code.",
	ReasonNotCombinable: "This discount code cannot be used together with another one that lowers the price.",
}

// refusal says why a code is not applied, if it is not.
func (b *Bill) refusal(c *code, basket Basket, priced bool) (Reason, error) {
	if c == nil {
		return ReasonUnknown, nil
	}
	minimum, err := goods.Convert(c.minimum, b.Currency)
	if err != nil {
		return "", err
	}
	eligible := sum(b.eligible(basket.Items))
	switch {
	case !c.ends.IsZero() && !basket.Now.Before(c.ends):
		return ReasonExpired, nil
	case c.basis == 0 && c.pence == 0:
		if !basket.Travels() {
			return ReasonNotMet, nil
		}
	case priced:
		return ReasonNotCombinable, nil
	case eligible == 0, eligible < minimum:
		return ReasonNotMet, nil
	}
	return "", nil
}

func (b *Bill) has(code string) bool {
	for _, have := range b.Codes {
		if have == code {
			return true
		}
	}
	return false
}

// apply spreads a code over the lines that it is for.
func (b *Bill) apply(c *code, items []Item) error {
	weights := b.eligible(items)
	off := b.amount(sum(weights))
	var err error
	if c.basis > 0 {
		off, err = off.Percent(c.basis)
	} else {
		var flat int64
		flat, err = goods.Convert(c.pence, b.Currency)
		off.Minor = min(flat, off.Minor)
	}
	if err != nil {
		return err
	}
	b.takeOff(Discount{Code: c.code, Title: c.title, Lines: money.Allocate(off.Minor, weights)})
	return nil
}

// eligible is what codes apply to of each line: everything but gift cards.
func (b *Bill) eligible(items []Item) []int64 {
	out := make([]int64, len(items))
	for i, item := range items {
		if !item.Digital {
			out[i] = b.Lines[i].Total
		}
	}
	return out
}

// takeOff lowers the lines by their parts of a discount.
func (b *Bill) takeOff(d Discount) {
	for i, part := range d.Lines {
		b.Lines[i].Total -= part
		d.Amount += part
	}
	if d.Amount > 0 {
		b.Discounts = append(b.Discounts, d)
	}
}
