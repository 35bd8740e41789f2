package basket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/upstream"
)

// record is a basket as the store keeps it. It holds secrets in the clear: the
// store it is written to must seal its values.
type record struct {
	ID    string `json:"id"`
	Owner Owner  `json:"owner"`
	// Token opens the basket's own page for a person (see Service.View).
	Token string `json:"token"`
	// Handle is the shop's own reference to the basket.
	Handle string `json:"handle"`
	// Market is who the basket's prices are for.
	Market upstream.Market `json:"market"`
	Wanted Wanted          `json:"wanted"`
	// Offer is what was observed for the last answer that was given out.
	Offer   upstream.Observed `json:"offer"`
	Notices []upstream.Notice `json:"notices,omitempty"`
	// Told are issues of the last attempt, such as a declined payment, which
	// stand until the basket is changed or completed.
	Told []Issue `json:"told,omitempty"`
	// Page is where the shop sent the buyer with the last attempt, which need not
	// be the page that the basket itself leads to. It stands as long as Told.
	Page string `json:"page,omitempty"`
	// NextID numbers lines and destinations.
	NextID   int       `json:"next_id"`
	Attempt  *attempt  `json:"attempt,omitempty"`
	Order    *order    `json:"order,omitempty"`
	Canceled bool      `json:"canceled,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
	Expires  time.Time `json:"expires"`

	version state.Version
	// remarks are what this one call has to say besides.
	remarks []Issue
}

// tell adds an issue that keeps the basket from being ordered until it is changed
// or completed again.
func (r *record) tell(i Issue) { r.Told = append(r.Told, i) }

// forget takes back what was told of the last attempt.
func (r *record) forget() { r.Told, r.Page = nil, "" }

// remark adds an issue to the answer of this call alone.
func (r *record) remark(i Issue) { r.remarks = append(r.remarks, i) }

// attempt is an order that was sent to the shop and not heard of yet.
type attempt struct {
	ID       string       `json:"id"`
	Method   string       `json:"method"`
	Expected money.Amount `json:"expected"`
	Started  time.Time    `json:"started"`
}

// placement is the attempt as the shop is asked about it.
func (a *attempt) placement(credential secret.String) upstream.Placement {
	return upstream.Placement{
		Attempt: a.ID, Started: a.Started, Method: a.Method, Expected: a.Expected, Credential: credential,
	}
}

// order is what a basket became, with what is needed to read it again.
type order struct {
	ID    string       `json:"id"`
	Key   string       `json:"key,omitempty"`
	URL   string       `json:"url,omitempty"`
	Total money.Amount `json:"total"`
	At    time.Time    `json:"at"`
	Test  bool         `json:"test,omitempty"`
}

// The keys of the store.
func recordKey(id string) string           { return "basket/" + id }
func leaseName(id string) string           { return "basket/" + id }
func orderKey(shop, orderID string) string { return "order/" + shop + "/" + orderID }

// load reads a record, whoever owns it.
func (s *Service) load(ctx context.Context, id string) (*record, error) {
	if !validID(id) {
		return nil, ErrNotFound
	}
	entry, err := s.Store.Get(ctx, recordKey(id))
	if errors.Is(err, state.ErrNotFound) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("reading the basket: %w", err)
	}
	var r record
	if err := json.Unmarshal(entry.Value, &r); err != nil {
		return nil, fmt.Errorf("reading the basket: %w", err)
	}
	r.version = entry.Version
	return &r, nil
}

// owned reads a record of o.
func (s *Service) owned(ctx context.Context, o Owner, id string) (*record, error) {
	r, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.Owner.Shop != o.Shop || r.Owner.Agent != o.Agent {
		return nil, ErrNotFound
	}
	return r, nil
}

// save writes a record if nobody wrote it since it was read.
func (s *Service) save(ctx context.Context, r *record) error {
	value, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the basket: %w", err)
	}
	r.version, err = s.Store.CompareAndSwap(ctx, recordKey(r.ID), r.version, value, s.keep(r))
	if err != nil {
		return fmt.Errorf("writing the basket: %w", err)
	}
	return nil
}

// keep is how long a record stays in the store from now on: orders long enough
// to be asked for, baskets a day longer than they live, so that an agent learns
// that its basket expired.
func (s *Service) keep(r *record) time.Duration {
	if r.Order != nil || r.Attempt != nil {
		return KeepOrders
	}
	return max(r.Expires.Sub(s.now()), 0) + keepExpired
}

// orderOwner is the entry that leads from an order to its basket.
type orderOwner struct {
	Basket string `json:"basket"`
}

// saveOrder makes the basket's order known by its number, unless the number is
// known already: to this basket, whose order was half written down, or to another
// one, because the shop counts from the start again. A number stays with the basket
// that had it first. The later basket is completed all the same, since the shop has
// its order, but [Service.Order] does not find that by its number.
func (s *Service) saveOrder(ctx context.Context, r *record) error {
	value, err := json.Marshal(orderOwner{Basket: r.ID})
	if err != nil {
		return fmt.Errorf("writing the order: %w", err)
	}
	_, err = s.Store.CompareAndSwap(ctx, orderKey(r.Owner.Shop, r.Order.ID), state.Absent, value, KeepOrders)
	if err != nil && !errors.Is(err, state.ErrConflict) {
		return fmt.Errorf("writing the order: %w", err)
	}
	return nil
}
