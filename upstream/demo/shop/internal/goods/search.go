package goods

import (
	"slices"
	"strings"
	"unicode"
)

// maxWords is how many words of a search count.
const maxWords = 24

// text is what a product's words are looked for in: lower case, one space before
// every word and one at the end.
type text struct {
	title string
	all   string
}

func textOf(p *Product) text {
	parts := []string{p.Title, p.Brand, p.Description}
	if n := len(p.Categories); n > 0 {
		parts = append(parts, p.Categories[n-1])
	}
	parts = append(parts, p.Tags...)
	for _, fact := range p.Facts {
		parts = append(append(parts, fact.Key), fact.Values...)
	}
	for _, option := range p.Options {
		parts = append(parts, option.Values...)
	}
	for i := range p.Variants {
		parts = append(parts, p.Variants[i].SKU)
	}
	return text{title: spaced(p.Title), all: spaced(parts...)}
}

// Search returns the indexes of the products that hold at least one of the words
// at the beginning of a word of their own, in any case. Who holds most of them
// comes first, then who holds most of them in its title, then the order of the
// catalogue. No words find all products.
func (c *Catalogue) Search(words string) []int {
	wanted := wordsOf(words)
	if len(wanted) == 0 {
		all := make([]int, len(c.Products))
		for i := range all {
			all[i] = i
		}
		if strings.TrimSpace(words) != "" && !hasWords(words) {
			return nil
		}
		return all
	}
	type hit struct{ product, words, inTitle int }
	var hits []hit
	for i := range c.words {
		h := hit{product: i}
		for _, word := range wanted {
			if strings.Contains(c.words[i].all, word) {
				h.words++
			}
			if strings.Contains(c.words[i].title, word) {
				h.inTitle++
			}
		}
		if h.words > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if a.words != b.words {
			return b.words - a.words
		}
		return b.inTitle - a.inTitle
	})
	found := make([]int, len(hits))
	for i, h := range hits {
		found[i] = h.product
	}
	return found
}

// hasWords reports whether s holds a letter or digit at all.
func hasWords(s string) bool { return strings.ContainsFunc(s, isWordRune) }

// wordsOf returns what is looked for: each word of s with a space before it, so
// that it is found where a word begins, without its plural s. Scripts that write
// no spaces are found anywhere. Words that stand in every text are left out.
func wordsOf(s string) []string {
	var out []string
	for _, word := range strings.Fields(spaced(s)) {
		if slices.Contains(stopWords, word) {
			continue
		}
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			word = word[:len(word)-1]
		}
		if !strings.ContainsFunc(word, unspaced) {
			word = " " + word
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
		if len(out) == maxWords {
			break
		}
	}
	return out
}

var stopWords = []string{"a", "an", "and", "at", "for", "from", "in", "of", "on", "or", "some", "the", "to", "with"}

// spaced returns the words of all parts in lower case, a space around each.
func spaced(parts ...string) string {
	var b strings.Builder
	b.WriteByte(' ')
	space := true
	for _, part := range parts {
		for _, r := range part {
			if !isWordRune(r) {
				if !space && r != '\'' && r != '’' {
					b.WriteByte(' ')
					space = true
				}
				continue
			}
			b.WriteRune(unicode.ToLower(r))
			space = false
		}
		if !space {
			b.WriteByte(' ')
			space = true
		}
	}
	return b.String()
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// unspaced reports whether r is of a script that is written without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
