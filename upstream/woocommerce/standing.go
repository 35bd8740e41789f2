package woocommerce

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

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
// and, with a key, whether a person who was sent to the shop ordered there.
func (s *Shop) standing(ctx context.Context, v upstream.Visit, f *facts, op string, h handle) (standing, error) {
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
	placed, err := s.findOrder(ctx, v, f, op, time.Unix(h.Began, 0), func(order gjson.Result) bool {
		return meta(order, markerMeta) == marker(h.Token)
	})
	now.placed = placed
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

// maxOrderPages bounds how many pages of orders are looked through.
const maxOrderPages = 5

// skew is how far the shop's clock may be behind ours.
const skew = 10 * time.Minute

// findOrder looks through the orders that were changed since a time for one that
// was placed, newest first. It needs a key. Not to find one proves nothing: a
// plug-in may have taken the mark off that it is known by.
func (s *Shop) findOrder(ctx context.Context, v upstream.Visit, f *facts, op string, since time.Time, is func(gjson.Result) bool) (*upstream.Placed, error) {
	for page := 1; page <= maxOrderPages; page++ {
		a, err := s.manage(ctx, v, f, call{op: op, path: "orders", query: url.Values{
			"modified_after": {since.Add(-skew).UTC().Format("2006-01-02T15:04:05")}, "dates_are_gmt": {"true"},
			"orderby": {"date"}, "order": {"desc"}, "per_page": {strconv.Itoa(listLimit)}, "page": {strconv.Itoa(page)},
			"_fields": {"id,number,status,order_key,currency,total,billing,customer_note,meta_data"},
		}, safe: true})
		if err != nil {
			return nil, err
		}
		if err := a.err(); err != nil {
			return nil, err
		}
		for _, order := range a.body.Array() {
			if isPlaced(order.Get("status").String()) && is(order) {
				return readPlaced(op, order)
			}
		}
		if page >= a.pages() {
			break
		}
	}
	return nil, nil
}

// readPlaced reads an order of the REST API.
func readPlaced(op string, order gjson.Result) (*upstream.Placed, error) {
	purse := newWallet(order.Get("currency"))
	total := purse.decimal(order.Get("total"))
	if err := purse.failed(op); err != nil {
		return nil, err
	}
	return draft{
		ID:     order.Get("id").Int(),
		Number: order.Get("number").String(),
		Key:    order.Get("order_key").String(),
		Email:  order.Get("billing.email").String(),
	}.placed(total)
}

// meta returns the value of a piece of an order's meta data.
func meta(order gjson.Result, key string) string {
	for _, one := range order.Get("meta_data").Array() {
		if one.Get("key").String() == key {
			return one.Get("value").String()
		}
	}
	return ""
}
