package relevance

import (
	"slices"
	"sync"
)

// Kinds is what is known of kinds of things: the built-in tables and the nouns of
// one shop. It never changes, and is safe for concurrent use. A nil *Kinds has the
// tables alone, and takes products to be in the language of the question.
type Kinds struct {
	*table
	// language is that of the shop's own words, empty where unknown.
	language string
	// learned are the shop's nouns that the tables lack.
	learned names
}

// NewKinds returns the built-in kinds for a shop in a language (BCP 47).
func NewKinds(language string) *Kinds {
	return &Kinds{table: builtin(), language: language}
}

// builtin compiles the tables at their first use.
var builtin = sync.OnceValue(func() *table { return compile(tables()) })

// sense numbers a kind. A name may have several: a notebook is a laptop and paper.
type sense uint16

// names are the kinds by their stemmed names.
type names map[string]entry

type entry struct {
	senses []sense
	// words is how many words the longest name has that begins with this word.
	words int
}

// add gives a name another sense. first is the name's first word.
func (n names) add(name, first string, words int, s sense) {
	e := n[name]
	if !slices.Contains(e.senses, s) {
		e.senses = append(slices.Clip(e.senses), s)
	}
	n[name] = e
	e = n[first]
	e.words = max(e.words, words)
	n[first] = e
}

// with returns the kinds with a shop's nouns, each a kind of its own.
func (k *Kinds) with(nouns []string) *Kinds {
	t := *k.table
	t.kinds = slices.Clone(t.kinds)
	learned := names{}
	for _, noun := range nouns {
		learned.add(noun, noun, 1, sense(len(t.kinds)))
		t.kinds = append(t.kinds, kind{name: noun})
	}
	return &Kinds{table: &t, language: k.language, learned: learned}
}

// set is a set of kinds.
type set []uint64

func (s set) has(of []sense) bool {
	for _, o := range of {
		if int(o>>6) < len(s) && s[o>>6]&(1<<(o&63)) != 0 {
			return true
		}
	}
	return false
}

func (s set) add(k sense) { s[k>>6] |= 1 << (k & 63) }

// below returns the kinds with all that are narrower.
func (t *table) below(of []sense) set {
	s := make(set, len(t.kinds)/64+1)
	for i := range t.kinds {
		for at := sense(i); ; at = t.kinds[at].parent {
			if slices.Contains(of, at) {
				s.add(sense(i))
			}
			if t.kinds[at].parent == none {
				break
			}
		}
	}
	return s
}

// none is the parent of a kind that has none: the kind with no name.
const none sense = 0

// loose reports whether any of the kinds is.
func (t *table) loose(of []sense) bool {
	return slices.ContainsFunc(of, func(s sense) bool { return t.kinds[s].loose })
}

// serves reports whether a name is only that of things that serve another.
func (t *table) serves(of []sense) bool {
	for _, s := range of {
		if !t.kinds[s].serves {
			return false
		}
	}
	return len(of) > 0
}
