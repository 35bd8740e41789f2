package fakeshop

import (
	"net/http"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// What the shop's tokens are.
const (
	PublicToken  = "0123456789abcdef0123456789abcdef"
	PrivateToken = "shpat_0123456789abcdef0123456789abcdef"
	AdminToken   = "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"
)

// Options say what kind of shop it is.
type Options struct {
	// Storefront and Admin are Shopify's schemas. Against one that is nil nothing
	// is checked.
	Storefront, Admin *ast.Schema
	// Refused is told what Shopify would say to a document or a variable that does
	// not fit the schema.
	Refused func(error)
	// Version is the version that the shop answers in, 2026-07 by default.
	Version string
	// Extra is how many products there are besides the usual ones.
	Extra int
	// HideStock and HideTags: the token lacks the right to read them. HideOrders:
	// the Admin API's token may not read orders.
	HideStock, HideTags, HideOrders bool
	// GoodsOnly: the total of a cart leaves the delivery out.
	GoodsOnly bool
	// Parcels: what is in a cart travels in two parcels.
	Parcels bool
	// FindsAny: the Admin API does not understand a search and finds all orders.
	FindsAny bool
	// Hesitates: the ways of delivery are not known in the answer that takes an
	// address.
	Hesitates bool
}

// Shop is a shop at Shopify. It is safe for concurrent use.
type Shop struct {
	options  Options
	products []*product
	updated  map[int]time.Time

	mu        sync.Mutex
	carts     map[string]*cart // by id, with its key
	orders    []*order
	asked     []string
	intercept Intercept
	serial    int
}

// Intercept answers a request in the shop's place, if it returns true.
type Intercept func(operation string, w http.ResponseWriter, r *http.Request) bool

// New opens a shop.
func New(options Options) *Shop {
	s := &Shop{options: options, products: catalogue(options.Extra), carts: make(map[string]*cart), updated: make(map[int]time.Time)}
	if s.options.Version == "" {
		s.options.Version = "2026-07"
	}
	if s.options.Refused == nil {
		s.options.Refused = func(error) {}
	}
	for i, p := range s.products {
		s.updated[p.number] = time.Date(2026, 11, 1, 12, i, 0, 0, time.UTC)
	}
	return s
}

// Use changes what kind of shop it is.
func (s *Shop) Use(change func(*Options)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.options)
}

// Intercept has requests answered by f, nil for nobody.
func (s *Shop) Intercept(f Intercept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = f
}

// Asked returns the operations that were run since it was last called.
func (s *Shop) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// SetStock sets how many of a variant there are, and returns how many there were.
func (s *Shop) SetStock(sku string, n int64) (before int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, v := s.bySKU(sku)
	before, v.stock = v.stock, n
	return before
}

// SetPrice sets what a variant costs in pence, and returns what it cost.
func (s *Shop) SetPrice(sku string, pence int64) (before int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, v := s.bySKU(sku)
	before, v.price = v.price, pence
	return before
}

// Touch changes a product, which is all that its time of change says.
func (s *Shop) Touch(handle string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.products {
		if p.handle == handle {
			s.updated[p.number] = at
		}
	}
}

// Drop forgets a cart.
func (s *Shop) Drop(cart string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.carts, cart)
}

// bySKU finds a variant. One that does not exist can be changed to no effect.
func (s *Shop) bySKU(sku string) (*product, *variant) {
	for _, p := range s.products {
		for _, v := range p.variants {
			if v.sku == sku {
				return p, v
			}
		}
	}
	return nil, &variant{}
}

// byID finds the variant of an id.
func (s *Shop) byID(id string) (*product, *variant) {
	for _, p := range s.products {
		for _, v := range p.variants {
			if v.id() == id {
				return p, v
			}
		}
	}
	return nil, nil
}

// Orders counts the shop's orders.
func (s *Shop) Orders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.orders)
}

// Attributes are those of a cart.
func (s *Shop) Attributes(cart string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[string]string)
	if c := s.carts[cart]; c != nil {
		for _, one := range attributesOf(c.attributes) {
			all[text(one["key"])] = text(one["value"])
		}
	}
	return all
}

// Lines counts the lines of a cart, those of nothing too.
func (s *Shop) Lines(cart string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.carts[cart]; c != nil {
		return len(c.lines)
	}
	return 0
}
