package vocabulary

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Term is an attribute's key and value as the shop records them; the value is
// "true" for what a product is or is not.
type Term struct {
	Key   string
	Value string
}

// Vocabulary is the words of a shop. A nil Vocabulary is an empty one.
type Vocabulary struct {
	// terms are by the folded words of a value, and by its stems behind the
	// language and a colon. The term most products have is first.
	terms map[string][]Term
	// ordinary are the words and stems that are values and, more often, none.
	ordinary map[string]bool
	longest  map[string]int
	nouns    map[string]bool
	// kinds are the names of several words that categories and product types have, by
	// their stems behind the language and a colon.
	kinds map[string]bool
}

// Match returns the terms of the longest value that tokens begin with, and how
// many tokens that is. The language says how words are inflected.
func (v *Vocabulary) Match(tokens []text.Token, language string) ([]Term, int) {
	if v == nil || len(tokens) == 0 {
		return nil, 0
	}
	if terms, n := v.match(tokens, func(t text.Token) string { return t.Fold }); n > 0 {
		return terms, n
	}
	return v.match(tokens, func(t text.Token) string { return language + ":" + text.Stem(language, t.Fold) })
}

func (v *Vocabulary) match(tokens []text.Token, form func(text.Token) string) ([]Term, int) {
	longest := v.longest[form(tokens[0])]
	if longest == 0 {
		return nil, 0
	}
	var terms []Term
	n, phrase := 0, ""
	for i, words := 0, 0; i < len(tokens) && words < longest; i++ {
		if tokens[i].Kind == text.Symbol {
			// Names are entered without the signs in them: "Fjord & Fell".
			if !joining(tokens[i].Fold) {
				break
			}
			continue
		}
		if words > 0 {
			phrase += " "
		}
		phrase += form(tokens[i])
		words++
		if found, ok := v.terms[phrase]; ok && !v.ordinary[phrase] {
			terms, n = found, i+1
		}
	}
	return terms, n
}

// joining reports whether a sign may stand between the words of one name.
func joining(sign string) bool {
	switch sign {
	case "&", "-", "/", "+", "'", ".":
		return true
	}
	return false
}

// Value returns the terms of a value by its name, such as the one that another
// language or a synonym led to.
func (v *Vocabulary) Value(name string) []Term {
	if v == nil || name == "" {
		return nil
	}
	return v.terms[strings.Join(fold(name), " ")]
}

// Noun reports whether titles or categories of the shop end in the word.
func (v *Vocabulary) Noun(word, language string) bool {
	return v != nil && (v.nouns[word] || v.nouns[language+":"+text.Stem(language, word)])
}

// Kind reports whether the folded words are the name of a category or a product type
// of the shop: "walking boots". Of one word none is.
func (v *Vocabulary) Kind(words []string, language string) bool {
	return v != nil && len(v.kinds) > 0 && len(words) > 1 && len(words) <= maxWords && v.kinds[stems(words, language)]
}

// stems returns the stems of words, each behind the language and a colon.
func stems(words []string, language string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = language + ":" + text.Stem(language, word)
	}
	return strings.Join(all, " ")
}

func (v *Vocabulary) enter(phrase string, terms []Term) {
	v.put(phrase, terms)
	words := strings.Fields(phrase)
	for _, language := range text.Inflected() {
		if key := stems(words, language); v.terms[key] == nil {
			v.put(key, terms)
		}
	}
}

func (v *Vocabulary) put(key string, terms []Term) {
	v.terms[key] = terms
	first, _, _ := strings.Cut(key, " ")
	v.longest[first] = max(v.longest[first], strings.Count(key, " ")+1)
}
