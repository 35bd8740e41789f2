package mapped

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const placing = "placing the order"

// Place implements upstream.Shop. The basket is read, the mapping's pay requests
// are sent, and then the one that orders. What fails before that one has certainly
// not placed an order.
func (s *Shop) Place(ctx context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	if s.m.Basket == nil && !s.m.local() {
		return upstream.Placed{}, s.noBaskets(placing)
	}
	kept, err := begunHandle(placing, h)
	if err != nil {
		return upstream.Placed{}, err
	}
	b := &basket{shop: s, visit: v, op: placing, kept: kept}
	if s.m.Place == nil {
		return upstream.Placed{}, b.escalate()
	}
	if !b.kept.begun() {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeIncomplete, placing, "the basket is empty")
	}
	if err := b.readHeld(ctx); err != nil {
		if upstream.CodeOf(err) != upstream.CodeBasketGone {
			return upstream.Placed{}, err
		}
		// Perhaps it is gone because this attempt was made before.
		if placed, is, failed := b.recovered(ctx, p); failed != nil || is {
			return placed, failed
		}
		return upstream.Placed{}, err
	}
	if placed, is, err := b.ordered(); err != nil || is {
		return placed, err
	}
	if err := b.check(ctx, p); err != nil {
		return upstream.Placed{}, err
	}
	return b.place(ctx, p)
}

// escalate is the outcome where only the shop's own page can go on.
func (b *basket) escalate() error {
	url := b.handOff()
	if url == "" {
		return upstream.Errorf(upstream.CodeUnsupported, placing, "the shop's mapping cannot place orders")
	}
	e := upstream.Errorf(upstream.CodeEscalate, placing, "a person has to order at the shop")
	e.URL = url
	return e
}

// check sees that the basket can be ordered, and costs what was agreed.
func (b *basket) check(ctx context.Context, p upstream.Placement) error {
	if !slices.ContainsFunc(b.shop.m.Payments, func(m upstream.PaymentMethod) bool { return m.ID == p.Method }) {
		return upstream.Errorf(upstream.CodeInvalid, placing, "the shop has no such way to pay")
	}
	if err := b.readOptions(ctx); err != nil {
		return err
	}
	o, err := b.observe()
	if err != nil {
		return err
	}
	if len(o.Missing) > 0 {
		words := make([]string, len(o.Missing))
		for i, m := range o.Missing {
			words[i] = strings.ReplaceAll(string(m), "_", " ")
		}
		return upstream.Errorf(upstream.CodeIncomplete, placing, "the order lacks: %s", strings.Join(words, ", "))
	}
	if o.Total != p.Expected {
		return upstream.Errorf(upstream.CodePriceChanged, placing, "the total is another one now")
	}
	return nil
}

// place pays and orders.
func (b *basket) place(ctx context.Context, p upstream.Placement) (upstream.Placed, error) {
	n := names{texts: map[string]any{
		"payment": p.Method, "credential": p.Credential, "attempt": p.Attempt, "total": p.Expected, "email": b.kept.Buyer.Email,
	}}
	for i := range b.shop.m.Pay {
		answer, err := b.send(ctx, call{request: &b.shop.m.Pay[i], names: n})
		if _, refused := asRefusal(err); refused {
			return upstream.Placed{}, &upstream.Error{
				Code: upstream.CodePaymentDeclined, Op: placing, Text: "the shop does not take this payment", Err: err,
			}
		}
		if err != nil {
			return upstream.Placed{}, b.withPage(err)
		}
		n = n.withTree("answer", answer)
	}
	m := b.shop.m.Place
	answer, err := b.send(ctx, call{request: &m.Request, names: n, order: true})
	if err != nil {
		return upstream.Placed{}, b.withPage(err)
	}
	order, is := b.shop.reader.object(scope{Result: answer}, m.In)
	if !is {
		err = faultf(m.In.At, "there is no order there")
	}
	var placed upstream.Placed
	if err == nil {
		placed, err = b.shop.readPlaced(placing, order, &m.Placed, &p.Expected)
	}
	if err != nil {
		return upstream.Placed{}, &upstream.Error{
			Code: upstream.CodeUnknownOutcome, Op: placing, Text: "the shop's answer about the order cannot be read", Err: errors.Join(shopclient.ErrLost, err),
		}
	}
	return placed, nil
}

// withPage adds the page of an error that sends a person to one. Without a page
// the payment was refused.
func (b *basket) withPage(err error) error {
	if upstream.CodeOf(err) != upstream.CodeEscalate {
		return err
	}
	e := &upstream.Error{Code: upstream.CodeEscalate, Op: placing, Text: "a person has to go on at the shop", URL: b.handOff(), Err: err}
	if e.URL == "" {
		e.Code, e.Text = upstream.CodePaymentDeclined, "the payment wants the buyer's own confirmation"
	}
	return e
}

// readPlaced reads an order that was just made. Its total is the expected one
// where the shop does not say.
func (s *Shop) readPlaced(op string, order scope, m *Placed, expected *money.Amount) (upstream.Placed, error) {
	placed := upstream.Placed{
		Ref: upstream.OrderRef{ID: s.reader.word(order, m.ID), Key: secret.New(s.reader.secret(order, m.Key))},
		URL: s.reader.address(order, m.URL),
	}
	if placed.Ref.ID == "" {
		return placed, unreadable(op, faultf(m.ID.At, "there is no id of the order there"))
	}
	currency, err := s.reader.currency(order, m.Currency)
	if err != nil {
		return placed, unreadable(op, err)
	}
	total, is, err := s.reader.amount(order, m.Total, currency)
	if err != nil {
		return placed, unreadable(op, err)
	}
	placed.Total = total
	if !is && expected != nil {
		placed.Total = *expected
	}
	return placed, nil
}
