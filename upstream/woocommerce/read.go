package woocommerce

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const readingBasket = "reading the basket"

// Read implements upstream.Shop.
func (s *Shop) Read(ctx context.Context, v upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	f, err := s.forBaskets(ctx, v, readingBasket)
	if err != nil {
		return upstream.Observed{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Observed{}, err
	}
	if kept.Token == "" {
		return upstream.Observed{}, upstream.Errorf(upstream.CodeBasketGone, readingBasket, "there is no basket yet")
	}
	now, err := s.standing(ctx, v, f, readingBasket, kept, false)
	if err != nil {
		return upstream.Observed{}, err
	}
	if now.placed != nil {
		return f.ordered(now.placed), nil
	}
	c, err := s.basket(ctx, v, f, readingBasket, kept)
	if err != nil {
		return upstream.Observed{}, err
	}
	pay := ""
	if newest := kept.draft(); newest != nil && isPayable(now.status) {
		pay = s.payPage(f, *newest)
	}
	return s.observe(readingBasket, f, c, kept, pay)
}

// basket reads a basket that must be there.
func (s *Shop) basket(ctx context.Context, v upstream.Visit, f *facts, op string, h handle) (cart, error) {
	c, err := s.readCart(ctx, v, f, op, h.Token)
	if err != nil {
		return cart{}, err
	}
	if !sameBasket(c.token, h.Token) || isGone(c, h) {
		return cart{}, upstream.Errorf(upstream.CodeBasketGone, op, "the shop does not know the basket any more")
	}
	return c, nil
}
