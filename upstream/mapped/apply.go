package mapped

import (
	"context"

	"github.com/storeware/caddy-storeware/upstream"
)

const changingBasket = "changing the basket"

// maxQuantity is more of one thing than any shop sells at once.
const maxQuantity = 1_000_000

// Apply implements upstream.Shop. It takes a request for the products and one for
// the basket, one for each thing that changes, and reads the basket again after
// that.
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	if s.m.Basket == nil && !s.m.local() {
		return upstream.Applied{}, s.noBaskets(changingBasket)
	}
	kept, err := readHandle(changingBasket, h)
	if err != nil {
		return upstream.Applied{}, err
	}
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "a line wants less than one")
		}
	}
	a := &apply{
		basket:  basket{shop: s, visit: v, op: changingBasket, kept: kept},
		desired: d, refused: make(map[string]upstream.NoticeCode),
	}
	if s.m.local() {
		return a.local(ctx)
	}
	if s.m.Session == SessionCookie && a.kept.Cookies == nil {
		a.kept.Cookies = make(cookies)
	}
	if err := a.read(ctx); err != nil {
		return upstream.Applied{}, err
	}
	if placed, is, err := a.ordered(); err != nil || is {
		return upstream.Applied{Observed: orderedNow(placed), Handle: h}, err
	}
	for _, step := range [...]func(context.Context) error{a.begin, a.changeLines, a.tell, a.choose, a.changeCodes, a.fresh} {
		if err := step(ctx); err != nil {
			return upstream.Applied{}, err
		}
	}
	return a.applied(ctx)
}

// noBaskets is the error of a shop that has none.
func (s *Shop) noBaskets(op string) error {
	return upstream.Errorf(upstream.CodeUnsupported, op, "the shop's mapping has no baskets")
}

// apply is one call of Apply.
type apply struct {
	basket
	desired upstream.Desired

	offers []goods
	// lines are those of the caller whose variant is known.
	lines   []wantedLine
	renewed bool
	// refused are the items that the shop did not take, and what it said.
	refused map[string]upstream.NoticeCode
	// dirty: the basket was changed since it was read.
	dirty   bool
	notices []upstream.Notice
}

// read reads what the lines name and the basket, at the same time.
func (a *apply) read(ctx context.Context) error {
	var items []string
	for _, line := range a.desired.Lines {
		items = append(items, line.Item)
	}
	err := together(2, func(i int) (err error) {
		if i == 0 {
			a.offers, err = a.shop.products(ctx, a.visit, changingBasket, items)
			return err
		}
		return a.readHeld(ctx)
	})
	if upstream.CodeOf(err) == upstream.CodeBasketGone {
		a.renew()
		err = nil
	}
	if err != nil {
		return err
	}
	return a.resolve()
}

// renew forgets a basket that the shop has dropped by itself.
func (a *apply) renew() {
	a.renewed = true
	a.drop()
}

// drop forgets a basket that is there no more.
func (a *apply) drop() {
	a.held, a.dirty = held{}, false
	a.kept = handle{}
	if a.shop.m.Session == SessionCookie {
		a.kept.Cookies = make(cookies)
	}
}

// fresh reads the basket again if it was changed.
func (a *apply) fresh(ctx context.Context) error {
	if !a.dirty || !a.kept.begun() {
		return nil
	}
	a.dirty = false
	return a.readHeld(ctx)
}

// write makes a change to the basket. It reports what the shop said if it did not
// take it.
func (a *apply) write(ctx context.Context, r *Request, n names, lines []names) (said upstream.NoticeCode, refused bool, err error) {
	_, err = a.send(ctx, call{request: r, names: n, lines: lines, blind: true})
	if err == nil {
		a.dirty = true
		return "", false, nil
	}
	said, refused = declined(err)
	if refused {
		return said, true, nil
	}
	return "", false, err
}

// steps makes a change that takes several requests, each of which may use the
// answer to the one before.
func (a *apply) steps(ctx context.Context, requests []Request, n names) (said upstream.NoticeCode, refused bool, err error) {
	for i := range requests {
		answer, err := a.send(ctx, call{request: &requests[i], names: n, blind: i+1 == len(requests)})
		if said, refused := declined(err); refused {
			return said, true, nil
		}
		if err != nil {
			return "", false, err
		}
		a.dirty = true
		n = n.withTree("answer", answer)
	}
	return "", false, nil
}

// declined reports whether an error says that the shop did not take a part of the
// basket, and what it said. A part that it does not know is one that it refuses,
// and so is one of which it wants more: an e-mail address that is none is, to many
// shops, an e-mail address that is missing.
func declined(err error) (said upstream.NoticeCode, is bool) {
	if r, refused := asRefusal(err); refused {
		return r.notice, true
	}
	switch {
	case err == nil:
	case upstream.CodeOf(err) == upstream.CodeNotFound:
		return upstream.NoticeNotFound, true
	case upstream.CodeOf(err) == upstream.CodeIncomplete:
		return "", true
	}
	return "", false
}

// applied is what came of it all.
func (a *apply) applied(ctx context.Context) (upstream.Applied, error) {
	if err := a.readOptions(ctx); err != nil {
		return upstream.Applied{}, err
	}
	a.keep()
	observed, err := a.observe()
	if err != nil {
		return upstream.Applied{}, err
	}
	written, err := a.kept.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	return upstream.Applied{Observed: observed, Handle: written, Notices: a.explain(observed)}, nil
}

// keep notes the lines of the caller.
func (a *apply) keep() {
	a.kept.Lines = nil
	for _, line := range a.lines {
		a.kept.Lines = append(a.kept.Lines, line.kept(line.quantity))
	}
}
