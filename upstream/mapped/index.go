package mapped

import (
	"sync"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	// maxIndexed bounds how many names are remembered.
	maxIndexed = 200_000
	// indexRest is how long after a walk through all products the next one may
	// begin: a name that is nobody's would be looked for all the time.
	indexRest = 30 * time.Second
)

// index remembers by which names products go, since a shop may be able to read a
// product by one of them only. It remembers nothing else: what is read of a
// product is always read from the shop.
type index struct {
	mu    sync.Mutex
	known map[string]*goodsNames

	// walking is held by who walks through all products, and walked is when the
	// last walk ended.
	walking chan struct{}
	walked  time.Time
}

// goodsNames are the names of one product.
type goodsNames struct {
	id, handle     string
	variants, skus []string
}

func newIndex() *index {
	return &index{known: make(map[string]*goodsNames), walking: make(chan struct{}, 1)}
}

// learn remembers a product.
func (x *index) learn(p *upstream.Product) {
	n := &goodsNames{id: p.ID, handle: p.Handle}
	for i := range p.Variants {
		n.variants = append(n.variants, p.Variants[i].ID)
		if sku := p.Variants[i].SKU; sku != "" {
			n.skus = append(n.skus, sku)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, name := range n.all() {
		if _, is := x.known[name]; is || len(x.known) < maxIndexed {
			x.known[name] = n
		}
	}
}

// names returns what is known of the product that goes by a name, nil if nothing
// is.
func (x *index) names(name string) *goodsNames {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.known[name]
}

// all are the names of a product.
func (n *goodsNames) all() []string {
	all := append([]string{n.id}, n.variants...)
	all = append(all, n.skus...)
	if n.handle != "" {
		all = append(all, n.handle)
	}
	return all
}

// as returns a name of the product of some kind, empty if it has none.
func (n *goodsNames) as(kind Name) string {
	names := map[Name][]string{NameID: {n.id}, NameHandle: {n.handle}, NameVariant: n.variants, NameSKU: n.skus}[kind]
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
