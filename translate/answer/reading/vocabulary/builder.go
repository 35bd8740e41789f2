package vocabulary

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/upstream"
)

// The bounds of a vocabulary. What comes after they are reached is left out;
// the question is then read with what is general in its language.
const (
	maxTerms     = 20_000
	maxNouns     = 20_000
	maxTitled    = 50_000
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
	// kinds are the names of categories and product types.
	kinds map[string]bool
	// titled counts the titles that have a word, by its stem, and named those of
	// them whose product records the word as a value.
	titled, named map[string]int
}

// Add takes the words of a product.
func (b *Builder) Add(p *upstream.Product) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.terms == nil {
		b.terms, b.nouns, b.kinds = map[string]map[Term]int{}, map[string]int{}, map[string]bool{}
		b.titled, b.named = map[string]int{}, map[string]int{}
	}
	title := b.title(p.Title)
	b.attributes(p.Attributes, title)
	for _, option := range p.Options {
		for _, value := range option.Values {
			b.value(option.Name, value, title)
		}
	}
	for i := range p.Variants {
		b.attributes(p.Variants[i].Attributes, title)
	}
	if p.Brand != "" {
		b.value(brand, p.Brand, title)
	}
	b.noun(p.Title)
	for _, category := range p.Categories {
		leaf := category[strings.LastIndexByte(category, '/')+1:]
		b.noun(leaf)
		b.kind(fold(leaf))
	}
	for _, tag := range p.Tags {
		b.noun(tag)
	}
}

// brand is the key of what shops record apart from the attributes.
const brand = "brand"

// title counts the words of a title and returns their stems. What is true in it
// becomes false once the word was found among the product's values.
func (b *Builder) title(title string) map[string]bool {
	stems := map[string]bool{}
	for _, word := range fold(title) {
		stem := stem(word)
		if stems[stem] {
			continue
		}
		stems[stem] = true
		if _, ok := b.titled[stem]; ok || len(b.titled) < maxTitled {
			b.titled[stem]++
		}
	}
	return stems
}

// stem is the stem by which words of titles are counted, in whatever language: all
// but English ones are counted with their endings.
func stem(word string) string { return text.Stem("en", word) }

func (b *Builder) attributes(attributes []upstream.Attribute, title map[string]bool) {
	for _, attribute := range attributes {
		for _, value := range attribute.Values {
			b.value(attribute.Key, value, title)
		}
	}
}

// value enters a value under its own words. Of what a product is or is not, the
// key is what is said: "waterproof: yes".
func (b *Builder) value(key, value string, title map[string]bool) {
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
	if key, _ := language.Key(key); key == language.KindKey {
		b.nounOf(words)
		b.kind(words)
		return
	}
	if len(words) == 1 && title[stem(words[0])] {
		title[stem(words[0])] = false
		b.named[stem(words[0])]++
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
	if len(title) <= maxValueSize {
		b.nounOf(fold(title))
	}
}

// kind enters the name of a category or a product type.
func (b *Builder) kind(words []string) {
	if len(words) > 1 && len(words) <= maxWords && len(b.kinds) < maxNouns {
		b.kinds[strings.Join(words, " ")] = true
	}
}

func (b *Builder) nounOf(words []string) {
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	if _, ok := b.nouns[last]; ok || len(b.nouns) < maxNouns {
		b.nouns[last]++
	}
}

// ordinary reports whether a value is an ordinary word of the shop's titles, which
// does not name the value where it stands: "light" in a shop that has a lens with
// "filter colour: light". Of most titles with such a word, nothing records it.
func (b *Builder) ordinary(words []string) bool {
	if len(words) > 1 {
		return false
	}
	titled := b.titled[stem(words[0])]
	return titled > 0 && 2*b.named[stem(words[0])] < titled
}

// Snapshot returns the vocabulary of what was added so far.
func (b *Builder) Snapshot() *Vocabulary {
	b.mu.Lock()
	defer b.mu.Unlock()
	v := &Vocabulary{terms: map[string][]Term{}, ordinary: map[string]bool{}, longest: map[string]int{}, nouns: map[string]bool{}, kinds: map[string]bool{}}
	// In order, so that of two values with one stem the same one is always kept.
	for _, phrase := range slices.Sorted(maps.Keys(b.terms)) {
		counts := b.terms[phrase]
		terms := make([]Term, 0, len(counts))
		for term := range counts {
			terms = append(terms, term)
		}
		slices.SortFunc(terms, func(s, t Term) int {
			return cmp.Or(cmp.Compare(branded(t), branded(s)), cmp.Compare(counts[t], counts[s]), cmp.Compare(s.Key, t.Key), cmp.Compare(s.Value, t.Value))
		})
		v.enter(phrase, terms)
		if words := strings.Fields(phrase); b.ordinary(words) {
			v.ordinary[phrase] = true
			for _, language := range text.Inflected() {
				v.ordinary[language+":"+text.Stem(language, phrase)] = true
			}
		}
	}
	for kind := range b.kinds {
		for _, language := range text.Inflected() {
			v.kinds[stems(strings.Fields(kind), language)] = true
		}
	}
	for noun := range b.nouns {
		v.nouns[noun] = true
		for _, language := range text.Inflected() {
			v.nouns[language+":"+text.Stem(language, noun)] = true
		}
	}
	return v
}

// branded puts a brand before whatever else has its name.
func branded(t Term) int {
	if t.Key == brand {
		return 1
	}
	return 0
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
