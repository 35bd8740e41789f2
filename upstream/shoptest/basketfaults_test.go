package shoptest

import (
	"fmt"
	"slices"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

func basketFaults() map[string]fault {
	return map[string]fault{
		"totals that do not add up": {
			shop:  faulty{observed: func(o *upstream.Observed) { o.Total.Minor++ }},
			fails: []string{"basket/a first line", "codes/a percentage", "delivery/one is chosen"},
		},
		"tax that is added to prices that contain it": {
			shop: faulty{observed: func(o *upstream.Observed) {
				if o.TaxTotal != nil {
					o.Totals = append(slices.Clone(o.Totals), upstream.Total{Kind: upstream.TotalTax, Amount: *o.TaxTotal})
					o.Total.Minor += o.TaxTotal.Minor
				}
			}},
			fails: []string{"basket/a first line", "basket/a known price"},
		},
		"a price that is a little off": {
			shop: faulty{observed: func(o *upstream.Observed) {
				for i := range o.Lines {
					o.Lines[i].Unit.Minor -= 50
				}
			}},
			fails: []string{"basket/prices as in the catalogue"},
		},
		"reading that differs from applying": {
			shop: faulty{applied: func(a *upstream.Applied, err error) error {
				a.Observed.Estimated = true
				return err
			}},
			fails: []string{"basket/read equals applied", "basket/another node goes on with it"},
		},
		"no word of what is refused": {
			shop: faulty{applied: func(a *upstream.Applied, err error) error {
				a.Notices = nil
				return err
			}},
			fails: []string{
				"lines/an item that does not exist", "lines/a sold-out variant", "lines/more than there are", "lines/a product that has several",
				"codes/unknown", "codes/expired", "codes/with its minimum not met", "delivery/one that is not on offer",
				"delivery/where the shop does not deliver", "basket/a basket that the shop has dropped",
			},
		},
		"a notice of nothing": {
			shop: faulty{applied: func(a *upstream.Applied, err error) error {
				a.Notices = append(a.Notices, upstream.Notice{Code: upstream.NoticeOutOfStock, Text: "Something is sold out."})
				return err
			}},
			fails: []string{"basket/a first line"},
		},
		"lines by their position": {
			shop: faulty{observed: func(o *upstream.Observed) {
				keys := []string{"one", "two", "three", "twin"}
				for i := range o.Lines {
					o.Lines[i].Key = keys[i]
				}
			}},
			fails: []string{"lines/in another order", "lines/one fewer"},
		},
		"quantities that are cut to one": {
			shop: faulty{desired: func(d *upstream.Desired) {
				d.Lines = slices.Clone(d.Lines)
				for i := range d.Lines {
					d.Lines[i].Quantity = min(d.Lines[i].Quantity, 1)
				}
			}},
			fails: []string{"lines/a larger quantity", "lines/two for the same item", "basket/a first line"},
		},
		"no quantity is one": {
			shop: faulty{desired: func(d *upstream.Desired) {
				d.Lines = slices.Clone(d.Lines)
				for i := range d.Lines {
					d.Lines[i].Quantity = max(d.Lines[i].Quantity, 1)
				}
			}},
			fails: []string{"lines/no quantity"},
			only:  true,
		},
		"one basket for all": {
			shop: faulty{applied: func(a *upstream.Applied, err error) error {
				a.Handle = secret.New("the-one-and-only-basket")
				return err
			}},
			fails: []string{"basket/two baskets do not touch"},
		},
		"the handle in a text": {
			shop: faulty{applied: func(a *upstream.Applied, err error) error {
				for i := range a.Observed.Lines {
					a.Observed.Lines[i].Title += " " + a.Handle.Reveal()
				}
				return err
			}},
			fails: []string{"basket/the handle is not printed"},
		},
		"codes are forgotten": {
			shop:  faulty{desired: func(d *upstream.Desired) { d.Codes = nil }},
			fails: []string{"codes/a percentage", "codes/unknown", "codes/several", "codes/free delivery", "basket/a known price"},
		},
		"only the first thing missing is told": {
			shop: faulty{observed: func(o *upstream.Observed) {
				if len(o.Missing) > 1 {
					o.Missing = o.Missing[:1]
				}
			}},
			fails: []string{"basket/all that is missing is told at once"},
			only:  true,
		},
		"the first way of delivery, whatever is chosen": {
			shop: faulty{desired: func(d *upstream.Desired) {
				if d.Delivery != "" {
					d.Delivery = "standard"
				}
			}},
			fails: []string{"delivery/one is chosen", "delivery/another is chosen", "delivery/one that is not on offer"},
		},
	}
}

func placingFaults() map[string]fault {
	return map[string]fault{
		"an order for every request": {
			shop: faulty{place: func(s *store, h upstream.Handle, _ *upstream.Placement) (*upstream.Placed, error) {
				if b := s.baskets[h.Reveal()]; b != nil && b.placed != nil {
					placed := s.place(b, s.orders[b.placed.Ref.ID].observed)
					return &placed, nil
				}
				return nil, nil
			}},
			fails: []string{
				"place/twice in the same attempt", "place/again in another attempt", "place/ten times at once", "place/on another node",
				"recover/an answer that was lost, and placed again",
			},
			only: true,
		},
		"any total will do": {
			shop: faulty{place: func(s *store, h upstream.Handle, p *upstream.Placement) (*upstream.Placed, error) {
				if b := s.baskets[h.Reveal()]; b != nil {
					o, _ := s.observe(b)
					p.Expected = o.Total
				}
				return nil, nil
			}},
			fails: []string{
				"place/a total that is not the expected one", "place/an expected total in another currency", "place/a credential is not printed",
				"place/a basket that changed after it was refused", "place/a price that changed meanwhile", "recover/what was refused",
			},
			only: true,
		},
		"an order before the payment is asked for": {
			shop: faulty{place: func(s *store, h upstream.Handle, p *upstream.Placement) (*upstream.Placed, error) {
				if b := s.baskets[h.Reveal()]; b != nil && p.Credential.Reveal() == "declined" {
					o, _ := s.observe(b)
					s.place(b, o)
					return nil, &upstream.Error{Code: upstream.CodePaymentDeclined}
				}
				return nil, nil
			}},
			fails: []string{"place/a payment that is declined", "recover/what was declined"},
			only:  true,
		},
		"declined like any other failure": {
			shop: faulty{place: func(_ *store, _ upstream.Handle, p *upstream.Placement) (*upstream.Placed, error) {
				if p.Credential.Reveal() == "declined" {
					return nil, &upstream.Error{Code: upstream.CodeUnavailable}
				}
				return nil, nil
			}},
			fails: []string{"place/a payment that is declined", "place/a basket that changed after it was declined", "recover/what was declined"},
			only:  true,
		},
		"a lost answer is no order": {
			shop: faulty{recover: func(err error) error {
				if err == nil {
					return &upstream.Error{Code: upstream.CodeNotPlaced}
				}
				return err
			}},
			fails: []string{
				"recover/an answer that was lost", "recover/an answer that was lost, and placed again", "recover/an order that was placed",
				"recover/on another node", "trouble/an order after a restart",
			},
			only: true,
		},
		"a shop that is away has no order": {
			shop: faulty{recover: func(err error) error {
				if upstream.CodeOf(err) == upstream.CodeUnavailable {
					return &upstream.Error{Code: upstream.CodeNotPlaced}
				}
				return err
			}},
			fails: []string{"trouble/a shop that is away while placing", "recover/a context that has ended"},
			only:  true,
		},
		"nobody ever knows": {
			shop: faulty{recover: func(err error) error {
				if err != nil {
					return &upstream.Error{Code: upstream.CodeUnknownOutcome, Err: err}
				}
				return nil
			}},
			fails: []string{
				"recover/what was never placed", "recover/what was refused", "recover/what was declined", "recover/a request that was lost",
				"recover/a basket that the shop has dropped",
			},
			only: true,
		},
		"an order that costs something else": {
			shop: faulty{order: func(o *upstream.Order, err error) error {
				o.Total.Minor += 100
				return err
			}},
			fails: []string{"order/as it was placed", "order/with several lines", "codes/on an order"},
		},
		"an order without its last line": {
			shop: faulty{order: func(o *upstream.Order, err error) error {
				o.Lines = o.Lines[:max(0, len(o.Lines)-1)]
				return err
			}},
			fails: []string{"order/as it was placed", "order/with several lines"},
		},
		"no such order is no answer": {
			shop: faulty{order: func(_ *upstream.Order, err error) error {
				if upstream.CodeOf(err) == upstream.CodeNotFound {
					return fmt.Errorf("order: null")
				}
				return err
			}},
			fails: []string{"order/that does not exist", "order/with a key that is not its own"},
			only:  true,
		},
	}
}
