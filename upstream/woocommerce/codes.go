package woocommerce

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxCode bounds a discount code, in bytes.
const maxCode = 200

// codes returns the discount codes that are wanted, as they were written but for
// spaces around them. A shop passes over case.
func (a *apply) codes() []string {
	var codes []string
	for _, code := range a.desired.Codes {
		code = strings.TrimSpace(code)
		if !slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, code) }) && isCode(code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// isCode reports whether a text may be a discount code.
func isCode(code string) bool {
	return len(code) <= maxCode && strings.ContainsFunc(code, isWordRune) && !strings.ContainsAny(code, "<>\x00\r\n")
}

// setCodes takes discount codes off and puts others on. An empty basket takes any
// code, whatever it says; so none is put on one.
func (a *apply) setCodes(ctx context.Context) error {
	codes := a.codes()
	if len(a.cart.lines()) == 0 || !a.facts.codes {
		codes = nil
	}
	var changes []change
	var tried []string
	for _, on := range a.cart.Get("coupons").Array() {
		code := on.Get("code").String()
		if !slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, code) }) {
			changes = append(changes, change{"cart/remove-coupon", couponCode{code}})
			tried = append(tried, "")
		}
	}
	for _, code := range codes {
		if !a.hasCode(code) {
			changes = append(changes, change{"cart/apply-coupon", couponCode{code}})
			tried = append(tried, code)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	answers, err := a.send(ctx, changes)
	if err != nil {
		return err
	}
	for i, answer := range answers {
		if !answer.refused() {
			a.take(answer)
		} else if tried[i] != "" {
			a.verdicts["code "+strings.ToLower(tried[i])] = codeVerdict(answer.message())
		}
	}
	return nil
}

// hasCode reports whether a discount code is on the basket.
func (a *apply) hasCode(code string) bool {
	return slices.ContainsFunc(a.cart.Get("coupons").Array(), func(on gjson.Result) bool {
		return strings.EqualFold(on.Get("code").String(), code)
	})
}

// What the shop may say to a code.
const (
	noCodeVerdict    verdict = "no such code"
	expiredVerdict   verdict = "expired"
	notMetVerdict    verdict = "not met"
	exclusiveVerdict verdict = "exclusive"
)

// codeVerdict guesses from the shop's words why it refused a code. It has one
// code for all reasons, and a shop in another language than English leaves it at
// that; then nobody can tell more than that the conditions are not met.
func codeVerdict(message string) verdict {
	message = strings.ToLower(message)
	for _, known := range []struct {
		words string
		means verdict
	}{
		{"does not exist", noCodeVerdict},
		{"has expired", expiredVerdict},
		{"usage limit", expiredVerdict},
		{"in conjunction with other coupons", exclusiveVerdict},
	} {
		if strings.Contains(message, known.words) {
			return known.means
		}
	}
	return notMetVerdict
}

// codeNotices are about codes that have no effect.
func (a *apply) codeNotices(observed upstream.Observed) []upstream.Notice {
	var notices []upstream.Notice
	for _, wanted := range a.desired.Codes {
		code := strings.TrimSpace(wanted)
		effective := slices.ContainsFunc(observed.Discounts, func(d upstream.Discount) bool { return strings.EqualFold(d.Code, code) })
		if !effective {
			notices = append(notices, a.codeNotice(wanted, code))
		}
	}
	return notices
}

func (a *apply) codeNotice(wanted, code string) upstream.Notice {
	n := upstream.Notice{Discount: wanted, Code: upstream.NoticeDiscountNotMet, Text: "The shop does not take this discount code for this basket."}
	said := a.verdicts["code "+strings.ToLower(code)]
	switch {
	case !isCode(code), !a.facts.codes:
		said = noCodeVerdict
	case len(a.cart.lines()) == 0:
		n.Text = "A discount code needs a basket with something in it."
		return n
	case a.hasCode(code):
		n.Text = "This discount code takes nothing off this basket; it may open a way of delivery that is free."
		return n
	case said == "":
		said = a.removed(code)
	}
	switch said {
	case noCodeVerdict:
		n.Code, n.Text = upstream.NoticeDiscountUnknown, "The shop has no such discount code."
	case expiredVerdict:
		n.Code, n.Text = upstream.NoticeDiscountExpired, "This discount code has expired or is used up."
	case exclusiveVerdict:
		n.Code, n.Text = upstream.NoticeDiscountNotCombinable, "This discount code cannot be combined with another one."
	}
	return n
}

// removed says why the shop took a code off the basket. Without a word it does so
// for a code that stands no other beside it.
func (a *apply) removed(code string) verdict {
	for _, one := range a.cart.Get("errors").Array() {
		message := plain(one.Get("message").String())
		if strings.Contains(strings.ToLower(message), strings.ToLower(code)) {
			return codeVerdict(message)
		}
	}
	return exclusiveVerdict
}
