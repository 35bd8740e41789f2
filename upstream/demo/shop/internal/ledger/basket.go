package ledger

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Basket is what somebody wants, as far as the shop took it.
type Basket struct {
	// Token names the basket, and whoever has it owns the basket.
	Token   string   `json:"token"`
	Lines   []Line   `json:"lines,omitempty"`
	Codes   []string `json:"codes,omitempty"`
	Buyer   Buyer    `json:"buyer,omitzero"`
	Address *Address `json:"address,omitempty"`
	Billing *Address `json:"billing,omitempty"`
	// Country is where it is looked at from, for prices before there is an Address.
	Country  string `json:"country,omitempty"`
	Delivery string `json:"delivery,omitempty"`
	// Agent is the name of who put the basket together on behalf of the buyer, and
	// Caller the network address it was done from.
	Agent  string `json:"agent,omitempty"`
	Caller string `json:"caller,omitempty"`
	// Withdrawn are attempts to order that will not be taken any more.
	Withdrawn []string  `json:"withdrawn,omitempty"`
	Created   time.Time `json:"created"`
}

// Line is a line of a basket.
type Line struct {
	// Key is the caller's name for the line.
	Key      string `json:"key"`
	Variant  string `json:"variant"`
	Quantity int64  `json:"quantity"`
}

// Buyer is who buys.
type Buyer struct {
	Email     string `json:"email,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	Phone     string `json:"phone,omitempty"`
}

// Address is a postal address.
type Address struct {
	FirstName  string `json:"first_name,omitempty"`
	LastName   string `json:"last_name,omitempty"`
	Company    string `json:"company,omitempty"`
	Street     string `json:"street,omitempty"`
	Extended   string `json:"extended,omitempty"`
	City       string `json:"city,omitempty"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

// maxWithdrawn bounds the attempts that a basket remembers.
const maxWithdrawn = 100

// Withdraw sees to it that an attempt to order the basket is not taken any more,
// should it still arrive. The error is [ErrTooMany].
func (b *Basket) Withdraw(attempt string) error {
	if b.IsWithdrawn(attempt) {
		return nil
	}
	if len(b.Withdrawn) == maxWithdrawn {
		return ErrTooMany
	}
	b.Withdrawn = append(b.Withdrawn, attempt)
	return nil
}

// IsWithdrawn reports whether an attempt was withdrawn.
func (b *Basket) IsWithdrawn(attempt string) bool { return slices.Contains(b.Withdrawn, attempt) }

// Basket returns a basket. The error is [ErrNotFound] or [*OrderedError].
func (l *Ledger) Basket(token string) (*Basket, error) {
	var basket *Basket
	err := l.store.view(func(t tx) error {
		var err error
		basket, err = l.openAnew(t, token)
		return err
	})
	return basket, err
}

// Create keeps a new basket under its token, and forgets baskets whose time is up.
func (l *Ledger) Create(b Basket) error {
	b.Created = l.now().UTC()
	l.mu.Lock()
	defer l.mu.Unlock()
	gone := l.outdated(b.Created)
	err := l.store.update(func(t tx) error {
		for _, old := range gone {
			if err := t.delete(tableBaskets, old.token); err != nil {
				return err
			}
		}
		return save(t, tableBaskets, b.Token, b)
	})
	if err != nil {
		return fmt.Errorf("keeping a new basket: %w", err)
	}
	l.living = append(l.living[len(gone):], living{b.Token, b.Created})
	return nil
}

// Change loads a basket, lets f change it, and keeps what f made of it, in one
// transaction. The error is [ErrNotFound], [*OrderedError] or that of f, after
// which nothing has changed.
func (l *Ledger) Change(token string, f func(*Basket) error) error {
	return l.store.update(func(t tx) error {
		b, err := l.open(t, token)
		if err != nil {
			return err
		}
		if err := f(b); err != nil {
			return err
		}
		return save(t, tableBaskets, token, b)
	})
}

// Drop forgets a basket as if its time were up.
func (l *Ledger) Drop(token string) error {
	return l.store.update(func(t tx) error { return t.delete(tableBaskets, token) })
}

// open reads a basket that is neither ordered nor outdated.
func (l *Ledger) open(t tx, token string) (*Basket, error) {
	if number := t.get(tablePlaced, token); number != nil {
		return nil, &OrderedError{Number: string(number)}
	}
	b, ok, err := load[Basket](t, tableBaskets, token)
	if err != nil {
		return nil, err
	}
	if !ok || l.now().Sub(b.Created) >= l.life {
		return nil, ErrNotFound
	}
	return &b, nil
}

// openAnew is open for those who may find an ordered basket open again when the
// ledger is careless. Whether it was ordered is told truly all the same, to those
// who change it or withdraw an attempt.
func (l *Ledger) openAnew(t tx, token string) (*Basket, error) {
	b, err := l.open(t, token)
	var ordered *OrderedError
	if !l.Careless || !errors.As(err, &ordered) {
		return b, err
	}
	again, _, err := load[Basket](t, tableBaskets, token)
	return &again, err
}

// living is a basket that is kept, and since when.
type living struct {
	token   string
	created time.Time
}

// Bounds of the baskets that are kept.
const (
	maxBaskets = 200_000
	// forgetAtOnce is how many go for each that comes.
	forgetAtOnce = 8
)

// outdated returns the baskets to forget now: the oldest, which come first.
func (l *Ledger) outdated(now time.Time) []living {
	n := 0
	for n < len(l.living) && n < forgetAtOnce {
		if now.Sub(l.living[n].created) < l.life && len(l.living)-n < maxBaskets {
			break
		}
		n++
	}
	return l.living[:n]
}
