package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/index/words"
	"github.com/storeware/caddy-storeware/upstream"
)

// Bounds of what is read of a product.
const (
	maxTokens      = 1500     // words of a product
	maxDescription = 12 << 10 // bytes of a description
	maxValues      = 400      // values of attributes, options and tags, and variants
)

// token is a word in a field of a product: its place in analysis.text.
type token struct {
	from, to uint32
	field    Fields
}

// analysis is a product in words. It is used again for the next one.
type analysis struct {
	language words.Language
	splitter words.Splitter
	text     []byte // the words, one after the other
	tokens   []token
	lengths  [fieldCount]int
	left     int      // how many more values are read
	keys     []uint64 // terms and fields, for entries
}

// read takes the words of a product.
func (a *analysis) read(p *upstream.Product) {
	a.text, a.tokens, a.lengths, a.left = a.text[:0], a.tokens[:0], [fieldCount]int{}, maxValues
	a.add(Title, p.Title)
	a.add(Brand, p.Brand)
	for _, path := range p.Categories {
		a.value(Category, path)
	}
	for _, tag := range p.Tags {
		a.value(Tag, tag)
	}
	for _, option := range p.Options {
		for _, value := range option.Values {
			a.value(Option, value)
		}
	}
	a.attributes(p.Attributes)
	for i := range p.Variants {
		a.value(SKU, p.Variants[i].SKU)
		a.attributes(p.Variants[i].Attributes)
	}
	description := p.Description
	if len(description) > maxDescription {
		cut := maxDescription
		for !utf8.RuneStart(description[cut]) {
			cut--
		}
		description = description[:cut]
	}
	a.add(Description, description)
}

func (a *analysis) value(field Fields, text string) {
	if a.left > 0 && text != "" {
		a.left--
		a.add(field, text)
	}
}

// attributes reads the values, and the keys of those that are only said to be so:
// "waterproof: true" is the word "waterproof", "waterproof: false" is none.
func (a *analysis) attributes(all []upstream.Attribute) {
	for _, attribute := range all {
		for _, value := range attribute.Values {
			switch truth(value) {
			case yes:
				a.value(Attribute, attribute.Key)
			case neither:
				a.value(Attribute, value)
			}
		}
	}
}

const (
	neither = iota
	yes
	no
)

func truth(value string) int {
	if len(value) > len("いいえ") {
		return neither
	}
	switch strings.ToLower(value) {
	case "true", "yes", "ja", "oui", "si", "sí", "はい", "y":
		return yes
	case "false", "no", "nein", "non", "いいえ", "n", "":
		return no
	}
	return neither
}

// add reads the words of a text.
func (a *analysis) add(field Fields, text string) {
	f := fieldOf(field)
	a.splitter.Split(text, func(word []byte, kind words.Kind, _ int) {
		if len(a.tokens) >= maxTokens || a.language.Stop(word) {
			return
		}
		if field == SKU && kind != words.Word {
			return // Nearly every one would be a term of its own, of little use.
		}
		if field != SKU {
			word = a.language.Stem(word)
		}
		from := len(a.text)
		a.text = append(a.text, word...)
		a.tokens = append(a.tokens, token{from: uint32(from), to: uint32(len(a.text)), field: field})
		if kind == words.Word {
			a.lengths[f]++
		}
	})
}

// entries calls add with each term of the product once. The function number gives
// a term's number.
func (a *analysis) entries(number func(word []byte) uint32, add func(term uint32, p posting)) {
	a.keys = a.keys[:0]
	for _, t := range a.tokens {
		a.keys = append(a.keys, uint64(number(a.text[t.from:t.to]))<<8|uint64(t.field))
	}
	slices.Sort(a.keys)
	for i := 0; i < len(a.keys); {
		term := a.keys[i] >> 8
		var p posting
		var inAttributes, inDescription uint8
		for ; i < len(a.keys) && a.keys[i]>>8 == term; i++ {
			field := Fields(a.keys[i] & 0xff)
			p.fields |= field
			switch {
			case field == Attribute && inAttributes < 15:
				inAttributes++
			case field == Description && inDescription < 15:
				inDescription++
			}
		}
		p.counts = max(inAttributes, 1)<<4 | max(inDescription, 1)
		add(uint32(term), p)
	}
}
