package basket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// Complete implements Operations. The package comment lists its steps and what a
// crash at each of them leaves behind.
func (s *Service) Complete(ctx context.Context, o Owner, v upstream.Visit, id string, p Payment) (*Basket, error) {
	return s.hold(ctx, o, id, leaseWait, func(ctx context.Context, r *record) error {
		if err := s.settle(ctx, v, r); err != nil {
			return err
		}
		if st := s.stateOf(r); st != Open {
			if st != Completed { // whose order is the answer
				r.remark(closed(st))
			}
			return nil
		}
		r.forget()
		if err := s.guard(ctx, v, r, p); err != nil || r.Order != nil {
			return err
		}
		d, err := s.Describe()
		if err != nil {
			return err
		}
		blockers, _ := issues(&r.Wanted, &r.Offer, r.Notices, d.Capabilities)
		if !slices.ContainsFunc(d.Capabilities.Payments, func(m upstream.PaymentMethod) bool { return m.ID == p.Method }) {
			r.tell(Issue{Code: PaymentUnknown, Field: FieldPayment, Text: "The shop does not take this way of payment."})
		}
		if len(blockers) > 0 || len(r.Told) > 0 {
			return nil
		}
		if r.Owner.Sandbox {
			return s.placeTest(ctx, r)
		}
		return s.place(ctx, v, r, p)
	})
}

// guard reads the basket once more and tells the agent when it is no longer what
// its buyer saw.
func (s *Service) guard(ctx context.Context, v upstream.Visit, r *record, p Payment) error {
	seen := r.Offer
	observed, err := s.lastLook(ctx, v, r, p)
	if err != nil || r.Order != nil {
		return err
	}
	if !sameOffer(&observed, &seen) {
		return s.changed(ctx, r, seen.Total, observed)
	}
	r.Offer = observed
	if p.Billing == nil && p.Buyer == nil && p.Notes == nil {
		return nil
	}
	return s.save(ctx, r)
}

// lastLook reads the basket right before it is ordered, with what came with the
// payment.
func (s *Service) lastLook(ctx context.Context, v upstream.Visit, r *record, p Payment) (upstream.Observed, error) {
	r.Wanted.Notes = mergeNotes(p.Notes, r.Wanted.Notes)
	if p.Billing == nil && p.Buyer == nil {
		return s.observe(ctx, v, r)
	}
	r.Wanted.Billing = cmp.Or(p.Billing, r.Wanted.Billing)
	if p.Buyer != nil {
		r.Wanted.Buyer = *p.Buyer
	}
	err := s.apply(ctx, v, r)
	return r.Offer, err
}

// changed makes what is there now the offer, and says that it is another one
// than the buyer agreed to.
func (s *Service) changed(ctx context.Context, r *record, was money.Amount, now upstream.Observed) error {
	r.Offer, r.Updated = now, s.now()
	if err := s.save(ctx, r); err != nil {
		return err
	}
	text := "The basket is not what it was when the buyer saw it; look at it again and complete it once more."
	if now.Total != was {
		text = fmt.Sprintf("The total is %s now and was %s when the buyer saw it; show it again and complete once more.", now.Total.Display(), was.Display())
	}
	r.tell(Issue{Code: PriceChanged, Text: text})
	return nil
}

// place sends the basket to the shop as an order. The attempt is in the store
// before the shop hears of it.
func (s *Service) place(ctx context.Context, v upstream.Visit, r *record, p Payment) error {
	r.Attempt = &attempt{ID: randomName(), Method: p.Method, Expected: r.Offer.Total, Started: s.now()}
	if err := s.save(ctx, r); err != nil {
		// Nobody knows whether this was written; nothing was sent to the shop,
		// and Recover will say so to whoever reads it.
		return err
	}
	// From here on nothing the agent does may stop us half way.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), placeTimeout)
	defer cancel()
	placed, err := s.Shop.Place(ctx, v, secret.New(r.Handle), r.Attempt.placement(p.Credential))
	if err == nil {
		return s.finish(ctx, r, placed)
	}
	return s.refused(ctx, v, r, err)
}

