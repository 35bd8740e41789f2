package crawl

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream"
)

// Bounds of what is kept of a product. What is beyond them is left out.
const (
	maxText     = 16 << 10 // bytes of a description
	maxName     = 1 << 10  // bytes of any other text
	maxEntries  = 500      // variants, and entries of each list
	maxDocument = 256 << 10
)

// document is what is kept of a product. The names are short because there are
// many of them.
type document struct {
	ID          string    `json:"i"`
	Handle      string    `json:"h,omitempty"`
	Title       string    `json:"t,omitempty"`
	Description string    `json:"d,omitempty"`
	Brand       string    `json:"b,omitempty"`
	Categories  []string  `json:"c,omitempty"`
	Tags        []string  `json:"g,omitempty"`
	Attributes  []named   `json:"a,omitempty"`
	Options     []named   `json:"o,omitempty"`
	Variants    []variant `json:"v,omitempty"`
}

// named is an attribute or an option.
type named struct {
	Name   string   `json:"k"`
	Values []string `json:"v,omitempty"`
}

// variant is what is kept of a variant.
type variant struct {
	ID         string   `json:"i,omitempty"`
	SKU        string   `json:"s,omitempty"`
	Choices    []choice `json:"o,omitempty"`
	Attributes []named  `json:"a,omitempty"`
}

type choice struct {
	Name  string `json:"k"`
	Value string `json:"v"`
}

// encode returns a product as it is kept. The same product is the same bytes.
func encode(p *upstream.Product) (json.RawMessage, error) {
	d := document{
		ID: p.ID, Handle: cut(p.Handle, maxName), Title: cut(p.Title, maxName),
		Description: cut(p.Description, maxText), Brand: cut(p.Brand, maxName),
		Categories: texts(p.Categories), Tags: texts(p.Tags), Attributes: attributes(p.Attributes),
	}
	for _, o := range some(p.Options) {
		d.Options = append(d.Options, named{Name: cut(o.Name, maxName), Values: texts(o.Values)})
	}
	for _, v := range some(p.Variants) {
		kept := variant{ID: cut(v.ID, maxName), SKU: cut(v.SKU, maxName), Attributes: attributes(v.Attributes)}
		for _, c := range some(v.Options) {
			kept.Choices = append(kept.Choices, choice{Name: cut(c.Name, maxName), Value: cut(c.Value, maxName)})
		}
		d.Variants = append(d.Variants, kept)
	}
	raw, err := json.Marshal(d)
	for err == nil && len(raw) > maxDocument {
		// So large are only products with hundreds of variants or attributes.
		if len(d.Variants)+len(d.Attributes)+len(d.Options) == 0 {
			return nil, fmt.Errorf("product %q takes %d bytes", cut(p.ID, 64), len(raw))
		}
		d.Variants, d.Attributes, d.Options = half(d.Variants), half(d.Attributes), half(d.Options)
		raw, err = json.Marshal(d)
	}
	return raw, err
}

// decode returns the product that is kept as raw.
func decode(raw json.RawMessage) (upstream.Product, error) {
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return upstream.Product{}, fmt.Errorf("%w: %w", errStored, err)
	}
	if d.ID == "" {
		return upstream.Product{}, fmt.Errorf("%w: a document without an id", errStored)
	}
	p := upstream.Product{
		ID: d.ID, Handle: d.Handle, Title: d.Title, Description: d.Description, Brand: d.Brand,
		Categories: d.Categories, Tags: d.Tags, Attributes: facts(d.Attributes),
	}
	for _, o := range d.Options {
		p.Options = append(p.Options, upstream.Option{Name: o.Name, Values: o.Values})
	}
	for _, v := range d.Variants {
		out := upstream.Variant{ID: v.ID, SKU: v.SKU, Attributes: facts(v.Attributes)}
		for _, c := range v.Choices {
			out.Options = append(out.Options, upstream.Choice{Name: c.Name, Value: c.Value})
		}
		p.Variants = append(p.Variants, out)
	}
	return p, nil
}

func attributes(all []upstream.Attribute) (kept []named) {
	for _, a := range some(all) {
		kept = append(kept, named{Name: cut(a.Key, maxName), Values: texts(a.Values)})
	}
	return kept
}

func facts(all []named) (out []upstream.Attribute) {
	for _, n := range all {
		out = append(out, upstream.Attribute{Key: n.Name, Values: n.Values})
	}
	return out
}

func texts(all []string) (kept []string) {
	for _, text := range some(all) {
		kept = append(kept, cut(text, maxName))
	}
	return kept
}

func some[T any](all []T) []T { return all[:min(len(all), maxEntries)] }

func half[T any](all []T) []T { return all[:len(all)/2] }

// cut shortens a text to at most so many bytes, between two characters, and drops
// what is not UTF-8.
func cut(text string, most int) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
