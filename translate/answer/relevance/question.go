package relevance

import (
	"slices"
	"strings"
)

// Question is one thing that was asked for.
type Question struct {
	// Words are all that was said of it.
	Words string
	// Noun is its name as a reader found it: "boots", "phone case". Empty where no
	// reader did; then it is found in Words.
	Noun string
	// Language is that of the words, a BCP 47 tag.
	Language string
}

// Judge knows what was asked for. It is safe for concurrent use.
type Judge struct {
	kinds *Kinds
	// titles is what products are read with; nil if nothing can be judged.
	titles *lexicon
	// target are the kinds asked for and all narrower, wider the ones right above
	// that may be meant, and beside what else these include.
	target, wider, beside set
	// wanted are what the thing has to be for, each a kind with all narrower: the
	// phone of "phone case".
	wanted []wish
	// vague says that the noun means little without them: "case", "cable".
	vague bool
	// own is the noun where it names no kind, also a word behind a noun that may
	// be the noun itself.
	own, also string
	// brand is the noun that may be a brand: all that was said.
	brand string
}

// wish is a noun or a word that describes what is asked for.
type wish struct {
	kinds set    // empty for a word that names none
	stem  string // as the products' language stems it
}

// For prepares a judge. Without kinds, those of the tables are used and products
// are taken to be in the language of the question.
func For(q Question, kinds *Kinds) *Judge {
	if kinds == nil {
		kinds = NewKinds("")
	}
	j := &Judge{kinds: kinds}
	asked, ok := kinds.lexicon(q.Language)
	if !ok {
		return j
	}
	titles, ok := asked, true
	if kinds.language != "" {
		titles, ok = kinds.lexicon(kinds.language)
	}
	if !ok {
		return j
	}
	var l line
	l.ask(q, &asked)
	p, _ := l.scan(kinds.table, &asked, 0)
	last := l.last(&asked)
	switch {
	case last < 0 && !p.head.found():
		return j
	case !p.head.found() || q.Noun != "" && !asked.headFirst && last == p.head.to:
		p.describe(p.head)
		p.head = noun{own: true, from: last, to: last + 1}
		j.own = l.stem(last)
		titles.own = j.own
		j.brand = l.text(0, l.count)
	default:
		j.aim(append(p.head.senses[:len(p.head.senses):len(p.head.senses)], p.also.senses...))
		j.vague = kinds.serves(p.head.senses)
		if last == p.head.to && !asked.headFirst && !l.adjective(last, &asked) {
			// "Salt shaker", or "keyboard logitech": a shaker is one, and so is a
			// keyboard that has to do with the word.
			j.also = l.stem(last)
			titles.own = j.also
		}
	}
	j.describe(&l, &p, &asked)
	j.titles = &titles
	return j
}

// aim notes which kinds are asked for.
func (j *Judge) aim(senses []sense) {
	j.target = j.kinds.below(senses)
	var wider []sense
	for _, s := range senses {
		if j.kinds.kinds[s].wide {
			wider = append(wider, j.kinds.kinds[s].parent)
		}
	}
	if len(wider) == 0 {
		return
	}
	j.wider = make(set, len(j.target))
	j.beside = j.kinds.below(wider)
	for _, s := range wider {
		j.wider.add(s)
	}
	for i := range j.beside {
		j.beside[i] &^= j.target[i] | j.wider[i]
	}
}

// describe notes what the thing has to be for.
func (j *Judge) describe(l *line, p *phrase, asked *lexicon) {
	for _, n := range p.others[:p.count] {
		j.wanted = append(j.wanted, wish{kinds: j.kinds.below(n.senses), stem: string(l.buf[l.words[n.from].start:l.words[n.to-1].end])})
	}
	if i := l.describing(p.head, asked); i >= 0 && len(j.wanted) == 0 && j.kinds.loose(p.head.senses) {
		j.wanted = append(j.wanted, wish{stem: l.stem(i)})
	}
}

// lexicon returns what texts of a language are read with.
func (k *Kinds) lexicon(tag string) (lexicon, bool) {
	i, ok := languageOf(tag)
	if !ok {
		return lexicon{}, false
	}
	x := lexicon{grammar: k.grammars[i], names: k.names[i], learned: k.learned}
	if i > 0 {
		x.english = k.names[0]
	}
	if x.tag == "ja" {
		x.longest = k.longest
	}
	return x, true
}

// stem returns word i.
func (l *line) stem(i int) string { return l.text(i, i+1) }

// text returns the words [from, to).
func (l *line) text(from, to int) string {
	return string(l.buf[l.words[from].start:l.words[to-1].end])
}

// ask cuts what names the thing: the noun of a reader with the words that make a name
// of it ("walking boots" where the noun is "boots"), or all words without a reader.
func (l *line) ask(q Question, x *lexicon) {
	l.cut(q.Words, x)
	if q.Noun == "" {
		return
	}
	var noun line
	noun.cut(q.Noun, x)
	if noun.count == 0 {
		return
	}
	asked := noun.text(0, noun.count)
	for i := range l.count {
		senses, n := x.find(l, i)
		if len(senses) == 0 || n <= noun.count {
			continue
		}
		from := i + n - noun.count
		if x.headFirst {
			from = i
		}
		if l.text(from, from+noun.count) == asked {
			l.keep(i, i+n)
			return
		}
	}
	*l = noun
}

// keep drops all but the words [from, to).
func (l *line) keep(from, to int) {
	l.count = copy(l.words[:], l.words[from:to])
	l.words[0].broken = false
}

// adjective reports whether word i has the ending of one.
func (l *line) adjective(i int, x *lexicon) bool {
	word := l.stem(i)
	return slices.ContainsFunc(x.adjectives, func(ending string) bool { return strings.HasSuffix(word, ending) })
}

// last returns the word that a name of no known noun hangs on, or -1. A colour or
// a buyer is that only where there is nothing else: "the boys" is a title.
func (l *line) last(x *lexicon) int {
	if at := l.lastOf(plain, x); at >= 0 {
		return at
	}
	return l.lastOf(quality, x)
}

func (l *line) lastOf(is role, x *lexicon) int {
	at := -1
	for i, w := range l.words[:l.count] {
		switch {
		case (w.role == serving || w.role == having || w.role == leading || w.broken) && at >= 0:
			return at
		case x.headFirst && w.role == belonging && at >= 0:
			return at
		case w.role == is && !w.number && (at < 0 || !x.headFirst):
			at = i
		}
	}
	return at
}

// describing returns the word that stands at the side of the head and is no noun
// ("hdmi cable", "cable hdmi"), or -1.
func (l *line) describing(head noun, x *lexicon) int {
	i := head.from - 1
	if x.headFirst {
		i = head.to
		if i < l.count && l.words[i].role == belonging {
			i++
		}
	}
	if i < 0 || i >= l.count || l.words[i].role != plain {
		return -1
	}
	return i
}
