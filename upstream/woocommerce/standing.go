package woocommerce

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// standing is what has become of a basket so far.
type standing struct {
	// placed is the order, if a person or an attempt has placed one.
	placed *upstream.Placed
	// status is that of the newest draft, empty where there is none or the shop
	// does not show it.
	status string
}

// Statuses of an order that is none yet. An order of any other status was placed,
// a plug-in's own ones too.
const (
	statusDraft   = "checkout-draft"
	statusPending = "pending"
	statusFailed  = "failed"
)

// isPlaced reports whether an order of that status was placed.
func isPlaced(status string) bool {
	switch status {
	case "", statusDraft, "auto-draft", "trash", statusPending, statusFailed:
		return false
	}
	return true
}

// standing asks what became of a basket: of the orders that it was to become,
// and, with a key, whether a person who was sent to the shop ordered there. The
// latter may be some seconds old unless it is wanted at once.
func (s *Shop) standing(ctx context.Context, v upstream.Visit, f *facts, op string, h handle, atOnce bool) (standing, error) {
	var now standing
	for _, d := range h.Drafts {
		status, placed, err := s.draftStatus(ctx, v, f, op, d)
		if err != nil {
			return standing{}, err
		}
		if now.status = status; placed != nil {
			return standing{placed: placed, status: status}, nil
		}
	}
	if !s.key.given() || len(h.Lines) == 0 {
		return now, nil
	}
	var err error
	now.placed, err = s.marked(ctx, v, f, op, marker(h.Token), time.Unix(h.Began, 0), atOnce)
	return now, err
}

// draftStatus reads an order by its key and the buyer's address, which is all that
// the shop wants to show it.
func (s *Shop) draftStatus(ctx context.Context, v upstream.Visit, f *facts, op string, d draft) (status string, placed *upstream.Placed, err error) {
	a, err := s.orderByKey(ctx, v, f, op, d)
	if err != nil {
		return "", nil, err
	}
	if a.status/100 == 5 {
		return "", nil, a.err()
	}
	if a.refused() {
		return "", nil, nil
	}
	if status = a.body.Get("status").String(); !isPlaced(status) {
		return status, nil, nil
	}
	purse := newPurse(a.body.Get("totals"))
	total := purse.read(a.body.Get("totals.total_price"))
	if err := purse.failed(op); err != nil {
		return "", nil, err
	}
	placed, err = d.placed(total)
	return status, placed, err
}

func (s *Shop) orderByKey(ctx context.Context, v upstream.Visit, f *facts, op string, d draft) (answer, error) {
	return s.ask(ctx, v, f, call{
		op: op, path: "order/" + number(d.ID), query: url.Values{"key": {d.Key}, "billing_email": {d.Email}}, safe: true,
	})
}

// orderKey is what the adapter wants to read an order again.
type orderKey struct {
	ID    int64  `json:"id"`
	Key   string `json:"key"`
	Email string `json:"email"`
}

// placed is the order that a draft became.
func (d draft) placed(total money.Amount) (*upstream.Placed, error) {
	key, err := json.Marshal(orderKey{ID: d.ID, Key: d.Key, Email: d.Email})
	if err != nil {
		return nil, fmt.Errorf("writing the order's key: %w", err)
	}
	id := d.Number
	if id == "" {
		id = number(d.ID)
	}
	return &upstream.Placed{Ref: upstream.OrderRef{ID: id, Key: secret.New(string(key))}, Total: total}, nil
}
