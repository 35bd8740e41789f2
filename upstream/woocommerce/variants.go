package woocommerce

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxVariants bounds the variants of a product. A variation that leaves an
// attribute open stands for one variant with each of its values.
const maxVariants = 500

// attribute is something to choose of a product.
type attribute struct {
	label string // as the variations call it
	// key is what the basket calls it: the taxonomy, or the label of an attribute
	// that is the product's own.
	key   string
	terms []term
}

type term struct{ slug, name string }

// readAttributes returns what there is to choose of a product.
func readAttributes(product gjson.Result) []attribute {
	var all []attribute
	for _, one := range product.Get("attributes").Array() {
		if !one.Get("has_variations").Bool() {
			continue
		}
		a := attribute{label: one.Get("name").String(), key: one.Get("taxonomy").String()}
		if a.key == "" {
			a.key = a.label
		}
		for _, value := range one.Get("terms").Array() {
			a.terms = append(a.terms, term{value.Get("slug").String(), title(value.Get("name").String())})
		}
		all = append(all, a)
	}
	return all
}

// readVariants returns the variants of a product and the options that they are
// chosen by. The product says which choices make a variation, the variation what
// it costs; the shop leaves out those that nobody shall see.
func (f *facts) readVariants(purse *purse, product gjson.Result, variations []gjson.Result) ([]upstream.Option, []upstream.Variant) {
	attributes := readAttributes(product)
	var exact, open []upstream.Variant
	for _, listed := range product.Get("variations").Array() {
		id := listed.Get("id").Int()
		at := slices.IndexFunc(variations, func(v gjson.Result) bool { return v.Get("id").Int() == id })
		if at < 0 || !variations[at].Get("is_purchasable").Bool() {
			continue
		}
		base := f.readVariant(purse, variations[at])
		for _, way := range ways(attributes, listed.Get("attributes"), maxVariants-len(exact)-len(open)) {
			variant := base
			variant.ID = item{product: product.Get("id").Int(), variation: id, open: way.open}.String()
			variant.Options = way.choices
			variant.Title = variantTitle(base.Title, way.choices)
			if len(way.open) > 0 {
				open = append(open, variant)
			} else {
				exact = append(exact, variant)
			}
		}
	}
	variants := withoutTwins(append(exact, open...))
	dropSharedSKUs(variants)
	return options(attributes, variants), variants
}

// way is a full choice that leads to a variation.
type way struct {
	choices []upstream.Choice
	open    []attributeValue
}

// ways returns at most limit full choices that lead to a variation, none if it
// has a value that its product does not know.
func ways(attributes []attribute, chosen gjson.Result, limit int) []way {
	all := []way{{}}
	for _, a := range attributes {
		value, fixed := "", false
		for _, one := range chosen.Array() {
			if one.Get("name").String() == a.label {
				value, fixed = one.Get("value").String(), one.Get("value").Type == gjson.String && one.Get("value").String() != ""
			}
		}
		var longer []way
		for _, w := range all {
			for _, t := range a.terms {
				if fixed && t.slug != value || t.name == "" || len(longer) >= limit {
					continue
				}
				next := way{choices: append(slices.Clip(w.choices), upstream.Choice{Name: title(a.label), Value: t.name}), open: w.open}
				if !fixed {
					next.open = append(slices.Clip(w.open), attributeValue{a.key, t.slug})
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

func variantTitle(product string, choices []upstream.Choice) string {
	values := make([]string, len(choices))
	for i, choice := range choices {
		values[i] = choice.Value
	}
	if len(values) == 0 {
		return product
	}
	return product + " - " + strings.Join(values, ", ")
}

// withoutTwins drops variants with the choices of an earlier one. A shop may have
// a red one and one in any colour.
func withoutTwins(variants []upstream.Variant) []upstream.Variant {
	var kept []upstream.Variant
	for _, v := range variants {
		twin := func(other upstream.Variant) bool { return slices.Equal(other.Options, v.Options) }
		if !slices.ContainsFunc(kept, twin) {
			kept = append(kept, v)
		}
	}
	return kept
}

// dropSharedSKUs drops SKUs that name more than one variant: those of a variation
// in any size, and that of the product, which its variations inherit.
func dropSharedSKUs(variants []upstream.Variant) {
	count := make(map[string]int)
	for _, v := range variants {
		count[v.SKU]++
	}
	for i := range variants {
		if count[variants[i].SKU] > 1 {
			variants[i].SKU = ""
		}
	}
}

// options returns the options with those values that lead to a variant, in the
// shop's order.
func options(attributes []attribute, variants []upstream.Variant) []upstream.Option {
	var all []upstream.Option
	for n, a := range attributes {
		option := upstream.Option{Name: title(a.label)}
		for _, t := range a.terms {
			leads := func(v upstream.Variant) bool { return v.Options[n].Value == t.name }
			if !slices.Contains(option.Values, t.name) && slices.ContainsFunc(variants, leads) {
				option.Values = append(option.Values, t.name)
			}
		}
		if len(option.Values) > 0 {
			all = append(all, option)
		}
	}
	return all
}
