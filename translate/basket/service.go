package basket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// Lifetime is how long a basket lives after it was last changed. KeepOrders is
// how long an order can be read here; the shop keeps it as long as it likes.
const (
	Lifetime   = 6 * time.Hour
	KeepOrders = 400 * 24 * time.Hour

	keepExpired = 24 * time.Hour
)

// The bounds of an operation in time.
const (
	leaseTTL = 10 * time.Second
	// leaseWait is how long a call waits for another one of the same basket.
	leaseWait = 20 * time.Second
	// peekEvery is how often a waiting Get looks whether it need not wait.
	peekEvery = 500 * time.Millisecond
	// placeTimeout is how long the shop may take over an order. It runs on when
	// the agent hangs up: an order must not be left half way for that.
	placeTimeout = 45 * time.Second
)

// ErrNotFound says that the owner has no such basket or order.
var ErrNotFound = errors.New("no such basket")

// ErrBusy says that another call holds the basket for longer than a caller can
// wait. Nothing was changed.
var ErrBusy = errors.New("another call is working on the basket")

// Nothing is the error of a Create that put nothing into a basket: none of the
// things wanted can be had. No basket was made. Each of its Issues is about a line.
type Nothing struct {
	Issues []Issue
}

// Error implements error.
func (*Nothing) Error() string { return "nothing of what is wanted can be had" }

// Operations are what a protocol may do with baskets. [Service] implements it;
// protocols take the interface so that they can be tested alone.
//
// Besides ErrNotFound, ErrBusy, *Invalid and *Nothing, errors are those of the
// shop (*upstream.Error with CodeUnavailable, CodeBusy, CodeDenied,
// CodeUnsupported, or CodeInvalid when it does not take what is wanted and names no
// part of it), of the store (state.ErrUnavailable) and of the context. What
// else keeps a basket from going on is one of its Blockers and no error.
type Operations interface {
	// Create makes a basket that holds what is wanted.
	Create(ctx context.Context, o Owner, v upstream.Visit, w Wanted) (*Basket, error)
	// Get reads a basket, live from the shop while it is open.
	Get(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error)
	// Replace makes a basket hold what is wanted and nothing else. A basket that
	// is no longer open stays as it is and says so in its Warnings.
	Replace(ctx context.Context, o Owner, v upstream.Visit, id string, w Wanted) (*Basket, error)
	// Cancel gives an open basket up. One that is completed stays completed and
	// says so in its Warnings.
	Cancel(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error)
	// Complete pays and orders a basket, once. Completing a completed basket
	// again answers with its order.
	Complete(ctx context.Context, o Owner, v upstream.Visit, id string, p Payment) (*Basket, error)
	// Order reads an order that one of the owner's baskets became.
	Order(ctx context.Context, o Owner, v upstream.Visit, orderID string) (*PlacedOrder, error)
}

// PlacedOrder is an order together with the basket it came from.
type PlacedOrder struct {
	upstream.Order
	BasketID string
	Test     bool
	// Notes are the basket's, as the protocols left them.
	Notes map[string]json.RawMessage
}

