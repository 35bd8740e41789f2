package medusa

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
			Code: upstream.NoticeBasketRenewed, Text: "The shop had dropped the basket; this is a new one with the same content.",
		})
	}
	notices = append(notices, a.lineNotices(observed)...)
	for _, written := range unique(a.desired.Codes) {
		if notice, ok := a.codeNotice(written); ok {
			notices = append(notices, notice)
		}
	}
	if a.refused[partBuyer] {
		notices = append(notices, upstream.Notice{
			Code: upstream.NoticeBuyerRefused, Text: "The shop does not take this address of e-mail.",
		})
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
		switch available := a.limit(line.variant); {
		case a.stuck[line.variant]:
			notice.Code, notice.Text = upstream.NoticeNotBuyable, "The shop does not put this item into the basket."
		case holds[line.key] > 0:
			notice.Code, notice.Text = upstream.NoticeQuantityLowered, "There are fewer than wanted; the basket holds what there is."
			notice.Available = &available
		default:
			notice.Code, notice.Text = upstream.NoticeOutOfStock, "This item is out of stock."
		}
		notices = append(notices, notice)
	}
	return notices
}

// codeNotice says what is wrong with a discount code. Medusa does not say why a
// code that it knows does not apply: it may have ended, be used up, or be for
// other goods.
func (a *apply) codeNotice(written string) (upstream.Notice, bool) {
	code := strings.TrimSpace(written)
	switch {
	case a.held.hasCode(code):
		return upstream.Notice{}, false
	case !slices.Contains(a.valid(), code):
		return upstream.Notice{Code: upstream.NoticeDiscountUnknown, Discount: written, Text: "The shop does not know this code."}, true
	}
	return upstream.Notice{
		Code: upstream.NoticeDiscountNotMet, Discount: written,
		Text: "This code does not apply to the basket as it is, or has expired.",
	}, true
}

// deliveryNotices are about where the goods go, and how.
func (a *apply) deliveryNotices(observed upstream.Observed) []upstream.Notice {
	switch addressed := a.desired.Address != nil; {
	case a.refused[partAddress]:
		return []upstream.Notice{{Code: upstream.NoticeAddressRefused, Text: "The shop does not take this address."}}
	case a.abroad(), addressed && a.held.ships() && len(observed.Delivery) == 0:
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "The shop does not deliver to this address."}}
	case a.desired.Delivery != "" && observed.Chosen != a.desired.Delivery:
		return []upstream.Notice{{Code: upstream.NoticeDeliveryUnknown, Text: "This way of delivery is not on offer for this basket."}}
	}
	return nil
}
