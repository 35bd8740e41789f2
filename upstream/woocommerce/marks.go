package woocommerce

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// Who has a key sees which orders bear a mark of this adapter: that of a hand-off
// link, or the name of an attempt. The shop cannot be asked for one of them, only
// for all orders that were changed since a time. So they are read once for all
// baskets, and then what has changed.

const (
	// lookEvery is how often a shop is asked for orders on behalf of baskets that
	// are only looked at.
	lookEvery = 10 * time.Second
	// maxOrderPages bounds how many pages of orders are looked through at once.
	maxOrderPages = 5
	// maxMarks bounds the orders that are kept in mind.
	maxMarks = 10_000
	// skew is how far the shop's clock may be behind ours.
	skew = 10 * time.Minute
)

// marks are the orders that bear one, by it.
type marks struct {
	busy chan struct{} // held by whoever looks

	// All orders are known that were changed since from, as far as they had been
	// by the time looked. newest is the time of the last change, by the shop's
	// clock.
	from, looked, newest time.Time
	placed               map[string]upstream.Placed
}

func newMarks() *marks { return &marks{busy: make(chan struct{}, 1)} }

// marked returns the order with a mark that was placed since a time, nil if none
// is known. Not to find one proves nothing: a plug-in may have taken the mark off.
// now looks for it in any case.
func (s *Shop) marked(ctx context.Context, v upstream.Visit, f *facts, op, mark string, since time.Time, now bool) (*upstream.Placed, error) {
	m := s.marks
	select {
	case m.busy <- struct{}{}:
		defer func() { <-m.busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	clock := s.now()
	switch after := since.Add(-skew); {
	case m.from.IsZero(), after.Before(m.from), len(m.placed) >= maxMarks:
		m.from, m.newest, m.placed = after, after, make(map[string]upstream.Placed)
	case !now && clock.Sub(m.looked) < lookEvery:
		return m.order(mark), nil
	}
	if err := s.look(ctx, v, f, op); err != nil {
		m.from = time.Time{} // What was seen of the newest is no beginning.
		return nil, err
	}
	m.looked = clock
	return m.order(mark), nil
}

func (m *marks) order(mark string) *upstream.Placed {
	if placed, ok := m.placed[mark]; ok {
		return &placed
	}
	return nil
}

// look reads the orders that were changed since the newest that is known.
func (s *Shop) look(ctx context.Context, v upstream.Visit, f *facts, op string) error {
	m := s.marks
	after := m.newest.Add(-time.Second) // Another one of that second may have come since.
	for page := 1; page <= maxOrderPages; page++ {
		a, err := s.manage(ctx, v, f, call{op: op, path: "orders", query: url.Values{
			"modified_after": {after.UTC().Format(wordPressTime)}, "dates_are_gmt": {"true"},
			"orderby": {"date"}, "order": {"desc"}, "per_page": {strconv.Itoa(listLimit)}, "page": {strconv.Itoa(page)},
			"_fields": {"id,number,status,order_key,currency,total,billing,customer_note,meta_data,date_modified_gmt"},
		}, safe: true})
		if err != nil {
			return err
		}
		if err := a.err(); err != nil {
			return err
		}
		for _, order := range a.body.Array() {
			if err := m.see(op, order); err != nil {
				return err
			}
		}
		if page >= a.pages() {
			break
		}
	}
	return nil
}

// see keeps an order in mind that bears a mark and was placed.
func (m *marks) see(op string, order gjson.Result) error {
	if changed := readTime(order.Get("date_modified_gmt")); changed.After(m.newest) {
		m.newest = changed
	}
	handedOff := meta(order, markerMeta)
	if !strings.HasPrefix(handedOff, source) {
		handedOff = ""
	}
	for _, mark := range []string{handedOff, attemptOf(order)} {
		if mark == "" || !isPlaced(order.Get("status").String()) {
			continue
		}
		placed, err := readPlaced(op, order)
		if err != nil {
			return err
		}
		m.placed[mark] = *placed
	}
	return nil
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
