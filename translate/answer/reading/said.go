package reading

import (
	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Amount is a number as it was said, with the currencies that may be meant.
type Amount struct {
	// Decimal is what money.ParseDecimal reads.
	Decimal    string
	Currencies []money.Currency
}

// Text returns the words that are read: the first 2,000 bytes, trimmed.
func (q Question) Text() string { return clip(q.Words) }

// Amounts returns the numbers in words, however any of the languages writes
// them: "1.299,00 €", "2k", "fifty quid", "1万円". It says nothing about what they
// mean. Against them a reader checks the numbers that it was told.
func (r *Rules) Amounts(words string) []Amount {
	plain := text.Plain(clip(words))
	var all []Amount
	for _, l := range r.languages {
		s := parse(l, Question{}, plain)
		for i := range s.phrases {
			if a, ok := s.amountAt(i); ok {
				all = append(all, Amount{Decimal: a.decimal, Currencies: a.currencies})
			}
		}
	}
	return all
}

// Attribute names what a few words of the question say, in the shop's own terms
// where its vocabulary has them. It reports false for words that name nothing
// that is known.
func (r *Rules) Attribute(question Question, words, language string) (Attribute, bool) {
	l := r.byTag(language)
	if l == nil {
		l = r.byTag("en")
	}
	s := parse(l, question, text.Plain(clip(words)))
	if len(s.phrases) == 0 || s.factEnd(0, len(s.phrases)) != len(s.phrases) {
		return Attribute{}, false
	}
	return s.factAt(0, len(s.phrases))
}
