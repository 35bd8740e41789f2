package vendure

import (
	"context"
	"errors"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const changingBasket = "changing the basket"

const (
	// maxRounds bounds how often a basket is changed and read again in one call.
	maxRounds = 4
	// maxThrows is how many changes may fail altogether in one call.
	maxThrows = 2
)

// Apply implements upstream.Shop.
func (s *Shop) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	sc, err := s.known(ctx, v)
	if err != nil {
		return upstream.Applied{}, err
	}
	kept, err := readHandle(h)
	if err != nil {
		return upstream.Applied{}, err
	}
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, changingBasket, "a line wants less than one")
		}
	}
	a := &apply{shop: s, schema: sc, visit: v, handle: kept, desired: d}
	a.forget()
	applied, err := a.run(ctx)
	if observed, ok := orderedIn(err); ok {
		return upstream.Applied{Observed: observed, Handle: h}, nil
	}
	return applied, err
}

// run changes the basket until it is as desired, or as near to it as the shop lets
// it come.
func (a *apply) run(ctx context.Context) (upstream.Applied, error) {
	if err := a.read(ctx); err != nil {
		return upstream.Applied{}, err
	}
	for round := 0; ; round++ {
		steps := a.plan()
		switch {
		case len(steps) == 0:
			return a.applied()
		case round == maxRounds:
			return upstream.Applied{}, upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop's basket does not come to rest")
		}
		if err := a.change(ctx, steps); err != nil {
			return upstream.Applied{}, err
		}
		if err := a.read(ctx); err != nil {
			return upstream.Applied{}, err
		}
	}
}

// apply is one call of Apply.
type apply struct {
	shop    *Shop
	schema  *schema
	visit   upstream.Visit
	handle  handle
	desired upstream.Desired

	held     contents
	renewed  bool
	resolved bool // whether what follows is known
	lines    []wantedLine
	offers   map[string]offer  // by variant
	notices  []upstream.Notice // of lines that cannot be in any basket
	shipping *upstream.Address // nil where the shop does not know the country
	billing  *upstream.Address
	tried    map[string]bool
	verdicts map[string]verdict // why the shop did not take a step, by its id
	limits   map[string]int64   // how many items a basket may hold, by variant
	throws   int
}

// verdict is the name of the error type with which the shop refused a step.
type verdict string

// forget makes a basket a new one, of which nothing was tried yet.
func (a *apply) forget() {
	a.tried, a.verdicts, a.limits = make(map[string]bool), make(map[string]verdict), make(map[string]int64)
}

// read reads the basket as it is now.
func (a *apply) read(ctx context.Context) error {
	var ask questions
	if !a.resolved {
		ask = a.questions()
	}
	held, session, err := a.shop.contents(ctx, a.schema, a.visit, a.handle, ask)
	if err != nil {
		return err
	}
	a.handle.Session = session
	if a.handle.Order != "" && held.code() != a.handle.Order {
		if err := a.shop.gone(ctx, a.visit, changingBasket, a.handle); upstream.CodeOf(err) != upstream.CodeBasketGone {
			return err
		}
		a.renewed = true
		a.handle = handle{Session: session, NoRoute: a.handle.NoRoute}
		a.forget()
	}
	a.held = held
	a.handle.Order = held.code()
	if !held.none() {
		a.handle.Currency = a.shop.newPurse(held.order.Get("currencyCode")).currency
	}
	if a.resolved {
		return nil
	}
	a.resolved = true
	a.addresses()
	a.offers = held.offers()
	a.lines, a.notices, err = a.shop.resolve(a.desired.Lines, held)
	return err
}

// change runs steps in one document and takes down what came of each.
func (a *apply) change(ctx context.Context, steps []step) error {
	fields := make([]field, len(steps))
	for i, step := range steps {
		fields[i] = step.field
	}
	data, err := a.shop.mutate(ctx, a.visit, a.schema.inBasket(a.visit, a.handle, changingBasket, "Change"), fields)
	var thrown shopclient.GraphQLErrors
	if errors.As(err, &thrown) && a.throws < maxThrows {
		// The steps before the one that failed were taken: look at all again.
		a.throws++
		a.resolved = false
		return nil
	}
	if err != nil {
		return err
	}
	for i, step := range steps {
		a.note(step, data.Get(mutationAlias(i)))
	}
	return nil
}

// applied is what came of it all.
func (a *apply) applied() (upstream.Applied, error) {
	a.handle.Lines = nil
	for _, line := range a.lines {
		a.handle.Lines = append(a.handle.Lines, keptLine{
			Key: line.key, Variant: line.variant, Quantity: line.quantity, Price: a.offers[line.variant].price,
		})
	}
	a.handle.OtherBuyer = a.otherBuyer()
	observed, err := a.shop.observe(a.schema, a.visit, a.held, a.handle)
	if err != nil {
		return upstream.Applied{}, err
	}
	written, err := a.handle.write()
	if err != nil {
		return upstream.Applied{}, err
	}
	return upstream.Applied{Observed: observed, Handle: written, Notices: a.explain(observed)}, nil
}
