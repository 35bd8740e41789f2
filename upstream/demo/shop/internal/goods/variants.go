package goods

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// variants reads what can be bought of the product.
func (r *rowReader) variants(p *Product) {
	price := r.number(r.row, "price_minor", 0, maxPrice)
	available := r.flag(r.row, "in_stock", true)
	list := r.row.Get("variants")
	if !list.Exists() || list.Type == gjson.Null {
		only := r.variant(r.row, price, available)
		if only.SKU == "" {
			only.SKU = strings.ToUpper(p.Handle)
		}
		only.ID, only.Title = variantID(only.SKU), p.Title
		p.Variants = []Variant{only}
		return
	}
	rows := list.Array()
	switch {
	case !list.IsArray(), len(rows) == 0:
		r.fail("variants is %.40q, want a list of variants", list.Raw)
		return
	case len(rows) > maxVariants:
		r.fail("more than %d variants", maxVariants)
		return
	}
	for i, row := range rows {
		if !row.IsObject() {
			r.fail("variant %d is %.40q, want an object", i+1, row.Raw)
			return
		}
		v := r.variant(fields{row}, price, available)
		v.SKU = r.name(fields{row}, "sku")
		v.ID = variantID(v.SKU)
		v.Choices = r.choices(row)
		v.Title = p.Title
		p.Variants = append(p.Variants, v)
	}
	if r.err == nil {
		r.options(p)
	}
}

// variantID is apart from any product's id, which is the row's own.
func variantID(sku string) string { return "v-" + sku }

// variant reads the fields that a row without variants and a variant share.
func (r *rowReader) variant(row fields, price int64, available bool) Variant {
	v := Variant{
		SKU:       r.text(row, "sku", maxName),
		Barcode:   r.text(row, "barcode", maxName),
		Price:     r.optional(row, "price_minor", 0, maxPrice, price),
		ListPrice: r.optional(row, "list_price_minor", 0, maxPrice, 0),
		Stock:     r.optional(row, "stock", 0, maxStock, Uncounted),
	}
	if !r.flag(row, "in_stock", available) {
		v.Stock = 0
	}
	if v.ListPrice <= v.Price {
		v.ListPrice = 0
	}
	return v
}

// choices are the fields of a variant that are not the shop's own.
func (r *rowReader) choices(row gjson.Result) []Choice {
	var out []Choice
	row.ForEach(func(key, value gjson.Result) bool {
		switch name := key.String(); name {
		case "sku", "barcode", "price_minor", "list_price_minor", "in_stock", "stock":
		default:
			text := strings.TrimSpace(value.String())
			if name == "" || text == "" || len(text) > maxName || value.IsObject() || value.IsArray() {
				r.fail("option %.40q of a variant is %.40q, want a text", name, value.Raw)
			}
			out = append(out, Choice{Name: name, Value: text})
		}
		return r.err == nil
	})
	return out
}

// options collects what the variants let a buyer choose, and sees to it that each
// full choice leads to one variant.
func (r *rowReader) options(p *Product) {
	for _, choice := range p.Variants[0].Choices {
		p.Options = append(p.Options, Option{Name: choice.Name})
	}
	seen := make(map[string]bool, len(p.Variants))
	for i := range p.Variants {
		v := &p.Variants[i]
		ordered := make([]Choice, 0, len(p.Options))
		for j := range p.Options {
			option := &p.Options[j]
			at := slices.IndexFunc(v.Choices, func(c Choice) bool { return c.Name == option.Name })
			if at < 0 || len(v.Choices) != len(p.Options) {
				r.fail("variant %.40q does not have the options of variant %.40q", v.SKU, p.Variants[0].SKU)
				return
			}
			ordered = append(ordered, v.Choices[at])
			if !slices.Contains(option.Values, v.Choices[at].Value) {
				option.Values = append(option.Values, v.Choices[at].Value)
			}
		}
		values := valuesOf(ordered)
		key := strings.Join(values, "\x00")
		if seen[key] {
			r.fail("variant %.40q is like another one", v.SKU)
			return
		}
		seen[key] = true
		v.Choices = ordered
		if len(ordered) > 0 {
			v.Title = strings.Join(values, " / ")
		}
	}
}

func valuesOf(choices []Choice) []string {
	values := make([]string, len(choices))
	for i, choice := range choices {
		values[i] = choice.Value
	}
	return values
}
