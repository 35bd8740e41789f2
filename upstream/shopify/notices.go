package shopify

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// explain says what differs from what was desired.
func (a *apply) explain(observed upstream.Observed) []upstream.Notice {
	notices := a.notices
	if a.renewed {
		notices = append(notices, upstream.Notice{
			Code: upstream.NoticeBasketRenewed,
			Text: "The shop had dropped the basket, as it does after some days and when it was ordered; this is a new one with the same content.",
		})
	}
	notices = append(notices, a.lineNotices(observed)...)
	notices = append(notices, a.codeNotices()...)
	notices = append(notices, a.buyerNotices()...)
	return append(notices, a.deliveryNotices(observed)...)
}

// lineNotices are about the lines of which the cart holds fewer than wanted.
func (a *apply) lineNotices(observed upstream.Observed) []upstream.Notice {
	holds := make(map[string]int64)
	for _, line := range observed.Lines {
		holds[line.Key] += line.Quantity
	}
	var notices []upstream.Notice
	for _, line := range a.lines {
		if holds[line.key] >= line.quantity {
			continue
		}
		notice := upstream.Notice{Line: line.key}
		switch code := a.reason(line.variant); {
		case holds[line.key] > 0:
			notice.Code, notice.Text = upstream.NoticeQuantityLowered, "The shop sells fewer than wanted; the basket holds what it does."
			if code == notEnough {
				available := a.cart.held(line.variant)
				notice.Available = &available
			}
		case code == notEnough, code == soldOut:
			notice.Code, notice.Text = upstream.NoticeOutOfStock, "This item is out of stock."
		case isAboutNumber(code):
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not sell this item in such a number."
		case code == "PRODUCT_UNAVAILABLE_IN_BUYER_LOCATION":
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not sell this item to that country."
		case code == "VARIANT_REQUIRES_SELLING_PLAN":
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop sells this item by subscription only."
		default:
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not put this item into the basket."
		}
		notices = append(notices, notice)
	}
	return notices
}

// Shopify's words for stock that does not suffice.
const (
	notEnough = "MERCHANDISE_NOT_ENOUGH_STOCK"
	soldOut   = "MERCHANDISE_OUT_OF_STOCK"
)

// reason is why the cart holds fewer of a variant than wanted: a refusal, the
// shop's rule for quantities, or a warning, which names a line or its variant.
// Without any of them it is the stock.
func (a *apply) reason(variant string) string {
	if code := a.refusals[variant]; code != "" {
		return code
	}
	if o := a.offers[variant]; a.cart.held(variant) >= o.allowed(a.total(variant)) {
		return "MAXIMUM_EXCEEDED"
	}
	for _, w := range slices.Backward(a.warnings) {
		if w.target == variant || slices.ContainsFunc(a.cart.lines(), func(l line) bool { return l.id() == w.target && l.variant() == variant }) {
			return w.code
		}
	}
	if a.cart.held(variant) == 0 {
		return soldOut
	}
	return notEnough
}

// buyerNotices are about the buyer's data.
func (a *apply) buyerNotices() []upstream.Notice {
	var notices []upstream.Notice
	refuse := func(text string) {
		notices = append(notices, upstream.Notice{Code: upstream.NoticeBuyerRefused, Text: text})
	}
	if a.refusals[aboutEmail] != "" {
		refuse("The shop does not accept this e-mail address.")
	}
	if a.refusals[aboutPhone] != "" {
		refuse("The shop does not accept this telephone number.")
	}
	if a.unsentPhone() {
		refuse("The shop takes telephone numbers in international form only, with a plus sign and the code of the country.")
	}
	return notices
}

// deliveryNotices are about where the goods go, and how.
func (a *apply) deliveryNotices(observed upstream.Observed) []upstream.Notice {
	wished := a.desired.Delivery
	switch {
	case a.refusals[aboutAddress] != "":
		return []upstream.Notice{{Code: upstream.NoticeAddressRefused, Text: "The shop does not accept this address."}}
	case a.desired.Address != nil && a.cart.isShipped() && (!a.reaches() || len(observed.Delivery) == 0):
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "The shop does not deliver to this address."}}
	case wished != "" && wished != observed.Chosen:
		return []upstream.Notice{{Code: upstream.NoticeDeliveryUnknown, Text: "This way of delivery is not on offer for this basket."}}
	}
	return nil
}

// codeNotices say what is wrong with discount codes that do not apply.
func (a *apply) codeNotices() []upstream.Notice {
	var refused []string
	for _, code := range unique(a.desired.Codes) {
		if trimmed := strings.TrimSpace(code); code != "" && !a.cart.applies(trimmed) {
			refused = append(refused, code)
		}
	}
	var notices []upstream.Notice
	for _, code := range refused {
		notice := upstream.Notice{Discount: code}
		notice.Code, notice.Text = a.whyNot(code, len(refused) == 1)
		notices = append(notices, notice)
	}
	return notices
}

// whyNot says why a discount code does not apply. A warning is about the code that
// it names, or about the only one there can be.
func (a *apply) whyNot(code string, only bool) (upstream.NoticeCode, string) {
	code = strings.TrimSpace(code)
	if !isCode(code) || a.refusals[aboutCodes] != "" || !a.cart.has(code) {
		return upstream.NoticeDiscountUnknown, "The shop does not know this code."
	}
	for _, w := range slices.Backward(a.warnings) {
		if strings.HasPrefix(w.code, "DISCOUNT_") && (only || w.names(code)) {
			return discountNotice(w.code)
		}
	}
	return discountNotice("")
}

// names reports whether a warning is about a discount code.
func (w warning) names(code string) bool {
	return strings.EqualFold(w.target, code) || strings.Contains(strings.ToLower(w.message), strings.ToLower(code))
}

// has reports whether a discount code is on the cart, whether it applies or not.
func (c cart) has(code string) bool {
	for _, is := range c.Get("discountCodes").Array() {
		if strings.EqualFold(is.Get("code").String(), code) {
			return true
		}
	}
	return false
}

// discountNotice translates Shopify's reason.
func discountNotice(code string) (upstream.NoticeCode, string) {
	switch code {
	case "DISCOUNT_NOT_FOUND":
		return upstream.NoticeDiscountUnknown, "The shop does not know this code."
	case "DISCOUNT_CURRENTLY_INACTIVE":
		return upstream.NoticeDiscountExpired, "This code is not valid now."
	case "DISCOUNT_USAGE_LIMIT_REACHED", "DISCOUNT_CUSTOMER_USAGE_LIMIT_REACHED":
		return upstream.NoticeDiscountExpired, "This code is used up."
	case "DISCOUNT_CODE_NOT_HONOURED":
		return upstream.NoticeDiscountNotCombinable, "The shop does not honour this code beside the basket's other discounts."
	case "DISCOUNT_CUSTOMER_NOT_ELIGIBLE", "DISCOUNT_ELIGIBLE_CUSTOMER_MISSING":
		return upstream.NoticeDiscountNotMet, "This code is for some of the shop's customers only."
	}
	return upstream.NoticeDiscountNotMet, "The basket does not meet the conditions of this code."
}
