package relevance

import (
	"slices"
	"strings"
	"sync"

	"github.com/storeware/caddy-storeware/upstream"
)

// mostNouns bounds how many words a Learner counts, and enough is how many
// products have to name a kind by a word before it is taken for a noun.
const (
	mostNouns = 8192
	enough    = 3
)

// Learner learns the nouns of a shop from its products: those that name its
// categories and product types, and those that its titles put before "for". It is
// safe for concurrent use.
type Learner struct {
	base *Kinds
	x    lexicon

	mu     sync.Mutex
	counts map[string]count
}

// count is how many products use a word as the noun of a kind, and how many to
// describe another noun: "winter" of winter boots is no noun, even if a category
// is called "Boots Winter".
type count struct{ names, describes int }

func (c count) isNoun() bool { return c.names >= enough && c.names > 2*c.describes }

// NewLearner returns a learner for a shop in a language (BCP 47). In a language
// that is not known it learns nothing.
func NewLearner(language string) *Learner {
	base := NewKinds(language)
	x, _ := base.lexicon(language)
	return &Learner{base: base, x: x, counts: map[string]count{}}
}

// Add learns from a product.
func (l *Learner) Add(p *upstream.Product) {
	if l.x.grammar == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, category := range p.Categories {
		l.names(category[strings.LastIndexAny(category, "/>")+1:])
	}
	for _, a := range p.Attributes {
		if isType(a.Key) && !strings.EqualFold(a.Key, "type") { // which may be the type of anything
			for _, value := range a.Values {
				l.names(value)
			}
		}
	}
	l.title(withoutBrand(p.Title, p.Brand))
}

// names counts the noun of a text that names a kind, unless the tables have it.
func (l *Learner) names(text string) {
	var words line
	words.cut(text, &l.x)
	p, _ := words.scan(l.base.table, &l.x, 0)
	i := words.last(&l.x)
	if i < 0 || p.head.found() && (l.x.headFirst || i < p.head.to) {
		return
	}
	l.count(&words, i, count{names: 1})
}

// title counts the word before "for" of a title in which no noun is known, and
// the word that describes one that is.
func (l *Learner) title(title string) {
	if l.x.headFirst {
		return // there it need not be the noun
	}
	var words line
	words.cut(title, &l.x)
	if p, _ := words.scan(l.base.table, &l.x, 0); p.head.found() {
		if i := words.describing(p.head, &l.x); i >= 0 {
			l.count(&words, i, count{describes: 1})
		}
		return
	}
	for i := 1; i < words.count; i++ {
		before := words.words[i-1]
		if words.words[i].role == serving && !words.words[i].broken && before.role == plain && !before.number {
			l.count(&words, i-1, count{names: 1})
			return
		}
	}
}

func (l *Learner) count(words *line, i int, more count) {
	w := words.words[i]
	noun := words.buf[w.start:w.end]
	if c, known := l.counts[string(noun)]; known || len(l.counts) < mostNouns && len(noun) >= shortest {
		l.counts[string(noun)] = count{c.names + more.names, c.describes + more.describes}
	}
}

// Kinds returns what has been learned so far.
func (l *Learner) Kinds() *Kinds {
	l.mu.Lock()
	defer l.mu.Unlock()
	var nouns []string
	for noun, n := range l.counts {
		if n.isNoun() {
			nouns = append(nouns, noun)
		}
	}
	slices.Sort(nouns)
	return l.base.with(nouns)
}
