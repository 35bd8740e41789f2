package verdict

import (
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Lexicon compares words as the shop and its buyers use them. It is safe for
// concurrent use.
type Lexicon struct {
	// languages are those that are tried, one after the other. The first of them, own,
	// are those that the shop's texts are in: its language and English.
	languages []*language.Language
	own       []*language.Language
	// kindOf says what is a kind of what.
	kindOf map[string]string
	// sizes is the system of sizes that the shop's country has, which a size need
	// not name: "uk" for en-GB.
	sizes string
	// names are the words and phrases, in any language, that a form stands for.
	names map[string][]string

	mu    sync.RWMutex
	memo  map[string][]string // the forms of values that were met
	bytes int                 // of the memo, about
	keys  map[string]string   // and the forms of keys
}

// The memo keeps values of at most so many bytes, in about so many bytes of memory,
// and so many keys: a shop's attributes have few values, which every search compares
// again.
const (
	longestMemo = 512
	maxMemo     = 4 << 20
	maxKeys     = 1 << 14
)

// NewLexicon returns the lexicon of a shop, whose own language comes before the
// others. All of them count: buyers ask in theirs.
func NewLexicon(shop string) *Lexicon {
	l := &Lexicon{
		languages: language.All(), kindOf: map[string]string{}, names: map[string][]string{}, memo: map[string][]string{}, keys: map[string]string{},
	}
	slices.SortStableFunc(l.languages, func(a, b *language.Language) int {
		return compareTruth(strings.HasPrefix(shop, b.Tag), strings.HasPrefix(shop, a.Tag))
	})
	// English stands first among the others.
	l.own = l.languages[:1]
	if l.own[0].Tag != "en" {
		l.own = l.languages[:2]
	}
	switch _, region, _ := strings.Cut(shop, "-"); region {
	case "GB", "IE":
		l.sizes = "uk"
	case "US", "CA":
		l.sizes = "us"
	case "DE", "AT", "FR", "ES", "IT", "NL", "BE":
		l.sizes = "eu"
	}
	for _, known := range l.languages {
		known.Names(func(phrase string, f language.Fact) {
			form := formOf(f)
			l.names[form] = append(l.names[form], phrase)
		})
	}
	for _, g := range general {
		for _, special := range g.kinds {
			l.kindOf[special] = g.name
		}
	}
	return l
}

// formOf is a property in the form it is compared in: its English name.
func formOf(f language.Fact) string {
	name := f.Value
	if f.English != "" {
		name = f.English
	}
	if name == "true" {
		name = strings.ReplaceAll(f.Key, "_", " ")
	}
	return strings.ReplaceAll(text.Fold(name), "-", " ")
}

// term is a word or phrase in the form it is compared in.
type term struct {
	form string
	// role is what the word does in a sentence.
	role language.Role
}

// cut cuts a text that went through Plain, kana if it has any. What any of the
// languages knows as the name of a property becomes its English name, and other
// words lose their inflection.
func (l *Lexicon) cut(plain string, kana bool, languages []*language.Language) []term {
	words := l.languages[0]
	if kana {
		words = l.language("ja")
	}
	tokens := text.Tokens(strings.ReplaceAll(plain, "_", " "), words)
	terms := make([]term, 0, len(tokens))
	for len(tokens) > 0 {
		t, n := l.term(tokens, languages)
		if t.form == "" { // a hyphenated word that nobody knows
			terms = append(terms, l.parts(tokens[0].Fold, languages)...)
		} else {
			terms = append(terms, t)
		}
		tokens = tokens[n:]
	}
	return terms
}

func (l *Lexicon) language(tag string) *language.Language {
	for _, known := range l.languages {
		if known.Tag == tag {
			return known
		}
	}
	return l.languages[0]
}

// term takes the longest phrase at the front that a language knows, else a word.
func (l *Lexicon) term(tokens []text.Token, languages []*language.Language) (term, int) {
	var role language.Role
	for _, known := range languages {
		e, ok := known.Match(tokens)
		if !ok {
			continue
		}
		if len(e.Facts) > 0 {
			return term{formOf(e.Facts[0]), e.Roles}, e.Words
		}
		if e.Words == 1 || role == 0 {
			role |= e.Roles
		}
	}
	t := tokens[0]
	switch {
	case t.Kind == text.Number:
		if form, n := measured(tokens); n > 0 {
			return term{form, role}, n
		}
		return term{t.Fold, role}, 1
	case packed(tokens):
		return term{plainNumber(tokens[2].Digits) + unit(packs), role}, 3
	case t.Kind == text.Symbol:
		return term{t.Text, role}, 1
	case strings.Contains(t.Fold, "-"):
		return term{}, 1
	}
	return term{l.stem(t.Fold), role}, 1
}

// parts cuts a hyphenated word: "leather-free".
func (l *Lexicon) parts(word string, languages []*language.Language) []term {
	var terms []term
	for part := range strings.SplitSeq(word, "-") {
		if tokens := text.Tokens(part, nil); len(tokens) > 0 {
			t, _ := l.term(tokens, languages)
			terms = append(terms, t)
		}
	}
	return terms
}

func (l *Lexicon) stem(word string) string { return text.Stem(l.languages[0].Tag, word) }

// forms are the terms that name something, without the words between them. They
// are not to be changed.
func (l *Lexicon) forms(s string) []string {
	l.mu.RLock()
	forms, ok := l.memo[s]
	l.mu.RUnlock()
	if ok {
		return forms
	}
	forms = l.readForms(s)
	if len(s) > longestMemo {
		return forms
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bytes > maxMemo {
		clear(l.memo) // a catalogue with that many values is met again soon
		l.bytes = 0
	}
	l.memo[strings.Clone(s)] = forms
	l.bytes += entryBytes + len(s)
	for _, form := range forms {
		l.bytes += entryBytes/4 + len(form)
	}
	return forms
}

// entryBytes is what an entry of the memo takes beside its texts.
const entryBytes = 64

func (l *Lexicon) readForms(s string) []string {
	var forms []string
	plain := text.Plain(s)
	for _, t := range l.cut(plain, text.Kana(plain), l.languages) {
		joins := t.role.Has(language.Preposition|language.Article|language.And|language.With) && len(t.form) < 5
		if !joins && strings.Trim(t.form, ".,;:!?()[]/&+'\"•–-") != "" && !slices.Contains(forms, t.form) {
			forms = append(forms, t.form)
		}
	}
	return forms
}

// needles are what a word begins with, at least one of them wherever a form stands
// in a text, in whatever language.
func (l *Lexicon) needles(form string) [][]byte {
	names := append(slices.Clone(l.names[form]), form)
	for special := range l.kindOf {
		if l.isKindOf(special, form) {
			names = append(append(names, l.names[special]...), special)
		}
	}
	for i, name := range names {
		names[i] = needle(name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	needles := make([][]byte, len(names))
	for i, name := range names {
		needles[i] = []byte(name)
	}
	return needles
}

// needle is what is left of the longest word of a phrase in all its forms: "bod" of
// body and bodies, "kni" of knife and knives.
func needle(phrase string) string {
	if digits := strings.IndexFunc(phrase, func(r rune) bool { return r < '0' || r > '9' }); digits > 0 && isMeasure(phrase) {
		return phrase[:digits] // the unit is called by many names
	}
	longest := ""
	for word := range strings.FieldsSeq(phrase) {
		if word, _, _ = strings.Cut(word, "-"); len(word) > len(longest) {
			longest = word
		}
	}
	const certain = 4 // bytes: no ending that is taken off begins before
	for i := range longest {
		if i >= certain {
			longest = longest[:i]
			break
		}
	}
	return strings.TrimRight(longest, "vy")
}
