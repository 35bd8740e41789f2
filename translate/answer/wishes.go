package answer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
)

// Wishes keeps what shoppers told a shop for good: "I wear UK 9", "never leather".
// It is kept of shoppers whom the shop knows by name, until they remove it.
type Wishes struct {
	// Store seals what it keeps.
	Store state.Store
	// Now is the clock.
	Now func() time.Time
}

// Wish is a constraint that holds whenever nothing else is said.
type Wish struct {
	// ID tells the wishes of a shopper apart. Tell sets it: a wish about the same
	// has the same.
	ID string `json:"id"`
	// Of is the kind of thing that it is about, as the noun of a reading; empty if
	// it is about everything.
	Of string `json:"of,omitempty"`
	// Constraint is what is wished: a bound of the price in minor units of Currency,
	// which holds in that currency alone, an attribute, or that it is in stock.
	verdict.Constraint
	Currency money.Currency `json:"currency,omitempty"`
	// Told is when the shopper said so.
	Told time.Time `json:"told"`
}

// maxWishes is how many wishes of a shopper are kept.
const maxWishes = 100

// What may be wrong with a wish.
var (
	ErrWish       = errors.New("this is nothing that could be wished for good")
	ErrManyWishes = errors.New("the shopper has as many wishes as are kept")
)

// List returns what a shopper told a shop, the latest last.
func (m *Wishes) List(ctx context.Context, shop, shopper string) ([]Wish, error) {
	wishes, _, err := m.read(ctx, shop, shopper)
	return wishes, err
}

// Tell keeps a wish, in the place of an earlier one about the same, and returns it
// as it is kept. The errors are ErrWish, ErrManyWishes and those of the store.
func (m *Wishes) Tell(ctx context.Context, shop, shopper string, w Wish) (Wish, error) {
	if shopper == "" || !w.sound() {
		return Wish{}, ErrWish
	}
	w.ID, w.Told = w.about(), m.Now().UTC()
	err := m.change(ctx, shop, shopper, func(wishes []Wish) ([]Wish, error) {
		wishes = slices.DeleteFunc(wishes, func(old Wish) bool { return old.ID == w.ID })
		if len(wishes) >= maxWishes {
			return nil, ErrManyWishes
		}
		return append(wishes, w), nil
	})
	return w, err
}

// Forget removes a wish. One that is not there is no error.
func (m *Wishes) Forget(ctx context.Context, shop, shopper, id string) error {
	return m.change(ctx, shop, shopper, func(wishes []Wish) ([]Wish, error) {
		return slices.DeleteFunc(wishes, func(w Wish) bool { return w.ID == id }), nil
	})
}

// ForgetAll removes everything that a shopper ever told a shop.
func (m *Wishes) ForgetAll(ctx context.Context, shop, shopper string) error {
	if err := m.Store.Delete(ctx, wishesKey(shop, shopper)); err != nil {
		return fmt.Errorf("forgetting a shopper's wishes: %w", err)
	}
	return nil
}

// wishTries is how often a change is tried that meets others.
const wishTries = 10

func (m *Wishes) change(ctx context.Context, shop, shopper string, change func([]Wish) ([]Wish, error)) error {
	for range wishTries {
		wishes, version, err := m.read(ctx, shop, shopper)
		if err != nil {
			return err
		}
		if wishes, err = change(wishes); err != nil {
			return err
		}
		encoded, err := json.Marshal(wishes)
		if err != nil {
			return fmt.Errorf("encoding a shopper's wishes: %w", err)
		}
		_, err = m.Store.CompareAndSwap(ctx, wishesKey(shop, shopper), version, encoded, 0)
		if err == nil {
			return nil
		}
		if !errors.Is(err, state.ErrConflict) {
			return fmt.Errorf("keeping a shopper's wishes: %w", err)
		}
	}
	return fmt.Errorf("keeping a shopper's wishes: %w", state.ErrConflict)
}

func (m *Wishes) read(ctx context.Context, shop, shopper string) ([]Wish, state.Version, error) {
	entry, err := m.Store.Get(ctx, wishesKey(shop, shopper))
	if errors.Is(err, state.ErrNotFound) {
		return nil, state.Absent, nil
	}
	if err != nil {
		return nil, state.Absent, fmt.Errorf("reading a shopper's wishes: %w", err)
	}
	var wishes []Wish
	if err := json.Unmarshal(entry.Value, &wishes); err != nil {
		return nil, state.Absent, fmt.Errorf("decoding a shopper's wishes: %w", err)
	}
	return wishes, entry.Version, nil
}

