package shoptest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// store is a small shop that does everything right: what the suite itself is
// tested with. Its adapter is memory.
type store struct {
	mu       sync.Mutex
	products []upstream.Product // prices in pence
	baskets  map[string]*basket
	orders   map[string]*order

	away, loseAnswer, loseRequest bool
}

type basket struct {
	desired  upstream.Desired
	currency money.Currency
	placed   *upstream.Placed
}

type order struct {
	observed upstream.Observed
	address  *upstream.Address
	placed   upstream.Placed
	at       time.Time
}

func newStore() *store {
	s := &store{baskets: map[string]*basket{}, orders: map[string]*order{}}
	s.add("Ember Gas Stove", "Camping/Stoves", 4800, 60)
	s.add("Ridge Jacket", "Clothing/Jackets", 18900, 60, "S", "M", "L")
	s.add("Approach Shoes", "Footwear", 12500, 0, "6", "8")
	s.stock("RIDGEJACKET-L", 0)
	s.stock("RIDGEJACKET-S", 3)
	for i := range 9 {
		s.add(fmt.Sprintf("Merino Socks %d & more", i), "Clothing/Socks", int64(1000+100*i), 10)
	}
	list := money.Amount{Minor: 19900, Currency: "GBP"}
	s.products[1].Variants[0].ListPrice = &list
	return s
}

// add adds a product with a variant for each size, or one.
func (s *store) add(title, category string, minor, stock int64, sizes ...string) {
	handle := strings.ToLower(strings.NewReplacer(" ", "-", "& ", "").Replace(title))
	p := upstream.Product{
		ID: fmt.Sprintf("p%d", len(s.products)), Handle: handle, Title: title, Categories: []string{category},
		Description: "Good & sturdy: less than < 1 kg.",
		URL:         "https://shop.example/" + handle,
		Media:       []upstream.Media{{URL: "https://shop.example/" + handle + ".png"}},
		Attributes:  []upstream.Attribute{{Key: "weight", Values: []string{"900 g"}}},
		Rating:      &upstream.Rating{Hundredths: 450, Scale: 5, Count: 7},
	}
	if len(sizes) > 0 {
		p.Options = []upstream.Option{{Name: "Size", Values: sizes}}
	} else {
		sizes = []string{""}
	}
	sku := strings.ToUpper(strings.ReplaceAll(handle, "-", ""))
	for i, size := range sizes {
		v := upstream.Variant{
			ID: fmt.Sprintf("%s.v%d", p.ID, i), SKU: sku, Title: title,
			Price: money.Amount{Minor: minor, Currency: "GBP"}, Tax: upstream.TaxIncluded,
		}
		if size != "" {
			v.SKU += "-" + size
			v.Options = []upstream.Choice{{Name: "Size", Value: size}}
		}
		p.Variants = append(p.Variants, v)
	}
	s.products = append(s.products, p)
	for _, v := range p.Variants {
		s.stock(v.SKU, stock)
	}
}

// variant calls change for the variant with that SKU.
func (s *store) variant(sku string, change func(*upstream.Variant)) {
	for i := range s.products {
		for j := range s.products[i].Variants {
			if v := &s.products[i].Variants[j]; v.SKU == sku {
				change(v)
			}
		}
	}
}

func (s *store) stock(sku string, n int64) (before int64) {
	s.variant(sku, func(v *upstream.Variant) {
		if v.Stock != nil {
			before = *v.Stock
		}
		v.Stock, v.Availability = &n, upstream.InStock
		if n == 0 {
			v.Availability = upstream.OutOfStock
		}
	})
	return before
}

// catalogue returns the products as a visit sees them: a yen is a penny here.
func (s *store) catalogue(v upstream.Visit) []upstream.Product {
	products := slices.Clone(s.products)
	for i := range products {
		products[i].Variants = slices.Clone(products[i].Variants)
		for j := range products[i].Variants {
			variant := &products[i].Variants[j]
			variant.Price.Currency = currencyOf(v)
			if variant.ListPrice != nil {
				variant.ListPrice = &money.Amount{Minor: variant.ListPrice.Minor, Currency: currencyOf(v)}
			}
		}
	}
	return products
}

func currencyOf(v upstream.Visit) money.Currency {
	if v.Market.Currency == "JPY" {
		return "JPY"
	}
	return "GBP"
}

// open returns the basket of a handle, if it was not ordered.
func (s *store) open(h upstream.Handle) (*basket, error) {
	b := s.baskets[h.Reveal()]
	if b == nil {
		return nil, upstream.Errorf(upstream.CodeBasketGone, "opening the basket", "no such basket")
	}
	return b, nil
}

func (s *store) begin(currency money.Currency) (upstream.Handle, *basket) {
	token, b := rand.Text(), &basket{currency: currency}
	s.baskets[token] = b
	return secret.New(token), b
}

// place makes a basket an order, whatever it holds.
func (s *store) place(b *basket, o upstream.Observed) upstream.Placed {
	placed := upstream.Placed{
		Ref:   upstream.OrderRef{ID: fmt.Sprintf("#%d", 1000+len(s.orders)), Key: secret.New(rand.Text())},
		Total: o.Total,
	}
	for _, line := range o.Lines {
		for _, p := range s.products {
			if v := p.Variant(line.Item); v != nil {
				s.stock(v.SKU, *v.Stock-line.Quantity)
			}
		}
	}
	s.orders[placed.Ref.ID] = &order{observed: o, address: b.desired.Address, placed: placed, at: time.Now().UTC()}
	b.placed = &placed
	return placed
}

// hooks reach behind the store, with adapters that wrap makes.
func (s *store) hooks(wrap func(*store) upstream.Shop) Hooks {
	locked := func(f func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	}
	return Hooks{
		ChangePrice: func(t testing.TB, sku string, minor int64) {
			set := func(minor int64) (before int64) {
				locked(func() {
					s.variant(sku, func(v *upstream.Variant) { before, v.Price.Minor = v.Price.Minor, minor })
				})
				return before
			}
			before := set(minor)
			t.Cleanup(func() { set(before) })
		},
		SetStock: func(t testing.TB, sku string, n int64) {
			var before int64
			locked(func() { before = s.stock(sku, n) })
			t.Cleanup(func() { locked(func() { s.stock(sku, before) }) })
		},
		OrderCount: func(testing.TB) (n int) {
			locked(func() { n = len(s.orders) })
			return n
		},
		DropBasket:      func(_ testing.TB, h upstream.Handle) { locked(func() { delete(s.baskets, h.Reveal()) }) },
		LoseNextAnswer:  func(testing.TB) { locked(func() { s.loseAnswer = true }) },
		LoseNextRequest: func(testing.TB) { locked(func() { s.loseRequest = true }) },
		Restart:         func(testing.TB) {},
		GoAway: func(testing.TB) func() {
			locked(func() { s.away = true })
			return func() { locked(func() { s.away = false }) }
		},
		Another: func(testing.TB) upstream.Shop { return wrap(s) },
	}
}
