package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/upstream"
)

// knowledge is what is recorded about a product, while it is judged.
type knowledge struct {
	judge   *Judge
	product *upstream.Product
	// title and description are the merchant's text, facts what is recorded.
	title, description words
	facts              []fact
	values             string // of all facts, folded
	// general is the evidence that does not depend on the variant, by the
	// constraint's place, once it was looked for.
	general []*evidence
}

// fact is an attribute with its key in the form it is compared in.
type fact struct {
	key    string
	values []string
}

func (j *Judge) known(p *upstream.Product) *knowledge {
	k := &knowledge{
		judge: j, product: p,
		title: wordsOf(p.Title), description: wordsOf(p.Description),
		general: make([]*evidence, len(j.wishes)),
	}
	if j.attributes {
		k.facts = j.words.facts(p.Attributes)
		var values strings.Builder
		for _, f := range k.facts {
			for _, value := range f.values {
				values.WriteString(value)
				values.WriteByte('\n')
			}
		}
		k.values = text.Fold(text.Plain(values.String()))
	}
	return k
}

// facts returns attributes as they are compared.
func (l *Lexicon) facts(attributes []upstream.Attribute) []fact {
	facts := make([]fact, len(attributes))
	for i, a := range attributes {
		facts[i] = fact{l.key(a.Key), a.Values}
	}
	return facts
}

// says is what evidence amounts to.
type says int

const (
	nothing says = iota // no evidence
	vague               // less specific than what is asked
	yes
	no
)

// evidence is what was found about an attribute.
type evidence struct {
	says   says
	found  []string
	source Source
}

// evidence looks in what is recorded about a variant, then about its product.
func (k *knowledge) evidence(n int, v *upstream.Variant) evidence {
	w := &k.judge.wishes[n]
	if len(v.Options)+len(v.Attributes) > 0 {
		own := k.judge.words.facts(v.Attributes)
		for _, choice := range v.Options {
			own = append(own, fact{k.judge.words.key(choice.Name), []string{choice.Value}})
		}
		if e, ok := k.recorded(w, own, ""); ok {
			return e
		}
	}
	if k.general[n] == nil {
		e := k.ofProduct(w)
		k.general[n] = &e
	}
	return *k.general[n]
}

// ofProduct looks in what is recorded about the product as a whole.
func (k *knowledge) ofProduct(w *wish) evidence {
	if e, ok := k.recorded(w, k.facts, k.values); ok {
		return e
	}
	if e, ok := k.labels(w); ok {
		return e
	}
	if e, ok := k.stated(w); ok {
		return e
	}
	if e, ok := k.pictured(w); ok {
		return e
	}
	source := NotRecorded
	if k.empty() {
		source = Unenriched
	}
	return evidence{source: source}
}

// recorded looks in facts: first those with the key that was asked for, and then for
// the value under any key, unless all of their values, folded, do not speak of it.
func (k *knowledge) recorded(w *wish, facts []fact, all string) (evidence, bool) {
	words := k.judge.words
	e := evidence{source: Enrichment}
	for _, f := range facts {
		if w.key == "" || f.key != w.key {
			continue
		}
		for _, value := range f.values {
			switch words.compare(w.Value, w.forms, value) {
			case meets:
				return evidence{yes, []string{value}, Enrichment}, true
			case vaguer:
				if e.says != vague {
					e.says, e.found = vague, nil
				}
				e.found = append(e.found, value)
			case other:
				if e.says != vague {
					e.says = no
					e.found = append(e.found, value)
				}
			}
		}
	}
	if e.says != nothing {
		return e, true
	}
	if !w.positive || all != "" && !w.in(all) {
		return evidence{}, false
	}
	for _, f := range facts {
		for _, value := range f.values {
			if w.in(text.Fold(text.Plain(value))) && words.compare(w.name, w.named, value) == meets {
				return evidence{yes, []string{value}, Enrichment}, true
			}
		}
	}
	return evidence{}, false
}

// labels looks in tags and categories.
func (k *knowledge) labels(w *wish) (evidence, bool) {
	if !w.positive {
		return evidence{}, false
	}
	for _, label := range slices.Concat(k.product.Tags, k.product.Categories) {
		// A path's last part is what the product is.
		label = label[strings.LastIndexByte(label, '/')+1:]
		if w.in(text.Fold(text.Plain(label))) && k.judge.words.compare(w.name, w.named, label) == meets {
			return evidence{yes, []string{label}, Enrichment}, true
		}
	}
	return evidence{}, false
}

// stated looks in the merchant's text.
func (k *knowledge) stated(w *wish) (evidence, bool) {
	words := k.judge.words
	says := words.reads(&k.title, w, nil)
	if says == silent {
		says = words.description(&k.description, w)
	}
	switch says {
	case saysSo:
		return evidence{truth(w.positive), []string{w.name}, Enrichment}, true
	case saysNot:
		return evidence{truth(!w.positive), []string{"not " + w.name}, Enrichment}, true
	}
	return evidence{}, false
}

func truth(is bool) says {
	if is {
		return yes
	}
	return no
}

// pictured looks at the colours of the product's photograph.
func (k *knowledge) pictured(w *wish) (evidence, bool) {
	if k.judge.photo == nil || w.key != "color" {
		return evidence{}, false
	}
	colours := k.judge.photo(k.product)
	if len(colours) == 0 {
		return evidence{}, false
	}
	e := evidence{no, colours, EnrichmentImage}
	for _, colour := range colours {
		switch k.judge.words.compare(w.Value, w.forms, colour) {
		case meets:
			return evidence{yes, []string{colour}, EnrichmentImage}, true
		case vaguer:
			e.says = vague
		}
	}
	return e, true
}

// empty reports whether nothing is recorded about the product.
func (k *knowledge) empty() bool {
	p := k.product
	if len(p.Attributes)+len(p.Options)+len(p.Tags) > 0 || strings.TrimSpace(p.Description) != "" {
		return false
	}
	return !slices.ContainsFunc(p.Variants, func(v upstream.Variant) bool {
		return len(v.Attributes)+len(v.Options) > 0
	})
}
