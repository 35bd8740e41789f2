package language

import (
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// table is a language as it is written down. Its lists are separated by commas.
type table struct {
	tag                               string
	headFirst, capitalNouns, unspaced bool

	// glued is the ending that denies the rest of its word, as in "zuckerfrei".
	glued string

	roles map[Role]string
	// whole are words that begin with another one and are none of two, where words
	// stand without spaces: 本棚 is a bookshelf, and not one shelf.
	whole string
	// currencies are by the codes that the words may mean, separated by spaces.
	currencies map[string]string
	numbers    map[int64]string
	units      map[string]string
	// values are by key. A value is its base form, then its synonyms after "|".
	// Behind "=" stands the English name, in tables of other languages.
	values map[string]string
	// properties are what a product is or is not: synonyms with the key behind
	// "=", or the first of them as the key.
	properties string
}

// New compiles a table.
func New(t table) *Language {
	l := &Language{
		Tag: t.tag, HeadFirst: t.headFirst, CapitalNouns: t.capitalNouns, Unspaced: t.unspaced, glued: t.glued,
		phrases: phrases{entries: map[string]Entry{}, longest: map[string]int{}}, stems: phrases{entries: map[string]Entry{}, longest: map[string]int{}},
	}
	for role, words := range t.roles {
		for _, word := range list(words, ",") {
			l.add(word, Entry{Roles: role})
		}
	}
	for _, word := range list(t.whole, ",") {
		l.add(word, Entry{})
	}
	for role, words := range map[Role]string{Device: devices, Model: models} {
		for _, word := range list(words, ",") {
			l.add(word, Entry{Roles: role})
		}
	}
	for codes, words := range t.currencies {
		var currencies []money.Currency
		for _, code := range strings.Fields(codes) {
			currencies = append(currencies, money.Currency(code))
		}
		for _, word := range list(words, ",") {
			l.add(word, Entry{Currencies: currencies})
		}
	}
	for number, words := range t.numbers {
		for _, word := range list(words, ",") {
			l.add(word, Entry{Number: number, Counts: true})
		}
	}
	for unit, words := range t.units {
		for _, word := range list(words, ",") {
			l.add(word, Entry{Unit: unit})
		}
	}
	for key, values := range t.values {
		for _, value := range list(values, ",") {
			names, english, _ := strings.Cut(value, "=")
			l.addFact(list(names, "|"), func(name string) Fact { return Fact{Key: key, Value: name, English: english} })
		}
	}
	for _, property := range list(t.properties, ",") {
		names, key, ok := strings.Cut(property, "=")
		if !ok {
			key, _, _ = strings.Cut(names, "|")
		}
		key = strings.NewReplacer(" ", "_", "-", "_").Replace(key)
		l.addFact(list(names, "|"), func(string) Fact { return Fact{Key: key, Value: "true"} })
	}
	l.addStems()
	return l
}

// addFact adds a fact under all its names; its value is made of the first one.
func (l *Language) addFact(names []string, fact func(name string) Fact) {
	for _, name := range names {
		l.add(name, Entry{Facts: []Fact{fact(names[0])}})
	}
}

// add merges e into the entry of a phrase, and of its form without hyphens.
func (l *Language) add(phrase string, e Entry) {
	fold := l.key(phrase)
	l.phrases.put(fold, e)
	if spaced := strings.ReplaceAll(fold, "-", " "); spaced != fold && strings.TrimSpace(spaced) != "" {
		l.phrases.put(spaced, e)
	}
}

// key returns the folded words of a phrase with a space between them, as Match
// looks them up. A suffix such as "-free" stands for itself.
func (l *Language) key(phrase string) string {
	plain := text.Plain(phrase)
	if l.Unspaced || strings.HasPrefix(plain, "-") {
		return text.Fold(plain)
	}
	var words []string
	for _, t := range text.Tokens(plain, nil) {
		words = append(words, t.Fold)
	}
	return strings.Join(words, " ")
}

func (p *phrases) put(key string, e Entry) {
	old := p.entries[key]
	old.Roles |= e.Roles
	old.Currencies = append(old.Currencies, e.Currencies...)
	old.Facts = append(old.Facts, e.Facts...)
	if e.Counts {
		old.Number, old.Counts = e.Number, true
	}
	if e.Unit != "" {
		old.Unit = e.Unit
	}
	p.entries[key] = old
	first, _, _ := strings.Cut(key, " ")
	p.longest[first] = max(p.longest[first], strings.Count(key, " ")+1)
}

// addStems enters facts under their stems too, for their inflected forms. Words
// with roles are entered in every form they have, since "less" is not "les".
func (l *Language) addStems() {
	stems := map[string]Entry{}
	for phrase, e := range l.phrases.entries {
		if len(e.Facts) == 0 {
			continue
		}
		words := strings.Fields(phrase)
		for i, word := range words {
			words[i] = text.Stem(l.Tag, word)
		}
		key := strings.Join(words, " ")
		// The map is walked in any order: of two words with one stem, the first
		// in the alphabet is kept.
		if old, ok := stems[key]; !ok || e.Facts[0].Value < old.Facts[0].Value {
			stems[key] = Entry{Facts: e.Facts}
		}
	}
	for key, e := range stems {
		l.stems.put(key, e)
	}
}

func list(s, separator string) []string {
	var items []string
	for item := range strings.SplitSeq(s, separator) {
		if item = strings.Join(strings.Fields(item), " "); item != "" {
			items = append(items, item)
		}
	}
	return items
}
