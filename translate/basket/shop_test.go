package basket_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// shop is a shop in memory that places as many orders as it is asked for: what
// keeps it to one is the code under test.
type shop struct {
	mu      sync.Mutex
	baskets map[string]upstream.Desired
	orders  map[string]upstream.Order
	// byAttempt leads from an attempt to its order.
	byAttempt map[string]string
	// elsewhere leads from a basket to the order a person made of it on the
	// shop's own page. noted: only Apply finds that order, by the note on it, for
	// the basket is gone.
	elsewhere map[string]string
	noted     bool
	prices    map[string]int64
	next      int

	applies, reads, places, recovers int

	// beforePlace and afterPlace, if set, run in Place around the order being
	// made; an error of either is what Place returns.
	beforePlace func() error
	afterPlace  func() error
	recoverErr  error
	// applyErr, if set, is what Apply returns. handOff is the page that baskets
	// have, off what the total differs by from the sum, placedAt when orders say
	// they were placed.
	// wantsNames makes it want the buyer's names; pageless lets orders have no page.
	applyErr   error
	wantsNames bool
	pageless   bool
	handOff    string
	off        int64
	placedAt   time.Time
}

func newShop() *shop {
	return &shop{
		baskets: map[string]upstream.Desired{}, orders: map[string]upstream.Order{}, byAttempt: map[string]string{},
		prices: map[string]int64{"boot": 12000, "sock": 999},
	}
}

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

func (s *shop) Apply(_ context.Context, _ upstream.Visit, h upstream.Handle, d upstream.Desired) (upstream.Applied, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.applies++
	if s.applyErr != nil {
		return upstream.Applied{}, s.applyErr
	}
	token := h.Reveal()
	if id, ok := s.elsewhere[token]; ok {
		return upstream.Applied{Handle: h, Observed: upstream.Observed{Ordered: &upstream.Placed{Ref: s.orders[id].Ref, Total: s.orders[id].Total}}}, nil
	}
	var notices []upstream.Notice
	if _, ok := s.baskets[token]; !ok {
		if token != "" {
			notices = append(notices, upstream.Notice{Code: upstream.NoticeBasketRenewed})
		}
		s.next++
		token = "token-" + strconv.Itoa(s.next)
	}
	for _, line := range d.Lines {
		switch line.Item {
		case "jacket":
			notices = append(notices, upstream.Notice{
				Code: upstream.NoticeOptionNeeded, Line: line.Key,
				Options: []upstream.Option{{Name: "Size", Values: []string{"S", "M"}}},
			})
		case "boot", "sock":
		default:
			notices = append(notices, upstream.Notice{Code: upstream.NoticeNotFound, Line: line.Key})
		}
	}
	for _, code := range d.Codes {
		notices = append(notices, upstream.Notice{Code: upstream.NoticeDiscountUnknown, Discount: code})
	}
	if d.Buyer.Email == "refused" {
		notices = append(notices, upstream.Notice{Code: upstream.NoticeBuyerRefused})
		d.Buyer = upstream.Buyer{}
	}
	s.baskets[token] = d
	return upstream.Applied{Observed: s.observe(d), Handle: secret.New(token), Notices: notices}, nil
}

func (s *shop) observe(d upstream.Desired) upstream.Observed {
	o := upstream.Observed{Currency: "GBP", Tax: upstream.TaxIncluded, Total: gbp(0), HandOff: s.handOff}
	for _, line := range d.Lines {
		price, ok := s.prices[line.Item]
		if !ok {
			continue
		}
		sum := gbp(price * line.Quantity)
		o.Lines = append(o.Lines, upstream.Line{
			Key: line.Key, Item: line.Item, Product: line.Item, Title: line.Item,
			Quantity: line.Quantity, Unit: gbp(price), Subtotal: sum, Total: sum,
		})
		o.Total.Minor += sum.Minor
	}
	o.Totals = []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: o.Total}}
	if d.Delivery == "post" {
		o.Chosen = "post"
		o.Total.Minor += 495
		o.Totals = append(o.Totals, upstream.Total{Kind: upstream.TotalFulfillment, Amount: gbp(495)})
	}
	o.Total.Minor += s.off
	o.Delivery = []upstream.DeliveryOption{{ID: "post", Title: "Post", Price: gbp(495)}}
	if len(o.Lines) == 0 {
		o.Missing = append(o.Missing, upstream.MissingLines)
	}
	if d.Buyer.Email == "" {
		o.Missing = append(o.Missing, upstream.MissingEmail)
	}
	if s.wantsNames && d.Buyer.FirstName == "" {
		o.Missing = append(o.Missing, upstream.MissingFirstName)
	}
	if s.wantsNames && d.Buyer.LastName == "" {
		o.Missing = append(o.Missing, upstream.MissingLastName)
	}
	if d.Address == nil {
		o.Missing = append(o.Missing, upstream.MissingAddress)
	}
	if d.Delivery == "" {
		o.Missing = append(o.Missing, upstream.MissingDelivery)
	}
	return o
}