// Service keeps the baskets of a shop.
type Service struct {
	Shop upstream.Baskets
	// Describe returns what the shop is and can do, without asking it.
	Describe func() (upstream.Description, error)
	// Store must seal its values (state.Sealed): records hold shop tokens and
	// buyers' addresses.
	Store state.Store
	// Page returns the address of our own page of a basket, for shops that have
	// none; nil for none. It must lead to View.
	Page func(id, token string) string
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

func (s *Service) now() time.Time {
	if s.Now != nil {
		return s.Now().UTC()
	}
	return time.Now().UTC()
}

// Create implements Operations.
func (s *Service) Create(ctx context.Context, o Owner, v upstream.Visit, w Wanted) (*Basket, error) {
	d, err := s.Describe()
	if err != nil {
		return nil, err
	}
	r := &record{
		ID: idPrefix + randomName(), Token: randomName(), Owner: o,
		Market: v.Market, Created: s.now(), version: state.Absent,
	}
	if r.Wanted, err = normalize(w, Wanted{}, &r.NextID); err != nil {
		return nil, err
	}
	if err := s.apply(ctx, v, r); err != nil {
		return nil, err
	}
	if len(r.Offer.Lines) == 0 && len(r.Wanted.Lines) > 0 {
		blockers, _ := issues(&r.Wanted, &r.Offer, r.Notices, d.Capabilities)
		return nil, &Nothing{Issues: slices.DeleteFunc(blockers, func(i Issue) bool { return i.Field != FieldLine })}
	}
	if err := s.save(ctx, r); err != nil {
		return nil, err
	}
	return s.answer(r, d), nil
}

// apply brings the shop's basket to what the record wants.
func (s *Service) apply(ctx context.Context, v upstream.Visit, r *record) error {
	v.Market = r.Market
	applied, err := s.Shop.Apply(ctx, v, secret.New(r.Handle), r.Wanted.desired())
	if err != nil {
		return refusedWhole(err)
	}
	if placed := applied.Observed.Ordered; placed != nil {
		return s.finish(ctx, r, *placed)
	}
	if err := addUp(&applied.Observed); err != nil {
		return err
	}
	r.Handle, r.Offer, r.Notices = applied.Handle.Reveal(), applied.Observed, applied.Notices
	r.forget()
	r.Updated = s.now()
	r.Expires = r.Updated.Add(Lifetime)
	return nil
}

// Get implements Operations.
func (s *Service) Get(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error) {
	for waited := time.Duration(0); ; waited += peekEvery {
		if b, err := s.peek(ctx, o, id); b != nil || err != nil {
			return b, err
		}
		b, err := s.hold(ctx, o, id, peekEvery, func(ctx context.Context, r *record) error {
			return s.look(ctx, v, r)
		})
		// Whoever holds the basket may be sending it to the shop by now.
		if !errors.Is(err, ErrBusy) || waited >= leaseWait {
			return b, err
		}
	}
}

// look brings a record up to what the shop knows.
func (s *Service) look(ctx context.Context, v upstream.Visit, r *record) error {
	if err := s.settle(ctx, v, r); err != nil {
		return err
	}
	switch st := s.stateOf(r); st {
	case Open:
		return s.refresh(ctx, v, r)
	case Completing:
		r.remark(closed(st))
	}
	return nil
}

// peek answers a Get without the lease: from the record alone when the basket
// will not change any more, or when another call is sending it to the shop right
// now and may take long. Otherwise it returns nil.
func (s *Service) peek(ctx context.Context, o Owner, id string) (*Basket, error) {
	r, err := s.owned(ctx, o, id)
	if err != nil {
		return nil, err
	}
	switch s.stateOf(r) {
	case Open:
		return nil, nil
	case Completing:
		lease, err := s.Store.TryAcquire(ctx, leaseName(id), leaseTTL)
		if err == nil {
			return nil, lease.Release()
		}
		if !errors.Is(err, state.ErrLocked) {
			return nil, fmt.Errorf("taking the basket: %w", err)
		}
		r.remark(closed(Completing))
	}
	d, err := s.Describe()
	if err != nil {
		return nil, err
	}
	return s.answer(r, d), nil
}

// refresh reads the shop's basket again. What changed becomes the offer that the
// next Complete is held to, since it is about to be given out.
func (s *Service) refresh(ctx context.Context, v upstream.Visit, r *record) error {
	observed, err := s.observe(ctx, v, r)
	if err != nil || r.Order != nil {
		return err
	}
	if sameOffer(&observed, &r.Offer) {
		r.Offer = observed
		return nil
	}
	r.Offer, r.Updated = observed, s.now()
	return s.save(ctx, r)
}

// observe reads what the shop's basket holds now. A basket that the shop has
// dropped is built anew; one that a person ordered on the shop's own page is
// completed, and the record has its order.
func (s *Service) observe(ctx context.Context, v upstream.Visit, r *record) (upstream.Observed, error) {
	v.Market = r.Market
	observed, err := s.Shop.Read(ctx, v, secret.New(r.Handle))
	if upstream.CodeOf(err) == upstream.CodeBasketGone {
		renewed := *r
		if err = s.apply(ctx, v, &renewed); err != nil {
			return upstream.Observed{}, err
		}
		if renewed.Order == nil {
			renewed.Expires = r.Expires
			// Nobody asked for the new basket: what keeps the old one from going on
			// still stands, since a buyer may be ordering it on the shop's page.
			renewed.Told = r.Told
			if renewed.Offer.HandOff == "" {
				renewed.Page = r.Page
			}
			err = s.save(ctx, &renewed)
		}
		*r = renewed
		return r.Offer, err
	}
	if err != nil {
		return upstream.Observed{}, err
	}
	if observed.Ordered != nil {
		return r.Offer, s.finish(ctx, r, *observed.Ordered)
	}
	return observed, addUp(&observed)
}

// Replace implements Operations.
func (s *Service) Replace(ctx context.Context, o Owner, v upstream.Visit, id string, w Wanted) (*Basket, error) {
	return s.hold(ctx, o, id, leaseWait, func(ctx context.Context, r *record) error {
		if open, err := s.reopen(ctx, v, r); !open {
			return err
		}
		wanted, err := normalize(w, r.Wanted, &r.NextID)
		if err != nil {
			return err
		}
		r.Wanted = wanted
		r.Market = v.Market.Or(r.Market)
		if err := s.apply(ctx, v, r); err != nil || r.Order != nil {
			return err
		}
		return s.save(ctx, r)
	})
}

// Cancel implements Operations.
func (s *Service) Cancel(ctx context.Context, o Owner, v upstream.Visit, id string) (*Basket, error) {
	return s.hold(ctx, o, id, leaseWait, func(ctx context.Context, r *record) error {
		if open, err := s.reopen(ctx, v, r); !open {
			return err
		}
		r.Canceled, r.Updated = true, s.now()
		return s.save(ctx, r)
	})
}

// reopen reports whether the basket can be changed, after an attempt that nobody
// has heard of was asked about. If it cannot, the answer says why.
func (s *Service) reopen(ctx context.Context, v upstream.Visit, r *record) (open bool, err error) {
	if err := s.settle(ctx, v, r); err != nil {
		return false, err
	}
	if st := s.stateOf(r); st != Open {
		r.remark(closed(st))
		return false, nil
	}
	return true, nil
}

// hold runs work on a basket of o under the basket's lease, for which it waits so
// long, and returns the basket as it then is.
func (s *Service) hold(ctx context.Context, o Owner, id string, wait time.Duration, work func(context.Context, *record) error) (*Basket, error) {
	d, err := s.Describe()
	if err != nil {
		return nil, err
	}
	// Whose basket it is comes first: waiting for a lease must tell nobody that
	// somebody else's basket exists.
	if _, err := s.owned(ctx, o, id); err != nil {
		return nil, err
	}
	lease, err := s.acquire(ctx, id, wait)
	if err != nil {
		return nil, err
	}
	// A lease that cannot be given back runs out by itself.
	defer func() { _ = lease.Release() }()
	ctx, cancel := lease.Context(ctx)
	defer cancel()

	r, err := s.owned(ctx, o, id)
	if err != nil {
		return nil, err
	}
	if err := work(ctx, r); err != nil {
		if errors.Is(err, state.ErrConflict) || errors.Is(err, state.ErrLeaseLost) {
			return nil, ErrBusy
		}
		return nil, err
	}
	return s.answer(r, d), nil
}

// acquire waits a while for the basket's lease.
func (s *Service) acquire(ctx context.Context, id string, wait time.Duration) (*state.Lease, error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lease, err := s.Store.Acquire(waiting, leaseName(id), leaseTTL)
	switch {
	case err == nil:
		return lease, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("waiting for the basket: %w", ctx.Err())
	case errors.Is(err, state.ErrLocked):
		return nil, ErrBusy
	}
	return nil, fmt.Errorf("taking the basket: %w", err)
}

// closed says why a basket was not touched.
func closed(st State) Issue {
	switch st {
	case Completed:
		return Issue{Code: AlreadyCompleted, Text: "The basket has been ordered and cannot change any more."}
	case Completing:
		return Issue{Code: StillCompleting, Text: "The order was sent to the shop, which has not confirmed it yet; ask again in a moment."}
	}
	return Issue{Code: AlreadyCanceled, Text: "The basket was canceled or has expired; create a new one."}
}
