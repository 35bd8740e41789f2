package woocommerce

import (
	"context"
	"net/http"

	"github.com/storeware/caddy-storeware/upstream"
)

const changingBasket = "changing the basket"

// Apply implements upstream.Shop. It takes one request to read the basket, one or
// two for the lines, and one each for discount codes, buyer and delivery if these
// are not as desired, and one the first time that nothing is missing: then the
// shop is made to open the order that the basket will become.
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "the quantity of a line is less than one")
		}
	}
	f, err := s.forBaskets(ctx, v, changingBasket)
	if err != nil {
		return upstream.Applied{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Applied{}, err
	}
	a := &apply{
		shop: s, facts: f, visit: v, desired: d, handle: kept,
		verdicts: make(map[string]verdict), choices: make(map[string]upstream.Product),
	}
	if a.standing, err = s.standing(ctx, v, f, changingBasket, kept, false); err != nil {
		return upstream.Applied{}, err
	}
	if a.standing.placed != nil {
		return upstream.Applied{Observed: f.ordered(a.standing.placed), Handle: h}, nil
	}
	for _, step := range []func(context.Context) error{
		a.open, a.setLines, a.setCustomer, a.setCodes, a.setDelivery, a.keepDraft,
	} {
		if err := step(ctx); err != nil {
			return upstream.Applied{}, err
		}
	}
	return a.applied()
}

// forBaskets returns the facts of a shop that has baskets.
func (s *Shop) forBaskets(ctx context.Context, v upstream.Visit, op string) (*facts, error) {
	f, err := s.known(ctx, v)
	if err != nil {
		return nil, err
	}
	if !f.baskets {
		return nil, upstream.Errorf(upstream.CodeUnsupported, op, "the shop lets nobody build a basket through its API")
	}
	return f, nil
}

// ordered is a basket that has become an order without us.
func (f *facts) ordered(placed *upstream.Placed) upstream.Observed {
	nothing := placed.Total
	nothing.Minor = 0
	return upstream.Observed{
		Currency: nothing.Currency,
		Tax:      f.tax,
		Totals:   []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: nothing}},
		Total:    nothing,
		Ordered:  placed,
	}
}

// apply is one call of Apply.
type apply struct {
	shop    *Shop
	facts   *facts
	visit   upstream.Visit
	desired upstream.Desired

	handle   handle
	standing standing
	cart     cart
	renewed  bool
	lines    []wantedLine
	notices  []upstream.Notice
	verdicts map[string]verdict // what became of items and codes
	choices  map[string]upstream.Product
}

// open reads the basket, or begins one.
func (a *apply) open(ctx context.Context) error {
	was := a.handle
	if err := a.read(ctx, was.Token); err != nil {
		return err
	}
	lost := was.Token != "" && (!sameBasket(was.Token, a.cart.token) || isGone(a.cart, was))
	if was.Token != "" && !lost {
		return nil
	}
	if lost && sameBasket(was.Token, a.cart.token) {
		// The token is good and what it opened is not there any more. A new one
		// leaves no doubt which basket is meant.
		if err := a.read(ctx, ""); err != nil {
			return err
		}
	}
	a.renewed = lost
	a.standing = standing{}
	a.handle = handle{Token: a.cart.token, Began: a.shop.now().Unix()}
	return nil
}

// isGone reports whether a basket that had lines has lost them without a word.
func isGone(c cart, h handle) bool {
	return len(h.Lines) > 0 && len(c.lines()) == 0 && len(c.Get("errors").Array()) == 0
}

func (a *apply) read(ctx context.Context, token string) error {
	c, err := a.shop.readCart(ctx, a.visit, a.facts, changingBasket, token)
	if err != nil {
		return err
	}
	a.cart = c
	a.handle.Token = c.token
	return nil
}

// take takes over the basket as an answer shows it.
func (a *apply) take(answer answer) {
	a.cart.Result = answer.body
	if token := answer.header.Get(tokenHeader); sameBasket(token, a.cart.token) {
		a.cart.token, a.handle.Token = token, token
	}
}

// send changes the basket, and takes over what it is after the last change.
func (a *apply) send(ctx context.Context, changes []change) ([]answer, error) {
	answers, err := a.shop.change(ctx, a.visit, a.facts, changingBasket, a.cart.token, changes)
	if err != nil {
		return nil, err
	}
	for _, answer := range answers {
		if answer.status == http.StatusUnauthorized {
			return nil, a.gone(answer)
		}
	}
	return answers, nil
}

// gone is the refusal of a change that had to be taken. Without a good token the
// shop asks for a nonce, which belongs to browsers.
func (a *apply) gone(answer answer) error {
	if answer.code() == "woocommerce_rest_missing_nonce" {
		return upstream.Errorf(upstream.CodeBasketGone, changingBasket, "the shop does not know the basket any more")
	}
	return answer.err()
}

// keepDraft makes the shop open the order that the basket will become, as soon as
// nothing is missing. Its number and key are known then before anything is
// ordered, so that what became of a lost request can be asked for certain.
func (a *apply) keepDraft(ctx context.Context) error {
	if len(a.facts.payments) == 0 || len(a.cart.missing(a.handle)) > 0 || a.standing.status == statusDraft {
		return nil
	}
	opened, answer, err := a.shop.openDraft(ctx, a.visit, a.facts, changingBasket, a.cart.token)
	if err != nil || answer.refused() {
		return err // Placing will be told why.
	}
	if newest := a.handle.draft(); newest != nil && newest.ID == opened.ID {
		*newest = opened
		return nil
	}
	a.standing.status = statusDraft
	a.handle.Drafts = append(a.handle.Drafts, opened)
	if extra := len(a.handle.Drafts) - maxDrafts; extra > 0 {
		a.handle.Drafts = a.handle.Drafts[extra:]
	}
	return nil
}

// applied is what came of it all.
func (a *apply) applied() (upstream.Applied, error) {
	a.handle.Codes = a.codes()
	if newest := a.handle.draft(); newest != nil {
		newest.Email = a.cart.Get("billing_address.email").String()
	}
	pay := ""
	if newest := a.handle.draft(); newest != nil && isPayable(a.standing.status) {
		pay = a.shop.payPage(a.facts, *newest)
	}
	observed, err := a.shop.observe(changingBasket, a.facts, a.cart, a.handle, pay)
	if err != nil {
		return upstream.Applied{}, err
	}
	h, err := a.handle.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	return upstream.Applied{Observed: observed, Handle: h, Notices: a.explain(observed)}, nil
}

// isPayable reports whether an order of that status waits for its payment.
func isPayable(status string) bool { return status == statusPending || status == statusFailed }
