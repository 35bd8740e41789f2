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
	terms   map[string][]Term
	longest map[string]int
	nouns   map[string]bool
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
	first := form(tokens[0])
	n := min(v.longest[first], len(tokens))
	if n == 0 {
		return nil, 0
	}
	forms := make([]string, 1, n)
	forms[0] = first
	for _, t := range tokens[1:n] {
		forms = append(forms, form(t))
	}
	for ; n > 0; n-- {
		if terms, ok := v.terms[strings.Join(forms[:n], " ")]; ok {
			return terms, n
		}
	}
	return nil, 0
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

func (v *Vocabulary) enter(phrase string, terms []Term) {
	v.put(phrase, terms)
	words := strings.Fields(phrase)
	for _, language := range text.Inflected() {
		stems := make([]string, len(words))
		for i, word := range words {
			stems[i] = language + ":" + text.Stem(language, word)
		}
		if key := strings.Join(stems, " "); v.terms[key] == nil {
			v.put(key, terms)
		}
	}
}

func (v *Vocabulary) put(key string, terms []Term) {
	v.terms[key] = terms
	first, _, _ := strings.Cut(key, " ")
	v.longest[first] = max(v.longest[first], strings.Count(key, " ")+1)
}
