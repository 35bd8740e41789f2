package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// statement is what a text says of a value.
type statement int

const (
	silent statement = iota
	saysSo
	saysNot
)

// reach is how many words a denial reaches: "not at all fully waterproof".
const reach = 4

// description reads what a description says of a wish. What is to be chosen is not
// read there at all, and a material only where it says what is made of it.
func (l *Lexicon) description(description *prose, w *wish) statement {
	switch {
	case chosen(w.key):
		return silent
	case w.key == "material":
		return l.reads(description, w, madeOf)
	}
	return l.reads(description, w, nil)
}

// reads looks for what is wished in each clause of a text. The first clause that
// speaks of it decides; accept, if there is one, says whether a place of it counts.
func (l *Lexicon) reads(t *prose, w *wish, accept func(clause []term, at, n int) bool) statement {
	for i := range t.sentences() {
		s := &t.parts[i]
		if !w.in(s.folded) {
			continue // as most are, and cutting a text takes long
		}
		if s.terms == nil {
			s.terms = l.cut(text.Plain(s.text), t.kana, l.own)
		}
		if says := l.speaks(s.terms, w, accept); says != silent {
			return says
		}
	}
	return silent
}

// speaks returns what the first clause says that speaks of what is wished.
func (l *Lexicon) speaks(terms []term, w *wish, accept func(clause []term, at, n int) bool) statement {
	for clause := range clauses(terms) {
		at, n := l.find(clause, w.named), len(w.named)
		if w.device != nil {
			at, n = w.device.find(clause)
		}
		if at < 0 || accept != nil && !accept(clause, at, n) {
			continue
		}
		if denied(clause, at, n) {
			return saysNot
		}
		return saysSo
	}
	return silent
}

// clauses cuts a text where a denial ends.
func clauses(terms []term) func(yield func([]term) bool) {
	return func(yield func([]term) bool) {
		start := 0
		for i, t := range terms {
			if strings.ContainsAny(t.form, ".,;:!?()•\n。、") && len(t.form) <= 3 || t.role.Has(language.But) {
				if i > start && !yield(terms[start:i]) {
					return
				}
				start = i + 1
			}
		}
		if start < len(terms) {
			yield(terms[start:])
		}
	}
}

// find returns where forms stand next to each other, -1 if they do not.
func (l *Lexicon) find(clause []term, forms []string) int {
	for at := 0; at+len(forms) <= len(clause); at++ {
		found := true
		for i, form := range forms {
			if clause[at+i].form != form && !l.isKindOf(clause[at+i].form, form) {
				found = false
				break
			}
		}
		if found {
			return at
		}
	}
	return -1
}

// denied reports whether a clause says that what stands at a place is not so.
func denied(clause []term, at, n int) bool {
	if after := at + n; after < len(clause) {
		if clause[after].role.Has(language.NotAfter) && !clause[after].role.Has(language.Allow) || lacks(clause[after].form) {
			return true
		}
	}
	before := clause[max(at-reach, 0):at]
	for i, t := range before {
		if !t.role.Has(language.Not|language.Deny) && !never(t.form) {
			continue
		}
		// "not only waterproof" says that it is.
		if rest := before[i+1:]; len(rest) > 0 && only(rest[0].form) || t.role.Has(language.Allow) {
			continue
		}
		return true
	}
	return at > 0 && pretends(clause[at-1].form)
}

func lacks(form string) bool { return slices.Contains([]string{"free", "less", "frei", "los"}, form) }

func never(form string) bool {
	return slices.Contains([]string{"non", "never", "nie", "jamais", "nunca"}, form)
}

func only(form string) bool {
	return slices.Contains([]string{"only", "just", "merely", "nur", "seulement", "solo", "sólo"}, form)
}

// madeOf reports whether a clause says that something is made of what stands at a
// place: "made of", "100 %", "a leather upper".
func madeOf(clause []term, at, n int) bool {
	for _, t := range clause[max(at-reach, 0):at] {
		switch t.form {
		case "made", "%", "of", "from", "pure", "genuine", "real", "full", "aus", "en", "de", "in":
			return true
		}
	}
	if after := at + n; after < len(clause) {
		switch clause[after].form {
		case "upper", "lining", "sole", "outsole", "shell", "body", "construction", "fabric", "blend", "finish", "free":
			return true
		}
	}
	return at+n == len(clause) && at == 0
}
