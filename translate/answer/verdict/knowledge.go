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
	// title and description are the merchant's text, facts what is recorded, labels
	// the tags and categories, as facts without a key. They are gathered when they
	// are needed.
	title, description prose
	facts, labels      *facts
	// general is the evidence that does not depend on the variant, by the
	// constraint's place, once it was looked for.
	general []*evidence
}

func (j *Judge) known(p *upstream.Product) *knowledge {
	return &knowledge{
		judge: j, product: p, title: prose{text: p.Title}, description: prose{text: p.Description},
		general: make([]*evidence, len(j.wishes)),
	}
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

// evidence looks in what is recorded about a variant, if anything is, then about
// its product.
func (k *knowledge) evidence(n int, variant *facts) evidence {
	if variant != nil {
		if e, ok := k.recorded(&k.judge.wishes[n], variant); ok {
			return e
		}
	}
	if k.general[n] == nil {
		e := k.ofProduct(&k.judge.wishes[n])
		k.general[n] = &e
	}
	return *k.general[n]
}

// ofProduct looks in what is recorded about the product as a whole.
func (k *knowledge) ofProduct(w *wish) evidence {
	if k.facts == nil {
		k.facts = k.judge.words.facts(k.product.Attributes, nil)
		k.labels = labels(k.product)
	}
	if w.bound != nil {
		if e, ok := k.weighed(w.bound); ok {
			return e
		}
	}
	e, ok := k.recorded(w, k.facts)
	if ok && (e.says == yes || !w.open) {
		return e
	}
	against := e
	if e, ok := k.recorded(w, k.labels); ok {
		return e
	}
	if e, ok := k.stated(w); ok {
		return e
	}
	if against.says != nothing {
		return against
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
// the value under any key.
func (k *knowledge) recorded(w *wish, facts *facts) (evidence, bool) {
	e := evidence{source: Enrichment}
	for _, f := range facts.list {
		if w.key == "" || f.key != w.key {
			continue
		}
		for _, value := range f.values {
			switch k.compare(w, value) {
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
	if e.says != nothing && !w.open {
		return e, true
	}
	if !w.positive || !w.in(facts.fold()) {
		return e, e.says != nothing
	}
	start, n := 0, 0
	for _, f := range facts.list {
		for _, value := range f.values {
			folded := facts.folded[start:facts.ends[n]]
			start, n = facts.ends[n], n+1
			if w.in(folded) && k.named(w, value) {
				return evidence{yes, []string{value}, Enrichment}, true
			}
		}
	}
	return e, e.says != nothing
}

// compare tells how a value under the wish's own key stands to it. Which devices a
// thing fits is seldom all recorded: of others than the wished one nothing follows.
func (k *knowledge) compare(w *wish, value string) relation {
	switch {
	case w.device == nil:
		return k.judge.words.compare(w.Value, w.forms, value)
	case w.in(text.AppendPlainFold(nil, value)) && k.named(w, value):
		return meets
	}
	return vaguer
}

// named reports whether a value, under whatever key, is what is wished.
func (k *knowledge) named(w *wish, value string) bool {
	words := k.judge.words
	if w.device == nil {
		return words.compare(w.name, w.named, value) == meets
	}
	plain := text.Plain(value)
	at, _ := w.device.find(words.cut(plain, text.Kana(plain), words.own))
	return at >= 0
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
