package shoptest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// memory is the adapter of a store.
type memory struct{ *store }

// enter locks the store for a call, unless there can be none.
func (m memory) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("calling the shop: %w", err)
	}
	m.mu.Lock()
	if m.away {
		m.mu.Unlock()
		return nil, upstream.Errorf(upstream.CodeUnavailable, "calling the shop", "it is away")
	}
	return m.mu.Unlock, nil
}

func (m memory) Describe(ctx context.Context) (upstream.Description, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Description{}, err
	}
	defer leave()
	return upstream.Description{
		Name: "Memory", Currency: "GBP", Currencies: []money.Currency{"GBP", "JPY"}, Countries: []string{"GB"},
		Language: "en-GB", Tax: upstream.TaxIncluded,
		Links: []upstream.Link{{Type: "refund_policy", URL: "https://shop.example/returns"}},
		Capabilities: upstream.Capabilities{
			Search: true, PriceFilter: true, Baskets: true, Place: true, Codes: upstream.CodesMany, Delivery: true,
			Orders: true, ExactStock: true, Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		},
	}, nil
}

func (m memory) Search(ctx context.Context, v upstream.Visit, q upstream.Query) (upstream.Results, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Results{}, err
	}
	defer leave()
	start := 0
	if q.Cursor != "" {
		n, ok := strings.CutPrefix(q.Cursor, "from-")
		if start, err = strconv.Atoi(n); !ok || err != nil || start < 0 {
			return upstream.Results{}, upstream.Errorf(upstream.CodeInvalid, "searching", "the cursor is not one of this shop")
		}
	}
	found := m.catalogue(v)
	words := strings.Fields(strings.ToLower(q.Words))
	found = slices.DeleteFunc(found, func(p upstream.Product) bool {
		text := strings.ToLower(p.Title + " " + p.Description)
		return !q.Match(&p) || slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
	results := upstream.Results{Total: len(found)}
	start = min(start, len(found))
	end := min(start+cmp.Or(q.Limit, 10), len(found))
	results.Products = found[start:end]
	if end < len(found) {
		results.Next = fmt.Sprintf("from-%d", end)
	}
	return results, nil
}

func (m memory) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var matches []upstream.Match
	for _, p := range m.catalogue(v) {
		var inputs []upstream.Input
		for _, ref := range refs {
			if ref == p.ID || ref == p.Handle {
				inputs = append(inputs, upstream.Input{Ref: ref})
			}
			for _, v := range p.Variants {
				if ref == v.ID || ref == v.SKU {
					inputs = append(inputs, upstream.Input{Ref: ref, Variant: v.ID})
				}
			}
		}
		if len(inputs) > 0 {
			matches = append(matches, upstream.Match{Product: p, Inputs: inputs})
		}
	}
	return matches, nil
}

// Walk takes pages of five, from the id after a place.
func (m memory) Walk(ctx context.Context, v upstream.Visit, place upstream.Place) (upstream.Walked, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Walked{}, err
	}
	defer leave()
	start := 0
	if place != "" {
		if start, err = strconv.Atoi(string(place)); err != nil || start < 0 {
			return upstream.Walked{}, upstream.Errorf(upstream.CodeInvalid, "walking", "the place is not one of this shop")
		}
	}
	all := m.catalogue(v)
	start = min(start, len(all))
	end := min(start+5, len(all))
	walked := upstream.Walked{Products: all[start:end], Next: upstream.Place(strconv.Itoa(end)), More: end < len(all)}
	if !walked.More {
		walked.Whole, walked.Next = true, ""
	}
	return walked, nil
}

func (m memory) Apply(ctx context.Context, v upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Applied{}, err
	}
	defer leave()
	for _, line := range d.Lines {
		if line.Quantity < 1 {
			return upstream.Applied{}, upstream.Errorf(upstream.CodeInvalid, "filling the basket", "a quantity is below 1")
		}
	}
	var applied upstream.Applied
	b, err := m.open(h)
	if err != nil || b.placed != nil {
		if !h.IsZero() {
			applied.Notices = []upstream.Notice{{Code: upstream.NoticeBasketRenewed, Text: "The basket is a new one."}}
		}
		h, b = m.begin(currencyOf(v))
	}
	b.desired, b.currency = d, currencyOf(v)
	var notices []upstream.Notice
	applied.Handle = h
	applied.Observed, notices = m.observe(b)
	applied.Notices = append(applied.Notices, notices...)
	return applied, nil
}

func (m memory) Read(ctx context.Context, _ upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Observed{}, err
	}
	defer leave()
	b, err := m.open(h)
	if err != nil {
		return upstream.Observed{}, err
	}
	observed, _ := m.observe(b)
	return observed, nil
}

func (m memory) Place(ctx context.Context, _ upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Placed{}, err
	}
	defer leave()
	refuse := func(code upstream.Code) (upstream.Placed, error) {
		return upstream.Placed{}, &upstream.Error{Code: code, Op: "placing the order"}
	}
	b, err := m.open(h)
	if err != nil {
		return upstream.Placed{}, err
	}
	if b.placed != nil {
		return *b.placed, nil
	}
	if m.loseRequest {
		m.loseRequest = false
		return refuse(upstream.CodeUnknownOutcome)
	}
	observed, notices := m.observe(b)
	soldOut := slices.ContainsFunc(notices, func(n upstream.Notice) bool {
		return n.Code == upstream.NoticeOutOfStock || n.Code == upstream.NoticeQuantityLowered
	})
	switch {
	case soldOut:
		return refuse(upstream.CodeOutOfStock)
	case len(observed.Missing) > 0:
		return refuse(upstream.CodeIncomplete)
	case observed.Total != p.Expected:
		return refuse(upstream.CodePriceChanged)
	case p.Method != "card":
		return refuse(upstream.CodeInvalid)
	case p.Credential.Reveal() == "declined":
		return refuse(upstream.CodePaymentDeclined)
	}
	placed := m.place(b, observed)
	if m.loseAnswer {
		m.loseAnswer = false
		return refuse(upstream.CodeUnknownOutcome)
	}
	return placed, nil
}

func (m memory) Recover(ctx context.Context, _ upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Placed{}, err
	}
	defer leave()
	if b, err := m.open(h); err == nil && b.placed != nil {
		return *b.placed, nil
	}
	code := upstream.CodeNotPlaced
	if time.Since(p.Started) < time.Minute {
		code = upstream.CodeUnknownOutcome
	}
	return upstream.Placed{}, &upstream.Error{Code: code, Op: "asking for the order"}
}

func (m memory) Order(ctx context.Context, _ upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	leave, err := m.enter(ctx)
	if err != nil {
		return upstream.Order{}, err
	}
	defer leave()
	o := m.orders[ref.ID]
	if o == nil || !o.placed.Ref.Key.Equal(ref.Key) {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, "reading the order", "no such order")
	}
	result := upstream.Order{
		Ref: o.placed.Ref, PlacedAt: o.at, Currency: o.observed.Currency, Totals: o.observed.Totals, Total: o.observed.Total,
		Events: []upstream.FulfillmentEvent{{ID: "1", Type: "processing", At: o.at}}, Status: "new", Address: o.address,
	}
	for _, line := range o.observed.Lines {
		result.Lines = append(result.Lines, upstream.OrderLine{
			ID: line.Key, Item: line.Item, Product: line.Product, Title: line.Title, Ordered: line.Quantity, Active: line.Quantity,
			Unit: line.Unit, Subtotal: line.Subtotal, Total: line.Total,
		})
	}
	return result, nil
}
