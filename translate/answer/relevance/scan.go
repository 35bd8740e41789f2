package relevance

// noun is a word or phrase that names a kind.
type noun struct {
	senses []sense
	own    bool // it is the noun of the question, which no table knows
	from   int  // its first word
	to     int  // the word behind its last
}

func (n noun) found() bool { return len(n.senses) > 0 || n.own }

// phrase is what a text says of a thing.
type phrase struct {
	// head is what the text says that the thing is, also what it is as well:
	// "keyboard and mouse".
	head, also noun
	// others are nouns that describe it: what stands before the head, or behind
	// "for". They are bounded; more are left out.
	others [6]noun
	count  int
}

func (p *phrase) describe(n noun) {
	if n.found() && p.count < len(p.others) {
		p.others[p.count] = n
		p.count++
	}
}

// gap is how many words may stand between a model number and the accessory
// that it belongs to: "iphone 15 pro max case".
const gap = 3

// scan finds what the words from i on say that the thing is, up to the first
// comma or the like behind a noun. It returns where it stopped.
func (l *line) scan(t *table, x *lexicon, i int) (phrase, int) {
	var p phrase
	start, closed, complement, leads := i, -1, false, false
	for i < l.count {
		w := &l.words[i]
		if w.broken && i > start && p.head.found() {
			break
		}
		if w.broken && i > start {
			start, complement, leads = i, false, false
		}
		var n noun
		if w.role == plain && !w.number || w.number || w.role == container || w.role == quality {
			n = l.noun(x, i)
		}
		switch {
		case n.found() && leads && t.loose(n.senses):
			p.take(t, x, l, n, closed)
			complement, leads = false, false
		case n.found() && (complement || leads):
			p.describe(n)
		case n.found() && l.serves(n.to):
			p.describe(n)
		case n.found():
			p.take(t, x, l, n, closed)
			if p.head.to == n.to {
				closed = -1
			}
		case w.number:
			if p.head.found() && closed < 0 {
				closed = i
			}
		case w.role == leading:
			leads = leads || i > start
		case w.role == serving, w.role == having:
			complement = complement || i > start
		case w.role == belonging:
			complement = complement || i > start && (p.head.found() || x.headFirst) && l.words[i-1].role != container
		}
		i = max(i+1, n.to)
	}
	return p, i
}

// noun returns the noun that begins with word i.
func (l *line) noun(x *lexicon, i int) noun {
	w := l.words[i]
	if x.own != "" && string(l.buf[w.start:w.end]) == x.own {
		return noun{own: true, from: i, to: i + 1}
	}
	if w.role == container && i+1 < l.count && (l.words[i+1].role == belonging || l.words[i+1].number) {
		return noun{}
	}
	if senses, words := x.find(l, i); len(senses) > 0 && (w.role == plain || w.role == container || words > 1) {
		return noun{senses: senses, from: i, to: i + words}
	}
	return noun{}
}

// serves reports whether word i says that what stands before it is served.
func (l *line) serves(i int) bool {
	return i < l.count && l.words[i].role == served && !l.words[i].broken
}

// take makes a noun the head if it is one beside those that came before. closed
// is where a number ended what the head is, or negative.
func (p *phrase) take(t *table, x *lexicon, l *line, n noun, closed int) {
	joined := n.from > 0 && l.words[n.from-1].role == joining
	serves := t.serves(n.senses)
	switch {
	case !p.head.found():
		p.head = n
	case joined && !serves:
		p.also = n
	case joined:
		// A phone and a charger are a phone.
	case closed >= 0 && (!serves || n.from-closed-1 > gap):
		// What a number is of: "paper 500 sheets".
	case x.headFirst && !(serves && !t.serves(p.head.senses)),
		p.head.own && !serves:
		p.describe(n)
	default:
		p.describe(p.head)
		p.describe(p.also)
		p.head, p.also = n, noun{}
	}
}
