package till

import (
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Basket is what is to be priced.
type Basket struct {
	Currency money.Currency
	Items    []Item
	// Codes are discount codes as the buyer wrote them.
	Codes []string
	// Country is where the goods go or are looked at from, empty when unknown.
	Country    string
	PostalCode string
	// Delivery is the id of the way that was chosen, empty for none.
	Delivery string
	Now      time.Time
}

// Travels reports whether anything in the basket has to be carried to the buyer.
func (b Basket) Travels() bool {
	for _, item := range b.Items {
		if !item.Digital {
			return true
		}
	}
	return false
}

// Item is a line of a basket.
type Item struct {
	// Price is what one costs.
	Price     int64
	Quantity  int64
	ZeroRated bool
	Digital   bool
	Oversize  bool
	// Promoted: the shop's promotion is for it.
	Promoted bool
}

// Bill is what a basket costs.
type Bill struct {
	Currency money.Currency
	// TaxAdded: the prices are without tax, and Tax is part of the sum. Otherwise
	// they contain it.
	TaxAdded bool
	// Lines are one for each item.
	Lines []Line
	// Codes are those that count, as the shop writes them. A discount that saves
	// nothing yet, as free delivery before one is chosen, is only here.
	Codes     []string
	Discounts []Discount
	Refused   []Refusal
	// Deliveries are the ways on offer. Chosen is the one that was chosen and is
	// on offer.
	Deliveries []Delivery
	Chosen     *Delivery
	// Subtotal is the sum of the lines before discounts, Fulfillment the price of
	// the delivery, Tax what the bill holds of it.
	Subtotal    int64
	Fulfillment int64
	Tax         int64
	Total       int64

	freeDelivery *code
}

// Line is what an item costs.
type Line struct {
	Unit     int64
	Subtotal int64
	// Total is the line after discounts.
	Total int64
	// Tax is the tax of Total, in it or on top of it.
	Tax int64
}

// Savings is what the discounts on goods and those on delivery save.
func (b *Bill) Savings() (goods, delivery int64) {
	for _, d := range b.Discounts {
		if d.OnDelivery {
			delivery += d.Amount
		} else {
			goods += d.Amount
		}
	}
	return goods, delivery
}

// Price works out the bill. The error is a currency that does not exist or a sum
// that does not fit.
func Price(basket Basket) (*Bill, error) {
	b := &Bill{Currency: basket.Currency, TaxAdded: TaxAdded(basket.Country)}
	for _, step := range []func(Basket) error{b.lines, b.redeem, b.deliver, b.tax} {
		if err := step(basket); err != nil {
			return nil, fmt.Errorf("pricing a basket: %w", err)
		}
	}
	goods, delivery := b.Savings()
	b.Total = b.Subtotal - goods + b.Fulfillment - delivery
	if b.TaxAdded {
		b.Total += b.Tax
	}
	return b, nil
}

// lines prices the items and takes the promotion off.
func (b *Bill) lines(basket Basket) error {
	for _, item := range basket.Items {
		subtotal, err := b.amount(item.Price).Mul(item.Quantity)
		if err != nil {
			return err
		}
		b.Lines = append(b.Lines, Line{Unit: item.Price, Subtotal: subtotal.Minor, Total: subtotal.Minor})
		if b.Subtotal, err = b.plus(b.Subtotal, subtotal.Minor); err != nil {
			return err
		}
	}
	return b.promotions(basket.Items)
}

// deliver finds the ways of delivery and adds the chosen one.
func (b *Bill) deliver(basket Basket) error {
	var err error
	if b.Deliveries, err = deliveries(basket); err != nil {
		return err
	}
	for i := range b.Deliveries {
		if b.Deliveries[i].ID == basket.Delivery {
			b.Chosen = &b.Deliveries[i]
		}
	}
	if b.Chosen == nil {
		return nil
	}
	b.Fulfillment = b.Chosen.Price
	if free := b.freeDelivery; free != nil {
		b.Discounts = append(b.Discounts, Discount{
			Code: free.code, Title: free.title, Amount: b.Fulfillment, OnDelivery: true,
		})
	}
	return nil
}

// tax works out the tax of each line and of the delivery. Tax that is put on top
// is on goods alone.
func (b *Bill) tax(basket Basket) error {
	country := countryOf(basket.Country)
	if country == nil {
		country = countryOf(Home)
	}
	of := money.Amount.IncludedPercent
	if country.added {
		of = money.Amount.Percent
	}
	for i, item := range basket.Items {
		if item.ZeroRated {
			continue
		}
		tax, err := of(b.amount(b.Lines[i].Total), country.rate)
		if err != nil {
			return err
		}
		b.Lines[i].Tax = tax.Minor
		b.Tax += tax.Minor
	}
	_, saved := b.Savings()
	if country.added || b.Fulfillment == saved {
		return nil
	}
	tax, err := of(b.amount(b.Fulfillment-saved), country.rate)
	b.Tax += tax.Minor
	return err
}

func (b *Bill) amount(minor int64) money.Amount {
	return money.Amount{Minor: minor, Currency: b.Currency}
}

func (b *Bill) plus(x, y int64) (int64, error) {
	total, err := b.amount(x).Add(b.amount(y))
	return total.Minor, err
}

func sum(amounts []int64) int64 {
	var total int64
	for _, amount := range amounts {
		total += amount
	}
	return total
}
