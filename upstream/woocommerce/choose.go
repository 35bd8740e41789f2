package woocommerce

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

// setDelivery chooses the way of delivery that is wanted. The shop answers the
// same whether it has the way or not, and puts its first one for what it has not;
// so what it says is in force is looked at afterwards.
func (a *apply) setDelivery(ctx context.Context) error {
	if a.desired.Delivery == "" {
		return nil
	}
	for _, way := range a.cart.deliveries() {
		if way.id() != a.desired.Delivery {
			continue
		}
		if way.selected {
			return nil
		}
		answers, err := a.send(ctx, way.choices())
		if err != nil {
			return err
		}
		for _, answer := range answers {
			if !answer.refused() {
				a.take(answer)
			}
		}
		return nil
	}
	return nil
}

// explain says what differs from what was desired.
func (a *apply) explain(observed upstream.Observed) []upstream.Notice {
	notices := a.notices
	if a.renewed {
		notices = append(notices, upstream.Notice{
			Code: upstream.NoticeBasketRenewed, Text: "The shop had dropped the basket; this is a new one with the same content.",
		})
	}
	notices = append(notices, a.lineNotices(observed)...)
	notices = append(notices, a.codeNotices(observed)...)
	notices = append(notices, a.customerNotices()...)
	return append(notices, a.deliveryNotices(observed)...)
}

// deliveryNotices are about where the goods go, and how.
func (a *apply) deliveryNotices(observed upstream.Observed) []upstream.Notice {
	switch {
	case a.cart.needsDelivery() && a.desired.Address != nil && !a.handle.NoAddress && len(observed.Delivery) == 0:
		return []upstream.Notice{{Code: upstream.NoticeNoDelivery, Text: "The shop does not deliver to this address."}}
	case a.desired.Delivery != "" && observed.Chosen != a.desired.Delivery:
		return []upstream.Notice{{Code: upstream.NoticeDeliveryUnknown, Text: "This way of delivery is not on offer for this basket."}}
	}
	return nil
}
