package medusa

import (
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

const changingBasket = "changing the basket"

// maxQuantity is more of one thing than any shop sells at once.
const maxQuantity = 1_000_000

// maxRecounts bounds how often the stock is counted again in one call.
const maxRecounts = 2

// Apply implements upstream.Shop.
//
// It takes three requests for a new basket: the products, the cart, the shipping
// options. A basket that holds what is desired takes as many, the first two at the
// same time. Each line that changes takes one more, and so do buyer, addresses and
// codes together, and a way of delivery.
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	kept, err := readHandle(changingBasket, h)
	if err != nil {
		return upstream.Applied{}, err
	}
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "a line wants less than one")
		}
	}
	k, err := s.learned(ctx, v)
	if err != nil {
		return upstream.Applied{}, err
	}
	a := &apply{
		shop: s, known: k, visit: v, kept: kept, desired: d, codes: readCodes(d.Codes), sent: true,
		refused: make(map[part]bool), taken: make(map[lineStep]bool), stuck: make(map[string]bool),
	}
	if err := a.read(ctx); err != nil {
		return upstream.Applied{}, err
	}
	switch {
	case a.held.ordered():
		observed, err := s.observe(k, a.held, nil, kept)
		return upstream.Applied{Observed: observed, Handle: h}, err
	case a.renewed:
		a.kept, a.held = handle{}, cart{}
	}
	if err := a.change(ctx); err != nil {
		return upstream.Applied{}, err
	}
	return a.applied(ctx)
}

// apply is one call of Apply.
type apply struct {
	shop    *Shop
	known   *knowledge
	visit   upstream.Visit
	kept    handle
	desired upstream.Desired
	codes   []string

	where   place
	held    cart // the cart as it is now; none while there is none
	renewed bool
	offers  []goods
	lines   []wantedLine
	notices []upstream.Notice // of lines that cannot be in any basket as desired
	// refused are the parts that the shop did not take, taken the steps that it
	// did, and stuck the variants that it does not sell.
	refused  map[part]bool
	taken    map[lineStep]bool
	stuck    map[string]bool
	recounts int
	// sent: the codes were sent after the last change of anything else.
	sent bool
}

// read reads the cart, if there is one, and what the lines name, at the same time.
func (a *apply) read(ctx context.Context) error {
	a.where = a.whereabouts()
	return together(
		func() error { return a.readOffers(ctx) },
		func() error {
			if a.kept.Cart == "" {
				return nil
			}
			held, err := a.shop.readCart(ctx, a.visit, changingBasket, a.kept.Cart)
			gone := upstream.CodeOf(err) == upstream.CodeBasketGone
			a.held, a.renewed = held, gone || held.closed()
			if gone {
				return nil
			}
			return err
		},
	)
}

// whereabouts is where the basket is bought: where the goods go, else where it was
// begun, else where the visitor is.
func (a *apply) whereabouts() place {
	here := a.known.place(a.visit.Market)
	if address := a.desired.Address; address != nil && !a.abroad() {
		return place{a.known.ofCountry(address.Country), address.Country}
	}
	switch begun := a.known.withID(a.kept.Region); {
	case begun == nil:
		return here
	case slices.Contains(begun.countries, a.kept.Country):
		return place{begun, a.kept.Country}
	case begun == here.region:
		return here
	default:
		return begun.alone()
	}
}

// change makes the cart what is desired.
func (a *apply) change(ctx context.Context) error {
	if !a.held.Exists() {
		if err := a.create(ctx); err != nil {
			return err
		}
	}
	// What is taken out comes first: it may be what the rest would be refused for.
	for _, step := range [...]func(context.Context) error{a.changeLines, a.update, a.addLines, a.choose, a.retryCodes} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// applied is what came of it all.
func (a *apply) applied(ctx context.Context) (upstream.Applied, error) {
	var options []gjson.Result
	if !a.held.empty() {
		var err error
		if options, err = a.shop.readOptions(ctx, a.visit, changingBasket, a.held.id()); err != nil {
			return upstream.Applied{}, err
		}
	}
	a.keep()
	observed, err := a.shop.observe(a.known, a.held, options, a.kept)
	if err != nil {
		return upstream.Applied{}, err
	}
	written, err := a.kept.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	return upstream.Applied{Observed: observed, Handle: written, Notices: a.explain(observed)}, nil
}

// keep notes what the next call has to know.
func (a *apply) keep() {
	a.kept.Cart, a.kept.Region = a.held.id(), a.held.Get("region_id").String()
	a.kept.Country = strings.ToUpper(a.held.country())
	a.kept.Lines = nil
	for _, line := range a.lines {
		a.kept.Lines = append(a.kept.Lines, keptLine{Key: line.key, Variant: line.variant, Quantity: line.quantity})
	}
	a.kept.OtherBuyer = !strings.EqualFold(a.held.Get("email").String(), clean(a.desired.Buyer.Email))
	a.kept.Unknown = slices.DeleteFunc(a.kept.Unknown, func(code string) bool { return !slices.Contains(a.codes, code) })
	a.kept.Absent = nil
	for _, code := range a.valid() {
		if !a.held.hasCode(code) {
			a.kept.Absent = append(a.kept.Absent, code)
		}
	}
}
