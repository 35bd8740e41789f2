package index

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/index/words"
)

// How much a term counts that is not the word itself.
const (
	asHead      = 0.6 // "raincoat" for "coat"
	asModifier  = 0.3 // "raincoat" for "rain"
	asJoined    = 0.9 // "raincoat" for "rain coat"
	asPart      = 0.4 // "32" for "32gb"
	asCorrected = 0.7 // "printer" for "prinetr"
	asDoubted   = 0.4 // "bluetooth" for "blutooth", which some product has too
)

// maxForms is how many terms stand for a word.
const maxForms = 32

// form is a term that stands for a word of the query.
type form struct {
	term   uint32
	list   list
	size   uint32 // how many products have it
	weight float32
}

// group is a word of the query with the terms that stand for it.
type group struct {
	word  string // folded
	stem  string
	parts []string // "32" and "gb" of "32gb"
	head  bool
	found Found
	forms []form
	texts []string // of forms
	most  float32  // more than a product can gain by the word, set by the search
}

// size is at least how many products the group finds.
func (g *group) size() (most uint32) {
	for i := range g.forms {
		most = max(most, g.forms[i].size)
	}
	return most
}

// planner looks up the words of a query. The index is locked meanwhile.
type planner struct {
	*contents
	shop, asked words.Language
	groups      []group
}

// plan returns the words of a query with the terms that stand for them.
func (c *contents) plan(q Query, shop words.Language, splitter *words.Splitter) []group {
	p := planner{contents: c, shop: shop, asked: shop}
	if l := words.LanguageOf(q.Language); l != "" {
		p.asked = l
	}
	p.read(q.Text, false, splitter)
	p.read(q.Head, true, splitter)
	for i := 1; i < len(p.groups); i++ {
		p.join(p.groups[i-1].word+p.groups[i].word, i-1, i+1)
	}
	for i := range p.groups {
		p.fill(&p.groups[i])
	}
	return p.groups
}

// read makes a group of each word.
func (p *planner) read(text string, head bool, splitter *words.Splitter) {
	var last []int // the groups of the words that were read, -1 for none
	splitter.Split(text, func(word []byte, kind words.Kind, n int) {
		switch kind {
		case words.Part:
			if i := last[len(last)-1]; i >= 0 {
				p.groups[i].parts = append(p.groups[i].parts, string(word))
			}
		case words.Joined:
			if group := last[max(0, len(last)-n)]; group >= 0 {
				p.join(string(word), group, min(group+n, len(p.groups)))
			}
		default:
			last = append(last, p.group(word, head))
		}
	})
}

// group returns the number of a word's group, which it makes if there is none, or
// -1 for a word that is not looked for.
func (p *planner) group(word []byte, head bool) int {
	text := string(word)
	if p.shop.Stop(word) || p.asked.Stop(word) {
		return -1
	}
	stem := string(p.shop.Stem(word))
	if i := slices.IndexFunc(p.groups, func(g group) bool { return g.stem == stem }); i >= 0 {
		p.groups[i].head = p.groups[i].head || head
		return i
	}
	if len(p.groups) == maxWords {
		return -1
	}
	g := group{word: text, stem: stem, head: head}
	p.form(&g, stem, 1)
	p.form(&g, string(p.asked.Stem([]byte(text))), 1)
	p.form(&g, text, 1)
	if len(g.forms) > 0 {
		g.found = Itself
	}
	p.groups = append(p.groups, g)
	return len(p.groups) - 1
}

// join adds a word to the groups of the words it is made of.
func (p *planner) join(word string, from, to int) {
	stem := string(p.shop.Stem([]byte(word)))
	for i := from; i < to; i++ {
		if p.form(&p.groups[i], stem, asJoined) {
			p.groups[i].found = Itself
		}
	}
}

// form adds a term to a group, if the index knows it.
func (p *planner) form(g *group, text string, weight float32) bool {
	n, known := p.dict.find(p.terms, []byte(text))
	if !known || p.size(n) == 0 {
		return false
	}
	p.add(g, n, weight)
	return true
}

func (p *planner) add(g *group, term uint32, weight float32) {
	if len(g.forms) >= maxForms || slices.ContainsFunc(g.forms, func(f form) bool { return f.term == term }) {
		return
	}
	g.forms = append(g.forms, form{term: term, list: p.lists[term], size: p.size(term), weight: weight})
	g.texts = append(g.texts, p.terms[term])
}

// fill finds what else stands for a word.
func (p *planner) fill(g *group) {
	size := g.size()
	if p.compounds() && letters(g.stem) && len(g.stem) >= 4 {
		p.addCompounds(g)
		if len(g.forms) > 0 {
			g.found = Itself
		}
		if size == 0 || p.shop != words.English && size < 50 {
			p.takeApart(g)
		}
	}
	for _, part := range g.parts {
		if size == 0 && p.form(g, part, asPart) {
			g.found = max(g.found, InParts)
		}
	}
	switch {
	case !letters(g.word):
	case len(g.forms) == 0 && len(g.word) >= 4:
		if p.correct(g, 0, asCorrected) {
			g.found = Corrected
		}
	case size > 0 && size < 3 && len(g.word) >= 5:
		p.correct(g, 10+20*size, asDoubted)
	}
}

// letters reports whether a word is of Latin letters alone.
func letters(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return word != ""
}

// candidate is a term that may stand for a word.
type candidate struct {
	term   uint32
	size   uint32
	weight float32
}

// addBest adds the candidates that the most products have.
func (p *planner) addBest(g *group, all []candidate, most int) {
	slices.SortFunc(all, func(a, b candidate) int {
		if a.size != b.size {
			return int(b.size) - int(a.size)
		}
		return strings.Compare(p.terms[a.term], p.terms[b.term])
	})
	for _, c := range all[:min(most, len(all))] {
		p.add(g, c.term, c.weight)
	}
}
