package language

import (
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Language is a compiled table. It is safe for concurrent use.
type Language struct {
	// Tag is the BCP 47 primary language.
	Tag string
	// HeadFirst says that a noun stands before its adjectives ("botas rojas").
	HeadFirst bool
	// CapitalNouns says that nouns are written with a capital.
	CapitalNouns bool
	// Unspaced says that there are no spaces between words.
	Unspaced bool

	// glued is the ending that denies the rest of its word.
	glued string
	// phrases are found as they are written, stems by the stems of their words.
	phrases, stems phrases
}

// phrases are entries by their words, with a space between them.
type phrases struct {
	entries map[string]Entry
	// longest has, for the first word of an entry, how many words its longest has.
	longest map[string]int
}

// Entry is what a language knows of a word or phrase.
type Entry struct {
	Roles Role
	// Currencies are those that the word may mean, the likeliest first.
	Currencies []money.Currency
	// Number is the value of a number word, where Counts.
	Number int64
	Counts bool
	// Unit is what the word measures, such as "length".
	Unit string
	// Facts are the properties that the word may name, the likeliest first.
	Facts []Fact
	// Words is how many words of a text the entry covers.
	Words int
}

// Fact is a property that the words of a language name.
type Fact struct {
	// Key is an English name: "color", "material", "waterproof".
	Key string
	// Value is the base form in the language; "true" for what a product is or is not.
	Value string
	// English is the same in English, empty when Value is that.
	English string
}

// All returns the languages that are known, English first.
func All() []*Language {
	return []*Language{New(english()), New(german()), New(french()), New(spanish()), New(japanese())}
}

// Match returns the longest entry that the words at the front of tokens make up.
// An inflected form is found by its stem where no entry has it as it stands.
func (l *Language) Match(tokens []text.Token) (Entry, bool) {
	if len(tokens) == 0 {
		return Entry{}, false
	}
	if e, ok := l.phrases.match(tokens, ""); ok {
		return e, true
	}
	return l.stems.match(tokens, l.Tag)
}

// match returns the longest entry at the front of tokens, by their stems in a
// language if one is named. Every word of every text goes through it.
func (p *phrases) match(tokens []text.Token, language string) (Entry, bool) {
	first := text.Stem(language, tokens[0].Fold)
	var space [64]byte
	for n := min(p.longest[first], len(tokens)); n > 0; n-- {
		key := append(space[:0], first...)
		for _, t := range tokens[1:n] {
			key = append(append(key, ' '), text.Stem(language, t.Fold)...)
		}
		if e, ok := p.entries[string(key)]; ok {
			e.Words = n
			return e, true
		}
	}
	return Entry{}, false
}

// Denied returns what a word says is absent: "sugar" for "sugar-free", "zucker"
// for "zuckerfrei".
func (l *Language) Denied(word string) (string, bool) {
	if i := strings.LastIndexByte(word, '-'); i > 0 {
		if l.phrases.entries[word[i:]].Roles.Has(NotAfter) {
			return word[:i], true
		}
	}
	if l.glued != "" && len(word) > len(l.glued)+3 {
		for _, ending := range []string{"", "e", "en", "er", "es", "em"} {
			if rest, ok := strings.CutSuffix(word, l.glued+ending); ok {
				return rest, true
			}
		}
	}
	return "", false
}

// EndsIn reports whether a word is a compound whose last part has the role.
func (l *Language) EndsIn(word string, role Role) bool {
	for i := 3; i+4 <= len(word); i++ {
		if l.phrases.entries[word[i:]].Roles.Has(role) {
			return true
		}
	}
	return false
}

// Longest implements text.Dictionary for languages without spaces.
func (l *Language) Longest(s string) int {
	if !l.Unspaced {
		return 0
	}
	longest, runes := 0, 0
	for i, r := range s {
		if !text.Unspaced(r) || runes == longestWord {
			break
		}
		runes++
		end := i + len(string(r))
		if _, ok := l.phrases.entries[s[:end]]; ok {
			longest = end
		}
	}
	return longest
}

// longestWord is how many characters the longest word of such a language has.
const longestWord = 12
