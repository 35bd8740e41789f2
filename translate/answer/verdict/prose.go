package verdict

import (
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// prose is a text of the merchant's. It is parted when it has to be, since most
// texts say nothing of what is wished, and most sentences of those that do.
type prose struct {
	text  string
	parts []sentence
	// kana: the text is Japanese.
	kana bool
}

// sentence is a part of a text in which whole clauses stand.
type sentence struct {
	text   string
	folded []byte
	terms  []term // once they were cut
}

// sentences returns the parts of the text.
func (p *prose) sentences() []sentence {
	if p.parts != nil {
		return p.parts
	}
	p.kana = text.Kana(p.text)
	p.parts = make([]sentence, 0, len(p.text)/64+1)
	folded := make([]byte, 0, len(p.text))
	for rest := p.text; rest != ""; {
		n := sentenceEnd(rest)
		start := len(folded)
		folded = text.AppendPlainFold(folded, rest[:n])
		p.parts = append(p.parts, sentence{text: rest[:n], folded: folded[start:]})
		rest = rest[n:]
	}
	return p.parts
}

// sentenceEnd returns where the first sentence of a text ends: behind a sign that
// always ends a clause, and is never part of a word or a number.
func sentenceEnd(s string) int {
	for i, r := range s {
		switch r {
		case ';', ':', '!', '?', '(', ')', '•', '。', '、':
			return i + utf8.RuneLen(r)
		case '.', ',':
			if i+1 < len(s) && s[i+1] == ' ' {
				return i + 1
			}
		}
	}
	return len(s)
}
