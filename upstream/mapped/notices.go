package mapped

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
	seen := make(map[string]bool)
	for _, written := range a.desired.Codes {
		if notice, ok := a.codeNotice(written); ok && !seen[written] {
			notices = append(notices, notice)
		}
		seen[written] = true
	}
	return append(notices, a.deliveryNotices(notices, observed)...)
}

// lineNotices are about the lines of which the basket holds fewer than wanted.
func (a *apply) lineNotices(observed upstream.Observed) []upstream.Notice {
	holds, wants := make(map[string]int64), make(map[string]int64)
	for _, line := range observed.Lines {
		holds[line.Key] += line.Quantity
	}
	for _, line := range a.lines {
		wants[line.item] += min(line.quantity, maxQuantity)
	}
	var notices []upstream.Notice
	for _, line := range a.lines {
		if holds[line.key] >= line.quantity {
			continue
		}
		notice := upstream.Notice{Line: line.key}
		said, available := a.refused[line.item], line.limit()
		if available < wants[line.item] {
			notice.Available = &available
		}
		switch {
		case said == upstream.NoticeNotFound:
			notice.Code, notice.Text = said, "The shop sells no such item."
		case holds[line.key] > 0:
			notice.Code, notice.Text = upstream.NoticeQuantityLowered, "There are fewer than wanted; the basket holds what it can."
		case said == upstream.NoticeOutOfStock, notice.Available != nil:
			notice.Code, notice.Text = upstream.NoticeOutOfStock, "There is not enough of this item."
		default:
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not put this item into the basket."
		}
		notices = append(notices, notice)
	}
	return notices
}

// codeNotice says what is wrong with a discount code.
func (a *apply) codeNotice(written string) (upstream.Notice, bool) {
	code := strings.TrimSpace(written)
	notice := upstream.Notice{Discount: written}
	refused, tried := a.kept.Refused[code]
	switch {
	case hasCode(a.codes(), code):
		return notice, false
	case tried:
		notice.Code = refused
	case a.shop.m.AddCode == nil, len(readCodes([]string{written})) == 0:
		notice.Code = upstream.NoticeDiscountUnknown
	default:
		notice.Code = upstream.NoticeDiscountNotMet
	}
	notice.Text = map[upstream.NoticeCode]string{
		upstream.NoticeDiscountUnknown:       "The shop does not take this code.",
		upstream.NoticeDiscountExpired:       "This code is no longer valid.",
		upstream.NoticeDiscountNotMet:        "This code does not apply to the basket as it is.",
		upstream.NoticeDiscountNotCombinable: "This code does not go with another one.",
	}[notice.Code]
	return notice, true
}

// deliveryNotices are about where the goods go, and how.
func (a *apply) deliveryNotices(before []upstream.Notice, observed upstream.Observed) []upstream.Notice {
	for _, n := range before {
		if n.Code == upstream.NoticeNoDelivery || n.Code == upstream.NoticeAddressRefused {
			return nil
		}
	}
	switch {
	case a.shop.m.Delivery != nil && a.kept.Address != nil && len(observed.Lines) > 0 && len(observed.Delivery) == 0 && !a.noDelivery():
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "The shop does not deliver to this address."}}
	case a.desired.Delivery != "" && observed.Chosen != a.desired.Delivery:
		return []upstream.Notice{{Code: upstream.NoticeDeliveryUnknown, Text: "This way of delivery is not on offer for this basket."}}
	}
	return nil
}
