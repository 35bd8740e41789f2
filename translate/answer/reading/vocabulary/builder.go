package vocabulary

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/upstream"
)

// The bounds of a vocabulary. What comes after they are reached is left out;
// the question is then read with what is general in its language.
const (
	maxTerms     = 20_000
	maxNouns     = 20_000
	maxWords     = 5
	maxValueSize = 60
)

// Builder gathers the words of a catalogue. Its zero value is ready for use, and
// it is safe for concurrent use. Products are only ever added: after many
// removals a new Builder is due.
type Builder struct {
	mu    sync.Mutex
	terms map[string]map[Term]int
	nouns map[string]int
}

// Add takes the words of a product.
func (b *Builder) Add(p *upstream.Product) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.terms == nil {
		b.terms, b.nouns = map[string]map[Term]int{}, map[string]int{}
	}
	b.attributes(p.Attributes)
	for _, option := range p.Options {
		for _, value := range option.Values {
			b.value(option.Name, value)
		}
	}
	for i := range p.Variants {
		b.attributes(p.Variants[i].Attributes)
	}
	if p.Brand != "" {
		b.value("brand", p.Brand)
	}
	b.noun(p.Title)
	for _, category := range p.Categories {
		b.noun(category[strings.LastIndexByte(category, '/')+1:])
	}
	for _, tag := range p.Tags {
		b.noun(tag)
	}
}

func (b *Builder) attributes(attributes []upstream.Attribute) {
	for _, attribute := range attributes {
		for _, value := range attribute.Values {
			b.value(attribute.Key, value)
		}
	}
}

// value enters a value under its own words. Of what a product is or is not, the
// key is what is said: "waterproof: yes".
func (b *Builder) value(key, value string) {
	name := value
	switch strings.ToLower(value) {
	case "true", "yes", "ja", "oui", "sí", "はい":
		name, value = strings.ReplaceAll(key, "_", " "), "true"
	case "false", "no", "nein", "non", "いいえ", "none", "n/a", "":
		return
	}
	words := fold(name)
	if len(value) > maxValueSize || len(words) == 0 || len(words) > maxWords || !telling(words) {
		return
	}
	phrase := strings.Join(words, " ")
	counts := b.terms[phrase]
	if counts == nil {
		if len(b.terms) >= maxTerms {
			return
		}
		counts = map[Term]int{}
		b.terms[phrase] = counts
	}
	counts[Term{Key: key, Value: value}]++
}

// telling reports whether a value can be recognised without its key: neither a
// number nor a single letter can.
func telling(words []string) bool {
	for _, word := range words {
		if len(word) > 1 && (word[0] < '0' || word[0] > '9') {
			return true
		}
	}
	return false
}

// noun enters the word at the end of a title, which in most of them is the thing.
func (b *Builder) noun(title string) {
	title, _, _ = strings.Cut(title, ",")
	title, _, _ = strings.Cut(title, " - ")
	words := fold(title)
	if len(words) == 0 || len(title) > maxValueSize {
		return
	}
	last := words[len(words)-1]
	if _, ok := b.nouns[last]; ok || len(b.nouns) < maxNouns {
		b.nouns[last]++
	}
}

// Snapshot returns the vocabulary of what was added so far.
func (b *Builder) Snapshot() *Vocabulary {
	b.mu.Lock()
	defer b.mu.Unlock()
	v := &Vocabulary{terms: map[string][]Term{}, longest: map[string]int{}, nouns: map[string]bool{}}
	// In order, so that of two values with one stem the same one is always kept.
	for _, phrase := range slices.Sorted(maps.Keys(b.terms)) {
		counts := b.terms[phrase]
		terms := make([]Term, 0, len(counts))
		for term := range counts {
			terms = append(terms, term)
		}
		slices.SortFunc(terms, func(s, t Term) int {
			return cmp.Or(cmp.Compare(counts[t], counts[s]), cmp.Compare(s.Key, t.Key), cmp.Compare(s.Value, t.Value))
		})
		v.enter(phrase, terms)
	}
	for noun := range b.nouns {
		v.nouns[noun] = true
		for _, language := range text.Inflected() {
			v.nouns[language+":"+text.Stem(language, noun)] = true
		}
	}
	return v
}

func fold(s string) []string {
	var words []string
	for _, t := range text.Tokens(text.Plain(s), nil) {
		if t.Kind != text.Symbol {
			words = append(words, t.Fold)
		}
	}
	return words
}
