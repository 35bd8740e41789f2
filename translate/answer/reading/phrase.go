package reading

import (
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
)

// maxWords bounds the bytes of a question that are read.
const maxWords = 2000

// mark says what a phrase was understood as.
type mark int

const (
	// free is not understood yet.
	free mark = iota
	// gone says nothing more: prices, politeness, what carried a denial.
	gone
	// denied must not be, and is not searched for.
	denied
	// aside is context.
	aside
	// measured is a measure or size: searched for, but no noun.
	measured
	// kept is searched for, and is no wish of its own: "iron" in "no iron".
	kept
)

// phrase is one or more tokens that belong together.
type phrase struct {
	language.Entry
	tokens []text.Token
	terms  []vocabulary.Term
	mark   mark
}

func (p *phrase) is(roles language.Role) bool { return p.Roles.Has(roles) }
func (p *phrase) fold() string                { return p.tokens[0].Fold }
func (p *phrase) number() bool                { return p.tokens[0].Kind == text.Number }
func (p *phrase) symbol() bool                { return p.tokens[0].Kind == text.Symbol }
func (p *phrase) fact() bool                  { return len(p.Facts) > 0 || len(p.terms) > 0 }

// plain reports whether the phrase is a word without any role in the grammar.
func (p *phrase) plain() bool {
	return !p.symbol() && !p.number() && !p.fact() && p.Roles&^(language.Vague|language.Garment|language.Paired|language.Container|language.Person|language.Weighing|language.NotMoney|language.Review|language.Device|language.Model|language.Accessory) == 0
}

// stop reports whether the phrase is a mark that ends a clause.
func (p *phrase) stop() bool {
	if !p.symbol() {
		return false
	}
	switch p.fold() {
	case ",", ".", ";", ":", "?", "!", "(", ")", "、", "。", "|", "\"":
		return true
	}
	return false
}

// sentence is a question on its way to being read.
type sentence struct {
	*language.Language
	question Question
	text     string
	phrases  []phrase
	// trouble is why the words cannot be relied on.
	trouble Reason
}

// parse cuts the words into phrases: the longest that the language or the shop's
// vocabulary knows, and single tokens otherwise.
func parse(l *language.Language, question Question, plain string) *sentence {
	var words text.Dictionary
	if l.Unspaced {
		words = l
	}
	s := &sentence{Language: l, question: question, text: plain}
	tokens := text.Tokens(plain, words)
	s.phrases = make([]phrase, 0, len(tokens))
	for len(tokens) > 0 {
		entry, known := l.Match(tokens)
		n := max(entry.Words, 1)
		if !known {
			entry = language.Entry{}
		}
		terms, m := question.Vocabulary.Match(tokens, l.Tag)
		switch {
		case m > n && entry.Roles&^(language.Noise|language.Soft|language.Shade|language.Vague) == 0:
			// The shop's longer name holds the words that the language knows.
			entry, n = language.Entry{}, m
		case m != n:
			terms = nil
		}
		s.phrases = append(s.phrases, phrase{Entry: entry, tokens: tokens[:n], terms: terms})
		tokens = tokens[n:]
	}
	return s
}

// span returns the shopper's own words of the phrases [from, to).
func (s *sentence) span(from, to int) string {
	if from >= to {
		return ""
	}
	last := s.phrases[to-1].tokens
	return strings.Trim(s.text[s.phrases[from].tokens[0].Start:last[len(last)-1].End], " ,.;:?!")
}

// at returns the phrase, or an empty stop beyond either end.
func (s *sentence) at(i int) *phrase {
	if i < 0 || i >= len(s.phrases) {
		return &phrase{tokens: []text.Token{{Kind: text.Symbol, Fold: "."}}}
	}
	return &s.phrases[i]
}

func (s *sentence) set(from, to int, m mark) {
	for i := max(from, 0); i < min(to, len(s.phrases)); i++ {
		s.phrases[i].mark = m
	}
}

// near reports whether a phrase with one of the roles is within reach of [from, to).
func (s *sentence) near(from, to, reach int, roles language.Role) bool {
	for i := max(from-reach, 0); i < min(to+reach, len(s.phrases)); i++ {
		if s.phrases[i].is(roles) {
			return true
		}
	}
	return false
}

func clip(s string) string {
	if len(s) > maxWords {
		s = s[:maxWords]
		for len(s) > 0 && !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(s, ""))
}
