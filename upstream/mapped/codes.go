package mapped

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxCode is how long a discount code can be, in bytes.
const maxCode = 255

// readCodes returns the codes that a shop might know.
func readCodes(written []string) []string {
	var codes []string
	for _, code := range written {
		code = strings.TrimSpace(code)
		if code != "" && len(code) <= maxCode && !strings.ContainsFunc(code, unicode.IsControl) && !hasCode(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// hasCode reports whether a code is among others, however it is written.
func hasCode(codes []string, code string) bool {
	return slices.ContainsFunc(codes, func(have string) bool { return strings.EqualFold(have, code) })
}

// codes are the discount codes in force.
func (b *basket) codes() []string {
	m, r := b.shop.m.Basket, b.shop.reader
	if b.held.tree.Raw == "" {
		return nil
	}
	codes := r.list(b.held.tree, m.Codes)
	if !m.Codes.mapped() && m.Discounts.In.mapped() {
		for _, item := range r.items(b.held.tree, m.Discounts.In) {
			codes = append(codes, r.list(item, m.Discounts.Code)...)
		}
	}
	return codes
}

// changeCodes puts the desired codes on the basket and takes the others off. What
// the shop said to a code that it did not take is kept, since a code that is not
// tried again must not change its reason.
func (a *apply) changeCodes(ctx context.Context) error {
	desired := readCodes(a.desired.Codes)
	before := a.kept.Refused
	a.kept.Refused = nil
	if a.shop.m.AddCode == nil || !a.kept.begun() {
		return nil
	}
	if err := a.fresh(ctx); err != nil {
		return err
	}
	held := a.codes()
	for _, code := range held {
		if hasCode(desired, code) {
			continue
		}
		n := names{texts: map[string]any{"code": code}}
		if _, _, err := a.write(ctx, a.shop.m.RemoveCode, n, nil); err != nil {
			return err
		}
	}
	held = slices.DeleteFunc(held, func(code string) bool { return !hasCode(desired, code) })
	for _, code := range desired {
		if hasCode(held, code) {
			continue
		}
		if len(held) > 0 && a.shop.m.codesOf() == upstream.CodesOne {
			a.refuseCode(code, before[code], upstream.NoticeDiscountNotCombinable)
			continue
		}
		n := names{texts: map[string]any{"code": code}}
		said, refused, err := a.write(ctx, a.shop.m.AddCode, n, nil)
		switch {
		case err != nil:
			return err
		case refused:
			a.refuseCode(code, said, upstream.NoticeDiscountUnknown)
		default:
			held = append(held, code)
		}
	}
	return nil
}

// refuseCode notes why the shop did not take a code.
func (a *apply) refuseCode(code string, said, usual upstream.NoticeCode) {
	if a.kept.Refused == nil {
		a.kept.Refused = make(map[string]upstream.NoticeCode)
	}
	switch said {
	case upstream.NoticeDiscountUnknown, upstream.NoticeDiscountExpired, upstream.NoticeDiscountNotMet, upstream.NoticeDiscountNotCombinable:
		usual = said
	}
	a.kept.Refused[code] = usual
}
