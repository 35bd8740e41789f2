package shop

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// basketAnswer is a basket as the API writes it. Amounts are in minor units.
type basketAnswer struct {
	Token    string         `json:"token"`
	Path     string         `json:"path"`
	Currency money.Currency `json:"currency"`
	// TaxAdded: prices are without tax, and Tax is part of the sum.
	TaxAdded  bool             `json:"tax_added"`
	Lines     []lineAnswer     `json:"lines"`
	Codes     []string         `json:"codes,omitempty"`
	Discounts []discountAnswer `json:"discounts,omitempty"`
	// Deliveries are on offer, Delivery is the id of the chosen one.
	Deliveries  []deliveryAnswer `json:"deliveries,omitempty"`
	Delivery    string           `json:"delivery,omitempty"`
	Subtotal    int64            `json:"subtotal"`
	Fulfillment *int64           `json:"fulfillment,omitempty"`
	Tax         int64            `json:"tax"`
	Total       int64            `json:"total"`
	// Estimated: an address or a way of delivery is still to come.
	Estimated bool     `json:"estimated"`
	Missing   []string `json:"missing,omitempty"`
	Notices   []notice `json:"notices,omitempty"`
}

type lineAnswer struct {
	Key      string          `json:"key"`
	Variant  string          `json:"variant"`
	Product  string          `json:"product"`
	Title    string          `json:"title"`
	Choices  []ledger.Choice `json:"choices,omitempty"`
	Quantity int64           `json:"quantity"`
	Unit     int64           `json:"unit"`
	Subtotal int64           `json:"subtotal"`
	Total    int64           `json:"total"`
	Image    string          `json:"image"`
	Path     string          `json:"path"`
}

// discountAnswer is a discount. Lines are its parts on the lines, in their order.
type discountAnswer struct {
	Code       string  `json:"code,omitempty"`
	Title      string  `json:"title"`
	Amount     int64   `json:"amount"`
	Lines      []int64 `json:"lines,omitempty"`
	OnDelivery bool    `json:"on_delivery,omitempty"`
}

type deliveryAnswer struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Carrier     string    `json:"carrier"`
	Price       int64     `json:"price"`
	Earliest    time.Time `json:"earliest"`
	Latest      time.Time `json:"latest"`
}

// show returns a basket as it stands now.
func (s *Server) show(b *ledger.Basket) (basketAnswer, error) {
	basket := s.priced(b)
	bill, err := till.Price(basket)
	if err != nil {
		return basketAnswer{}, err
	}
	a := basketAnswer{
		Token: b.Token, Path: basketPath(b.Token), Currency: bill.Currency, TaxAdded: bill.TaxAdded,
		Lines: []lineAnswer{}, Codes: bill.Codes, Subtotal: bill.Subtotal, Tax: bill.Tax, Total: bill.Total,
		Missing: missing(b, basket.Travels(), bill.Chosen != nil),
	}
	for i, line := range b.Lines {
		a.Lines = append(a.Lines, s.showLine(line, bill.Lines[i]))
	}
	for _, d := range bill.Discounts {
		a.Discounts = append(a.Discounts, discountAnswer(d))
	}
	for _, d := range bill.Deliveries {
		a.Deliveries = append(a.Deliveries, deliveryAnswer(d))
	}
	if bill.Chosen != nil {
		a.Delivery, a.Fulfillment = bill.Chosen.ID, &bill.Fulfillment
	}
	a.Estimated = basket.Travels() && (b.Address == nil || bill.Chosen == nil)
	return a, nil
}

func (s *Server) showLine(line ledger.Line, cost till.Line) lineAnswer {
	a := lineAnswer{
		Key: line.Key, Variant: line.Variant, Quantity: line.Quantity,
		Unit: cost.Unit, Subtotal: cost.Subtotal, Total: cost.Total, Title: "No longer sold",
	}
	p, ref, ok := s.shelf.find(line.Variant)
	if !ok || ref.Variant == goods.Whole {
		return a
	}
	a.Product, a.Title, a.Path, a.Image = p.ID, p.Title, productPath(p.Handle), p.image(ref.Variant)
	for _, choice := range p.Variants[ref.Variant].Choices {
		a.Choices = append(a.Choices, ledger.Choice(choice))
	}
	return a
}

// basketPath is the path of a basket's page.
func basketPath(token string) string { return "/basket/" + token }

// missing lists what the shop still wants before it takes the order.
func missing(b *ledger.Basket, travels, delivered bool) []string {
	var out []string
	want := func(name, value string) {
		if value == "" {
			out = append(out, name)
		}
	}
	if len(b.Lines) == 0 {
		out = append(out, "lines")
	}
	want("email", b.Buyer.Email)
	address := ledger.Address{}
	if b.Address != nil {
		address = *b.Address
	}
	want("first_name", b.Buyer.FirstName+address.FirstName)
	want("last_name", b.Buyer.LastName+address.LastName)
	if !travels {
		return out
	}
	if b.Address == nil {
		out = append(out, "address")
	} else {
		want("street", address.Street)
		want("city", address.City)
		want("postal_code", address.PostalCode)
	}
	if address.Country == "US" {
		want("region", address.Region)
	}
	if !delivered {
		out = append(out, "delivery")
	}
	return out
}