// refused deals with an order that the shop did not take, or not audibly.
func (s *Service) refused(ctx context.Context, v upstream.Visit, r *record, err error) error {
	var refusal *upstream.Error
	if !errors.As(err, &refusal) {
		refusal = &upstream.Error{Code: upstream.CodeUnknownOutcome, Err: err}
	}
	switch refusal.Code {
	case upstream.CodePaymentDeclined:
		return s.withdraw(ctx, r, Issue{Code: PaymentDeclined, Field: FieldPayment, Text: textOr(refusal, "The payment was declined.")})
	case upstream.CodeEscalate:
		r.Page = refusal.URL
		if r.shopPage() == "" {
			return s.withdraw(ctx, r, Issue{Code: NotOrderable, Text: defaultText(NotOrderable)})
		}
		return s.withdraw(ctx, r, Issue{Code: HandOff, ByBuyer: true, Text: textOr(refusal, "The buyer has to go on at the shop's own page.")})
	case upstream.CodePriceChanged, upstream.CodeOutOfStock, upstream.CodeIncomplete, upstream.CodeBasketGone:
		// The shop sees another basket than we do: look again.
		r.Attempt = nil
		if err := s.save(ctx, r); err != nil {
			return err
		}
		seen := r.Offer.Total
		observed, err := s.observe(ctx, v, r)
		if err != nil || r.Order != nil {
			return err
		}
		return s.changed(ctx, r, seen, observed)
	case upstream.CodeNotPlaced:
		return s.withdraw(ctx, r, Issue{Code: PaymentDeclined, Field: FieldPayment, Text: textOr(refusal, "The shop did not take the order.")})
	}
	// Whatever else was answered may have been answered to an order that was taken.
	if err := s.settle(ctx, v, r); err != nil {
		return err
	}
	if s.stateOf(r) == Open && (refusal.Code == upstream.CodeBusy || refusal.Code == upstream.CodeDenied) {
		return refusal
	}
	return nil
}

// withdraw takes an attempt back that certainly failed.
func (s *Service) withdraw(ctx context.Context, r *record, why Issue) error {
	r.Attempt = nil
	r.tell(why)
	r.Updated = s.now()
	return s.save(ctx, r)
}

func textOr(e *upstream.Error, text string) string {
	if e.Text != "" {
		return e.Text
	}
	return text
}

// settle asks the shop what became of an attempt nobody has heard of, if there
// is one. Afterwards the basket is completed, or open again because the attempt
// certainly failed, or still completing because the shop does not know.
func (s *Service) settle(ctx context.Context, v upstream.Visit, r *record) error {
	if r.Attempt == nil {
		return nil
	}
	placed, err := s.Shop.Recover(ctx, v, secret.New(r.Handle), r.Attempt.placement(secret.String{}))
	switch {
	case err == nil:
		return s.finish(ctx, r, placed)
	case upstream.CodeOf(err) == upstream.CodeNotPlaced:
		return s.withdraw(ctx, r, Issue{
			Code: PaymentDeclined, Field: FieldPayment,
			Text: "The shop did not receive the last order; nothing was ordered. Complete it again.",
		})
	}
	return nil // still completing; whoever asks next asks the shop again
}

// finish writes down that the shop has the order.
func (s *Service) finish(ctx context.Context, r *record, placed upstream.Placed) error {
	r.Order = &order{
		ID: placed.Ref.ID, Key: placed.Ref.Key.Reveal(), URL: placed.URL, Total: placed.Total, At: s.now(),
	}
	return s.finished(ctx, r)
}

// placeTest completes a basket of a sandbox key without the shop.
func (s *Service) placeTest(ctx context.Context, r *record) error {
	r.Order = &order{ID: "test_" + randomName(), Total: r.Offer.Total, At: s.now(), Test: true}
	return s.finished(ctx, r)
}

func (s *Service) finished(ctx context.Context, r *record) error {
	r.Attempt, r.Updated = nil, s.now()
	r.forget()
	// The way to the order comes first: a record that has an order is never
	// looked at again, so its order must be found from then on.
	if err := s.saveOrder(ctx, r); err != nil {
		return err
	}
	err := s.save(ctx, r)
	if !errors.Is(err, state.ErrConflict) {
		return err
	}
	// Somebody else settled the same attempt while our lease was gone.
	now, loadErr := s.load(ctx, r.ID)
	if loadErr != nil {
		return loadErr
	}
	if now.Order == nil || now.Order.ID != r.Order.ID {
		return err
	}
	*r = *now
	return nil
}