func (s *shop) Read(_ context.Context, _ upstream.Visit, h upstream.Handle) (upstream.Observed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if id, ok := s.elsewhere[h.Reveal()]; ok && !s.noted {
		return upstream.Observed{Ordered: &upstream.Placed{Ref: s.orders[id].Ref, Total: s.orders[id].Total}}, nil
	}
	d, ok := s.baskets[h.Reveal()]
	if !ok {
		return upstream.Observed{}, upstream.Errorf(upstream.CodeBasketGone, "reading the basket", "no such basket")
	}
	return s.observe(d), nil
}

func (s *shop) Place(_ context.Context, v upstream.Visit, h upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	s.mu.Lock()
	s.places++
	before, after := s.beforePlace, s.afterPlace
	s.mu.Unlock()
	if before != nil {
		if err := before(); err != nil {
			return upstream.Placed{}, err
		}
	}
	placed, err := s.order(h, v, p)
	if err == nil && after != nil {
		err = after()
	}
	return placed, err
}

func (s *shop) order(h upstream.Handle, v upstream.Visit, p upstream.Placement) (upstream.Placed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.baskets[h.Reveal()]
	if !ok {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeBasketGone, "placing", "no such basket")
	}
	o := s.observe(d)
	if o.Total != p.Expected {
		return upstream.Placed{}, upstream.Errorf(upstream.CodePriceChanged, "placing", "total is another")
	}
	if p.Credential.Reveal() == "decline" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodePaymentDeclined, "placing", "The card was declined.")
	}
	id := fmt.Sprintf("ORD%d", len(s.orders)+1)
	s.orders[id] = upstream.Order{Ref: upstream.OrderRef{ID: id, Key: secret.New("key-" + id)}, Currency: "GBP", Total: o.Total, Totals: o.Totals, Status: v.Agent}
	s.byAttempt[p.Attempt] = id
	placed := upstream.Placed{Ref: s.orders[id].Ref, Total: o.Total, URL: "https://shop.example/orders/" + id}
	if s.pageless {
		placed.URL = ""
	}
	return placed, nil
}

func (s *shop) Recover(_ context.Context, _ upstream.Visit, _ upstream.Handle, p upstream.Placement) (upstream.Placed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recovers++
	if s.recoverErr != nil {
		return upstream.Placed{}, s.recoverErr
	}
	id, ok := s.byAttempt[p.Attempt]
	if !ok {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeNotPlaced, "recovering", "no such order")
	}
	return upstream.Placed{Ref: s.orders[id].Ref, Total: s.orders[id].Total}, nil
}

func (s *shop) Order(_ context.Context, _ upstream.Visit, ref upstream.OrderRef) (upstream.Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.orders[ref.ID]
	if !ok || !o.Ref.Key.Equal(ref.Key) {
		return upstream.Order{}, upstream.Errorf(upstream.CodeNotFound, "reading the order", "no such order")
	}
	o.PlacedAt = s.placedAt
	return o, nil
}

// orderElsewhere is a person ordering every basket on the shop's own page.
func (s *shop) orderElsewhere() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.elsewhere = map[string]string{}
	for token, d := range s.baskets {
		id := "PAGE-" + token
		s.orders[id] = upstream.Order{Ref: upstream.OrderRef{ID: id, Key: secret.New("key-" + id)}, Currency: "GBP", Total: s.observe(d).Total}
		s.elsewhere[token] = id
	}
}

func (s *shop) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.orders)
}

func (s *shop) setPrice(item string, minor int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prices[item] = minor
}

func (s *shop) dropBaskets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.baskets)
}

func (s *shop) description() (upstream.Description, error) {
	return upstream.Description{
		Name: "Shop", Currency: "GBP",
		Capabilities: upstream.Capabilities{
			Baskets: true, Place: true, Delivery: true, Orders: true, Codes: upstream.CodesMany,
			Payments: []upstream.PaymentMethod{{ID: "card", Title: "Card"}},
		},
	}, nil
}

func has(issues []codeField, want codeField) bool { return slices.Contains(issues, want) }
