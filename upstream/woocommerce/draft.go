package woocommerce

import (
	"context"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// sameSecond is how long the shop must be left alone when it reserves stock for
// an order again in the second that it did so before. It finds nothing to change
// then, and takes that for a lack of stock.
const sameSecond = 1100 * time.Millisecond

const notEnoughStock = "woocommerce_product_not_enough_stock"

// openDraft makes the shop open the order that a basket will become, or show the
// one it has opened.
func (s *Shop) openDraft(ctx context.Context, v upstream.Visit, f *facts, op, token string) (draft, answer, error) {
	open := call{op: op, path: "checkout", token: token, safe: true}
	a, err := s.ask(ctx, v, f, open)
	if err == nil && a.code() == notEnoughStock && nextSecond(ctx) {
		a, err = s.ask(ctx, v, f, open)
	}
	if err != nil || a.refused() {
		return draft{}, a, err
	}
	d := readDraft(a.body)
	if d.ID == 0 || d.Key == "" {
		return draft{}, answer{}, upstream.Errorf(upstream.CodeUnavailable, op, "the shop opened an order without a number or a key")
	}
	return d, a, nil
}

func readDraft(order gjson.Result) draft {
	return draft{
		ID:     order.Get("order_id").Int(),
		Number: order.Get("order_number").String(),
		Key:    order.Get("order_key").String(),
		Email:  order.Get("billing_address.email").String(),
	}
}

// nextSecond waits until the shop can be asked again. It reports false if the
// context ends before.
func nextSecond(ctx context.Context) bool {
	timer := time.NewTimer(sameSecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
