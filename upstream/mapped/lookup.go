package mapped

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/upstream"
)

const lookingUp = "looking up products"

const (
	// maxRef is how long a name can be, in bytes.
	maxRef = 200
	// maxAlone bounds how many names are asked for by requests for one each.
	maxAlone = 100
	// walkPages bounds how many pages are read to find out whose name it is.
	walkPages = 200
)

// Lookup implements upstream.Shop. Names are asked for by the mapping's lookups.
// Whose name a shop cannot be asked for by is remembered from its list, which is
// walked through for a name that is not known, at most twice a minute.
func (s *Shop) Lookup(ctx context.Context, v upstream.Visit, refs []string) ([]upstream.Match, error) {
	found, err := s.products(ctx, v, lookingUp, refs)
	if err != nil {
		return nil, err
	}
	return match(refs, found), nil
}

// products reads what references name, and perhaps more.
func (s *Shop) products(ctx context.Context, v upstream.Visit, op string, refs []string) ([]goods, error) {
	l := &looking{shop: s, visit: v, op: op, asked: make(map[string]bool)}
	for _, ref := range refs {
		if ref != "" && len(ref) <= maxRef && !strings.ContainsFunc(ref, unicode.IsControl) && !slices.Contains(l.open, ref) {
			l.open = append(l.open, ref)
		}
	}
	// What is known already needs no guessing by which name to ask.
	if err := l.byIndex(ctx); err != nil {
		return nil, err
	}
	for i := range s.m.Lookups {
		if err := l.byName(ctx, &s.m.Lookups[i]); err != nil {
			return nil, err
		}
	}
	if len(l.open) == 0 {
		return l.found, nil
	}
	if err := l.byList(ctx); err != nil {
		return nil, err
	}
	return l.found, l.byIndex(ctx)
}

// looking is one look-up.
type looking struct {
	shop  *Shop
	visit upstream.Visit
	op    string
	// open are the references that named nothing yet.
	open  []string
	found []goods
	// asked are the names that the shop was asked for.
	asked map[string]bool
}

// add takes products, and closes the references that they answer.
func (l *looking) add(products []goods) {
	for _, g := range products {
		if !slices.ContainsFunc(l.found, func(have goods) bool { return have.ID == g.ID }) {
			l.found = append(l.found, g)
		}
	}
	l.open = slices.DeleteFunc(l.open, func(ref string) bool {
		product, _ := find(ref, l.found)
		return product != nil
	})
}

// byIndex asks for the references whose products are known, each by the name that
// the shop can best be asked for.
func (l *looking) byIndex(ctx context.Context) error {
	keys := make(map[int][]string)
	for _, ref := range l.open {
		known := l.shop.index.names(ref)
		for i := range l.shop.m.Lookups {
			if known == nil {
				break
			}
			if name := known.as(l.shop.m.Lookups[i].By); name != "" {
				keys[i] = append(keys[i], name)
				break
			}
		}
	}
	for i := range l.shop.m.Lookups {
		if err := l.ask(ctx, &l.shop.m.Lookups[i], keys[i]); err != nil {
			return err
		}
	}
	return nil
}

// byName asks for the open references by one of the names that they may be.
func (l *looking) byName(ctx context.Context, by *Lookup) error {
	refs := slices.Clone(l.open)
	if by.Most < 2 {
		refs = refs[:min(len(refs), maxAlone)]
	}
	return l.ask(ctx, by, refs)
}

// ask reads the products with some names of a kind.
func (l *looking) ask(ctx context.Context, by *Lookup, refs []string) error {
	var keys []string
	for _, ref := range refs {
		key, ok := l.shop.key(by.By, ref)
		if tag := string(by.By) + " " + key; ok && !l.asked[tag] {
			l.asked[tag] = true
			keys = append(keys, key)
		}
	}
	chunks := slices.Collect(slices.Chunk(keys, max(by.Most, 1)))
	answers := make([][]goods, len(chunks))
	err := together(len(chunks), func(i int) (err error) {
		answers[i], err = l.read(ctx, by, chunks[i])
		return err
	})
	for _, products := range answers {
		l.add(products)
	}
	return err
}

