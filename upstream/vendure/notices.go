package vendure

import (
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// explain says what differs from what was desired.
func (a *apply) explain(observed upstream.Observed) []upstream.Notice {
	notices := a.notices
	if a.renewed {
		notices = append(notices, upstream.Notice{
			Code: upstream.NoticeBasketRenewed, Text: "The shop had dropped the basket; this is a new one with the same content.",
		})
	}
	notices = append(notices, a.lineNotices(observed)...)
	for _, code := range a.desired.Codes {
		if notice, ok := a.codeNotice(code); ok {
			notices = append(notices, notice)
		}
	}
	if a.desired.Buyer.Email != "" && a.otherBuyer() {
		notices = append(notices, a.buyerNotice())
	}
	return append(notices, a.deliveryNotices(observed)...)
}

// lineNotices are about the lines of which the basket holds fewer than wanted.
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
		why := a.verdicts[variantTopic(line.variant)]
		switch {
		case a.held.quantity(line.variant) > 0:
			notice.Code, notice.Text = upstream.NoticeQuantityLowered, "There are fewer than wanted; the basket holds what there is."
		case why == "InsufficientStockError":
			notice.Code, notice.Text = upstream.NoticeOutOfStock, "This item is out of stock."
		default:
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not put this item into the basket."
		}
		if why == "OrderLimitError" {
			notice.Text = "A basket of this shop does not hold so many items."
		}
		if why == "InsufficientStockError" {
			available := a.held.quantity(line.variant)
			notice.Available = &available
		}
		notices = append(notices, notice)
	}
	return notices
}

// quantity says how many of a variant the basket holds.
func (c contents) quantity(variant string) int64 {
	var n int64
	for _, line := range c.order.Get("lines").Array() {
		if line.Get("productVariant.id").String() == variant {
			n += line.Get("quantity").Int()
		}
	}
	return n
}

// codeNotice says what is wrong with a discount code. One that is on the order
// and has no promotion there waits for its conditions to be met.
func (a *apply) codeNotice(code string) (upstream.Notice, bool) {
	notice := upstream.Notice{Discount: code}
	if a.held.hasCode(code) {
		for _, promotion := range a.held.order.Get("promotions").Array() {
			if strings.EqualFold(promotion.Get("couponCode").String(), code) {
				return notice, false
			}
		}
		notice.Code, notice.Text = upstream.NoticeDiscountNotMet, "The basket does not meet the conditions of this code yet."
		return notice, true
	}
	switch a.verdicts[codeID(code)] {
	case "CouponCodeInvalidError":
		notice.Code, notice.Text = upstream.NoticeDiscountUnknown, "The shop does not know this code."
	case "CouponCodeExpiredError":
		notice.Code, notice.Text = upstream.NoticeDiscountExpired, "This code has expired."
	default:
		// It was refused for its limit, or taken and dropped again for that.
		notice.Code, notice.Text = upstream.NoticeDiscountExpired, "This code is used up."
	}
	return notice, true
}

// otherBuyer reports whether the order has another buyer than desired.
func (a *apply) otherBuyer() bool {
	on := a.held.order.Get("customer.emailAddress").String()
	return !a.held.none() && !strings.EqualFold(a.desired.Buyer.Email, on)
}

func (a *apply) buyerNotice() upstream.Notice {
	notice := upstream.Notice{Code: upstream.NoticeBuyerRefused}
	switch a.verdicts[buyerID] {
	case "EmailAddressConflictError":
		notice.Text = "The shop has an account with this e-mail address and takes such orders from its signed-in owner only; use another address."
	case "GuestCheckoutError":
		notice.Text = "The shop takes orders from signed-in customers only."
	default:
		notice.Text = "The shop does not accept this buyer."
	}
	return notice
}

// deliveryNotices are about where the goods go, and how.
func (a *apply) deliveryNotices(observed upstream.Observed) []upstream.Notice {
	switch {
	case a.handle.NoRoute,
		a.shipping != nil && len(observed.Lines) > 0 && len(observed.Delivery) == 0:
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "The shop does not deliver to this address."}}
	case observed.Chosen != a.desired.Delivery:
		return []upstream.Notice{{Code: upstream.NoticeDeliveryUnknown, Text: "This way of delivery is not on offer for this basket."}}
	}
	return nil
}
