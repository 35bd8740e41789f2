package woocommerce

import (
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// maxWords and maxWord bound what is looked for, in words and in bytes.
const (
	maxWords = 12
	maxWord  = 100
)

// split returns the longest word and the others, in small letters. It reports
// false for text that no title can hold all words of.
func split(text string) (longest string, others []string, ok bool) {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWordRune(r) })
	all = unique(all)
	if len(all) == 0 || len(all) > maxWords {
		return "", nil, false
	}
	for _, word := range all {
		if len(word) > maxWord {
			return "", nil, false
		}
		if len(word) > len(longest) {
			longest = word
		}
	}
	for _, word := range all {
		if word != longest {
			others = append(others, word)
		}
	}
	return longest, others, true
}

// isWordRune reports whether a letter belongs to a word.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// holds reports whether a product's title or SKU holds all words.
func holds(product gjson.Result, words []string) bool {
	text := strings.ToLower(title(product.Get("name").String()) + "\n" + product.Get("sku").String())
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// unique returns the values without repetition, in their order.
func unique(values []string) []string {
	seen := make(map[string]bool, len(values))
	out := make([]string, 0, len(values))
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			out = append(out, value)
		}
	}
	return out
}