// read reads the products with some names, as many as one request takes.
func (l *looking) read(ctx context.Context, by *Lookup, keys []string) ([]goods, error) {
	answer, err := l.shop.send(ctx, l.visit, call{
		op: l.op, request: &by.Request, reads: true,
		names: names{texts: map[string]any{"key": keys[0], "keys": keys}},
	})
	_, refused := asRefusal(err)
	switch {
	case upstream.CodeOf(err) == upstream.CodeNotFound, refused:
		return nil, nil // No such name, or none that the shop's names can be like.
	case err != nil:
		return nil, err
	}
	return l.shop.readProducts(l.op, l.shop.reader.items(scope{Result: answer}, by.Items))
}

// key is what a shop is asked for by a product's id: what the mapping made the id
// of.
func (s *Shop) key(by Name, ref string) (string, bool) {
	m := map[Name]Value{NameID: s.m.Product.ID, NameVariant: s.m.Product.Variants.ID}[by]
	for _, source := range m.From {
		if source.Text == "" {
			return ref, true
		}
		if key, ok := unfill(source.Text, ref); ok {
			return key, true
		}
	}
	return ref, len(m.From) == 0
}

// byList walks through all products. Where it is done to learn of names, one walks
// at a time, and nobody right after somebody else.
func (l *looking) byList(ctx context.Context) error {
	if len(l.shop.m.Lookups) == 0 {
		return l.walk(ctx)
	}
	x := l.shop.index
	select {
	case x.walking <- struct{}{}:
		defer func() { <-x.walking }()
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", l.op, ctx.Err())
	}
	if l.shop.now().Sub(x.walked) < indexRest {
		return nil
	}
	err := l.walk(ctx)
	if err == nil {
		x.walked = l.shop.now()
	}
	return err
}

// walk reads the list until nothing is open. What is on the way counts as read.
func (l *looking) walk(ctx context.Context) error {
	at := pagePlace{}
	for range walkPages {
		p, err := l.shop.readPage(ctx, l.visit, l.op, l.shop.m.List, upstream.Query{}, at)
		if err != nil {
			return err
		}
		l.take(p.goods)
		if !p.more || len(l.open) == 0 {
			break
		}
		at = p.next
	}
	return nil
}

// take takes those of a page's products that answer a reference.
func (l *looking) take(products []goods) {
	for _, g := range products {
		if slices.ContainsFunc(l.open, func(ref string) bool { p, _ := find(ref, []goods{g}); return p != nil }) {
			l.add([]goods{g})
		}
	}
}

// match says which product each reference names. Products that none names are left
// out.
func match(refs []string, products []goods) []upstream.Match {
	seen := make(map[string]bool)
	return upstream.MatchAll(refs, func(ref string) (*upstream.Product, string) {
		product, variant := find(ref, products)
		if product == nil || seen[ref] {
			return nil, ""
		}
		seen[ref] = true
		return &product.Product, variant
	})
}

// find returns the product that a reference names, and its variant's id if it
// names one: by id, else by handle, else by SKU.
func find(ref string, products []goods) (product *goods, variant string) {
	if ref == "" {
		return nil, ""
	}
	for _, is := range [...]func(*goods) (string, bool){
		func(g *goods) (string, bool) { return "", g.ID == ref },
		func(g *goods) (string, bool) { return ref, g.Variant(ref) != nil },
		func(g *goods) (string, bool) { return "", g.Handle == ref },
		func(g *goods) (string, bool) { return withSKU(g, ref) },
	} {
		for i := range products {
			if variant, ok := is(&products[i]); ok {
				return &products[i], variant
			}
		}
	}
	return nil, ""
}

// withSKU returns the id of the variant with that SKU.
func withSKU(g *goods, sku string) (string, bool) {
	at := slices.IndexFunc(g.Variants, func(v upstream.Variant) bool { return v.SKU == sku })
	if at < 0 {
		return "", false
	}
	return g.Variants[at].ID, true
}
