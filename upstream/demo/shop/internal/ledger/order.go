package ledger

import (
	"fmt"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Order is a basket that was bought. Amounts are in minor units of Currency.
type Order struct {
	// Number is what a buyer reads, Key what is wanted besides to see the order.
	Number string `json:"number"`
	Key    string `json:"key"`
	// Attempt is the caller's name for the attempt that became this order.
	Attempt string `json:"attempt"`
	// Agent placed it on behalf of the buyer, from Caller.
	Agent    string         `json:"agent,omitempty"`
	Caller   string         `json:"caller,omitempty"`
	PlacedAt time.Time      `json:"placed_at"`
	Currency money.Currency `json:"currency"`
	// TaxAdded: Tax is part of the sum and not of the prices.
	TaxAdded    bool            `json:"tax_added,omitempty"`
	Lines       []OrderLine     `json:"lines"`
	Discounts   []OrderDiscount `json:"discounts,omitempty"`
	Subtotal    int64           `json:"subtotal"`
	Fulfillment int64           `json:"fulfillment"`
	Tax         int64           `json:"tax"`
	Total       int64           `json:"total"`
	Buyer       Buyer           `json:"buyer"`
	Address     *Address        `json:"address,omitempty"`
	Billing     *Address        `json:"billing,omitempty"`
	// Delivery is nil for goods that are sent by e-mail.
	Delivery *OrderDelivery `json:"delivery,omitempty"`
	Payment  string         `json:"payment"`
	// ShipsAt and ArrivesAt are when the goods leave and arrive.
	ShipsAt   time.Time `json:"ships_at"`
	ArrivesAt time.Time `json:"arrives_at"`
	// CanceledAt is zero unless the order was canceled.
	CanceledAt time.Time `json:"canceled_at,omitzero"`
	Refunds    []Refund  `json:"refunds,omitempty"`
}

// OrderLine is a line of an order.
type OrderLine struct {
	ID       string   `json:"id"`
	Variant  string   `json:"variant"`
	Product  string   `json:"product"`
	SKU      string   `json:"sku"`
	Title    string   `json:"title"`
	Choices  []Choice `json:"choices,omitempty"`
	Quantity int64    `json:"quantity"`
	Unit     int64    `json:"unit"`
	Subtotal int64    `json:"subtotal"`
	Total    int64    `json:"total"`
	Tax      int64    `json:"tax"`
	Digital  bool     `json:"digital,omitempty"`
	// Returned is how many the buyer sent back or the shop did not send.
	Returned int64 `json:"returned,omitempty"`
}

// Choice is a value chosen of an option.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// OrderDiscount is something that lowered the price of an order.
type OrderDiscount struct {
	Code       string `json:"code,omitempty"`
	Title      string `json:"title"`
	Amount     int64  `json:"amount"`
	OnDelivery bool   `json:"on_delivery,omitempty"`
}

// OrderDelivery is how an order travels.
type OrderDelivery struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Carrier  string `json:"carrier"`
	Tracking string `json:"tracking"`
}

// Refund is money that went back.
type Refund struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
	// Canceled: the refund is of a cancellation.
	Canceled bool           `json:"canceled,omitempty"`
	Lines    []LineQuantity `json:"lines,omitempty"`
	// Amount is what went back, above zero.
	Amount int64  `json:"amount"`
	Reason string `json:"reason,omitempty"`
}

// LineQuantity is a number of an order's line.
type LineQuantity struct {
	ID       string `json:"id"`
	Quantity int64  `json:"quantity"`
}

// Savings is what the discounts on goods and those on delivery saved.
func (o *Order) Savings() (goods, delivery int64) {
	for _, d := range o.Discounts {
		if d.OnDelivery {
			delivery += d.Amount
		} else {
			goods += d.Amount
		}
	}
	return goods, delivery
}

// Refunded is the sum of the refunds.
func (o *Order) Refunded() int64 {
	var sum int64
	for _, refund := range o.Refunds {
		sum += refund.Amount
	}
	return sum
}

// firstNumber is the number of the first order.
const firstNumber = 10001

func numberOf(n int64) string { return fmt.Sprintf("KC%d", firstNumber+n-1) }

// Place turns a basket into an order, in one transaction: f is given the basket and
// returns the order, which Place numbers, and the levels that it changes. The error
// is [ErrNotFound], [*OrderedError] or that of f, after which nothing has changed.
func (l *Ledger) Place(token string, f func(*Basket) (*Order, map[string]Level, error)) (*Order, error) {
	var order *Order
	err := l.store.update(func(t tx) error {
		basket, err := l.openAnew(t, token)
		if err != nil {
			return err
		}
		var levels map[string]Level
		if order, levels, err = f(basket); err != nil {
			return err
		}
		count, _, err := load[int64](t, tableCounts, tableOrders)
		if err != nil {
			return err
		}
		count++
		order.Number = numberOf(count)
		if err := saveLevels(t, levels); err != nil {
			return err
		}
		if err := save(t, tableOrders, order.Number, order); err != nil {
			return err
		}
		if err := save(t, tableCounts, tableOrders, count); err != nil {
			return err
		}
		return t.put(tablePlaced, token, []byte(order.Number))
	})
	if err != nil {
		return nil, err
	}
	return order, nil
}

// Order returns an order. The error is [ErrNotFound].
func (l *Ledger) Order(number string) (*Order, error) {
	var order Order
	err := l.store.view(func(t tx) error {
		var ok bool
		var err error
		if order, ok, err = load[Order](t, tableOrders, number); err == nil && !ok {
			err = ErrNotFound
		}
		return err
	})
	return &order, err
}

// ChangeOrder loads an order, lets f change it and keeps what f made of it. The
// error is [ErrNotFound] or that of f, after which nothing has changed.
func (l *Ledger) ChangeOrder(number string, f func(*Order) error) error {
	return l.store.update(func(t tx) error {
		order, ok, err := load[Order](t, tableOrders, number)
		if err != nil {
			return err
		}
		if !ok {
			return ErrNotFound
		}
		if err := f(&order); err != nil {
			return err
		}
		return save(t, tableOrders, number, order)
	})
}

// Count returns how many orders there are.
func (l *Ledger) Count() (int64, error) {
	var count int64
	err := l.store.view(func(t tx) error {
		var err error
		count, _, err = load[int64](t, tableCounts, tableOrders)
		return err
	})
	return count, err
}

// Newest returns at most limit orders that keep accepts, the newest first.
func (l *Ledger) Newest(limit int, keep func(*Order) bool) ([]Order, error) {
	var orders []Order
	err := l.store.view(func(t tx) error {
		n, _, err := load[int64](t, tableCounts, tableOrders)
		for ; err == nil && n > 0 && len(orders) < limit; n-- {
			var order Order
			order, _, err = load[Order](t, tableOrders, numberOf(n))
			if err == nil && keep(&order) {
				orders = append(orders, order)
			}
		}
		return err
	})
	return orders, err
}
