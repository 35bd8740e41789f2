package shoptest

import (
	"slices"
	"sync/atomic"

	"github.com/storeware/caddy-storeware/upstream"
)

// without takes notices of one kind out.
func without(code upstream.NoticeCode) func(*upstream.Applied, error) error {
	return func(a *upstream.Applied, err error) error {
		a.Notices = slices.DeleteFunc(a.Notices, func(n upstream.Notice) bool { return n.Code == code })
		return err
	}
}

// buyerFaults are those of shops that drop something without a word, now or when
// it is needed.
func buyerFaults() map[string]fault {
	return map[string]fault{
		"an e-mail address that is dropped without a word": {
			shop:  faulty{applied: without(upstream.NoticeBuyerRefused)},
			fails: []string{"buyer/an e-mail address that is none", "buyer/an e-mail address with an account"},
			only:  true,
		},
		"an order for the e-mail address of before": {
			shop: faulty{place: func(s *store, h upstream.Handle, _ *upstream.Placement) (*upstream.Placed, error) {
				if b := s.baskets[h.Reveal()]; b != nil && b.desired.Buyer.Email != "" {
					b.desired.Buyer.Email = "ada@example.com"
				}
				return nil, nil
			}},
			fails: []string{"buyer/an e-mail address that is none", "buyer/an e-mail address with an account"},
			only:  true,
		},
		"an order to the address of before": {
			shop: faulty{desired: func(d *upstream.Desired) {
				if d.Address != nil && d.Address.PostalCode == "!" {
					before := *d.Address
					before.PostalCode = "LA9 4ND"
					d.Address = &before
				}
			}},
			fails: []string{"buyer/a post code that is none"},
			only:  true,
		},
		"an address that is dropped without a word": {
			shop: faulty{desired: func(d *upstream.Desired) {
				if d.Address != nil && d.Address.Region != "" {
					d.Address, d.Delivery = nil, ""
				}
			}},
			fails: []string{"buyer/a region that is none"},
			only:  true,
		},
		"a buyer who is forgotten until there are lines": {
			shop:  faulty{desired: forgetful(func(d *upstream.Desired) bool { return d.Address != nil }, func(d *upstream.Desired) { d.Address = nil })},
			fails: []string{"buyer/before any line"},
		},
		"codes that are forgotten until there are lines": {
			shop:  faulty{desired: forgetful(func(d *upstream.Desired) bool { return len(d.Codes) > 0 }, func(d *upstream.Desired) { d.Codes = nil })},
			fails: []string{"codes/on an empty basket", "codes/unknown, on an empty basket", "buyer/before any line"},
			only:  true,
		},
		"a code that takes another's place without a word": {
			shop:  faulty{desired: func(d *upstream.Desired) { d.Codes = d.Codes[max(0, len(d.Codes)-1):] }},
			fails: []string{"codes/several", "codes/a good one among bad ones"},
			only:  true,
		},
		"a quantity that is lowered without a word": {
			shop:  faulty{applied: without(upstream.NoticeQuantityLowered)},
			fails: []string{"lines/more than there are", "lines/a huge quantity", "lines/fewer left than the basket holds"},
			only:  true,
		},
		"an order of what is left": {
			shop: faulty{place: func(s *store, h upstream.Handle, p *upstream.Placement) (*upstream.Placed, error) {
				b := s.baskets[h.Reveal()]
				if b == nil || b.placed != nil || p.Expected.Currency != b.currency {
					return nil, nil
				}
				held, notices := s.observe(b)
				lowered := func(n upstream.Notice) bool { return n.Code == upstream.NoticeQuantityLowered }
				if !slices.ContainsFunc(notices, lowered) {
					return nil, nil
				}
				placed := s.place(b, held)
				return &placed, nil
			}},
			fails: []string{"place/some that were sold meanwhile"},
			only:  true,
		},
		"a basket that is locked by a decline": {
			shop:  lockedByDecline(),
			fails: []string{"place/a basket that changed after it was declined"},
			only:  true,
		},
		"short words are passed over": {
			shop: faulty{query: func(q *upstream.Query) {
				if len([]rune(q.Words)) <= 2 {
					q.Words = ""
				}
			}},
			fails: []string{"search/words of one and two letters"},
			only:  true,
		},
	}
}

// forgetful forgets once, with the first lines, what it was told without any.
func forgetful(told func(*upstream.Desired) bool, forget func(*upstream.Desired)) func(*upstream.Desired) {
	var early atomic.Bool // a case calls the shop from several goroutines
	return func(d *upstream.Desired) {
		if len(d.Lines) == 0 {
			early.Store(told(d))
			return
		}
		if early.Swap(false) {
			forget(d)
		}
	}
}

// lockedByDecline takes no more lines after a payment was declined.
func lockedByDecline() faulty {
	var locked atomic.Bool
	return faulty{
		desired: func(d *upstream.Desired) {
			if locked.Swap(false) && len(d.Lines) > 1 {
				d.Lines = d.Lines[:1]
			}
		},
		place: func(_ *store, _ upstream.Handle, p *upstream.Placement) (*upstream.Placed, error) {
			if p.Credential.Reveal() == "declined" {
				locked.Store(true)
			}
			return nil, nil
		},
	}
}
