package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

var (
	// ErrNotFound says that there is no such basket or order.
	ErrNotFound = errors.New("not found")
	// ErrTooMany says that a bound of the ledger is reached.
	ErrTooMany = errors.New("too many")
)

// OrderedError says that a basket became an order.
type OrderedError struct{ Number string }

// Error implements error.
func (e *OrderedError) Error() string { return "the basket became order " + e.Number }

// Ledger keeps the shop's records. It is safe for concurrent use.
type Ledger struct {
	// Careless keeps baskets open after they were ordered, and orders them as often
	// as asked to, as some real shops do. It is set before the ledger is used, for
	// tests of what calls the shop.
	Careless bool

	store store
	life  time.Duration
	now   func() time.Time

	mu sync.Mutex
	// living are the baskets, the oldest first.
	living []living
}

// Open opens the ledger in a directory, or one in memory when dir is empty. A
// basket is kept for life from its creation.
func Open(dir string, life time.Duration, now func() time.Time) (*Ledger, error) {
	l := &Ledger{store: newMemory(), life: life, now: now}
	if dir != "" {
		f, err := openFile(dir)
		if err != nil {
			return nil, err
		}
		l.store = f
	}
	err := l.store.view(func(t tx) error {
		return t.each(tableBaskets, func(key string, raw []byte) error {
			b, err := decode[Basket](tableBaskets, raw)
			l.living = append(l.living, living{key, b.Created})
			return err
		})
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the baskets: %w", err), l.store.close())
	}
	slices.SortFunc(l.living, func(a, b living) int { return a.created.Compare(b.created) })
	return l, nil
}

// Close closes the ledger.
func (l *Ledger) Close() error { return l.store.close() }

// Level is what has changed about a variant since the catalogue was written. A nil
// part has not.
type Level struct {
	Price *int64 `json:"price,omitempty"`
	Stock *int64 `json:"stock,omitempty"`
}

// Levels returns the levels of all variants that have one, by the variant's id.
func (l *Ledger) Levels() (map[string]Level, error) {
	levels := map[string]Level{}
	err := l.store.view(func(t tx) error {
		return t.each(tableLevels, func(key string, raw []byte) error {
			level, err := decode[Level](tableLevels, raw)
			levels[key] = level
			return err
		})
	})
	return levels, err
}

// SetLevels keeps levels of variants.
func (l *Ledger) SetLevels(levels map[string]Level) error {
	return l.store.update(func(t tx) error { return saveLevels(t, levels) })
}

func saveLevels(t tx, levels map[string]Level) error {
	for id, level := range levels {
		if err := save(t, tableLevels, id, level); err != nil {
			return err
		}
	}
	return nil
}