// wishesKey is where the wishes of a shopper are kept. The id, which another
// system made, is hashed, so that none of it is read as a part of the key.
func wishesKey(shop, shopper string) string {
	sum := sha256.Sum256([]byte(shopper))
	return "standing/" + shop + "/" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// sound reports whether a wish is one that can be held to.
func (w Wish) sound() bool {
	switch w.Kind {
	case verdict.MaxPrice, verdict.MinPrice:
		return w.Minor > 0 && w.Currency != ""
	case verdict.InStock:
		return true
	case verdict.Attribute, verdict.ExcludedAttribute:
		return w.Key != "" && w.Value != ""
	}
	return false
}

// about names what a wish is about.
func (w Wish) about() string {
	key, _ := language.Key(w.Key)
	h := sha256.New()
	for _, part := range []string{strings.ToLower(w.Of), string(w.Kind), key} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	if w.Kind == verdict.ExcludedAttribute { // of which there may be several
		fmt.Fprint(h, strings.ToLower(w.Value))
	}
	const enough = 12
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:enough])
}

// stand fills the gaps of a reading with what the shopper told the shop before, and
// says what that was.
func (s *Service) stand(ctx context.Context, asker Asker, currency money.Currency, read *reading.Reading) ([]Remembered, error) {
	if s.Wishes == nil || asker.Shopper == "" || read.Degraded {
		return nil, nil
	}
	wishes, err := s.Wishes.List(ctx, asker.Shop, asker.Shopper)
	if err != nil {
		return nil, err
	}
	read.Passes = slices.Clone(read.Passes)
	holds := make([]int, len(wishes)) // for how many passes
	for i := range read.Passes {
		pass := &read.Passes[i]
		said := *pass // as it was without any wish
		for n, w := range wishes {
			if w.fills(&said, currency) {
				w.fill(pass)
				holds[n]++
			}
		}
	}
	var filled []Remembered
	for n, w := range wishes {
		if holds[n] == 0 {
			continue
		}
		if holds[n] == len(read.Passes) {
			w.fill(&read.Pass)
		}
		filled = append(filled, Remembered{Scope: Standing, Constraint: string(w.Kind), Key: w.Key, Wanted: w.wanted()})
	}
	return filled, nil
}

// fills reports whether what was said leaves the wish to be filled in.
func (w Wish) fills(said *reading.Pass, currency money.Currency) bool {
	if w.Of != "" && !strings.EqualFold(w.Of, said.Noun) {
		return false
	}
	switch w.Kind {
	case verdict.MaxPrice, verdict.MinPrice:
		return !said.Price.Set() && w.Currency == currency
	case verdict.InStock:
		return !said.InStock
	}
	return !speaksOf(said, reading.Attribute{Key: w.Key, Value: w.Value})
}

// fill adds the wish to a pass.
func (w Wish) fill(pass *reading.Pass) {
	attribute := reading.Attribute{Key: w.Key, Value: w.Value}
	switch w.Kind {
	case verdict.MaxPrice:
		pass.Price.Max = &w.Minor
	case verdict.MinPrice:
		pass.Price.Min = &w.Minor
	case verdict.InStock:
		pass.InStock = true
	case verdict.Attribute:
		pass.Required = append(slices.Clip(pass.Required), attribute)
	case verdict.ExcludedAttribute:
		pass.Excluded = append(slices.Clip(pass.Excluded), attribute)
	}
}

func (w Wish) wanted() verdict.Datum {
	switch w.Kind {
	case verdict.MaxPrice, verdict.MinPrice:
		return verdict.Number(w.Minor)
	case verdict.InStock:
		return verdict.Truth(true)
	}
	return verdict.Text(w.Value)
}

// speaksOf reports whether a pass says anything of an attribute: it names the same
// one, or the same value.
func speaksOf(pass *reading.Pass, a reading.Attribute) bool {
	key, general := language.Key(a.Key)
	same := func(b reading.Attribute) bool {
		if strings.EqualFold(a.Value, b.Value) && a.Value != "true" {
			return true
		}
		other, _ := language.Key(b.Key)
		// "feature" is the key of what has no other: two of them are two things.
		return key == other && (general || key != "feature")
	}
	return slices.ContainsFunc(pass.Required, same) || slices.ContainsFunc(pass.Excluded, same)
}
