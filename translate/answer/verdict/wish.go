package verdict

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// wish is a constraint with its words in the forms they are compared in.
type wish struct {
	Constraint
	key   string   // of the attribute
	forms []string // of the value
	// name is what the thing itself is called: waterproof for waterproof: true, and
	// otherwise the value. positive: the wish is that it be so.
	name     string
	named    []string // the forms of name
	positive bool
	needles  [][]byte // of its first form
	wanted   Datum
	// device is what a product has to fit, and bound what it has to have more or
	// less of; nil in other wishes.
	device *device
	bound  *bounded
	// open: what is recorded under the key may be about something else, or not be
	// all, so that it does not speak against what is said elsewhere.
	open bool
}

func (l *Lexicon) wish(c Constraint) wish {
	w := wish{Constraint: c, key: l.key(c.Key), forms: l.forms(sizeless(c.Value)), name: c.Value, positive: c.Value != "false", wanted: Text(c.Value)}
	if isTruth(c.Value) {
		w.name = strings.ReplaceAll(c.Key, "_", " ")
	}
	if w.key == "size" && l.sizes != "" && len(w.forms) > 1 {
		// A size of the shop's own system is called by its number alone.
		w.forms = slices.DeleteFunc(slices.Clone(w.forms), func(form string) bool { return form == l.sizes })
	}
	if slices.ContainsFunc(w.forms, isMeasure) && !isTruth(c.Value) {
		// "4 inch tall" is 4 inches, whatever it is that has them.
		w.open, w.bound = true, l.bound(c, w.forms)
		w.forms = slices.DeleteFunc(slices.Clone(w.forms), func(form string) bool { return !isMeasure(form) })
		w.named = w.forms
	} else {
		w.named = l.forms(sizeless(w.name))
	}
	if w.key == language.CompatibleKey && len(w.named) > 0 {
		w.open, w.device = true, deviceOf(w.named)
		w.named = w.device.names[0]
	}
	if len(w.named) > 0 {
		w.needles = l.needles(w.named[0])
	}
	if w.device != nil {
		for _, names := range w.device.names[1:] {
			w.needles = append(w.needles, l.needles(names[0])...)
		}
	}
	return w
}

func isTruth(value string) bool { return value == "true" || value == "false" }

// in reports whether a folded text may speak of what is wished: whether a needle
// begins one of its words.
func (w *wish) in(folded []byte) bool {
	for _, needle := range w.needles {
		for at := 0; ; at++ {
			i := bytes.Index(folded[at:], needle)
			if i < 0 {
				break
			}
			if at += i; beginsWord(folded, at) {
				return true
			}
		}
	}
	return false
}

// beginsWord reports whether a word may begin at a place of a folded text, as
// package text cuts words: none does behind a letter or a digit, unless it or they
// are of a script without spaces.
func beginsWord(folded []byte, at int) bool {
	before, _ := utf8.DecodeLastRune(folded[:at])
	if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return true
	}
	after, _ := utf8.DecodeRune(folded[at:])
	return text.Unspaced(before) || text.Unspaced(after)
}
