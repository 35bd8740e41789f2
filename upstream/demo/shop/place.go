package shop

import (
	"time"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// place turns a basket into an order. The error is a refusal, ledger.ErrNotFound or
// a *ledger.OrderedError; after any of them nothing has changed.
func (s *Server) place(token string, request placeRequest, caller string) (*ledger.Order, error) {
	s.selling.Lock()
	defer s.selling.Unlock()
	var sold map[string]ledger.Level
	order, err := s.ledger.Place(token, func(b *ledger.Basket) (*ledger.Order, map[string]ledger.Level, error) {
		bill, err := s.agree(b, request)
		if err != nil {
			return nil, nil, err
		}
		if sold, err = s.take(b); err != nil {
			return nil, nil, err
		}
		if err := pay(b, request); err != nil {
			return nil, nil, err
		}
		if request.Agent == "" {
			request.Agent = b.Agent
		}
		return s.write(b, bill, request, caller), sold, nil
	})
	if err != nil {
		return nil, err
	}
	for id, level := range sold {
		s.shelf.change(id, level)
	}
	return order, nil
}

// agree prices the basket and refuses what the buyer did not agree to.
func (s *Server) agree(b *ledger.Basket, request placeRequest) (*till.Bill, error) {
	if b.IsWithdrawn(request.Attempt) {
		return nil, refusal{code: codeWithdrawn, text: "This attempt was withdrawn."}
	}
	basket := s.priced(b)
	bill, err := till.Price(basket)
	if err != nil {
		return nil, err
	}
	if wanted := missing(b, basket.Travels(), bill.Chosen != nil); len(wanted) > 0 {
		return nil, refusal{code: codeIncomplete, text: "Something is missing before this can be ordered.", missing: wanted}
	}
	if bill.Total != request.Total || string(bill.Currency) != request.Currency {
		return nil, refusal{code: codePrice, text: "The basket costs something else than what was agreed to.", total: &bill.Total}
	}
	return bill, nil
}

// take returns what is left of the stock after the basket.
func (s *Server) take(b *ledger.Basket) (map[string]ledger.Level, error) {
	left := map[string]ledger.Level{}
	for _, line := range b.Lines {
		p, ref, ok := s.shelf.find(line.Variant)
		if !ok || ref.Variant == goods.Whole || p.Discontinued {
			return nil, refusal{code: codeSoldOut, text: "Something in the basket is no longer sold."}
		}
		stock := p.stocks[ref.Variant]
		if stock == goods.Uncounted {
			continue
		}
		if before, ok := left[line.Variant]; ok {
			stock = *before.Stock
		}
		if stock < line.Quantity {
			return nil, refusal{code: codeSoldOut, text: "There is not enough of " + p.nameOf(ref.Variant) + "."}
		}
		stock -= line.Quantity
		level := ledger.Level{Stock: &stock}
		if price := p.prices[ref.Variant]; price != p.Variants[ref.Variant].Price {
			level.Price = &price
		}
		left[line.Variant] = level
	}
	return left, nil
}

// Credentials of the demo card that are not taken.
const (
	cardDeclined   = "decline"
	cardChallenged = "challenge"
)

// pay takes the money, as far as a demo does.
func pay(b *ledger.Basket, request placeRequest) error {
	if request.Method != payCard {
		return nil
	}
	switch request.Credential {
	case cardDeclined:
		return refusal{code: codeDeclined, text: "The bank declined the card."}
	case cardChallenged:
		return refusal{code: codeChallenge, text: "The bank wants to see the buyer on the shop's own page.", path: basketPath(b.Token)}
	}
	return nil
}

// write writes the order down.
func (s *Server) write(b *ledger.Basket, bill *till.Bill, request placeRequest, caller string) *ledger.Order {
	now := s.now().UTC().Truncate(time.Second)
	o := &ledger.Order{
		Key: randomToken(), Attempt: request.Attempt, Agent: printable(request.Agent), Caller: caller,
		PlacedAt: now, Currency: bill.Currency, TaxAdded: bill.TaxAdded,
		Subtotal: bill.Subtotal, Fulfillment: bill.Fulfillment, Tax: bill.Tax, Total: bill.Total,
		Buyer: b.Buyer, Address: b.Address, Billing: b.Billing, Payment: request.Method,
		ShipsAt: now.Add(s.shipAfter), ArrivesAt: now.Add(s.deliverAfter),
	}
	for i, line := range b.Lines {
		o.Lines = append(o.Lines, s.writeLine(i, line, bill.Lines[i]))
	}
	for _, d := range bill.Discounts {
		o.Discounts = append(o.Discounts, ledger.OrderDiscount{Code: d.Code, Title: d.Title, Amount: d.Amount, OnDelivery: d.OnDelivery})
	}
	if bill.Chosen == nil {
		o.ArrivesAt = o.ShipsAt
		return o
	}
	o.Delivery = &ledger.OrderDelivery{
		ID: bill.Chosen.ID, Title: bill.Chosen.Title, Carrier: bill.Chosen.Carrier, Tracking: "KC" + randomToken()[:12],
	}
	return o
}
