package verdict

import (
	"slices"
	"strings"
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
	needles  []string // of its first form
}

func (l *Lexicon) wish(c Constraint) wish {
	w := wish{Constraint: c, key: l.key(c.Key), forms: l.forms(sizeless(c.Value)), name: c.Value, positive: c.Value != "false"}
	if isTruth(c.Value) {
		w.name = strings.ReplaceAll(c.Key, "_", " ")
	}
	if w.key == "size" && l.sizes != "" && len(w.forms) > 1 {
		// A size of the shop's own system is called by its number alone.
		w.forms = slices.DeleteFunc(slices.Clone(w.forms), func(form string) bool { return form == l.sizes })
	}
	w.named = l.forms(sizeless(w.name))
	if len(w.named) > 0 {
		w.needles = l.needles(w.named[0])
	}
	return w
}

func isTruth(value string) bool { return value == "true" || value == "false" }

// in reports whether a folded text may speak of what is wished.
func (w *wish) in(folded string) bool {
	for _, needle := range w.needles {
		if strings.Contains(folded, needle) {
			return true
		}
	}
	return false
}
