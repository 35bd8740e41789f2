package indextest

import (
	"math/rand/v2"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/index"
	"github.com/storeware/caddy-storeware/upstream"
)

// Queries returns n queries as people ask them, the same every time: one to five
// words of a title, every fourth with a typing error, and whole questions.
func Queries(products []upstream.Product, n int) []index.Query {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]index.Query, 0, n)
	for i := range n {
		title := strings.Fields(products[r.IntN(len(products))].Title)
		if len(title) == 0 {
			continue
		}
		from := r.IntN(len(title))
		chosen := strings.Join(title[from:min(len(title), from+1+r.IntN(5))], " ")
		switch i % 4 {
		case 1:
			chosen = Mistyped(r, chosen)
		case 2:
			chosen = "a black " + chosen + " with usb for my notebook, not too heavy"
		}
		all = append(all, index.Query{Text: chosen})
	}
	return all
}

// Mistyped returns text with one typing error in a word of letters, the first one
// that is long enough.
func Mistyped(r *rand.Rand, text string) string {
	fields := strings.Fields(text)
	for i, word := range fields {
		if len(word) < 5 || strings.ContainsFunc(word, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }) {
			continue
		}
		at := 1 + r.IntN(len(word)-2)
		letter := string(rune('a' + r.IntN(26)))
		switch r.IntN(4) {
		case 0:
			fields[i] = word[:at] + word[at+1:]
		case 1:
			fields[i] = word[:at] + letter + word[at:]
		case 2:
			fields[i] = word[:at] + letter + word[at+1:]
		default:
			fields[i] = word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
		}
		break
	}
	return strings.Join(fields, " ")
}
