package shopify

import (
	"context"
	"slices"
	"strconv"

	"github.com/storeware/caddy-storeware/upstream"
)

const (
	// maxVariants is how many variants Shopify allows of a product, and
	// variantsPage how many it gives at once.
	maxVariants  = 2048
	variantsPage = 250
	// manyAtOnce is of how many products further variants are read at once.
	manyAtOnce = 10
)

// complete reads what variants of some products are still missing. For nearly all
// products that is none, and no request is sent.
func (s *Shop) complete(ctx context.Context, f *facts, v upstream.Visit, op string, products []listed) error {
	for range maxVariants / variantsPage {
		var open []*listed
		for i := range products {
			if products[i].after != "" {
				open = append(open, &products[i])
			}
		}
		if len(open) == 0 {
			return nil
		}
		for some := range slices.Chunk(open, manyAtOnce) {
			if err := s.moreVariants(ctx, f, v, op, some); err != nil {
				return err
			}
		}
	}
	return nil
}

// moreVariants reads the next variants of a few products.
func (s *Shop) moreVariants(ctx context.Context, f *facts, v upstream.Visit, op string, products []*listed) error {
	o := operation{kind: "query", name: "MoreVariants", market: f.market(v.Market), shared: []argument{{"withStock", "Boolean!", f.stock}}}
	for i, p := range products {
		after := argument{"after" + strconv.Itoa(i), "String!", p.after}
		o.shared = append(o.shared, after)
		o.fields = append(o.fields, field{
			alias: productAlias(i), name: "product", arguments: []argument{{"id", "ID!", p.ID}},
			selection: "{ variants(first: " + strconv.Itoa(variantsPage) + ", after: $" + after.name + ") { ...VariantsParts } options { name optionValues { name } } }",
		})
	}
	data, err := s.run(ctx, v, o.call(op, variantParts))
	if err != nil {
		return err
	}
	for i, p := range products {
		is := data.Get(productAlias(i))
		if err := p.add(op, is.Get("variants")); err != nil {
			return err
		}
		p.Options = readOptions(is.Get("options"), p.Variants)
	}
	return nil
}

func productAlias(i int) string { return "p" + strconv.Itoa(i) }
